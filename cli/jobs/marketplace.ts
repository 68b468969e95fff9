import { loader, type Context } from '../../commands/engine/handle.js';
import { marketplaceCommands } from '../../commands/marketplace.js';
import { workspaces } from '../../domain/groups/decider.js';
import { isAlias } from '../../domain/marketplace/aliases.js';
import type { Offer } from '../../domain/marketplace/facts.js';
import { listingNotFound } from '../../domain/marketplace/listings.js';
import { Rejected } from '../../domain/rejected.js';
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
  async draft(platform, { workspace, title, keys, streams }, context) {
    await mustBeActive(platform, workspace);
    await mustHave(platform, workspace, keys, streams);
    const offer = { title, keys, streams };
    const { listingId, position } = await marketplaceCommands(platform.handle).draft(
      workspace,
      offer,
      context,
    );
    return { done: { listing_id: listingId, state: 'draft' }, position };
  },
  async publish(platform, { listing }, context) {
    const { workspace } = await known(platform, listing);
    await mustBeActive(platform, workspace);
    const { position } = await marketplaceCommands(platform.handle).publish(workspace, listing, context);
    return { done: { listing_id: listing, state: 'published' }, position };
  },
  async withdraw(platform, { listing }, context) {
    const { workspace } = await known(platform, listing);
    const { position } = await marketplaceCommands(platform.handle).withdraw(workspace, listing, context);
    return { done: { listing_id: listing, state: 'withdrawn' }, position };
  },
  async subscribe(platform, { listing, workspace }, context) {
    const { workspace: publisher } = await known(platform, listing);
    await mustBeActive(platform, workspace);
    const { position } = await marketplaceCommands(platform.handle).subscribe(
      workspace,
      listing,
      publisher,
      context,
    );
    await platform.visible(position);
    const done = {
      listing_id: listing,
      workspace,
      subscribed: true,
      aliases: await aliases(platform, workspace, listing),
    };
    return { done, position };
  },
  async unsubscribe({ handle }, { listing, workspace }, context) {
    const { position } = await marketplaceCommands(handle).unsubscribe(workspace, listing, context);
    return { done: { listing_id: listing, workspace, subscribed: false }, position };
  },
  async show(platform, { listing }) {
    const done: Shown = {
      ...listed(await known(platform, listing)),
      subscribers: await platform.market.subscribers(listing),
    };
    return { done, position: null };
  },
  async list(platform, { workspace }) {
    if (workspace !== null) await mustBeActive(platform, workspace);
    const found = workspace === null ? [] : await platform.market.subscriptions(workspace);
    const subscriptions = await Promise.all(
      found.map(async ({ listing, title, started_at }) => ({
        listing_id: listing,
        title,
        started_at: iso(started_at),
        aliases: await aliases(platform, workspace!, listing),
      })),
    );
    const done: Lists = { listings: (await platform.market.listings(workspace)).map(listed), subscriptions };
    return { done, position: null };
  },
};

async function aliases({ market }: Platform, workspace: string, listing: string): Promise<string[]> {
  const all = [
    ...(await market.aliasesOf(workspace, 'signal')),
    ...(await market.aliasesOf(workspace, 'stream')),
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

async function known({ market }: Platform, listing: string): Promise<ListingDoc> {
  const found = await market.listing(listing);
  if (!found) throw listingNotFound();
  return found;
}

async function mustBeActive({ stores }: Platform, workspace: string): Promise<void> {
  const data = { kind: 'workspace', groupId: workspace, by: null, now: 0 } as const;
  const { status } = await loader(stores.events)(workspaces, { type: 'RestoreGroup', data });
  if (status === 'none') throw new Rejected('missing', 'not_found', `there is no workspace ${workspace}`);
  if (status === 'archived')
    throw new Rejected('forbidden', 'workspace_archived', `the workspace ${workspace} is archived`);
}

/** A misspelt name would offer nothing. (That an alias is not to be listed the decider says.) */
async function mustHave(
  { signals, events }: Platform,
  workspace: string,
  keys: readonly string[],
  streams: readonly string[],
): Promise<void> {
  const there = await signals.signals(workspace, keys);
  const missing: string[] = [];
  for (const key of keys) if (!there.has(key) && !isAlias('signal', key)) missing.push(`signal '${key}'`);
  for (const key of streams) {
    const { count } = (await events.stream(workspace, key)) ?? { count: 0 };
    if (count === 0 && !isAlias('stream', key)) missing.push(`event stream '${key}'`);
  }
  if (missing.length > 0)
    throw new Rejected('unprocessable', 'validation_error', `${workspace} has no ${missing.join(', no ')}`);
}

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
