import type { Changes, Details } from '../domain/events/facts.js';
import { endlessRoom, withRoom } from '../domain/events/backlog.js';
import type { RecordEvent, ReviseEvent } from '../domain/events/commands.js';
import { events } from '../domain/events/decider.js';
import { eventsOnce } from '../domain/events/once.js';
import { eventsReferred, standsAt, tried } from '../domain/events/referred.js';
import type { LiveEvent } from '../domain/events/state.js';
import { recordable, streams } from '../domain/events/streams.js';
import { HOUR } from '../domain/time.js';
import { eventIdOf } from './events/ids.js';
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

export type EventCommands = ReturnType<typeof eventCommands>;

/** `room`: for texts to be scored; endless unless said otherwise. */
export function eventCommands(
  handle: Handle,
  room = endlessRoom,
  cadenceOf: CadenceOf = () => DEFAULT_CADENCE,
) {
  const roomy = withRoom(events, room);
  const once = withRoom(eventsOnce, room);
  const referred = withRoom(eventsReferred, room);
  const trial = tried(roomy);

  /** A submission as the first event that its id refers to and that stands there; else by itself. */
  const elsewhere = async (data: RecordEvent['data'], to: readonly string[], context: Context) => {
    for (const eventId of to) {
      const there = { type: 'RecordEvent', data: { ...data, eventId } } as const;
      const taken = await handle(referred, there, context);
      if (standsAt(taken.after, data.occurredAt)) return { ...taken, eventId };
    }
    const here = { type: 'RecordEvent', data: { ...data, here: true } } as const;
    return { ...(await handle(roomy, here, context)), eventId: data.eventId };
  };

  /**
   * Before an event moves: who then records what it has become means it, which would have an id of its own.
   * Refused is what the move will be. Events under ids of others are the same by those alone.
   */
  const refer = async (command: ReviseEvent, context: Context): Promise<void> => {
    const { workspace, eventId: to, changes } = command.data;
    if (changes.occurredAt === undefined) return;
    const { key, text, details } = (await handle(trial, command, context)).after as LiveEvent;
    const eventId = eventIdOf(workspace, key, changes.occurredAt, text);
    if (eventId === to || details.externalId !== undefined) return;
    const data = { workspace, eventId, key, to };
    await handle(events, { type: 'ReferEvent', data }, context, unwritten(events));
  };

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
      const here = await handle(roomy, { type: 'RecordEvent', data }, context, unwritten(events));
      const to = here.after.status === 'none' ? here.after.to : undefined;
      const taken = to === undefined ? { ...here, eventId } : await elsewhere(data, to, context);
      const changed = taken.facts.some(({ type }) => type === 'EventRecorded' || type === 'EventRevised');
      const { status, occurredAt: stands } = taken.after as LiveEvent;
      const { position } = taken;
      return { eventId: taken.eventId, key, status, scheduled: stands > now, changed, position };
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
      const command = { type: 'ReviseEvent', data } as const;
      await refer(command, context);
      const { position, after } = await handle(roomy, command, context);
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
