import type { ImaginingDeps } from '../commands/scenarios/imagining.js';
import { journalOf } from '../domain/decider.js';
import { edgeJournalId, edges } from '../domain/edges/decider.js';
import type { EdgeFact } from '../domain/edges/facts.js';
import type { KnownEdge } from '../domain/edges/state.js';
import { START, type Fact } from '../domain/fact.js';
import { ACTING } from '../domain/goals/ports.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { edgeQueries } from '../projections/edges/queries.js';
import { actingOf } from './edges.js';
import type { Kernel } from './kernel.js';

/** Facts of a journal that are read at once. */
const AT_ONCE = 200;

/** Edges of a goal as they stood at a time (epoch ms), as their facts tell it. */
export const edgeStatesThen = ({ read, stores }: Pick<Kernel, 'read' | 'stores'>) => {
  const queries = edgeQueries(read(edgesProjection));
  const stateThen = async (workspace: string, edgeId: string, asOf: number) => {
    const journal = journalOf(edges, edgeJournalId(workspace, edgeId));
    let state = edges.initialState;
    for (let after = START; ; ) {
      const facts = await stores.events.read(journal, after, AT_ONCE);
      for (const fact of facts) if (fact.at <= asOf) state = edges.evolve(state, fact as Fact<EdgeFact>);
      if (facts.length < AT_ONCE) return state;
      after = facts.at(-1)!.revision;
    }
  };
  return async (workspace: string, goalId: string, asOf: number): Promise<readonly KnownEdge[]> => {
    const now = await queries.ofGoal(workspace, goalId);
    const then = await Promise.all(now.map(({ edge_id }) => stateThen(workspace, edge_id, asOf)));
    return then.flatMap(state => (state.status === 'none' ? [] : [state]));
  };
};

/** Those that acted on a goal at a time. */
export const edgesThen = (kernel: Pick<Kernel, 'read' | 'stores'>): ImaginingDeps['edges'] => {
  const statesThen = edgeStatesThen(kernel);
  return async (...of) =>
    (await statesThen(...of)).flatMap(state => (ACTING.includes(state.status) ? [actingOf({ state })] : []));
};
