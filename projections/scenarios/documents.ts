import type { KnownScenario, ScenarioStatus } from '../../domain/scenarios/state.js';

/** A scenario as it stands. `open`: it is not over; `position`: of its creation in the log. */
export type ScenarioDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly scenario_id: string;
  readonly goal: string;
  readonly goal_id: string;
  readonly status: ScenarioStatus;
  readonly open: boolean;
  readonly position: number;
  /** Epoch ms. */
  readonly requested_at: number;
  readonly state: KnownScenario;
};

export const scenarioDocId = (workspace: string, scenarioId: string): string => `${workspace}/${scenarioId}`;
export const goalKey = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
