import type { Offer } from '../domain/marketplace/facts.js';
import { listingNotFound, listings } from '../domain/marketplace/listings.js';
import { subscriptions } from '../domain/marketplace/subscriptions.js';
import { workspaces } from '../domain/groups/decider.js';
import { Rejected } from '../domain/rejected.js';
import type { Context, Handle, Load } from './engine/handle.js';
import { newId } from './engine/ids.js';

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

type Deps = {
  readonly handle: Handle;
  readonly load: Load;
  /** Whose listing it is; null: there is none. From read models: its journal's name holds the workspace. */
  readonly publisherOf: (listingId: string) => Promise<string | null>;
  /**
   * Those of some signals and event streams that a workspace does not have, as people read them. From read
   * models, since they lie in a journal each: against misspelt names, no rule of the log.
   */
  readonly missingIn: (
    workspace: string,
    keys: readonly string[],
    streams: readonly string[],
  ) => Promise<readonly string[]>;
};

/** The marketplace as an operator works it: whose listing it is follows from its id. */
export function operatedMarketplace({ handle, load, publisherOf, missingIn }: Deps) {
  const commands = marketplaceCommands(handle);
  const ownerOf = async (listingId: string): Promise<string> => {
    const owner = await publisherOf(listingId);
    if (owner === null) throw listingNotFound();
    return owner;
  };
  /** @throws Rejected 404 for a workspace that never was, 403 for an archived one */
  const mustBeActive = async (workspace: string): Promise<void> => {
    const { status } = await load(workspaces, workspace);
    if (status === 'none') throw new Rejected('missing', 'not_found', `there is no workspace ${workspace}`);
    if (status === 'archived')
      throw new Rejected('forbidden', 'workspace_archived', `the workspace ${workspace} is archived`);
  };
  return {
    mustBeActive,
    /** @throws Rejected 422 for names that nothing has: a misspelt one would offer nothing */
    async draft(workspace: string, offer: Offer, context: Context) {
      await mustBeActive(workspace);
      const missing = await missingIn(workspace, offer.keys, offer.streams);
      if (missing.length > 0) throw nothingOf(workspace, missing);
      return commands.draft(workspace, offer, context);
    },
    async publish(listingId: string, context: Context) {
      const owner = await ownerOf(listingId);
      await mustBeActive(owner);
      return commands.publish(owner, listingId, context);
    },
    async withdraw(listingId: string, context: Context) {
      const owner = await ownerOf(listingId);
      return commands.withdraw(owner, listingId, context);
    },
    async subscribe(workspace: string, listingId: string, context: Context) {
      const publisher = await ownerOf(listingId);
      await mustBeActive(workspace);
      return commands.subscribe(workspace, listingId, publisher, context);
    },
    unsubscribe: commands.unsubscribe,
  };
}

const nothingOf = (workspace: string, missing: readonly string[]): Rejected =>
  new Rejected('unprocessable', 'validation_error', `${workspace} has no ${missing.join(', no ')}`);
