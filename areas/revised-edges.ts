import type { Context } from '../commands/engine/handle.js';
import { isOpen } from '../domain/discovery/state.js';
import { edgeJournalId, edges as edgeDecider } from '../domain/edges/decider.js';
import type { KnownEdge } from '../domain/edges/state.js';
import type { EdgeNow, EdgesRevised } from '../domain/revisions/ports.js';
import type { DiscoveryArea } from './discovery.js';
import type { Kernel } from './kernel.js';

const standing = ({ edgeId, kind, sourceKey, status, measured }: KnownEdge): EdgeNow => ({
  ...{ edgeId, kind, sourceKey, status, lift: measured?.lift ?? null },
});

/** Edges as revisions of history see them, and have them measured again. */
export function revisedEdges({ load }: Kernel, { commands, edges }: DiscoveryArea): EdgesRevised<Context> {
  return {
    ofGoal: async (...of) => (await edges.queries.ofGoal(...of)).map(({ state }) => standing(state)),
    async now(workspace, edgeId) {
      const state = await load(edgeDecider, edgeJournalId(workspace, edgeId));
      return state.status === 'none' ? null : standing(state);
    },
    recheck: async (of, edgeIds, context) =>
      (await commands.recheck(of, edgeIds, 'revision', context)).discoveryId,
    async isOver({ workspace }, discoveryId) {
      const { status } = await commands.state({ workspace, discoveryId });
      return status === 'none' || !isOpen(status);
    },
  };
}
