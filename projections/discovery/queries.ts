import type { DiscoveryFact, TestedSource } from '../../domain/discovery/facts.js';
import type { DiscoveryStatus } from '../../domain/discovery/state.js';
import type { Fact } from '../../domain/fact.js';
import type { Reader } from '../engine/reader.js';
import type { Stored } from '../engine/read-models.js';
import { discoveryDocId, goalKey, type DiscoveryDoc, type ResultsDoc } from './documents.js';

export type DiscoveryQueries = ReturnType<typeof discoveryQueries>;

export function discoveryQueries(read: Reader) {
  const discovery = (workspace: string, discoveryId: string): Promise<DiscoveryDoc | null> =>
    read.get<DiscoveryDoc>('discoveries', discoveryDocId(workspace, discoveryId));
  const newestFirst = { by: ['queued_at', '_id'], descending: true };
  return {
    /** Null: the workspace has none with this id. */
    discovery,

    /** What a discovery found; none before it has tested. */
    results: async ({ _id }: Pick<DiscoveryDoc, '_id'>): Promise<readonly TestedSource[]> =>
      (await read.get<ResultsDoc>('discovery_results', _id))?.results ?? [],

    /** How a fact's discovery stands, that fact included. */
    after: ({ data, meta }: Fact<DiscoveryFact>): Promise<DiscoveryDoc | null> =>
      discovery(meta.workspace!, data.discoveryId),

    /** Of a goal the newest first, and how many there are in all; `status` null: whichever. */
    async page(
      workspace: string,
      goalId: string,
      status: DiscoveryStatus | null,
      paging: { readonly offset: number; readonly limit: number },
    ) {
      const where = { goal: goalKey(workspace, goalId), ...(status !== null && { status }) };
      const [items, total] = await Promise.all([
        read.find<DiscoveryDoc>('discoveries', { where, sort: newestFirst, ...paging }),
        read.count('discoveries', where),
      ]);
      return { items, total };
    },

    /** How many there were of a goal. */
    count: (workspace: string, goalId: string): Promise<number> =>
      read.count('discoveries', { goal: goalKey(workspace, goalId) }),
    /** How many of a goal are not over. */
    countOpen: (workspace: string, goalId: string): Promise<number> =>
      read.count('discoveries', { goal: goalKey(workspace, goalId), open: true }),

    /** Those of one workspace that are not over, oldest first: of the first that has any behind another. */
    async openBehind(workspace: string, limit: number): Promise<Stored<DiscoveryDoc>[]> {
      const sort = { by: ['workspace', 'queued_at', '_id'] };
      const where = { open: true, workspace: { gt: workspace } };
      const [first] = await read.find<DiscoveryDoc>('discoveries', { where, sort, limit: 1 });
      if (!first) return [];
      return read.find<DiscoveryDoc>('discoveries', {
        where: { open: true, workspace: first.workspace },
        sort: { by: ['queued_at', '_id'] },
        limit,
      });
    },
  };
}
