import { hash } from 'node:crypto';
import type { Changes, Details } from '../domain/events/facts.js';
import { addsToBacklog, endlessRoom, type ScoringRoom } from '../domain/events/backlog.js';
import { events } from '../domain/events/decider.js';
import { eventsOnce } from '../domain/events/once.js';
import type { LiveEvent } from '../domain/events/state.js';
import { recordable, streams } from '../domain/events/streams.js';
import { EARLIEST, HOUR } from '../domain/time.js';
import { unwritten, type Context, type Handle } from './engine/handle.js';

/** A submission as a caller gives it; `occurredAt` null means now. */
export type Submission = {
  readonly key: string;
  readonly text: string;
  readonly occurredAt: number | null;
  readonly details: Details;
  /** An event that is there stays as it is. */
  readonly keepKnown?: boolean;
};
export type Recorded = {
  readonly eventId: string;
  readonly key: string;
  readonly status: 'pending' | 'scored';
  readonly scheduled: boolean;
  /** Whether it is new, or something of it is. */
  readonly changed: boolean;
  readonly position: number | null;
};

export type Revised = { readonly event: LiveEvent; readonly position: number | null };

/**
 * The smallest cadence of a workspace's active goals, in ms, by which its events are called fresh or stale;
 * at hand mostly, for recording waits for it.
 */
export type CadenceOf = (workspace: string) => number | Promise<number>;
/** Cadence of a workspace without active goals. */
export const DEFAULT_CADENCE = HOUR;

/**
 * The same workspace, stream, time and text give the same id, so that a repeat lands on the same journal and
 * row. The time comes first in it, base 36, so that ids made in order are stored in order.
 */
export function eventIdOf(workspace: string, key: string, occurredAt: number, text: string): string {
  const content = hash('sha256', JSON.stringify([workspace, key, occurredAt, text]));
  return `evt_${(occurredAt - EARLIEST).toString(36).padStart(10, '0')}${content.slice(0, 20)}`;
}

export type EventCommands = ReturnType<typeof eventCommands>;

/**
 * The id of an event that another system has given an id of its own. There is no time in it: when the same
 * event comes again it may tell another time, or none.
 */
export const foreignEventId = (workspace: string, sourceId: string, externalId: string): string =>
  `evt_${hash('sha256', JSON.stringify([workspace, 'source', sourceId, externalId])).slice(0, 30)}`;

/** Decides as ever, but adds no text to be scored where there is no room. */
const withRoom = (room: ScoringRoom): typeof events => ({
  ...events,
  decide(command, state) {
    const decided = events.decide(command, state);
    const refusal = addsToBacklog(state, decided) ? room.refusal(command.data.workspace) : null;
    if (refusal) throw refusal;
    return decided;
  },
});
const onceWithRoom = (room: ScoringRoom): typeof eventsOnce => ({
  ...eventsOnce,
  decide(command, state) {
    const decided = eventsOnce.decide(command, state);
    const adds = addsToBacklog(events.initialState, decided);
    const refusal = adds ? room.refusal(command.data.workspace) : null;
    if (refusal) throw refusal;
    return decided;
  },
});

/** `room`: for texts to be scored; endless unless said otherwise. */
export function eventCommands(
  handle: Handle,
  room = endlessRoom,
  cadenceOf: CadenceOf = () => DEFAULT_CADENCE,
) {
  const roomy = withRoom(room);
  const once = onceWithRoom(room);
  return {
    /** Records an event, or what is new about one that was recorded before. */
    async record(
      workspace: string,
      { key, text, occurredAt, details, keepKnown = false }: Submission,
      context: Context,
    ): Promise<Recorded> {
      recordable(key);
      const now = context.at;
      const at = occurredAt ?? now;
      const eventId = eventIdOf(workspace, key, at, text);
      const known = cadenceOf(workspace);
      const cadence = typeof known === 'number' ? known : await known;
      const when = { occurredAt: at, now, cadence };
      const data = { workspace, eventId, key, text, details, keepKnown, ...when };
      const { facts, after, position } = await handle(
        roomy,
        { type: 'RecordEvent', data },
        context,
        unwritten(events),
      );
      const changed = facts.some(({ type }) => type === 'EventRecorded' || type === 'EventRevised');
      return { eventId, key, status: (after as LiveEvent).status, scheduled: at > now, changed, position };
    },
    /**
     * Records an event under an id that was made for it (`foreignEventId`), unless it ever was, also where it
     * is gone since: `isNew` false then.
     */
    async recordOnce(
      workspace: string,
      eventId: string,
      { key, text, occurredAt, details }: Submission,
      context: Context,
    ): Promise<{ readonly isNew: boolean; readonly position: number | null }> {
      recordable(key);
      const now = context.at;
      const at = occurredAt ?? now;
      const known = cadenceOf(workspace);
      const cadence = typeof known === 'number' ? known : await known;
      const data = { workspace, eventId, key, text, occurredAt: at, details, now, cadence };
      const command = { type: 'RecordEvent', data } as const;
      const { facts, position } = await handle(once, command, context, unwritten(once));
      return { isNew: facts.length > 0, position };
    },
    /** Changes name, time or value; `seen`: the revision the caller saw, null: whichever. */
    async revise(
      workspace: string,
      eventId: string,
      changes: Changes,
      seen: number | null,
      context: Context,
    ): Promise<Revised> {
      const data = { workspace, eventId, changes, seen, now: context.at };
      const { position, after } = await handle(roomy, { type: 'ReviseEvent', data }, context);
      return { position, event: after as LiveEvent };
    },
    /** Takes one event back. */
    withdraw: (workspace: string, eventId: string, seen: number | null, context: Context) =>
      handle(events, { type: 'WithdrawEvent', data: { workspace, eventId, seen } }, context),
    /** Ends a stream's present life, with all its events. */
    deleteStream: (workspace: string, key: string, context: Context) =>
      handle(streams, { type: 'DeleteStream', data: { workspace, key } }, context),
    /** Null takes group or name away. Says nothing about whether there is such a stream. */
    assignStreamGroup: (workspace: string, key: string, group: string | null, context: Context) =>
      handle(streams, { type: 'AssignStreamGroup', data: { workspace, key, group } }, context),
    nameStream: (workspace: string, key: string, name: string | null, context: Context) =>
      handle(streams, { type: 'NameStream', data: { workspace, key, name } }, context),
  };
}
