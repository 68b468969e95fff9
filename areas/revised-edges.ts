import type { Context } from '../commands/engine/handle.js';
import { edgeJournalId, edges } from '../domain/edges/decider.js';
import type { KnownEdge } from '../domain/edges/state.js';
import type { EdgeNow, EdgesRevised } from '../domain/revisions/ports.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { edgeQueries } from '../projections/edges/queries.js';
import type { Kernel } from './kernel.js';

/** Who measures edges; null: nobody does here. */
export type Checks = Pick<EdgesRevised<Context>, 'recheck' | 'isOver'>;

const standing = ({ edgeId, kind, sourceKey, status, measured }: KnownEdge): EdgeNow => ({
  ...{ edgeId, kind, sourceKey, status, lift: measured?.lift ?? null },
});

/** Edges as revisions of history see them. */
export function revisedEdges({ read, load }: Kernel, checks: Checks | null): EdgesRevised<Context> {
  const queries = edgeQueries(read(edgesProjection));
  return {
    ofGoal: async (...of) => (await queries.ofGoal(...of)).map(({ state }) => standing(state)),
    async now(workspace, edgeId) {
      const state = await load(edges, edgeJournalId(workspace, edgeId));
      return state.status === 'none' ? null : standing(state);
    },
    recheck: async (...asked) => checks?.recheck(...asked) ?? null,
    isOver: async (...asked) => checks?.isOver(...asked) ?? true,
  };
}
