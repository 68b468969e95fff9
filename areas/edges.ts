import type { ActingEdge, ActingEdges, EdgesOfSource } from '../domain/goals/ports.js';
import { edgesProjection } from '../projections/edges/projection.js';
import type { EdgeDoc } from '../projections/edges/documents.js';
import { edgeQueries } from '../projections/edges/queries.js';
import type { Kernel } from './kernel.js';

/** What is asked of edges by what they are built on, and by what stands on them. */
export const edgesOf = (kernel: Pick<Kernel, 'read'>) => {
  const queries = edgeQueries(kernel.read(edgesProjection));
  const acting: ActingEdges = {
    ofGoal: async (...of) => (await queries.actingOfGoal(...of)).map(actingOf),
    ofSource: async (...of) => (await queries.actingOfSource(...of)).map(actingOf),
  };
  const edgesOfSource: EdgesOfSource = async (workspace, sourceKey) =>
    (await queries.ofSource(workspace, sourceKey)).map(({ state }) => {
      const { edgeId, goalId, kind, status, measured } = state;
      return { edgeId, goalId, kind, sourceKey, status, lift: measured?.lift ?? null };
    });
  const { counts, driven, driving, summaries } = queries;
  return { ...acting, edgesOfSource, counts, driven, driving, summaries };
};

/** An edge as those see it that it acts for. */
export function actingOf({
  state: { edgeId, goalId, kind, sourceKey, status, measured },
}: Pick<EdgeDoc, 'state'>): ActingEdge {
  const response = measured?.response ?? null;
  return {
    ...{ edgeId, goalId, kind, sourceKey, status },
    ...{ lift: measured?.lift ?? 0, direction: measured?.direction ?? null },
    ...{ curve: measured?.responseCurve ?? null, response },
    ...{ halfLifeS: measured?.halfLifeS ?? null, optimalLagS: measured?.optimalLagS ?? null },
    knownInAdvance: measured?.knownInAdvance ?? false,
    weighing: response?.weighing ?? { by: 'none', mean: 1 },
  };
}
