import type { DiscoveryReads } from '../commands/discovery/ports.js';
import type { EventSeen } from '../domain/maths/effects/question.js';
import type { SignalLists } from '../projections/signals/lists.js';
import type { EventsArea } from './events.js';
import type { MarketplaceArea } from './marketplace.js';
import type { SignalsArea } from './signals.js';

type On = {
  readonly events: Pick<EventsArea, 'reads'>;
  readonly marketplace: Pick<MarketplaceArea, 'queries'>;
  readonly signals: Pick<SignalsArea, 'queries'>;
  readonly lists: Pick<SignalLists, 'ordered'>;
};

const NEWEST_FIRST = { by: 'last_at', descending: true } as const;

/** Signals and streams of a workspace, and those that it subscribes to. */
export const discoveryReads = ({ events, marketplace, signals, lists }: On): DiscoveryReads => ({
  async *signals(workspace) {
    yield (await marketplace.queries.aliasesOf(workspace, 'signal')).map(({ alias }) => alias);
    for await (const page of lists.ordered({ workspace, group: null }, NEWEST_FIRST))
      yield page.map(({ key }) => key);
  },
  async *streams(workspace) {
    for await (const page of events.reads.streams(workspace))
      yield page.filter(({ count }) => count > 0).map(({ key }) => key);
  },
  async isThere(workspace, { kind, sourceKey }) {
    if (kind === 'event_stream') {
      const found = await events.reads.ofStream(workspace, sourceKey);
      return ((await found?.stream(workspace, sourceKey))?.count ?? 0) > 0;
    }
    const place = await marketplace.queries.resolve(workspace, 'signal', sourceKey);
    return place !== null && (await signals.queries.signal(place.workspace, place.key)) !== null;
  },
  async *points(workspace, key, { from, to, asOf }) {
    const place = await marketplace.queries.resolve(workspace, 'signal', key);
    if (place) yield* signals.queries.pointsKnown(place.workspace, place.key, from, to, asOf);
  },
  async events(workspace, key, { from, to, asOf, most }) {
    const queries = await events.reads.ofStream(workspace, key);
    if (!queries) return [];
    const found: EventSeen[] = [];
    for await (const page of queries.newestBetween(workspace, key, from, to))
      for (const { occurred_at: occurredAt, timestamp: recordedAt, scores, value } of page) {
        if (recordedAt > asOf) continue;
        const { importance = null, impact = null } = scores ?? {};
        found.push({ occurredAt, recordedAt, importance, impact, value });
        if (found.length === most) return found;
      }
    return found;
  },
});
