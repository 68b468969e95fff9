import { lookedAt, noveltyOf, RECENT } from '../../domain/events/novelty.js';
import { normaliseValue } from '../../domain/events/numeric.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import {
  described,
  type DueDoc,
  type EventDoc,
  type RevisionDoc,
  type StreamDoc,
  type TotalsDoc,
} from './documents.js';
import { streamId, TOTALS } from './projection.js';

/** A place in a stream, newest occurrence first. */
export type Place = { readonly occurredAt: number; readonly id: string };
export type StreamPage = {
  readonly events: EventDoc[];
  readonly hasMore: boolean;
  readonly nextBefore: number | null;
  readonly next: Place | null;
};

export type Revision = RevisionDoc['before'] & { readonly until: number | null };
export type Revisions = { readonly revisions: Revision[]; readonly total: number };

export type Scored = Pick<EventDoc, 'workspace' | 'event_id' | 'status' | 'score_version'>;

/** How many events before one its value is measured against. */
const HISTORY = 1_000;
/** So many events are looked through for those recorded before one: a stream may be filled from its end. */
const LOOKED_THROUGH = 4 * RECENT.texts;
/** With long texts one page is enough, with short ones two are: the event itself is among them. */
const RECENT_PAGE = RECENT.texts / 2 + 1;
const BY_TIME = ['occurred_at', '_id'] as const;

export type EventQueries = ReturnType<typeof eventQueries>;

