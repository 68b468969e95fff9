import { fairTurn } from '../../fair-turns.js';
import type { EventQueries } from '../events/queries.js';
import { streamId } from '../events/projection.js';
import type { MarketplaceQueries, Subscribed } from '../marketplace/queries.js';
import type { Order, SignalLists } from '../signals/lists.js';
import { signalId } from '../signals/ids.js';
import {
  fits,
  inOrder,
  ownSignal,
  ownStream,
  type Entry,
  type Filter,
  type SignalEntry,
  type StreamEntry,
} from './entries.js';
import { sought } from './sought.js';

export type CataloguePage = { readonly entries: readonly Entry[]; readonly total: number };
export type Catalogue = ReturnType<typeof catalogue>;
type Market = Pick<MarketplaceQueries, 'aliasesOf' | 'resolve'>;

/** Signals and event streams of a workspace in one list, with those it subscribes to. */
export function catalogue(lists: SignalLists, events: EventQueries, market: Market) {
  /**
   * What another workspace publishes, as an entry of this one. How it is grouped there is nobody else's
   * business.
   */
  const under = <E extends Entry>(
    { alias, workspace, key }: Omit<Subscribed, 'listingId'>,
    entry: E | undefined,
  ): E[] =>
    entry
      ? [
          {
            ...entry,
            key: alias,
            place: { workspace, key },
            subscribed: true,
            doc: { ...entry.doc, group: 'marketplace', assigned: false },
          },
        ]
      : [];

  /** The signals a workspace subscribes to. */
  async function aliases(workspace: string): Promise<SignalEntry[]> {
    const subscribed = await market.aliasesOf(workspace, 'signal');
    if (subscribed.length === 0) return [];
    const docs = await lists.at(subscribed);
    return subscribed.flatMap(alias => {
      const doc = docs.get(signalId(alias.workspace, alias.key));
      return under(alias, doc && ownSignal(doc));
    });
  }

  /** Signals as the workspace knows them, by key, those of the keys that there are: own ones and aliases. */
  async function signals(workspace: string, keys: readonly string[]): Promise<Map<string, SignalEntry>> {
    const places = await Promise.all(keys.map(key => market.resolve(workspace, 'signal', key)));
    const docs = await lists.at(places.filter(place => place !== null));
    const found = keys.flatMap((key, i) => {
      const place = places[i];
      const doc = place && docs.get(signalId(place.workspace, place.key));
      if (!doc || !place) return [];
      return place.workspace === workspace ? ownSignal(doc) : under({ alias: key, ...place }, ownSignal(doc));
    });
    return new Map(found.map(entry => [entry.key, entry]));
  }

  /** All streams with events. A workspace has few of them, compared with its signals. */
  async function streams(workspace: string): Promise<StreamEntry[]> {
    const found: StreamEntry[] = [];
    for await (const page of events.streams(workspace)) {
      found.push(...page.filter(({ count }) => count > 0).map(ownStream));
      await fairTurn(workspace);
    }
    const subscribed = await market.aliasesOf(workspace, 'stream');
    const docs = subscribed.length > 0 ? await events.streamsAt(subscribed) : new Map<string, never>();
    for (const alias of subscribed) {
      const doc = docs.get(streamId(alias.workspace, alias.key));
      found.push(...under(alias, doc && ownStream(doc)));
    }
    return Promise.all(found.map(exact));
  }

  /** With the time of its last event, where that is not known for certain. */
  async function exact(entry: StreamEntry): Promise<StreamEntry> {
    if (entry.doc.last_exact) return entry;
    const latest = await events.latest(entry.place.workspace, entry.place.key);
    return { ...entry, doc: { ...entry.doc, last_at: latest?.occurred_at ?? entry.doc.last_at } };
  }

  /** A part of the workspace's own signals in order, and how many there are. */
  async function own(workspace: string, filter: Filter, order: Order, from: number, count: number) {
    const { type, group, origin, search } = filter;
    const some = { workspace, group };
    if (type === 'event' || origin === 'marketplace') return { docs: [], total: 0 };
    if (origin !== null || search !== null) return sought(lists, workspace, filter, order, { from, count });
    const [docs, total] = await Promise.all([lists.range(some, order, from, count), lists.count(some)]);
    return { docs, total };
  }

  return {
    aliases,
    streams,

    /**
     * A part of the list. What is not a signal of the workspace's own is little and held in memory; from the
     * own ones so much is read that the part is in it wherever the others fall between them: none of these
     * stands in front of what is passed over.
     */
    async page(
      workspace: string,
      filter: Filter,
      order: Order,
      offset: number,
      limit: number,
    ): Promise<CataloguePage> {
      await fairTurn(workspace);
      const compare = inOrder(order);
      const others = [
        ...(await aliases(workspace)),
        ...(filter.type === 'signal' ? [] : await streams(workspace)),
      ]
        .filter(entry => fits(entry, filter))
        .sort(compare);
      const from = Math.max(0, offset - others.length);
      const { docs, total } = await own(workspace, filter, order, from, offset + limit - from);
      const merged = [...docs.map(ownSignal), ...others].sort(compare);
      return { entries: merged.slice(offset - from, offset - from + limit), total: total + others.length };
    },

    signals,

    /** Keys of the signals that have the newest points, the newest first. */
    async newestKeys(workspace: string, count: number): Promise<string[]> {
      const order: Order = { by: 'last_at', descending: true };
      const own = await lists.range({ workspace, group: null }, order, 0, count);
      const all = [...own.map(ownSignal), ...(await aliases(workspace))].sort(inOrder(order));
      return all.slice(0, count).map(({ key }) => key);
    },

    /** One signal as the workspace knows it; null: there is none. */
    signal: async (workspace: string, key: string): Promise<SignalEntry | null> =>
      (await signals(workspace, [key])).get(key) ?? null,
  };
}
