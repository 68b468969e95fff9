import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { DeliveryDoc } from './delivery-documents.js';
import type { SourceDoc } from './source-documents.js';

type Paging = { readonly limit: number; readonly offset: number };
export type SourceQueries = ReturnType<typeof sourceQueries>;

export const sourceQueries = (read: Reader) => {
  const anybodys = (sourceId: string): Promise<Stored<SourceDoc> | null> =>
    read.get<SourceDoc>('ingestion_sources', sourceId);
  return {
    /** Whoever's; null: there is none, or no longer. */
    anybodys,
    /** Null: the workspace has none with this id. */
    async source(workspace: string, sourceId: string): Promise<Stored<SourceDoc> | null> {
      const found = await anybodys(sourceId);
      return found?.workspace === workspace ? found : null;
    },
    /** Newest first. */
    async sources(workspace: string, paging: Paging) {
      const where = { workspace };
      const sort = { by: ['created_at', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<SourceDoc>('ingestion_sources', { where, sort, ...paging }),
        read.count('ingestion_sources', where),
      ]);
      return { items, total };
    },
    /** From a time (epoch ms) on, newest first. */
    async deliveries(sourceId: string, from: number, paging: Paging) {
      const where = { source_id: sourceId, received_at: { gte: from } };
      const sort = { by: ['received_at', 'position', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<DeliveryDoc>('source_deliveries', { where, sort, ...paging }),
        read.count('source_deliveries', where),
      ]);
      return { items, total };
    },
    /** Sources that are to become something by themselves, some of them. */
    due: (limit: number): Promise<SourceDoc[]> =>
      read.find<SourceDoc>('ingestion_sources', {
        where: { due: { in: ['failing', 'recovered'] } },
        sort: { by: ['due', '_id'] },
        limit,
      }),
    /** The first day (UTC, as `2026-03-27`) before one of which deliveries are shown; null: there is none. */
    async oldestDay(before: string): Promise<string | null> {
      const [first] = await read.find<DeliveryDoc>('source_deliveries', {
        where: { day: { lte: before } },
        sort: { by: ['day', '_id'] },
        limit: 1,
      });
      return first?.day ?? null;
    },
    delivery: (deliveryId: string): Promise<Stored<DeliveryDoc> | null> =>
      read.get<DeliveryDoc>('source_deliveries', deliveryId),
  };
};
