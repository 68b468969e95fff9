import type { Message } from '../fact.js';

/** What a listing offers, by name: signals and event streams of the publisher's own. It never changes. */
export type Offer = {
  readonly title: string;
  readonly keys: readonly string[];
  readonly streams: readonly string[];
};

type OfListing = { readonly listingId: string };

export type ListingDrafted = Message<'ListingDrafted', OfListing & Offer>;
/** From now on others may subscribe to it. */
export type ListingPublished = Message<'ListingPublished', OfListing>;
/** It is over for good, with all subscriptions to it. */
export type ListingWithdrawn = Message<'ListingWithdrawn', OfListing>;
export type ListingFact = ListingDrafted | ListingPublished | ListingWithdrawn;

/** A workspace reads what a listing offers. `publisher`: the workspace whose listing it is. */
export type SubscriptionStarted = Message<'SubscriptionStarted', OfListing & { readonly publisher: string }>;
export type SubscriptionEnded = Message<'SubscriptionEnded', OfListing>;
export type SubscriptionFact = SubscriptionStarted | SubscriptionEnded;

export type MarketplaceFact = ListingFact | SubscriptionFact;
