import { projection, type Projection } from '../engine/projection.js';
import type { Docs, Shown } from './docs.js';
import { deliveryCollections, onDeliveries } from './on-deliveries.js';
import { onPolls, pollCollections } from './on-polls.js';
import { importCollections, onImports } from './on-imports.js';
import { onSources, sourceCollections } from './on-sources.js';

/** Sources, and what came of them. */
export const ingestionProjection: Projection = projection<Docs, Shown>({
  name: 'ingestion',
  version: 3,
  carries: [2],
  collections: { ...deliveryCollections, ...pollCollections, ...sourceCollections, ...importCollections },
  on: { ...onSources, ...onDeliveries, ...onPolls, ...onImports },
  sweeps: {
    WebhookDayForgotten: ({ data: { day } }) => ({ source_deliveries: { day } }),
    SourceDeleted: ({ data: { sourceId: source_id } }) => ({
      source_deliveries: { source_id },
      ingestion_executions: { source_id },
      ingestion_jobs: { source_id },
    }),
  },
});
