import { aliasIn, aliasOf, isAlias, type AliasKind } from '../../domain/marketplace/aliases.js';
import type { WorkspaceKey } from '../engine/keys.js';
import type { Reader } from '../engine/reader.js';
import { subscriptionId, type ListingDoc, type SubscriptionDoc } from './projection.js';

/** What a workspace reads under an alias, and where that lies. */
export type Subscribed = WorkspaceKey & { readonly alias: string; readonly listingId: string };

/** What a workspace publishes, and who subscribes to it. */
export type Offer = Pick<ListingDoc, 'keys' | 'streams'> & {
  readonly listingId: string;
  readonly subscribers: readonly string[];
};

export type MarketplaceQueries = ReturnType<typeof marketplaceQueries>;

/** As the stores order text. */
export const byCodePoint = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
const namesOf = (kind: AliasKind, { keys, streams }: ListingDoc): readonly string[] =>
  kind === 'signal' ? keys : streams;

export function marketplaceQueries(read: Reader) {
  /** The listings that a workspace subscribes to and that are still published. */
  async function subscribedListings(workspace: string): Promise<ListingDoc[]> {
    const found = await read.find<SubscriptionDoc>('subscriptions', {
      where: { workspace },
      sort: { by: ['_id'] },
    });
    if (found.length === 0) return [];
    const docs = await read.load<ListingDoc>(
      'listings',
      found.map(({ listing }) => listing),
    );
    return found
      .flatMap(({ listing }) => docs.get(listing) ?? [])
      .filter(({ state }) => state === 'published');
  }

  /** Published listings of a workspace, by id. */
  async function published(workspace: string): Promise<ListingDoc[]> {
    const found: ListingDoc[] = [];
    const query = { where: { workspace, state: 'published' }, sort: { by: ['_id'] } };
    for await (const page of read.pages<ListingDoc>('listings', query)) found.push(...page);
    return found;
  }

  /** The workspaces that subscribe to a listing. */
  async function subscribersOf(listingId: string): Promise<string[]> {
    const found: string[] = [];
    const query = { where: { listing: listingId }, sort: { by: ['_id'] } };
    for await (const page of read.pages<SubscriptionDoc>('subscriptions', query))
      found.push(...page.map(({ workspace }) => workspace));
    return found;
  }

  return {
    listing: (listingId: string) => read.get<ListingDoc>('listings', listingId),
    /** Listings of a workspace in whatever state, or the published ones of all, by id; at most 1,000. */
    listings: (workspace: string | null): Promise<ListingDoc[]> =>
      read.find<ListingDoc>('listings', {
        where: workspace === null ? { state: 'published' } : { workspace },
        sort: { by: ['_id'] },
        limit: 1_000,
      }),
    subscribers: (listingId: string): Promise<number> => read.count('subscriptions', { listing: listingId }),
    subscribersOf,
    published,
    /** Published listings of a workspace, by id, with their subscribers. */
    offers: async (workspace: string): Promise<Offer[]> =>
      Promise.all(
        (await published(workspace)).map(async ({ _id: listingId, keys, streams }) => ({
          ...{ listingId, keys, streams },
          subscribers: await subscribersOf(listingId),
        })),
      ),
    async subscriptions(workspace: string): Promise<(SubscriptionDoc & { readonly title: string })[]> {
      const found = await read.find<SubscriptionDoc>('subscriptions', {
        where: { workspace },
        sort: { by: ['_id'] },
      });
      const docs = await read.load<ListingDoc>(
        'listings',
        found.map(({ listing }) => listing),
      );
      return found.flatMap(subscription => {
        const listing = docs.get(subscription.listing);
        return listing?.state === 'published' ? [{ ...subscription, title: listing.title }] : [];
      });
    },

    /** Listings of a workspace, drafted or published, that name any of these signals or event streams. */
    async listingsOf(
      workspace: string,
      keys: readonly string[],
      streams: readonly string[],
    ): Promise<ListingDoc[]> {
      const named = { signal: new Set(keys), stream: new Set(streams) };
      const found: ListingDoc[] = [];
      for await (const page of read.pages<ListingDoc>('listings', {
        where: { workspace },
        sort: { by: ['_id'] },
      })) {
        found.push(
          ...page.filter(
            listing =>
              listing.state !== 'withdrawn'
              && (listing.keys.some(key => named.signal.has(key))
                || listing.streams.some(key => named.stream.has(key))),
          ),
        );
      }
      return found;
    },

    /** All that a workspace subscribes to, by alias. */
    async aliasesOf(workspace: string, kind: AliasKind): Promise<Subscribed[]> {
      const all = (await subscribedListings(workspace)).flatMap(listing => {
        const { _id: listingId, workspace: publisher } = listing;
        return namesOf(kind, listing).map(key => ({
          alias: aliasOf(kind, { listingId, key }),
          listingId,
          workspace: publisher,
          key,
        }));
      });
      return all.sort((a, b) => byCodePoint(a.alias, b.alias));
    },

    /**
     * Where what a workspace calls so lies: with itself or, for an alias, with the publisher; null: an alias
     * it has no right to.
     */
    async resolve(workspace: string, kind: AliasKind, key: string): Promise<WorkspaceKey | null> {
      if (!isAlias(kind, key)) return { workspace, key };
      const alias = aliasIn(kind, key);
      if (!alias) return null;
      const [subscription, listing] = await Promise.all([
        read.get<SubscriptionDoc>('subscriptions', subscriptionId(workspace, alias.listingId)),
        read.get<ListingDoc>('listings', alias.listingId),
      ]);
      if (!subscription || listing?.state !== 'published' || !namesOf(kind, listing).includes(alias.key))
        return null;
      return { workspace: listing.workspace, key: alias.key };
    },
  };
}
