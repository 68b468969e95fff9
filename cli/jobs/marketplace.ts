import type { MarketplaceArea } from '../../areas/marketplace.js';
import type { Offer } from '../../domain/marketplace/facts.js';
import { listingNotFound } from '../../domain/marketplace/listings.js';
import { iso } from '../../domain/time.js';
import type { ListingDoc } from '../../projections/marketplace/projection.js';
import type { Job } from './job.js';
import { perform, type Operations } from './operation.js';

type OfListing<W extends string> = { readonly what: W; readonly listing: string };

/** What an operator may do on the marketplace: whose listing it is follows from its id. */
export type MarketplaceOptions =
  | ({ readonly what: 'draft'; readonly workspace: string } & Offer)
  | OfListing<'publish'>
  | OfListing<'withdraw'>
  | OfListing<'show'>
  | (OfListing<'subscribe'> & { readonly workspace: string })
  | (OfListing<'unsubscribe'> & { readonly workspace: string })
  | { readonly what: 'list'; readonly workspace: string | null };

export type ShownListing = {
  readonly listing_id: string;
  readonly workspace: string;
  readonly title: string;
  readonly state: ListingDoc['state'];
  readonly keys: readonly string[];
  readonly streams: readonly string[];
  readonly changed_at: string;
};
export type ShownSubscription = {
  readonly listing_id: string;
  readonly title: string;
  readonly started_at: string;
  readonly aliases: readonly string[];
};
/** `subscriptions`: of the workspace that was asked for. */
export type ShownMarket = {
  readonly listings: readonly ShownListing[];
  readonly subscriptions: readonly ShownSubscription[];
};

const operations: Operations<MarketplaceOptions> = {
  async draft({ areas: { marketplace } }, { workspace, title, keys, streams }, context) {
    const offer = { title, keys, streams };
    const { listingId, position } = await marketplace.commands.draft(workspace, offer, context);
    return { shown: { listing_id: listingId, state: 'draft' }, position };
  },
  async publish({ areas: { marketplace } }, { listing }, context) {
    const { position } = await marketplace.commands.publish(listing, context);
    return { shown: { listing_id: listing, state: 'published' }, position };
  },
  async withdraw({ areas: { marketplace } }, { listing }, context) {
    const { position } = await marketplace.commands.withdraw(listing, context);
    return { shown: { listing_id: listing, state: 'withdrawn' }, position };
  },
  async subscribe({ areas: { marketplace }, visible }, { listing, workspace }, context) {
    const { position } = await marketplace.commands.subscribe(workspace, listing, context);
    await visible(position);
    const aliases = await aliasesOf(marketplace, workspace, listing);
    return { shown: { listing_id: listing, workspace, subscribed: true, aliases }, position };
  },
  async unsubscribe({ areas: { marketplace } }, { listing, workspace }, context) {
    const { position } = await marketplace.commands.unsubscribe(workspace, listing, context);
    return { shown: { listing_id: listing, workspace, subscribed: false }, position };
  },
  async show({ areas: { marketplace } }, { listing }) {
    const { queries } = marketplace;
    const doc = await queries.listing(listing);
    if (!doc) throw listingNotFound();
    const subscribers = await queries.subscribers(listing);
    return { shown: { ...shownListing(doc), subscribers }, position: null };
  },
  async list({ areas: { marketplace } }, { workspace }) {
    const { queries, commands } = marketplace;
    if (workspace !== null) await commands.mustBeActive(workspace);
    const listings = await queries.listings(workspace);
    const subscriptions = workspace === null ? [] : await subscriptionsOf(marketplace, workspace);
    const shown: ShownMarket = { listings: listings.map(shownListing), subscriptions };
    return { shown, position: null };
  },
};

async function subscriptionsOf(
  marketplace: MarketplaceArea,
  workspace: string,
): Promise<ShownSubscription[]> {
  const subscriptions = await marketplace.queries.subscriptions(workspace);
  return Promise.all(
    subscriptions.map(async ({ listing, title, started_at }) => ({
      listing_id: listing,
      title,
      started_at: iso(started_at),
      aliases: await aliasesOf(marketplace, workspace, listing),
    })),
  );
}

/** What a workspace calls the signals and streams that it reads through a listing. */
async function aliasesOf(
  { queries }: MarketplaceArea,
  workspace: string,
  listing: string,
): Promise<string[]> {
  const signals = await queries.aliasesOf(workspace, 'signal');
  const streams = await queries.aliasesOf(workspace, 'stream');
  return [...signals, ...streams].filter(({ listingId }) => listingId === listing).map(({ alias }) => alias);
}

const shownListing = ({
  _id,
  workspace,
  title,
  state,
  keys,
  streams,
  changed_at,
}: ListingDoc): ShownListing => ({
  listing_id: _id,
  workspace,
  title,
  state,
  keys,
  streams,
  changed_at: iso(changed_at),
});

export const marketplaceJob: Job<MarketplaceOptions> = async function* ({ platform }, options) {
  // Opened just now, the read models may not hold the last facts yet
  const head = await platform.stores.events.head();
  await platform.visible(head);
  yield* perform(operations, platform, options);
};
