import type { ActingEdge } from '../../domain/goals/ports.js';
import { weightOf, type WeighedEvent } from '../../domain/maths/effects/weighting.js';
import type {
  Assumption,
  EdgeOff,
  EventAdd,
  EventMove,
  EventRemove,
} from '../../domain/scenarios/assumptions.js';
import { baseEvents, movingBy } from '../../domain/scenarios/base-events.js';
import { NO_CHANGE, type EventChange, type MovingEvent } from '../../domain/scenarios/event-effects.js';
import type { SeenStream } from '../../domain/scenarios/extrapolations.js';
import type { ScenarioWarning } from '../../domain/scenarios/facts.js';
import type { Unknown } from '../../domain/scenarios/refusals.js';
import { sameEvents } from '../../domain/scenarios/same-events.js';
import { evenedStep, type Based } from './knowing.js';

/** An event as it was recorded by some time. */
export type EventThen = WeighedEvent & { readonly stream: string; readonly occurredAt: number };
export type EventReads = {
  /** Null: none with this id was recorded by then. */
  readonly event: (workspace: string, eventId: string, asOf: number) => Promise<EventThen | null>;
  /** What was recorded by then of a stream; null: nothing. */
  readonly stream: (workspace: string, key: string, asOf: number) => Promise<SeenStream | null>;
};
export type OfEvents = {
  readonly base: readonly MovingEvent[];
  /** In the order of the assumptions. */
  readonly changes: readonly EventChange[];
  readonly streams: ReadonlyMap<string, SeenStream>;
  readonly warnings: readonly ScenarioWarning[];
  /** Events and streams that were not there. */
  readonly unknown: readonly Unknown[];
};

const UNTOLD = 'The base does not say which events that had happened moved it';

