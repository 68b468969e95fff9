import type { EventFact, EventRevised } from '../../domain/events/facts.js';
import type { Fact } from '../../domain/fact.js';
import { autoGroupOf } from '../../domain/maths/series/units.js';
import { projection, type After, type Before } from '../engine/projection.js';
import {
  cameDue,
  dueAt,
  dueOf,
  emptyStream,
  recorded,
  resubmitted,
  revised,
  revisionBefore,
  revisionId,
  scored,
  withdrawn,
  withdrawnId,
} from './changes.js';
import {
  described,
  type BacklogDoc,
  type DueDoc,
  type EventDoc,
  type RevisionDoc,
  type StreamDoc,
  type TotalsDoc,
  type WithdrawnDoc,
} from './documents.js';

type Docs = {
  event_totals: TotalsDoc;
  event_backlogs: BacklogDoc;
  event_streams: StreamDoc;
  event_revisions: RevisionDoc;
  event_withdrawn: WithdrawnDoc;
  event_came_due: DueDoc;
  event_due: DueDoc;
  events: EventDoc;
};
type Of<T extends EventFact['type']> = Fact<Extract<EventFact, { type: T }>>;

const eventId = ({ data, meta }: Fact<EventFact>) =>
  'eventId' in data ? `${meta.workspace}/${data.eventId}` : null;
export const streamId = (workspace: string, key: string) => `${workspace}/${key}`;
export const TOTALS = 'all';

/**
 * Everything that reads of events need; the streams and totals are counted from the events before and after
 * each fact.
 */
export const eventsProjection = projection<Docs, EventFact>({
  name: 'events',
  version: 6,
  // Backlogs of version 4, and of both what was withdrawn or came due, are from now on only: too few, until
  // all are built
  carries: [4, 5],
  collections: {
    event_totals: { indexes: [], idOf: () => TOTALS },
    event_backlogs: { indexes: [['pending']], idOf: ({ meta }) => meta.workspace! },
    event_streams: { indexes: [], idOf: ({ data, meta }) => streamId(meta.workspace!, data.key) },
    event_revisions: {
      indexes: [
        ['workspace', 'event_id', '_id'],
        ['workspace', 'key', 'until', '_id'],
        ['workspace', 'until', '_id'],
      ],
      idOf: priorRevision,
    },
    // These two are for lists of a past moment alone
    event_withdrawn: {
      indexes: [
        ['workspace', 'key', 'until', '_id'],
        ['workspace', 'until', '_id'],
      ],
      idOf: fact => (fact.type === 'EventWithdrawn' ? withdrawnId(eventId(fact)!, fact) : null),
    },
    event_came_due: {
      indexes: [
        ['workspace', 'key', 'due_at', '_id'],
        ['workspace', 'due_at', '_id'],
      ],
      idOf: fact => (fact.type === 'EventCameDue' || fact.type === 'EventWithdrawn' ? eventId(fact) : null),
    },
    event_due: {
      indexes: [
        ['due_at', '_id'],
        ['workspace', 'due_at', '_id'],
        ['workspace', 'key', 'due_at'],
      ],
      idOf: dueId,
    },
    events: { indexes: [['workspace', 'key', 'occurred_at', '_id']], idOf: eventId },
  },
  on: {
    EventRecorded(before, fact) {
      const event = recorded(fact);
      return { events: event, event_due: dueOf(event, fact), ...counted(before, event) };
    },
    EventResubmitted: (before, fact) => becomes(before, before.events && resubmitted(before.events, fact)),
    EventScored: (before, fact) => becomes(before, before.events && scored(before.events, fact)),
    EventRevised(before, fact) {
      if (!before.events) return {};
      const event = revised(before.events, fact);
      return {
        ...becomes(before, event),
        event_revisions: revisionBefore(before.events, fact),
        ...(fact.data.changes.occurredAt !== undefined && { event_due: dueOf(event, fact) }),
      };
    },
    EventCameDue: (before, fact) => ({
      ...(before.events && { events: cameDue(before.events, fact), event_came_due: dueAt(before.events) }),
      event_due: null,
    }),
    EventWithdrawn: (before, fact) => ({
      ...counted(before, null),
      ...(before.events && { event_withdrawn: withdrawn(before.events, fact) }),
      ...{ events: null, event_due: null, event_came_due: null },
    }),
    StreamDeleted: deleted,
    StreamGroupAssigned: (before, { data: { key, group } }) =>
      labelled(before, { group: group ?? autoGroupOf(key), assigned: group !== null }),
    StreamNamed: (before, { data: { name } }) => labelled(before, { name }),
  },
  sweeps: {
    StreamDeleted({ data: { key }, meta }) {
      const where = { workspace: meta.workspace, key };
      return {
        ...{ events: where, event_due: where, event_revisions: where },
        ...{ event_withdrawn: where, event_came_due: where },
      };
    },
    EventWithdrawn: ({ data, meta }) => ({
      event_revisions: { workspace: meta.workspace, event_id: data.eventId },
    }),
  },
});

