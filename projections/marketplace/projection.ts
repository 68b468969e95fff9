import type { Fact } from '../../domain/fact.js';
import type {
  ListingDrafted,
  ListingFact,
  MarketplaceFact,
  SubscriptionFact,
} from '../../domain/marketplace/facts.js';
import { projection, type Projection } from '../engine/projection.js';

/** A listing, in the workspace that publishes it. Times are epoch ms. */
export type ListingDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly title: string;
  readonly state: 'draft' | 'published' | 'withdrawn';
  readonly keys: readonly string[];
  readonly streams: readonly string[];
  readonly changed_at: number;
};
/** That a workspace subscribes to a listing. One that ended is gone, and all of a listing go with it. */
export type SubscriptionDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly listing: string;
  readonly started_at: number;
};

type Docs = { subscriptions: SubscriptionDoc; listings: ListingDoc };

export const subscriptionId = (workspace: string, listingId: string): string => `${workspace}/${listingId}`;
const isOfSubscription = (fact: Fact<MarketplaceFact>): fact is Fact<SubscriptionFact> =>
  fact.type === 'SubscriptionStarted' || fact.type === 'SubscriptionEnded';

/**
 * Who offers what, and who subscribes to it. What a subscriber reads lies with the publisher: nothing is
 * copied.
 */
export const marketplaceProjection: Projection = projection<Docs, MarketplaceFact>({
  name: 'marketplace',
  version: 1,
  collections: {
    subscriptions: {
      indexes: [
        ['workspace', '_id'],
        ['listing', '_id'],
      ],
      idOf: fact =>
        isOfSubscription(fact) ? subscriptionId(fact.meta.workspace!, fact.data.listingId) : null,
    },
    listings: {
      indexes: [
        ['workspace', '_id'],
        ['state', '_id'],
      ],
      idOf: ({ data }) => data.listingId,
    },
  },
  on: {
    ListingDrafted: (_, fact) => ({ listings: drafted(fact) }),
    ListingPublished: ({ listings }, fact) => became(listings, 'published', fact),
    ListingWithdrawn: ({ listings }, fact) => became(listings, 'withdrawn', fact),
    // It may have been withdrawn at the very moment when somebody subscribed
    SubscriptionStarted: ({ listings }, fact) =>
      listings?.state === 'published' ? { subscriptions: started(fact) } : {},
    SubscriptionEnded: () => ({ subscriptions: null }),
  },
  sweeps: { ListingWithdrawn: ({ data: { listingId } }) => ({ subscriptions: { listing: listingId } }) },
});

const drafted = ({
  data: { listingId, title, keys, streams },
  meta,
  at,
}: Fact<ListingDrafted>): ListingDoc => ({
  _id: listingId,
  workspace: meta.workspace!,
  title,
  state: 'draft',
  keys,
  streams,
  changed_at: at,
});

const started = ({
  data: { listingId: listing },
  meta: { workspace },
  at,
}: Fact<SubscriptionFact>): SubscriptionDoc => ({
  _id: subscriptionId(workspace!, listing),
  workspace: workspace!,
  listing,
  started_at: at,
});

const became = (listing: ListingDoc | null, state: ListingDoc['state'], { at }: Fact<ListingFact>) =>
  listing ? { listings: { ...listing, state, changed_at: at } } : {};
