import type { Issuing } from '../../commands/forecasts/issuing.js';
import type { GoalCommands } from '../../commands/goals/records.js';
import type { TargetOf } from '../../domain/goals/ports.js';
import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import type { ForecastQueries } from '../../projections/forecasts/queries.js';

export type ForecastDeps = {
  readonly queries: ForecastQueries;
  readonly goals: Pick<GoalCommands, 'state'>;
  readonly issuing: Pick<Issuing, 'issue' | 'priceOf'>;
  readonly targetOf: TargetOf;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of goals and forecasts hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'goals.write' } as const;
export const ofGoal = '/v1/goals/{goal_id}';
export const forecastsPath = `${ofGoal}/forecasts`;

/** @throws Rejected 404 */
export async function goalIn(
  { goals }: Pick<ForecastDeps, 'goals'>,
  workspace: string,
  goalId: string,
): Promise<LiveGoal> {
  const goal: GoalState = await goals.state({ workspace, goalId });
  if (goal.status === 'none') throw goalNotFound();
  return goal;
}