/** The events that moved a base, and what assumptions change of them. */
export async function eventsKnown(
  reads: EventReads,
  based: Based,
  assumptions: readonly Assumption[],
  edges: readonly ActingEdge[],
): Promise<OfEvents> {
  const { workspace, issued } = based;
  const stepOf = evenedStep(based);
  const warnings: ScenarioWarning[] = [];
  const unknown: Unknown[] = [];
  const streams = new Map<string, SeenStream>();
  const ofStream = new Map(edges.filter(isOfStream).map(edge => [edge.sourceKey, edge]));
  const acting = (stream: string, occurredAt: number, weight: (edge: ActingEdge) => number) => {
    const edge = ofStream.get(stream);
    if (!edge) return null;
    const event = { eventId: null, occurredAt, weight: weight(edge), as: 'scheduled' } as const;
    return movingBy(edge, event, stepOf)[0] ?? null;
  };
  const warn = (index: number, code: ScenarioWarning['code'], message: string): EventChange => {
    warnings.push({ index, code, message });
    return NO_CHANGE;
  };
  const absent = (place: number, field: 'event_id' | 'stream', what: string): EventChange => {
    unknown.push({ place, field, msg: `there was no ${what} when the base was made` });
    return NO_CHANGE;
  };
  const unmoved = (index: number, stream: string): EventChange =>
    ofStream.has(stream)
      ? warn(index, 'response_unknown', `How the target answers events of ${stream} was not measured`)
      : warn(
          index,
          'no_edge',
          `No edge leads from the stream ${stream} to this goal: nothing follows from it`,
        );

  const { scheduled, carried, causes } = baseEvents(issued, ofStream, stepOf);
  const base = [...scheduled, ...(carried ?? []), ...(causes ?? [])];
  /** Whether what happened of a stream from a time on may have moved the base, which does not say so. */
  const isUntold = (stream: string, from: number): boolean => {
    const edge = ofStream.get(stream);
    if (!edge || from > issued.asOf) return false;
    return causes === null || (carried === null && edge.knownInAdvance);
  };
  const sameAs = sameEvents(base, issued.asOf);
  /** As what an event moved the base; undefined: it did not; null: the base does not say. */
  const inBase = (eventId: string, event: EventThen): MovingEvent | null | undefined => {
    const edge = ofStream.get(event.stream);
    const isScored = event.importance !== null || event.impact !== null;
    const weight = edge && isScored ? weightOf(edge.weighing, event) : null;
    const one = sameAs(eventId, edge ? { ...event, edgeId: edge.edgeId, weight } : null);
    if (one) return one.over ? undefined : one;
    return isUntold(event.stream, event.occurredAt) ? null : one;
  };

  const added = async (event: EventAdd, index: number): Promise<EventChange> => {
    const seen = await reads.stream(workspace, event.stream, issued.asOf);
    if (!seen) return absent(index, 'stream', `stream '${event.stream}'`);
    streams.set(event.stream, seen);
    const one = acting(event.stream, event.occurredAt, ({ weighing }) => weightOf(weighing, event));
    if (!one) return unmoved(index, event.stream);
    return { gone: [], come: Array.from({ length: event.count }, () => one) };
  };
  const removed = async ({ eventId, stream, from, to }: EventRemove, index: number): Promise<EventChange> => {
    const event = eventId === null ? null : await reads.event(workspace, eventId, issued.asOf);
    if (eventId !== null && !event) return absent(index, 'event_id', `event ${eventId}`);
    if (stream !== null && !(await reads.stream(workspace, stream, issued.asOf)))
      return absent(index, 'stream', `stream '${stream}'`);
    const isWithin = ({ stream: of, occurredAt, over }: MovingEvent): boolean =>
      !over && of === stream && occurredAt >= (from ?? -Infinity) && occurredAt <= (to ?? Infinity);
    const gone = event ? [inBase(eventId!, event)] : base.filter(isWithin);
    const ids = gone.flatMap(one => one?.eventId ?? []);
    const isSilent = event ? gone[0] === null : isUntold(stream!, from ?? -Infinity);
    if (isSilent) warn(index, 'response_unknown', `${UNTOLD}: what those did stays`);
    else if (ids.length === 0) warn(index, 'no_effect', 'The base was not moved by it');
    return { gone: eventId === null ? ids : [eventId, ...ids], come: [] };
  };
  const moved = async ({ eventId, occurredAt }: EventMove, index: number): Promise<EventChange> => {
    const event = await reads.event(workspace, eventId, issued.asOf);
    if (!event) return absent(index, 'event_id', `event ${eventId}`);
    const before = inBase(eventId, event);
    if (before === null) {
      unknown.push({ place: index, field: 'event_id', msg: `${UNTOLD}: it cannot be moved` });
      return NO_CHANGE;
    }
    // What had happened, and still has, stays what it was
    const isStill = before && before.as !== 'scheduled' && occurredAt <= issued.asOf;
    const one = isStill
      ? { ...before, at: stepOf(occurredAt), occurredAt }
      : acting(event.stream, occurredAt, ({ weighing }) => before?.weight ?? weightOf(weighing, event));
    if (!one) return unmoved(index, event.stream);
    return { gone: [eventId, ...(before?.eventId ? [before.eventId] : [])], come: [{ ...one, eventId }] };
  };
  const off = ({ edgeId }: EdgeOff, index: number): EventChange =>
    edges.some(edge => edge.edgeId === edgeId && isUntold(edge.sourceKey, -Infinity))
      ? warn(index, 'response_unknown', `${UNTOLD}: what those did stays`)
      : NO_CHANGE;

  const changes: EventChange[] = [];
  for (const [index, assumption] of assumptions.entries())
    switch (assumption.kind) {
      case 'event_add':
        changes.push(await added(assumption, index));
        break;
      case 'event_remove':
        changes.push(await removed(assumption, index));
        break;
      case 'event_move':
        changes.push(await moved(assumption, index));
        break;
      case 'edge_off':
        changes.push(off(assumption, index));
        break;
      default:
        changes.push(NO_CHANGE);
    }
  return { base, changes, streams, warnings, unknown };
}

const isOfStream = ({ kind }: ActingEdge): boolean => kind === 'event_stream';
