import type { Issuing } from '../../commands/forecasts/issuing.js';
import type { Replayed } from '../../commands/inference/replay.js';
import type { GoalCommands } from '../../commands/goals/records.js';
import type { TargetOf } from '../../domain/goals/ports.js';
import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import type { ActualsDoc } from '../../projections/forecasts/documents.js';
import type { ForecastQueries } from '../../projections/forecasts/queries.js';

type GoalNow = { readonly state: LiveGoal };

export type ForecastDeps = {
  readonly queries: ForecastQueries;
  /** As they stood at a moment (epoch ms): whether a goal was there, and what had come of its forecasts. */
  readonly then: {
    readonly goal: (workspace: string, goalId: string, asOf: number) => Promise<GoalNow | null>;
    readonly actuals: (
      workspace: string,
      goalId: string,
      from: number,
      to: number,
      asOf: number,
    ) => Promise<readonly ActualsDoc[]>;
  };
  readonly goals: Pick<GoalCommands, 'state'>;
  readonly issuing: Pick<Issuing, 'issue' | 'priceOf'>;
  readonly targetOf: TargetOf;
  /** Makes a forecast again from the log alone. @throws Rejected 404 where it is not there */
  readonly replay: (
    of: { readonly workspace: string; readonly goalId: string; readonly forecastId: string },
    goal: LiveGoal,
    signal: AbortSignal,
  ) => Promise<Replayed>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of goals and forecasts hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'goals.write' } as const;
export const ofGoal = '/v1/goals/{goal_id}';
export const forecastsPath = `${ofGoal}/forecasts`;

/** `asOf`: as it stood then, epoch ms. @throws Rejected 404 */
export async function goalIn(
  { goals, then }: Pick<ForecastDeps, 'goals' | 'then'>,
  workspace: string,
  goalId: string,
  asOf: number | null = null,
): Promise<LiveGoal> {
  if (asOf !== null) {
    const was = await then.goal(workspace, goalId, asOf);
    if (!was) throw goalNotFound();
    return was.state;
  }
  const goal: GoalState = await goals.state({ workspace, goalId });
  if (goal.status === 'none') throw goalNotFound();
  return goal;
}
