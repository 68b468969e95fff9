import type { ShockCommands } from '../../commands/shocks/records.js';
import type { SimulatingDeps } from '../../commands/shocks/simulating.js';
import type { ActingEdges } from '../../domain/goals/ports.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import type { GoalState, LiveGoal } from '../../domain/goals/state.js';
import type { ShockQueries } from '../../projections/shocks/queries.js';

export type ShockDeps = SimulatingDeps & {
  readonly commands: ShockCommands;
  readonly queries: ShockQueries;
  readonly edges: Pick<ActingEdges, 'ofGoal'>;
  readonly goal: (of: { readonly workspace: string; readonly goalId: string }) => Promise<GoalState>;
  /** Whether a workspace has, or reads, events of a stream. */
  readonly isStream: (workspace: string, stream: string) => Promise<boolean>;
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of shocks hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
export const writeAccess = { kind: 'workspace', scope: 'goals.write' } as const;
export const all = '/v1/goals/{goal_id}/shocks';
export const one = '/v1/goals/{goal_id}/shock';

/** @throws Rejected 404 */
export async function found(
  { goal }: Pick<ShockDeps, 'goal'>,
  workspace: string,
  goalId: string,
): Promise<LiveGoal> {
  const state = await goal({ workspace, goalId });
  if (state.status === 'none') throw goalNotFound();
  return state;
}
