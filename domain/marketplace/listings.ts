import type { Decider } from '../decider.js';
import type { Fact, Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import { isAlias, LISTING_ID, MAX_LISTED_KEY, type AliasKind } from './aliases.js';
import type { ListingFact, Offer } from './facts.js';

type OfListing = { readonly workspace: string; readonly listingId: string };
export type DraftListing = Message<'DraftListing', OfListing & Offer>;
export type PublishListing = Message<'PublishListing', OfListing>;
export type WithdrawListing = Message<'WithdrawListing', OfListing>;
export type ListingCommand = DraftListing | PublishListing | WithdrawListing;

export type ListingState = 'none' | 'draft' | 'published' | 'withdrawn';

/** Names in one listing at most. */
export const MAX_LISTED = 500;
const TITLE_LENGTH = 200;

function decide(command: ListingCommand, state: ListingState): readonly ListingFact[] {
  const { listingId } = command.data;
  if (command.type === 'DraftListing')
    return state === 'none' ? [{ type: 'ListingDrafted', data: drafted(command) }] : [];
  if (state === 'none') throw listingNotFound();
  if (command.type === 'WithdrawListing')
    return state === 'withdrawn' ? [] : [{ type: 'ListingWithdrawn', data: { listingId } }];
  if (state === 'withdrawn') throw withdrawn();
  return state === 'published' ? [] : [{ type: 'ListingPublished', data: { listingId } }];
}

export const listingNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Listing not found');
export const withdrawn = (): Rejected =>
  new Rejected(
    'conflict',
    'listing_withdrawn',
    'The listing was withdrawn, which is for good; draft another one',
  );

function drafted({
  data: { listingId, title, keys, streams },
}: DraftListing): { readonly listingId: string } & Offer {
  if (!LISTING_ID.test(listingId)) throw notValid(`'${listingId}' is no id of a listing`);
  if (title.trim() === '' || title.length > TITLE_LENGTH)
    throw notValid(`A title has 1 to ${TITLE_LENGTH} characters`);
  const count = keys.length + streams.length;
  if (count === 0 || count > MAX_LISTED)
    throw notValid(`A listing names 1 to ${MAX_LISTED} signals and event streams`);
  return {
    listingId,
    title: title.trim(),
    keys: keys.filter(listable('signal')),
    streams: streams.filter(listable('stream')),
  };
}

/**
 * Whether a name is there for the first time; throws for one that cannot be listed. What is another's is not
 * sold again.
 */
const listable =
  (kind: AliasKind) =>
  (key: string, i: number, all: readonly string[]): boolean => {
    if (isAlias(kind, key))
      throw notValid(`'${key}' is a subscribed ${kind}: only what is the workspace's own can be listed`);
    if (key === '' || key.length > MAX_LISTED_KEY)
      throw notValid(`The key of a listed ${kind} has 1 to ${MAX_LISTED_KEY} characters: '${key}'`);
    return all.indexOf(key) === i;
  };

const notValid = (message: string): Rejected => new Rejected('unprocessable', 'validation_error', message);

export function evolve(state: ListingState, { type }: Fact<ListingFact>): ListingState {
  switch (type) {
    case 'ListingDrafted':
      return 'draft';
    case 'ListingPublished':
      return 'published';
    case 'ListingWithdrawn':
      return 'withdrawn';
    default:
      return state;
  }
}

/** Drafted, published, withdrawn: in this order, the last one for good. */
export const listings: Decider<ListingCommand, ListingFact, ListingState> = {
  category: 'listing',
  idOf: ({ data }) => `${data.workspace}.${data.listingId}`,
  initialState: 'none',
  decide,
  evolve,
};
