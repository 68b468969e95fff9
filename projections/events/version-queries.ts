import type { Reader } from '../engine/reader.js';
import { nameOf, type EventDoc } from './documents.js';
import type { Where } from '../engine/read-models.js';
import { cut, type Place } from './stream-queries.js';
import type { PastDoc, VersionDoc } from './versions.js';

/** What lists show of an event. */
export type ListedEvent = Pick<
  EventDoc,
  'event_id' | 'key' | 'occurred_at' | 'timestamp' | 'status' | 'value' | 'scores'
> & { readonly name: string };

/** A stream, and the moment that is asked of; `life`: position of its last deletion before then. */
export type StreamThen = {
  readonly workspace: string;
  readonly key: string;
  readonly asOf: number;
  readonly life: number;
};

/** Versions that are read in one go. */
const AT_ONCE = 250;

export type VersionQueries = ReturnType<typeof versionQueries>;

/** Events as they were listed at a moment, epoch ms. */
export function versionQueries(read: Reader) {
  /** By a time of theirs, whichever versions stood at the moment: those that still do, and others. */
  async function standing(
    {
      where,
      by,
      asOf,
    }: { readonly where: Where; readonly by: 'occurred_at' | 'due_at'; readonly asOf: number },
    { limit, descending, after }: { limit: number; descending: boolean; after: Place | null },
  ): Promise<VersionDoc[]> {
    const query = {
      where: { ...where, since: { lte: asOf } },
      sort: { by: [by, 'event_id'], descending },
      limit,
      ...(after && { after: [after.occurredAt, after.id] }),
    };
    const [now, past] = await Promise.all([
      read.find<VersionDoc>('event_versions', query),
      read.find<PastDoc>('event_pasts', { ...query, where: { ...query.where, until: { gt: asOf } } }),
    ]);
    if (past.length === 0) return now;
    const sign = descending ? -1 : 1;
    return [...now, ...past]
      .sort((a, b) => sign * (a.occurred_at - b.occurred_at || (a.event_id < b.event_id ? -1 : 1)))
      .slice(0, limit);
  }

  /** Events of a stream in the order in which they occur: those that had, and those that were to come. */
  async function inOrder(
    { workspace, key, asOf, life }: StreamThen,
    limit: number,
    { descending, before, after }: { descending: boolean; before: number | null; after: Place | null },
  ): Promise<ListedEvent[]> {
    const where = { workspace, key, life: { gt: life } };
    const until = before === null ? {} : { lt: before };
    const had = {
      where: { ...where, occurred_at: { lte: asOf, ...until } },
      by: 'occurred_at',
      asOf,
    } as const;
    // What was to come had been said to be so: what was recorded since is not looked through
    const toCome = { where: { ...where, due_at: { gt: asOf, ...until } }, by: 'due_at', asOf } as const;
    const found: VersionDoc[] = [];
    for (const part of descending ? [toCome, had] : [had, toCome]) {
      if (found.length === limit) break;
      found.push(...(await standing(part, { limit: limit - found.length, descending, after })));
    }
    return found.map(doc => listedThen(doc, asOf));
  }

  return {
    /** As `streamPage`. */
    async streamPage(stream: StreamThen, limit: number, before: number | null, place: Place | null) {
      const found = await inOrder(stream, limit + 1, { descending: true, before, after: place });
      return cut(found, limit);
    },

    /** All events of a stream in order of occurrence, page by page. */
    async *points(stream: StreamThen): AsyncGenerator<ListedEvent[]> {
      for (let after: Place | null = null; ; ) {
        const page = await inOrder(stream, AT_ONCE, { descending: false, before: null, after });
        if (page.length > 0) yield page;
        if (page.length < AT_ONCE) return;
        const { occurred_at: occurredAt, event_id: id } = page.at(-1)!;
        after = { occurredAt, id };
      }
    },

    /** The newest events of a stream that occur before one, the newest first. */
    before: (stream: StreamThen, { occurred_at, event_id }: EventDoc, limit: number) =>
      inOrder(stream, limit, {
        ...{ descending: true, before: null },
        after: { occurredAt: occurred_at, id: event_id },
      }),

    /**
     * Of streams of a workspace (null: of all), whatever became of these: events that were to come until a
     * time, soonest first, page by page, each with the position at which it was recorded.
     */
    async *toCome(workspace: string, keys: readonly string[] | null, asOf: number, until: number) {
      const due = { workspace, due_at: { gt: asOf, lte: until } };
      const where = { ...due, ...(keys && { key: { in: keys } }) };
      for (let after: Place | null = null; ; ) {
        const page = await standing(
          { where, by: 'due_at', asOf },
          { limit: AT_ONCE, descending: false, after },
        );
        if (page.length > 0) yield page.map(doc => ({ ...listedThen(doc, asOf), life: doc.life }));
        if (page.length < AT_ONCE) return;
        const { occurred_at: occurredAt, event_id: id } = page.at(-1)!;
        after = { occurredAt, id };
      }
    },
  };
}

function listedThen(doc: VersionDoc, asOf: number): ListedEvent {
  const { event_id, key, occurred_at, timestamp, value, given_name, beginning } = doc;
  const isScored = doc.scored_at !== null && doc.scored_at <= asOf;
  return {
    ...{ event_id, key, occurred_at, timestamp, value, name: given_name ?? beginning },
    ...{ status: isScored ? 'scored' : 'pending', scores: isScored ? doc.scores : null },
  };
}

/** An event that stands now, as lists show it. */
export const listedNow = (event: EventDoc): ListedEvent => ({ ...event, name: nameOf(event) });
