import type { Composed, Making } from '../../domain/forecasts/composing.js';
import type { ActingEdge } from '../../domain/goals/ports.js';
import type { InferenceSeries } from '../../domain/inference/forecasting.js';
import { reachOf, responseOf } from '../../domain/maths/effects/applied.js';
import type { Scheduled } from '../../domain/shocks/applying.js';
import { effectsOn, type Acting, type Carried } from '../../domain/shocks/carried.js';
import type { Episode } from '../../domain/shocks/episode.js';
import { scorerOf, weightOf } from '../../domain/shocks/weighing.js';

/**
 * Events of streams that happened from a time to another (epoch ms, both included), scored and known, the
 * newest of each: now, or those that were recorded until a moment (epoch ms).
 */
export type EventsPast = (
  workspace: string,
  streams: readonly string[],
  from: number,
  until: number,
  asOf: number | null,
) => Promise<readonly Scheduled[]>;

/**
 * Events of streams known in advance that happened, and did something to what a model reads. What lies ahead
 * of such a stream is known, too: so its effects are taken out of the past, and those of all events come on
 * top of what is forecast then. Else a model that carries on the mean effect of such events has it twice.
 */
export async function pastOf(
  past: EventsPast,
  { workspace, series, at, asOf }: Making,
  measured: readonly ActingEdge[],
  episode: Episode | null,
): Promise<readonly Carried[]> {
  const edges = measured.filter(({ knownInAdvance }) => knownInAdvance);
  if (edges.length === 0) return [];
  const reach = Math.max(...edges.map(({ curve }) => reachOf(responseOf(curve)!)));
  const streams = edges.map(({ sourceKey }) => sourceKey);
  const events = await past(workspace, streams, series.start - reach, at, asOf);
  const causes = new Set(episode?.causes.map(({ eventId }) => eventId));
  const byStream = new Map(edges.map(edge => [edge.sourceKey, edge]));
  return events.flatMap(event => {
    if (causes.has(event.eventId)) return [];
    const { eventId, occurredAt } = event;
    const { edgeId, weighing } = byStream.get(event.stream)!;
    const scorerVersion = scorerOf(weighing, event);
    return [
      {
        ...{ eventId, edgeId, occurredAt, weight: weightOf(weighing, event) },
        ...(scorerVersion !== null && { scorerVersion }),
      },
    ];
  });
}

/** A series that a model read, and what it made of it. */
export type Read = { readonly series: InferenceSeries; readonly made: Composed };

/** What the model makes of the series without what events did to it. */
export async function withoutEffects(
  { steps, other }: Pick<Making, 'steps' | 'other'>,
  { series, made }: Read,
  acting: readonly Acting[],
): Promise<Read> {
  const before = effectsOn(steps, series, acting);
  if (before.every(effect => effect === 0)) return { series, made };
  const values = series.values.map((value, i) => value - before[i]!);
  return { series: { ...series, values }, made: { ...made, ...(await other(values)) } };
}