/**
 * Scores leave the waiting place alone, and what has happened when it is recorded never was there: no need to
 * look it up.
 */
function dueId(fact: Fact<EventFact>): string | null {
  if (fact.type === 'EventScored' || fact.type === 'EventResubmitted') return null;
  if (fact.type === 'EventRecorded' && fact.data.occurredAt <= fact.at) return null;
  return eventId(fact);
}

function priorRevision(fact: Fact<EventFact>): string | null {
  return fact.type === 'EventRevised'
    ? revisionId(eventId(fact)!, (fact as Fact<EventRevised>).data.revision - 1)
    : null;
}

const becomes = (before: Before<Docs>, event: EventDoc | null): After<Docs> =>
  event ? { events: event, ...counted(before, event) } : {};

/** Stream and totals with one event exchanged for what it has become. */
function counted(
  { events: was, event_streams, event_totals, event_backlogs }: Before<Docs>,
  is: EventDoc | null,
): After<Docs> {
  const { workspace, key } = is ?? was ?? {};
  if (workspace === undefined || key === undefined) return {};
  const stream = event_streams ?? emptyStream(streamId(workspace, key), workspace, key);
  const backlog = event_backlogs ?? { _id: workspace, pending: 0 };
  const totals = event_totals ?? { _id: TOTALS, count: 0, pending: 0 };
  const count = Number(is !== null) - Number(was !== null);
  const pending = Number(is?.status === 'pending') - Number(was?.status === 'pending');
  return {
    event_totals: { ...totals, count: totals.count + count, pending: totals.pending + pending },
    event_backlogs: { ...backlog, pending: backlog.pending + pending },
    event_streams: {
      ...stream,
      count: stream.count + count,
      pending: stream.pending + pending,
      ranks: exchanged(stream.ranks, was?.scores?.rank, is?.scores?.rank),
      ...(stream.count === 0 && is && { origin: described(is).origin }),
      ...last(stream, was, is, stream.count + count),
    },
  };
}

/** Which event occurs last is known until that one goes or moves: then only that none occurs later. */
function last({ last_at, last_exact }: StreamDoc, was: EventDoc | null, is: EventDoc | null, count: number) {
  if (count === 0) return { last_at: null, last_exact: true };
  if (is && (last_at === null || is.occurred_at >= last_at))
    return { last_at: is.occurred_at, last_exact: true };
  return { last_at, last_exact: last_exact && was?.occurred_at !== last_at };
}

const labelled = ({ event_streams: stream }: Before<Docs>, labels: Partial<StreamDoc>): After<Docs> =>
  stream ? { event_streams: { ...stream, ...labels } } : {};

function exchanged(
  ranks: Readonly<Record<string, number>>,
  from: number | undefined,
  to: number | undefined,
) {
  if (from === to) return ranks;
  const next: Record<string, number> = { ...ranks };
  if (from !== undefined && --next[from]! === 0) delete next[from];
  if (to !== undefined) next[to] = (next[to] ?? 0) + 1;
  return next;
}

/** The stream's counts start from zero; that it was, and how many went, is kept for the one who asked. */
function deleted(
  { event_streams: stream, event_totals: totals, event_backlogs: backlog }: Before<Docs>,
  { position }: Of<'StreamDeleted'>,
): After<Docs> {
  if (!stream || !totals) return {};
  const { count, pending } = stream;
  return {
    event_totals: { ...totals, count: totals.count - count, pending: totals.pending - pending },
    ...(backlog && { event_backlogs: { ...backlog, pending: backlog.pending - pending } }),
    event_streams: {
      ...emptyStream(stream._id, stream.workspace, stream.key),
      deleted: { at: position, count },
    },
  };
}
