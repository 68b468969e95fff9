import { momentOf, type Taken } from '../../domain/ingestion/deliveries.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import type { DeliveriesDoc } from './delivery-documents.js';
import type { SourceDoc } from './source-documents.js';

type Paging = { readonly limit: number; readonly offset: number };
export type SourceQueries = ReturnType<typeof sourceQueries>;

export const sourceQueries = (read: Reader) => {
  const anybodys = (sourceId: string): Promise<Stored<SourceDoc> | null> =>
    read.get<SourceDoc>('ingestion_sources', sourceId);
  /** Deliveries with a number from `least` on and below `before`, the newest first. */
  const numbered = async (sourceId: string, least: number, before: number): Promise<Taken[]> => {
    const by = ['first', '_id'];
    const [lowest] = await read.find<DeliveriesDoc>('source_deliveries', {
      where: { source_id: sourceId, first: { lte: least } },
      sort: { by, descending: true },
      limit: 1,
    });
    const docs = await read.find<DeliveriesDoc>('source_deliveries', {
      where: { source_id: sourceId, first: { gte: lowest?.first ?? least, lt: before } },
      sort: { by },
    });
    return docs
      .flatMap(({ first, deliveries }) => {
        const skipped = Math.max(0, least - first);
        return deliveries.slice(skipped, before - first);
      })
      .reverse();
  };
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
    /** How many a workspace has. */
    count: (workspace: string): Promise<number> => read.count('ingestion_sources', { workspace }),
    /** From a time (epoch ms) on, newest first. */
    async deliveries(sourceId: string, from: number, { limit, offset }: Paging) {
      const [source, [oldest]] = await Promise.all([
        anybodys(sourceId),
        read.find<DeliveriesDoc>('source_deliveries', {
          where: { source_id: sourceId, received_at: { gte: from } },
          sort: { by: ['received_at', 'first', '_id'] },
          limit: 1,
        }),
      ]);
      if (!source || !oldest) return { items: [], total: 0 };
      const before = source.deliveries_noted - offset;
      const least = Math.max(oldest.first, before - limit);
      const items = least < before ? await numbered(sourceId, least, before) : [];
      return { items, total: source.deliveries_noted - oldest.first };
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
      const [first] = await read.find<DeliveriesDoc>('source_deliveries', {
        where: { day: { lte: before } },
        sort: { by: ['day', '_id'] },
        limit: 1,
      });
      return first?.day ?? null;
    },
    /** Null: it is not known, or no longer. */
    async delivery(sourceId: string, deliveryId: string): Promise<Taken | null> {
      const doc = await read.get<DeliveriesDoc>('source_deliveries', momentOf(deliveryId));
      if (doc?.source_id !== sourceId) return null;
      return doc.deliveries.find(each => each.deliveryId === deliveryId) ?? null;
    },
  };
};
