import type { Offer } from '../domain/marketplace/facts.js';
import { listings } from '../domain/marketplace/listings.js';
import { subscriptions } from '../domain/marketplace/subscriptions.js';
import type { Context, Handle } from './engine/handle.js';
import { newId } from './installation.js';

/** `workspace`: whose listing, or whose subscription, it is. */
export const marketplaceCommands = (handle: Handle) => ({
  async draft(workspace: string, offer: Offer, context: Context) {
    const listingId = newId('lst_');
    const command = { type: 'DraftListing', data: { workspace, listingId, ...offer } } as const;
    const { position } = await handle(listings, command, { ...context, workspace });
    return { listingId, position };
  },
  publish: (workspace: string, listingId: string, context: Context) =>
    handle(listings, { type: 'PublishListing', data: { workspace, listingId } }, { ...context, workspace }),
  /** Ends it for good, with all subscriptions to it. */
  withdraw: (workspace: string, listingId: string, context: Context) =>
    handle(listings, { type: 'WithdrawListing', data: { workspace, listingId } }, { ...context, workspace }),
  subscribe: (workspace: string, listingId: string, publisher: string, context: Context) =>
    handle(
      subscriptions,
      { type: 'StartSubscription', data: { workspace, listingId, publisher } },
      { ...context, workspace },
    ),
  unsubscribe: (workspace: string, listingId: string, context: Context) =>
    handle(
      subscriptions,
      { type: 'EndSubscription', data: { workspace, listingId } },
      { ...context, workspace },
    ),
});
