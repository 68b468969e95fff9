import type { GoalForecastIssued } from '../forecasts/facts.js';
import type { ActingEdge } from '../goals/ports.js';
import { reachOf, responseOf, type Response } from '../maths/effects/applied.js';
import { actingIn, type Carried } from '../shocks/carried.js';
import type { Episode } from '../shocks/episode.js';
import type { MovingEvent } from './event-effects.js';

type Issued = GoalForecastIssued['data'];
/** What a forecast keeps of what moved it. */
type Kept = {
  readonly past?: readonly Carried[];
  readonly edges?: readonly ActingEdge[];
  readonly shock?: { readonly episode: Episode } | null;
} | null;

/** The events that a base was made with. Null: it was moved by such events, and does not say by which. */
export type BaseEvents = {
  readonly scheduled: readonly MovingEvent[];
  readonly carried: readonly MovingEvent[] | null;
  readonly causes: readonly MovingEvent[] | null;
};

/**
 * Events that lay ahead of a base, those that had happened and went on by their curves, and the causes of the
 * shock that it was made in; of these also those that were over, for they were bounded together.
 * `ofStream`: edges that acted; `stepOf`: as `at` of an event is.
 */
export function baseEvents(
  issued: Issued,
  ofStream: ReadonlyMap<string, ActingEdge>,
  stepOf: (time: number) => number,
): BaseEvents {
  const kept = issued.follows?.known?.map(one => one as Kept);
  const first = stepOf(issued.points.times[0]!);
  const asActing = (one: MovingEvent): MovingEvent =>
    one.at + reachOf(one.response) > first ? one : { ...one, over: true };
  const scheduled = issued.appliedEvents.flatMap(({ eventId, stream, occurredAt, weight }) =>
    movingBy(ofStream.get(stream), { eventId, occurredAt, weight, as: 'scheduled' }, stepOf),
  );
  return {
    scheduled,
    carried: carriedIn(issued, kept, stepOf)?.map(asActing) ?? null,
    causes: causesIn(issued, kept, stepOf)?.map(asActing) ?? null,
  };
}

/** An event with what its edge says of it; none where that has no curve. */
export function movingBy(
  edge: ActingEdge | undefined,
  event: Pick<MovingEvent, 'eventId' | 'occurredAt' | 'weight' | 'as' | 'nameless'>,
  stepOf: (time: number) => number,
): readonly MovingEvent[] {
  const response: Response | null = edge ? responseOf(edge.curve) : null;
  if (!edge || !response) return [];
  const { edgeId, sourceKey: stream } = edge;
  return [{ ...event, edgeId, stream, at: stepOf(event.occurredAt), response }];
}

function carriedIn(
  { carriedEvents = 0 }: Issued,
  kept: readonly Kept[] | undefined,
  stepOf: (time: number) => number,
): readonly MovingEvent[] | null {
  if (carriedEvents === 0) return [];
  const found = kept?.find(one => one?.past);
  if (!found) return null;
  const edges = new Map(found.edges?.map(edge => [edge.edgeId, edge]));
  return found.past!.flatMap(({ eventId, edgeId, occurredAt, weight }, i) => {
    const named =
      eventId === undefined ? ({ eventId: `carried.${i}`, nameless: true } as const) : { eventId };
    return movingBy(edges.get(edgeId), { ...named, occurredAt, weight, as: 'carried' }, stepOf);
  });
}

/** Those that have a response and were not removed. */
function causesIn(
  { shock }: Issued,
  kept: readonly Kept[] | undefined,
  stepOf: (time: number) => number,
): readonly MovingEvent[] | null {
  if (!shock) return [];
  const found = kept?.find(one => one?.shock?.episode.episodeId === shock.episodeId);
  if (!found) return null;
  // Responses with no weight in the blend did nothing
  if (shock.weights.response === 0) return [];
  return found.shock!.episode.causes.flatMap(cause => {
    const { eventId, edgeId, stream } = cause;
    return actingIn({ causes: [cause] }).map(acting => ({
      ...{ eventId, edgeId, stream, ...acting },
      ...{ at: stepOf(acting.occurredAt), as: 'cause' as const },
    }));
  });
}