export const eventQueries = (read: Reader) => ({
  upTo: read.upTo,

  event: (workspace: string, eventId: string) => read.get<EventDoc>('events', `${workspace}/${eventId}`),

  /**
   * Events of the whole platform in the order of their ids, behind one: whose they are, and what made their
   * scores.
   */
  versions: (after: string | null, limit: number) =>
    read.find<Scored & { readonly _id: string }>('events', {
      where: {},
      sort: { by: ['_id'] },
      ...(after !== null && { after: [after] }),
      limit,
      fields: ['workspace', 'event_id', 'status', 'score_version'],
    }),

  /**
   * The event's value against those of up to 1,000 events of its stream that occurred before it; null without
   * a value.
   */
  async normalisedValue({ workspace, key, occurred_at, _id, value }: EventDoc): Promise<number | null> {
    if (value === null) return null;
    const before = await read.find<EventDoc>('events', {
      where: { workspace, key },
      sort: { by: BY_TIME, descending: true },
      after: [occurred_at, _id],
      limit: HISTORY,
      fields: ['value'],
    });
    return normaliseValue(
      value,
      before.flatMap(event => event.value ?? []),
    );
  },

  /**
   * How much of an event's text is new in its stream, as far as the documents go; null when there is no such
   * event.
   */
  async novelty(workspace: string, eventId: string): Promise<number | null> {
    const event = await read.get<EventDoc>('events', `${workspace}/${eventId}`);
    return event && noveltyOf(event.text, await textsBefore(read, event));
  },

  /** How an event has stood, oldest first, as it stands now last; null when there is no such event. */
  async revisions(
    workspace: string,
    eventId: string,
    offset: number,
    limit: number,
  ): Promise<Revisions | null> {
    const where = { workspace, event_id: eventId };
    const [now, total, past] = await Promise.all([
      read.get<EventDoc>('events', `${workspace}/${eventId}`),
      read.count('event_revisions', where),
      read.find<RevisionDoc>('event_revisions', { where, sort: { by: ['_id'] }, offset, limit }),
    ]);
    if (!now) return null;
    const revisions = past.map(({ before, until }): Revision => ({ ...before, until }));
    if (offset <= total && revisions.length < limit)
      revisions.push({ ...now, ...described(now), until: null });
    return { revisions, total: total + 1 };
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
      ...(place && { after: [place.occurredAt, place.id] }),
    });
    return cut(found, limit);
  },

  /** Events whose time has not come, soonest first. */
  async upcoming(
    workspace: string,
    from: number,
    until: number,
    keys: readonly string[] | null,
    limit: number,
  ) {
    const where = { workspace, due_at: { gt: from, lte: until }, ...(keys && { key: { in: keys } }) };
    const due = await read.find<DueDoc>('event_due', { where, sort: { by: ['due_at', '_id'] }, limit });
    const events = await read.load<EventDoc>(
      'events',
      due.map(({ _id }) => _id),
    );
    return {
      events: due.flatMap(({ _id }) => events.get(_id) ?? []),
      total: await read.count('event_due', where),
    };
  },

  /**
   * All that came due up to `now` and did not fire yet, soonest first, at most `limit`; and the time of the
   * next one after.
   */
  async due(now: number, limit: number): Promise<{ due: DueDoc[]; next: number | null }> {
    const found = await read.find<DueDoc>('event_due', { where: {}, sort: { by: ['due_at', '_id'] }, limit });
    const due = found.filter(({ due_at }) => due_at <= now);
    return { due, next: found[due.length]?.due_at ?? null };
  },

  streams: (workspace: string) =>
    read.pages<StreamDoc>('event_streams', {
      where: { _id: { prefix: `${workspace}/` } },
      sort: { by: ['_id'] },
    }),

  stream: (workspace: string, key: string) => read.get<StreamDoc>('event_streams', streamId(workspace, key)),

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
   * How many events of each stream of a workspace (`keys`: of these) are still to come, and when the next one
   * lands.
   */
  async scheduled(
    workspace: string,
    now: number,
    keys: readonly string[] | null = null,
  ): Promise<Map<string, { count: number; next: number }>> {
    const byKey = new Map<string, { count: number; next: number }>();
    const pages = read.pages<DueDoc>('event_due', {
      where: { workspace, due_at: { gt: now }, ...(keys && { key: { in: keys } }) },
      sort: { by: ['due_at', '_id'] },
      fields: ['key', 'due_at'],
    });
    for await (const page of pages)
      for (const { key, due_at } of page) {
        const { count, next } = byKey.get(key) ?? { count: 0, next: due_at };
        byKey.set(key, { count: count + 1, next });
      }
    return byKey;
  },

  /** How many events of a stream are still to come, and when the next one lands. */
  async scheduledIn(
    workspace: string,
    key: string,
    now: number,
  ): Promise<{ count: number; next: number } | null> {
    const where = { workspace, key, due_at: { gt: now } };
    const [next] = await read.find<DueDoc>('event_due', {
      where,
      sort: { by: ['due_at'] },
      limit: 1,
      fields: ['due_at'],
    });
    return next ? { count: await read.count('event_due', where), next: next.due_at } : null;
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
    read.find<EventDoc>('events', {
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

  totals: async () => (await read.get<TotalsDoc>('event_totals', TOTALS)) ?? { count: 0, pending: 0 },
});

/**
 * The texts of `RECENT` events, newest occurrence first. By positions, not by clocks: what comes later never
 * was earlier.
 */
async function textsBefore(
  read: Reader,
  { workspace, key, occurred_at, position }: EventDoc,
): Promise<string[]> {
  const texts: string[] = [];
  let left = LOOKED_THROUGH;
  let letters = RECENT.letters;
  for await (const page of read.pages<EventDoc>('events', {
    where: { workspace, key, occurred_at: { gte: occurred_at - RECENT.span, lte: occurred_at } },
    sort: { by: BY_TIME, descending: true },
    limit: RECENT_PAGE,
    fields: ['occurred_at', 'position', 'text'],
  })) {
    for (const event of page) {
      if (left-- === 0 || texts.length === RECENT.texts || letters <= 0) return texts;
      if (event.position >= position) continue;
      texts.push(event.text);
      letters -= lookedAt(event.text);
    }
  }
  return texts;
}

function cut(found: EventDoc[], limit: number): StreamPage {
  if (found.length <= limit) return { events: found, hasMore: false, nextBefore: null, next: null };
  const beyond = found[limit]!.occurred_at;
  const whole = found.slice(0, limit).filter(event => event.occurred_at !== beyond);
  if (whole.length > 0) {
    const { occurred_at: nextBefore, _id: id } = whole.at(-1)!;
    return { events: whole, hasMore: true, nextBefore, next: { occurredAt: nextBefore, id } };
  }
  const events = found.slice(0, limit);
  return { events, hasMore: true, nextBefore: null, next: { occurredAt: beyond, id: events.at(-1)!._id } };
}
