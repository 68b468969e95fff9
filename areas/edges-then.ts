import type { ImaginingDeps } from '../commands/scenarios/imagining.js';
import type { EdgeCounts, OfGoalsThen } from '../api/goals/deps.js';
import { factsThen } from '../commands/engine/then.js';
import { readInTurns } from '../commands/engine/turns.js';
import { journalOf } from '../domain/decider.js';
import { edgeJournalId, edges } from '../domain/edges/decider.js';
import type { EdgeFact } from '../domain/edges/facts.js';
import { summaryOf, type SourceSummary } from '../domain/edges/summary.js';
import type { Fact } from '../domain/fact.js';
import { ACTING } from '../domain/goals/ports.js';
import type { EdgeDoc } from '../projections/edges/documents.js';
import { edgeAfter, edgesProjection } from '../projections/edges/projection.js';
import { edgeQueries } from '../projections/edges/queries.js';
import { actingOf } from './edges.js';
import type { Kernel } from './kernel.js';

/** Edges as they stood at a moment, epoch ms. */
export function edgesThen({ read, stores }: Pick<Kernel, 'read' | 'stores'>) {
  const queries = edgeQueries(read(edgesProjection));
  const facts = factsThen(stores.events);
  /** Null: it was not there. */
  const edgeThen = async (workspace: string, edgeId: string, asOf: number): Promise<EdgeDoc | null> => {
    const then = await facts(journalOf(edges, edgeJournalId(workspace, edgeId)), asOf);
    return (then as readonly Fact<EdgeFact>[]).reduce(edgeAfter, null);
  };
  /** All of a goal, by id. */
  const ofGoal = async (workspace: string, goalId: string, asOf: number): Promise<readonly EdgeDoc[]> => {
    const now = await queries.ofGoal(workspace, goalId);
    const then = await readInTurns(workspace, now, ({ edge_id: edgeId }) =>
      edgeThen(workspace, edgeId, asOf),
    );
    return then.filter(doc => doc !== null);
  };
  const counts: OfGoalsThen<EdgeCounts> = async (workspace, goalIds, asOf) => {
    const found = new Map<string, EdgeCounts>();
    for (const goalId of goalIds) {
      const of: Partial<Record<EdgeDoc['status'], number>> = {};
      for (const { status } of await ofGoal(workspace, goalId, asOf)) of[status] = (of[status] ?? 0) + 1;
      found.set(goalId, of);
    }
    return found;
  };
  /** What sources did to goals that are there still, by key; see `EdgeQueries.summaries`. */
  const summaries = async (workspace: string, sourceKeys: readonly string[], asOf: number) => {
    const found = new Map<string, SourceSummary>();
    for (const key of sourceKeys) {
      const now = await queries.ofSource(workspace, key);
      const then = await readInTurns(workspace, now, ({ edge_id: edgeId }) =>
        edgeThen(workspace, edgeId, asOf),
      );
      const were = then.filter(doc => doc?.validated === true);
      if (were.length > 0) found.set(key, summaryOf(were as EdgeDoc[]));
    }
    return found;
  };
  return { edgeThen, ofGoal, counts, summaries };
}
export type EdgesThen = Pick<ReturnType<typeof edgesThen>, 'edgeThen' | 'ofGoal'>;

/** Those that acted on a goal at a moment. */
export const actingThen = (kernel: Pick<Kernel, 'read' | 'stores'>): ImaginingDeps['edges'] => {
  const { ofGoal } = edgesThen(kernel);
  return async (...of) =>
    (await ofGoal(...of)).flatMap(doc => (ACTING.includes(doc.status) ? [actingOf(doc)] : []));
};
