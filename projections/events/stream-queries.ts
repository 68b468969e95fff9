import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { EventDoc, StreamDoc } from './documents.js';
import { streamId } from './projection.js';

/** Which event, when it happens and was recorded (epoch ms), its value and its scores. */
export type SeenEvent = Pick<
  EventDoc,
  '_id' | 'event_id' | 'occurred_at' | 'timestamp' | 'value' | 'scores' | 'score_version'
>;

/** A place in a stream, newest occurrence first; `id`: of the event there. */
export type Place = { readonly occurredAt: number; readonly id: string };
export type StreamPage<E = EventDoc> = {
  readonly events: E[];
  readonly hasMore: boolean;
  readonly nextBefore: number | null;
  readonly next: Place | null;
};

/** The order of a stream. */
export const BY_TIME = ['occurred_at', '_id'] as const;

/** Points are read in parts that hold nobody up for long. */
const POINTS_AT_ONCE = 250;

/** Streams, and the events of one in the order in which they occur. */
export const streamQueries = (read: Reader) => ({
  streams: (workspace: string) =>
    read.pages<StreamDoc>('event_streams', {
      where: { _id: { prefix: `${workspace}/` } },
      sort: { by: ['_id'] },
    }),

  stream: (workspace: string, key: string) => read.get<StreamDoc>('event_streams', streamId(workspace, key)),

  /** What its streams with events are called, the first by key. */
  streamNames: (workspace: string, limit: number) =>
    read.find<Pick<StreamDoc, '_id' | 'key' | 'name'>>('event_streams', {
      where: { _id: { prefix: `${workspace}/` }, count: { gt: 0 } },
      sort: { by: ['_id'] },
      limit,
      fields: ['key', 'name'],
    }),

  /** How many events a workspace has. */
  async eventCount(workspace: string): Promise<number> {
    let count = 0;
    const pages = read.pages<StreamDoc>('event_streams', {
      where: { _id: { prefix: `${workspace}/` } },
      sort: { by: ['_id'] },
      fields: ['count'],
    });
    for await (const page of pages) for (const stream of page) count += stream.count;
    return count;
  },

  /** Those of some streams, in whatever workspace, that have events; by `_id`. */
  async streamsAt(
    places: readonly { readonly workspace: string; readonly key: string }[],
  ): Promise<Map<string, Stored<StreamDoc>>> {
    const docs = await read.load<StreamDoc>(
      'event_streams',
      places.map(({ workspace, key }) => streamId(workspace, key)),
    );
    return new Map([...docs].filter(([, { count }]) => count > 0));
  },

  /**
   * Events of a stream, newest occurrence first, strictly before `before` (epoch ms) or behind `place`. A
   * page ends between two times, never inside a group of equal ones, unless that group alone is larger than
   * `limit`; then `next` goes on inside it.
   */
  async streamPage(
    workspace: string,
    key: string,
    limit: number,
    before: number | null,
    place: Place | null,
  ): Promise<StreamPage> {
    const found = await read.find<EventDoc>('events', {
      where: { workspace, key, ...(before !== null && { occurred_at: { lt: before } }) },
      limit: limit + 1,
      sort: { by: BY_TIME, descending: true },
      ...(place && { after: [place.occurredAt, `${workspace}/${place.id}`] }),
    });
    return cut(found, limit);
  },

  /** The event of a stream that occurs last. */
  async latest(workspace: string, key: string): Promise<EventDoc | null> {
    const [latest] = await read.find<EventDoc>('events', {
      where: { workspace, key },
      sort: { by: BY_TIME, descending: true },
      limit: 1,
    });
    return latest ?? null;
  },

  /**
   * The newest event of a stream that has happened or, when all of them are to come, the next one; null: it
   * has none.
   */
  async mostRecent(workspace: string, key: string, now: number): Promise<EventDoc | null> {
    const sort = { by: BY_TIME, descending: true };
    const happened = { workspace, key, occurred_at: { lte: now } };
    const [recent] = await read.find<EventDoc>('events', { where: happened, sort, limit: 1 });
    if (recent) return recent;
    const where = { workspace, key };
    const [next] = await read.find<EventDoc>('events', { where, sort: { by: BY_TIME }, limit: 1 });
    return next ?? null;
  },

  /** When the first event of a stream occurs; null: it has none. */
  async firstAt(workspace: string, key: string): Promise<number | null> {
    const [first] = await read.find<EventDoc>('events', {
      where: { workspace, key },
      sort: { by: BY_TIME },
      limit: 1,
      fields: ['occurred_at'],
    });
    return first?.occurred_at ?? null;
  },

  /** The newest events of a stream that occur up to a time, newest first: when, and how they were scored. */
  newest: (workspace: string, key: string, until: number, limit: number) =>
    read.find<Pick<EventDoc, '_id' | 'occurred_at' | 'scores'>>('events', {
      where: { workspace, key, occurred_at: { lte: until } },
      sort: { by: BY_TIME, descending: true },
      limit,
      fields: ['occurred_at', 'scores'],
    }),

  /** The points of a stream in order of occurrence, page by page. */
  points: (workspace: string, key: string) =>
    read.pages<EventDoc>('events', {
      where: { workspace, key },
      sort: { by: BY_TIME },
      limit: POINTS_AT_ONCE,
      fields: ['occurred_at', 'timestamp', 'scores'],
    }),

  /**
   * When the events of a stream happen, from one time to another (both included), and how they score, page by
   * page.
   */
  between: (workspace: string, key: string, from: number, to: number) =>
    read.pages<EventDoc>('events', {
      where: { workspace, key, occurred_at: { gte: from, lte: to } },
      sort: { by: BY_TIME },
      fields: ['occurred_at', 'scores'],
    }),

  /**
   * The events of a stream from one time to another (both included): when they happen, when they were
   * recorded, their values and their scores, page by page.
   */
  valuesBetween: (workspace: string, key: string, from: number, to: number) =>
    read.pages<EventDoc>('events', {
      where: { workspace, key, occurred_at: { gte: from, lte: to } },
      sort: { by: BY_TIME },
      limit: POINTS_AT_ONCE,
      fields: ['occurred_at', 'timestamp', 'value', 'scores'],
    }),

  /** The same, the newest first, with their scores. */
  newestBetween: (workspace: string, key: string, from: number, to: number) =>
    read.pages<EventDoc>('events', {
      where: { workspace, key, occurred_at: { gte: from, lte: to } },
      sort: { by: BY_TIME, descending: true },
      limit: POINTS_AT_ONCE,
      fields: ['occurred_at', 'timestamp', 'value', 'scores'],
    }),

  /** The newest of them, newest first, and which they are. */
  seenBetween: (workspace: string, key: string, from: number, to: number, limit: number) =>
    read.find<SeenEvent>('events', {
      where: { workspace, key, occurred_at: { gte: from, lte: to } },
      sort: { by: BY_TIME, descending: true },
      limit,
      fields: ['event_id', 'occurred_at', 'timestamp', 'value', 'scores', 'score_version'],
    }),
});

/** A page of what was found in the order of a stream, one more than it holds. */
export function cut<E extends Pick<EventDoc, 'event_id' | 'occurred_at'>>(
  found: E[],
  limit: number,
): StreamPage<E> {
  if (found.length <= limit) return { events: found, hasMore: false, nextBefore: null, next: null };
  const beyond = found[limit]!.occurred_at;
  const whole = found.slice(0, limit).filter(event => event.occurred_at !== beyond);
  if (whole.length > 0) {
    const { occurred_at: nextBefore, event_id: id } = whole.at(-1)!;
    return { events: whole, hasMore: true, nextBefore, next: { occurredAt: nextBefore, id } };
  }
  const events = found.slice(0, limit);
  return {
    events,
    hasMore: true,
    nextBefore: null,
    next: { occurredAt: beyond, id: events.at(-1)!.event_id },
  };
}
