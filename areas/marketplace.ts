import { operatedMarketplace } from '../commands/marketplace.js';
import { eventsProjection } from '../projections/events/projection.js';
import { eventQueries } from '../projections/events/queries.js';
import { missingFrom } from '../projections/marketplace/missing.js';
import { marketplaceProjection } from '../projections/marketplace/projection.js';
import { marketplaceQueries } from '../projections/marketplace/queries.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { signalQueries } from '../projections/signals/queries.js';
import { area } from './area.js';
import type { Kernel } from './kernel.js';

/** Signals and event streams that one workspace offers to others. */
export const marketplaceArea = ({ read, handle, load }: Kernel) => {
  const queries = marketplaceQueries(read(marketplaceProjection));
  return area({
    name: 'marketplace',
    queries,
    commands: operatedMarketplace({
      handle,
      load,
      publisherOf: async listingId => (await queries.listing(listingId))?.workspace ?? null,
      missingIn: missingFrom(signalQueries(read(signalsProjection)), eventQueries(read(eventsProjection))),
    }),
  });
};
export type MarketplaceArea = ReturnType<typeof marketplaceArea>;
