import { goalNotFound } from '../../domain/goals/refusals.js';
import { scenarioNotFound } from '../../domain/scenarios/refusals.js';
import type { ScenarioDoc } from '../../projections/scenarios/documents.js';
import type { ScenarioDeps } from './deps.js';

/** @throws Rejected 404 */
export async function found(
  { queries, hasGoal }: Pick<ScenarioDeps, 'queries' | 'hasGoal'>,
  workspace: string,
  goalId: string,
  scenarioId: string,
): Promise<ScenarioDoc> {
  if (!(await hasGoal(workspace, goalId))) throw goalNotFound();
  const doc = await queries.scenario(workspace, scenarioId);
  if (doc?.goal_id !== goalId) throw scenarioNotFound(scenarioId);
  return doc;
}
