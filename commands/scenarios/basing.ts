import { forecastNotFound } from '../../domain/forecasts/decider.js';
import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import { goalNotFound, invalidState } from '../../domain/goals/refusals.js';
import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import { Rejected } from '../../domain/rejected.js';
import type { ScenarioCreated, ScenarioRunRequested } from '../../domain/scenarios/facts.js';
import type { Based } from './knowing.js';

type Issued = GoalForecastIssued['data'];
export type BasingDeps = {
  readonly goal: (of: { readonly workspace: string; readonly goalId: string }) => Promise<GoalState>;
  /** A forecast of the workspace; null: there is none with this id. */
  readonly forecast: (workspace: string, forecastId: string) => Promise<Issued | null>;
  /** The newest of a goal; null: it has none. */
  readonly latest: (workspace: string, goalId: string) => Promise<Issued | null>;
};
/** @throws Rejected 404 where the goal or the base is not there; 409 where it is archived; 422 */
export async function basedOn(
  deps: BasingDeps,
  workspace: string,
  { goalId, base, horizon }: Pick<ScenarioCreated['data'], 'goalId' | 'base' | 'horizon'>,
): Promise<Based> {
  const goal: GoalState = await deps.goal({ workspace, goalId });
  if (goal.status === 'none') throw goalNotFound();
  if (goal.status === 'archived') throw invalidState(goal.status, 'have scenarios');
  const issued =
    base === 'latest'
      ? await deps.latest(workspace, goalId)
      : await deps.forecast(workspace, base.forecastId);
  if (!issued && base === 'latest')
    throw new Rejected('missing', 'not_found', 'base: the goal has no forecast yet', { goal_id: goalId });
  if (issued?.goalId !== goalId) throw forecastNotFound((base as { forecastId: string }).forecastId);
  return basedAt(workspace, goal, issued, horizon);
}

function basedAt(workspace: string, goal: LiveGoal, issued: Issued, horizon: number | null): Based {
  const { timezone } = goal.settings;
  if (horizon !== null && horizon > issued.horizon) {
    const msg = `must be at most ${issued.horizon}: so far the base goes`;
    const detail = [{ loc: ['body', 'horizon'], msg, type: 'range', input: horizon }];
    throw new Rejected('unprocessable', 'validation_error', `horizon: ${msg}`, { detail });
  }
  return { workspace, issued, horizon: horizon ?? issued.horizon, timezone };
}

/** The base of a run that was asked for; null: its goal has gone. @throws Rejected where the base has */
export async function basedFor(
  deps: BasingDeps,
  workspace: string,
  { goalId, baseForecastId, horizon }: ScenarioRunRequested['data'],
): Promise<Based | null> {
  const goal = await deps.goal({ workspace, goalId });
  if (goal.status === 'none') return null;
  const issued = await deps.forecast(workspace, baseForecastId);
  if (!issued) throw forecastNotFound(baseForecastId);
  return basedAt(workspace, goal, issued, horizon);
}
