import type { ActingEdge } from '../../domain/goals/ports.js';
import { weightOf, type WeighedEvent } from '../../domain/maths/effects/weighting.js';
import type { Assumption, EventAdd, EventMove, EventRemove } from '../../domain/scenarios/assumptions.js';
import { NO_CHANGE, type EventChange, type MovingEvent } from '../../domain/scenarios/event-effects.js';
import type { SeenStream } from '../../domain/scenarios/extrapolations.js';
import type { ScenarioWarning } from '../../domain/scenarios/facts.js';
import type { Unknown } from '../../domain/scenarios/refusals.js';
import { responseOf } from '../../domain/maths/effects/applied.js';
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
  const moving = (stream: string, occurredAt: number, weight: (edge: ActingEdge) => number) => {
    const edge = ofStream.get(stream);
    const response = edge && responseOf(edge.curve);
    if (!edge || !response) return null;
    const { edgeId } = edge;
    return {
      eventId: null,
      edgeId,
      stream,
      at: stepOf(occurredAt),
      occurredAt,
      weight: weight(edge),
      response,
    };
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

  const base = issued.appliedEvents.flatMap(({ eventId, stream, occurredAt, weight }) => {
    const one = moving(stream, occurredAt, () => weight);
    return one ? [{ ...one, eventId }] : [];
  });

  const added = async (event: EventAdd, index: number): Promise<EventChange> => {
    const seen = await reads.stream(workspace, event.stream, issued.asOf);
    if (!seen) return absent(index, 'stream', `stream '${event.stream}'`);
    streams.set(event.stream, seen);
    const one = moving(event.stream, event.occurredAt, ({ weighing }) => weightOf(weighing, event));
    if (!one) return unmoved(index, event.stream);
    return { gone: [], come: Array.from({ length: event.count }, () => one) };
  };
  const removed = async ({ eventId, stream, from, to }: EventRemove, index: number): Promise<EventChange> => {
    if (eventId !== null && !(await reads.event(workspace, eventId, issued.asOf)))
      return absent(index, 'event_id', `event ${eventId}`);
    if (stream !== null && !(await reads.stream(workspace, stream, issued.asOf)))
      return absent(index, 'stream', `stream '${stream}'`);
    const isMeant = (one: (typeof base)[number]): boolean =>
      eventId === null
        ? one.stream === stream && one.occurredAt >= (from ?? -Infinity) && one.occurredAt <= (to ?? Infinity)
        : one.eventId === eventId;
    const gone = base.filter(isMeant).map(one => one.eventId);
    if (gone.length === 0) warn(index, 'no_effect', 'The base was not moved by it');
    return { gone: eventId === null ? gone : [eventId], come: [] };
  };
  const moved = async ({ eventId, occurredAt }: EventMove, index: number): Promise<EventChange> => {
    const event = await reads.event(workspace, eventId, issued.asOf);
    if (!event) return absent(index, 'event_id', `event ${eventId}`);
    const before = base.find(one => one.eventId === eventId);
    const one = moving(
      event.stream,
      occurredAt,
      ({ weighing }) => before?.weight ?? weightOf(weighing, event),
    );
    return one ? { gone: [eventId], come: [{ ...one, eventId }] } : unmoved(index, event.stream);
  };

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
      default:
        changes.push(NO_CHANGE);
    }
  return { base, changes, streams, warnings, unknown };
}

const isOfStream = ({ kind }: ActingEdge): boolean => kind === 'event_stream';
