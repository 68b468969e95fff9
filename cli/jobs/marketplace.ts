import type { MarketplaceArea } from '../../areas/marketplace.js';
import type { Context } from '../../commands/engine/handle.js';
import type { Offer } from '../../domain/marketplace/facts.js';
import { listingNotFound } from '../../domain/marketplace/listings.js';
import { iso } from '../../domain/time.js';
import type { Platform } from '../../main.js';
import type { ListingDoc } from '../../projections/marketplace/projection.js';
import { result, type Job } from './job.js';

/** What an operator may do on the marketplace: whose listing it is follows from its id. */
export type MarketDeed =
  | ({ readonly what: 'draft'; readonly workspace: string } & Offer)
  | { readonly what: 'publish' | 'withdraw' | 'show'; readonly listing: string }
  | { readonly what: 'subscribe' | 'unsubscribe'; readonly listing: string; readonly workspace: string }
  | { readonly what: 'list'; readonly workspace: string | null };

export type Listed = {
  readonly listing_id: string;
  readonly workspace: string;
  readonly title: string;
  readonly state: ListingDoc['state'];
  readonly keys: readonly string[];
  readonly streams: readonly string[];
  readonly changed_at: string;
};
export type Shown = Listed & { readonly subscribers: number };
/** `subscriptions`: of the workspace that was asked for. */
export type Lists = {
  readonly listings: readonly Listed[];
  readonly subscriptions: readonly {
    readonly listing_id: string;
    readonly title: string;
    readonly started_at: string;
    readonly aliases: readonly string[];
  }[];
};

type Done = { readonly done: unknown; readonly position: number | null };
type Doing<D> = (platform: Platform, deed: D, context: Context) => Promise<Done>;
type Deeds = { readonly [W in MarketDeed['what']]: Doing<Extract<MarketDeed, { what: W }>> };

const deeds: Deeds = {
  async draft({ areas: { marketplace } }, { workspace, title, keys, streams }, context) {
    const offer = { title, keys, streams };
    const { listingId, position } = await marketplace.commands.draft(workspace, offer, context);
    return { done: { listing_id: listingId, state: 'draft' }, position };
  },
  async publish({ areas: { marketplace } }, { listing }, context) {
    const { position } = await marketplace.commands.publish(listing, context);
    return { done: { listing_id: listing, state: 'published' }, position };
  },
  async withdraw({ areas: { marketplace } }, { listing }, context) {
    const { position } = await marketplace.commands.withdraw(listing, context);
    return { done: { listing_id: listing, state: 'withdrawn' }, position };
  },
  async subscribe({ areas: { marketplace }, visible }, { listing, workspace }, context) {
    const { position } = await marketplace.commands.subscribe(workspace, listing, context);
    await visible(position);
    const done = {
      listing_id: listing,
      workspace,
      subscribed: true,
      aliases: await aliases(marketplace, workspace, listing),
    };
    return { done, position };
  },
  async unsubscribe({ areas: { marketplace } }, { listing, workspace }, context) {
    const { position } = await marketplace.commands.unsubscribe(workspace, listing, context);
    return { done: { listing_id: listing, workspace, subscribed: false }, position };
  },
  async show({ areas: { marketplace } }, { listing }) {
    const { queries } = marketplace;
    const found = await queries.listing(listing);
    if (!found) throw listingNotFound();
    const done: Shown = { ...listed(found), subscribers: await queries.subscribers(listing) };
    return { done, position: null };
  },
  async list({ areas: { marketplace } }, { workspace }) {
    const { queries, commands } = marketplace;
    if (workspace !== null) await commands.mustBeActive(workspace);
    const found = workspace === null ? [] : await queries.subscriptions(workspace);
    const subscriptions = await Promise.all(
      found.map(async ({ listing, title, started_at }) => ({
        listing_id: listing,
        title,
        started_at: iso(started_at),
        aliases: await aliases(marketplace, workspace!, listing),
      })),
    );
    const done: Lists = { listings: (await queries.listings(workspace)).map(listed), subscriptions };
    return { done, position: null };
  },
};

async function aliases({ queries }: MarketplaceArea, workspace: string, listing: string): Promise<string[]> {
  const all = [
    ...(await queries.aliasesOf(workspace, 'signal')),
    ...(await queries.aliasesOf(workspace, 'stream')),
  ];
  return all.filter(({ listingId }) => listingId === listing).map(({ alias }) => alias);
}

const listed = ({ _id, workspace, title, state, keys, streams, changed_at }: ListingDoc): Listed => ({
  listing_id: _id,
  workspace,
  title,
  state,
  keys,
  streams,
  changed_at: iso(changed_at),
});

/** Does it, waits until it is visible, and says what came of it. */
export const marketplaceJob: Job<MarketDeed> = async function* ({ platform }, deed) {
  const context: Context = {
    workspace: null,
    actor: 'operator',
    request: null,
    correlation: platform.newId(),
    causation: null,
    at: platform.clock(),
  };
  // Opened just now, the read models may not hold the last facts yet
  await platform.visible(await platform.stores.events.head());
  const run = deeds[deed.what] as Doing<MarketDeed>;
  const { done, position } = await run(platform, deed, context);
  await platform.visible(position);
  yield result(done);
};
