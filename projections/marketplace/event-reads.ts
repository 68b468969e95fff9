import type { Stored } from '../engine/read-models.js';
import type { Reader } from '../engine/reader.js';
import type { EventDoc, StreamDoc } from '../events/documents.js';
import { eventQueries, type EventQueries } from '../events/queries.js';
import { byCodePoint, type MarketplaceQueries, type Subscribed } from './queries.js';
import { seenDocuments } from './seen-documents.js';

export type EventReads = ReturnType<typeof eventReads>;
type Scheduled = Awaited<ReturnType<EventQueries['scheduled']>>;

/**
 * Events as a workspace sees them: its own, and those of the streams that it subscribes to, under their
 * aliases. These lie with the publisher and are read there. Where that is is found out here, once, and every
 * query can then be asked under the subscriber's own names.
 */
export function eventReads(
  read: Reader,
  { aliasesOf, resolve }: Pick<MarketplaceQueries, 'aliasesOf' | 'resolve'>,
) {
  const own = eventQueries(read);
  const queriesOf = (subscriber: string, publisher: string, aliases: ReadonlyMap<string, string>) =>
    eventQueries(seenDocuments(read, { subscriber, publisher, aliases }));

  /** What a workspace subscribes to (`wanted` null: all), by listing: two listings may offer the same. */
  async function offersTo(workspace: string, wanted: readonly string[] | null = null) {
    const offers = new Map<string, Subscribed[]>();
    for (const each of await aliasesOf(workspace, 'stream')) {
      if (wanted && !wanted.includes(each.alias)) continue;
      offers.set(each.listingId, [...(offers.get(each.listingId) ?? []), each]);
    }
    return [...offers.values()].map(streams => {
      const aliases = new Map(streams.map(({ key, alias }) => [key, alias]));
      return {
        queries: queriesOf(workspace, streams[0]!.workspace, aliases),
        streams: streams.map(({ alias }) => alias),
      };
    });
  }

  return {
    /** Queries to ask about a stream, under the names it has here; null: an alias without a right to it. */
    async ofStream(workspace: string, key: string): Promise<EventQueries | null> {
      const place = await resolve(workspace, 'stream', key);
      if (!place) return null;
      return place.workspace === workspace
        ? own
        : queriesOf(workspace, place.workspace, new Map([[place.key, key]]));
    },

    /**
     * An event, and queries to ask more about it; null: there is none that this workspace may read. Through
     * several subscriptions it is seen as the first one shows it.
     */
    async ofEvent(
      workspace: string,
      eventId: string,
    ): Promise<{ event: EventDoc; queries: EventQueries; isOwn: boolean } | null> {
      const mine = await own.event(workspace, eventId);
      if (mine) return { event: mine, queries: own, isOwn: true };
      for (const { queries } of await offersTo(workspace)) {
        const event = await queries.event(workspace, eventId);
        if (event) return { event, queries, isOwn: false };
      }
      return null;
    },

    /** Events whose time has not come, soonest first, and how many; `keys` null: of all streams. */
    async upcoming(
      workspace: string,
      from: number,
      until: number,
      keys: readonly string[] | null,
      limit: number,
    ): Promise<{ events: EventDoc[]; total: number }> {
      const parts = [await own.upcoming(workspace, from, until, keys, limit)];
      for (const { queries, streams } of await offersTo(workspace, keys))
        parts.push(await queries.upcoming(workspace, from, until, streams, limit));
      const events = parts
        .flatMap(part => part.events)
        .sort((a, b) => a.occurred_at - b.occurred_at || (a._id < b._id ? -1 : 1));
      return { events: events.slice(0, limit), total: parts.reduce((sum, { total }) => sum + total, 0) };
    },

    /** How many events of each stream are still to come, and when the next one lands. */
    async scheduled(workspace: string, now: number): Promise<Scheduled> {
      const all = [...(await own.scheduled(workspace, now))];
      for (const { queries, streams } of await offersTo(workspace))
        all.push(...(await queries.scheduled(workspace, now, streams)));
      return new Map(all);
    },

    /** All streams by key, page by page. */
    async *streams(workspace: string): AsyncGenerator<Stored<StreamDoc>[]> {
      let subscribed: Stored<StreamDoc>[] = [];
      for (const { queries, streams } of await offersTo(workspace))
        subscribed.push(...(await queries.streamsAt(streams.map(key => ({ workspace, key })))).values());
      subscribed.sort((a, b) => byCodePoint(a.key, b.key));
      for await (const page of own.streams(workspace)) {
        // No own key begins as an alias does: the aliases stand together, between two own ones
        const [first] = subscribed;
        const behind = first ? page.findIndex(({ key }) => key > first.key) : -1;
        yield behind === -1 ? page : [...page.slice(0, behind), ...subscribed, ...page.slice(behind)];
        if (behind !== -1) subscribed = [];
      }
      if (subscribed.length > 0) yield subscribed;
    },
  };
}
