import type { ScenarioCommands } from '../../commands/scenarios/records.js';
import type { Asked, Started } from '../../commands/scenarios/starting.js';
import type { OfScenario } from '../../commands/scenarios/records.js';
import type { Context } from '../../commands/engine/handle.js';
import type { ScenarioCreated } from '../../domain/scenarios/facts.js';
import type { ScenarioQueries } from '../../projections/scenarios/queries.js';

export type ScenarioDeps = {
  readonly queries: Pick<ScenarioQueries, 'scenario' | 'page'>;
  readonly commands: Pick<ScenarioCommands, 'remove'>;
  /** The same, and nothing is written. */
  readonly tried: Pick<ScenarioCommands, 'remove'>;
  readonly create: (
    workspace: string,
    scenario: ScenarioCreated['data'],
    asked: Asked,
    context: Context,
    signal: AbortSignal,
  ) => Promise<Started>;
  readonly run: (of: OfScenario, asked: Asked, context: Context, signal: AbortSignal) => Promise<Started>;
  readonly hasGoal: (workspace: string, goalId: string) => Promise<boolean>;
  readonly newScenarioId: () => string;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of scenarios hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
/** An analyst asks what would be: nothing of the goal changes. */
export const writeAccess = { kind: 'workspace', scope: 'goals.write', from: 'analyst' } as const;
export const all = '/v1/goals/{goal_id}/scenarios';
export const one = `${all}/{scenario_id}` as const;
