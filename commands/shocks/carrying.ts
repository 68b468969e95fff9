import type { Composed, Making } from '../../domain/forecasts/composing.js';
import type { ActingEdge } from '../../domain/goals/ports.js';
import type { InferenceSeries } from '../../domain/inference/forecasting.js';
import { reachOf, responseOf } from '../../domain/maths/effects/applied.js';
import type { Scheduled } from '../../domain/shocks/applying.js';
import { effectsOfPast, type Carried } from '../../domain/shocks/carried.js';
import type { Episode } from '../../domain/shocks/episode.js';
import { weightOf } from '../../domain/shocks/weighing.js';

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
    const { edgeId, weighing } = byStream.get(event.stream)!;
    return [{ edgeId, occurredAt: event.occurredAt, weight: weightOf(weighing, event) }];
  });
}

/** What the model makes of the series without what events did to it, and what these go on to do. */
export async function withoutPast(
  { steps, series, other }: Making,
  first: Composed,
  past: readonly Carried[],
  edges: readonly ActingEdge[],
): Promise<{ made: Composed; series: InferenceSeries; effects: readonly number[] }> {
  if (past.length === 0) return { made: first, series, effects: first.times.map(() => 0) };
  const { before, ahead } = effectsOfPast(steps, series, first.times, past, edges);
  const values = series.values.map((value, i) => value - before[i]!);
  const made = { ...first, ...(await other(values)), carriedEvents: past.length };
  return { made, series: { ...series, values }, effects: ahead };
}
