import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import type { MarketplaceFact, SubscriptionFact } from './facts.js';
import { evolve as listingAfter, listingNotFound, withdrawn, type ListingState } from './listings.js';

type OfSubscription = { readonly workspace: string; readonly listingId: string };
/** `publisher`: the workspace whose listing it is. */
export type StartSubscription = Message<'StartSubscription', OfSubscription & { readonly publisher: string }>;
export type EndSubscription = Message<'EndSubscription', OfSubscription>;
export type SubscriptionCommand = StartSubscription | EndSubscription;

/** A subscription, and the listing as its own journal tells it. */
export type SubscriptionState = {
  readonly status: 'none' | 'active' | 'ended';
  readonly listing: ListingState;
};

const initialState: SubscriptionState = { status: 'none', listing: 'none' };

function decide(command: SubscriptionCommand, state: SubscriptionState): readonly SubscriptionFact[] {
  return command.type === 'StartSubscription' ? start(command, state) : end(command, state);
}

function start(
  { data }: StartSubscription,
  { status, listing }: SubscriptionState,
): readonly SubscriptionFact[] {
  const { workspace, listingId, publisher } = data;
  // A draft is nobody's business yet
  if (listing === 'none' || (listing === 'draft' && workspace !== publisher)) throw listingNotFound();
  if (workspace === publisher)
    throw new Rejected(
      'conflict',
      'own_listing',
      "The listing is the workspace's own: its data are there already",
    );
  if (listing === 'withdrawn') throw withdrawn();
  return status === 'active' ? [] : [{ type: 'SubscriptionStarted', data: { listingId, publisher } }];
}

function end(
  { data: { listingId } }: EndSubscription,
  { status }: SubscriptionState,
): readonly SubscriptionFact[] {
  if (status === 'none')
    throw new Rejected('missing', 'not_found', 'The workspace has no subscription to this listing');
  return status === 'ended' ? [] : [{ type: 'SubscriptionEnded', data: { listingId } }];
}

function evolve(state: SubscriptionState, fact: Fact<MarketplaceFact>): SubscriptionState {
  switch (fact.type) {
    case 'SubscriptionStarted':
      return { ...state, status: 'active' };
    case 'SubscriptionEnded':
      return { ...state, status: 'ended' };
    default:
      return { ...state, listing: listingAfter(state.listing, fact) };
  }
}

/**
 * One workspace's subscription to one listing. It shows data while it is active and the listing published,
 * and no longer.
 */
export const subscriptions: Decider<SubscriptionCommand, MarketplaceFact, SubscriptionState> = {
  category: 'subscription',
  idOf: ({ data }) => `${data.workspace}.${data.listingId}`,
  initialState,
  decide,
  evolve,
  within: (_state, _id, command) =>
    command?.type === 'StartSubscription'
      ? [`listing-${command.data.publisher}.${command.data.listingId}`]
      : [],
};
