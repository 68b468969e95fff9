import { Rejected } from '../../domain/rejected.js';
import type { Counts } from '../../domain/ingestion/deliveries.js';
import type { EventConfig } from '../../domain/ingestion/event-config.js';
import type { ItemEvent, ItemFault, ItemSeries } from '../../domain/ingestion/items.js';
import { foreignEventId } from '../events/ids.js';
import type { EventCommands, Submission } from '../events.js';
import type { Context } from '../engine/handle.js';
import { begunInTurns } from '../engine/turns.js';
import type { Push, SignalCommands } from '../signals.js';

/** An event on its way in. `externalId`: what its sender calls it; null: nothing, its content is its id. */
export type IncomingEvent = {
  /** Of the item it was made of, for errors. */
  readonly index: number;
  readonly externalId: string | null;
  readonly submission: Submission;
};
/** What comes of one source at a time. */
export type Incoming = {
  readonly workspace: string;
  /** Ids of events count within it. */
  readonly sourceId: string;
  readonly events: readonly IncomingEvent[];
  readonly points: readonly Push[];
  /** What is known with nothing new counts among the duplicates, also events without an id of their own. */
  readonly countsKnown?: boolean;
};
/** `errors`: of events that were refused, by the index of their item. */
export type Taken = Counts & {
  readonly errors: readonly ItemFault[];
  /** Of the last fact of each kind; null: nothing was written, and nothing was known before. */
  readonly positions: { readonly events: number | null; readonly signals: number | null };
};
export type Intake = (incoming: Incoming, context: Context) => Promise<Taken>;

/** Events that one turn is for. */
const EVENTS_A_TURN = 25;

const nothing: Taken = {
  ...{ accepted: 0, duplicates: 0, rejected: 0 },
  errors: [],
  positions: { events: null, signals: null },
};

const ofEvent = (accepted: number, duplicates: number, position: number | null): Taken => ({
  accepted,
  duplicates,
  rejected: 0,
  errors: [],
  positions: { events: position, signals: null },
});

/**
 * The one way that ingestion writes events and points: deliveries, polls and imports alike. All of it may be
 * taken in again at any time, also after a part of it was: events with an id of their own are recorded once,
 * those without by their content (of which their time is a part), points by their time. It rejects with a
 * 429 or 503 when something could not be taken just now; the rest of it may have been.
 */
export const intakeOf = (events: EventCommands, signals: SignalCommands): Intake => {
  const recorded = async (
    { workspace, sourceId, countsKnown = false }: Incoming,
    { index, externalId, submission }: IncomingEvent,
    context: Context,
  ): Promise<Taken> => {
    try {
      if (externalId === null) {
        const { changed, position } = await events.record(workspace, submission, context);
        const counts = changed || !countsKnown ? { accepted: 1 } : { duplicates: 1 };
        return { ...nothing, ...counts, positions: { events: position, signals: null } };
      }
      const eventId = foreignEventId(workspace, sourceId, externalId);
      const { isNew, position } = await events.recordOnce(workspace, eventId, submission, context);
      return isNew ? ofEvent(1, 0, position) : ofEvent(0, 1, position);
    } catch (error) {
      if (!(error instanceof Rejected) || isForNow(error)) throw error;
      const { code, message } = error;
      return { ...nothing, rejected: 1, errors: [{ index, field: null, code, message }] };
    }
  };

  const pushed = async ({ workspace, points }: Incoming, context: Context): Promise<Taken> => {
    if (points.length === 0) return nothing;
    const made = await signals.push(workspace, points, context);
    return sumOf(
      made.map(({ recorded: added, revised, duplicates, position }) => ({
        ...nothing,
        accepted: added + revised,
        duplicates,
        positions: { events: null, signals: position },
      })),
    );
  };

  return async (incoming, context) => {
    const {
      events: [only],
      points,
    } = incoming;
    if (only && incoming.events.length === 1 && points.length === 0) return recorded(incoming, only, context);
    const written = begunInTurns(incoming.workspace, incoming.events, EVENTS_A_TURN, some =>
      allOf(some.map(event => recorded(incoming, event, context))),
    );
    const [ofEvents, ofPoints] = await allOf([written, pushed(incoming, context).then(taken => [[taken]])]);
    return sumOf([...ofEvents!, ...ofPoints!].flat());
  };
};

/** All of them, when all have ended: what failed must not leave others at work behind it. */
async function allOf<T>(work: readonly Promise<T>[]): Promise<T[]> {
  const ended = await Promise.allSettled(work);
  return ended.map(one => {
    if (one.status === 'rejected') throw one.reason;
    return one.value;
  });
}

function sumOf(all: readonly Taken[]): Taken {
  const [only] = all;
  if (all.length === 1) return only!;
  const last = (kind: 'events' | 'signals'): number | null =>
    all.reduce<number | null>((most, { positions: { [kind]: position } }) => {
      return position === null ? most : Math.max(most ?? position, position);
    }, null);
  const total = (count: keyof Counts): number => all.reduce((sum, one) => sum + one[count], 0);
  return {
    ...{ accepted: total('accepted'), duplicates: total('duplicates'), rejected: total('rejected') },
    errors: all.flatMap(({ errors }) => errors),
    positions: { events: last('events'), signals: last('signals') },
  };
}

const isForNow = ({ kind }: Rejected): boolean => kind === 'limited' || kind === 'unavailable';

/** Of items that came as they are kept with their event, at most so many bytes as JSON. */
const MOST_RAW = 65_536;

/**
 * Items as events of a stream. `bytes`: of all items together, which spares measuring each of few.
 * `arrivedAt`: what those without a time are of; null: the moment they are recorded.
 */
export const incomingEvents = (
  events: readonly ItemEvent[],
  { stream }: EventConfig,
  bytes: number,
  arrivedAt: number | null = null,
): IncomingEvent[] =>
  events.map(({ index, externalId, text, occurredAt, raw }) => {
    const isSmall = bytes <= MOST_RAW || Buffer.byteLength(JSON.stringify(raw)) <= MOST_RAW;
    const named = externalId === null ? {} : { externalId };
    const details = { origin: 'ingestion', ...(isSmall && { raw }), ...named } as const;
    return {
      index,
      externalId,
      submission: { key: stream, text, occurredAt: occurredAt ?? arrivedAt, details },
    };
  });

/** Series of rows as points to be pushed. */
export const incomingPoints = (series: readonly ItemSeries[]): Push[] =>
  series.map(({ key, times, values }) => ({ key, times, values, unit: null, origin: 'ingestion' }));
