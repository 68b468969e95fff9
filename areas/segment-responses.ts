import type { SegmentReads } from '../commands/segments/sources.js';
import { stateThen, factsThen } from '../commands/engine/then.js';
import { goalJournalId, goals as goalsDecider } from '../domain/goals/decider.js';
import { ACTING } from '../domain/goals/ports.js';
import { responseOf } from '../domain/maths/effects/applied.js';
import type { EdgeResponse } from '../domain/segments/ports.js';
import type { EdgeDoc } from '../projections/edges/documents.js';
import { edgesProjection } from '../projections/edges/projection.js';
import { edgeQueries } from '../projections/edges/queries.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { goalQueries } from '../projections/goals/queries.js';
import { edgesThen } from './edges-then.js';
import type { Kernel } from './kernel.js';

/** What tables of segments ask of goals and their edges, which are built on segments. */
export const segmentResponses = (kernel: Pick<Kernel, 'read' | 'stores'>) => {
  const edges = edgeQueries(kernel.read(edgesProjection));
  const goals = goalQueries(kernel.read(goalsProjection));
  const { edgeThen } = edgesThen(kernel);
  const goalThen = stateThen(factsThen(kernel.stores.events));

  const settingsOf = async (workspace: string, goalId: string, asOf: number | null) => {
    const doc = await goals.goal(workspace, goalId);
    // What is gone was never there
    if (!doc || asOf === null) return doc?.state.settings ?? null;
    const then = await goalThen(goalsDecider, goalJournalId(workspace, goalId), asOf);
    return then.status === 'none' ? null : then.settings;
  };

  const responses: SegmentReads['responses'] = async (workspace, stream, asOf) => {
    const found = new Map<string, EdgeResponse[]>();
    const docs = await (asOf === null ? edges.actingOfSource : edges.ofSource)(workspace, stream);
    for (const doc of docs) {
      const edge = asOf === null ? doc : await edgeThen(workspace, doc.edge_id, asOf);
      const known = edge && tellsOf(edge);
      const settings = known && (await settingsOf(workspace, doc.goal_id, asOf));
      if (!settings) continue;
      const of = found.get(settings.target) ?? [];
      found.set(settings.target, of);
      of.push({ ...known, stepS: settings.stepS });
    }
    return found;
  };

  return {
    responses,
    /** The target that an edge of a stream acts on now; null: it acts on none. */
    async actsOn(workspace: string, edgeId: string): Promise<string | null> {
      const doc = await edges.edge(workspace, edgeId);
      if (!doc || !ACTING.includes(doc.status)) return null;
      return (await goals.goal(workspace, doc.goal_id))?.target ?? null;
    },
  };
};

/** What an edge tells of events; null: it acts not, or nothing was measured. */
function tellsOf({ status, state }: EdgeDoc): Omit<EdgeResponse, 'stepS'> | null {
  const { edgeId, goalId, kind, measured, lastCheckId: checkId, lastCheckedAt: checkedAt } = state;
  const response = responseOf(measured?.responseCurve ?? null);
  if (kind !== 'event_stream' || !ACTING.includes(status) || !response) return null;
  const weighing = measured?.response?.weighing ?? ({ by: 'none', mean: 1 } as const);
  return { edgeId, goalId, checkId, checkedAt, lift: measured?.lift ?? 0, weighing, response };
}
