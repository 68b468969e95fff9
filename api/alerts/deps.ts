import type { AlertCommands } from '../../commands/alerts/records.js';
import type { AlertQueries } from '../../projections/alerts/queries.js';

export type AlertDeps = {
  readonly commands: AlertCommands;
  /** The same, and nothing is written. */
  readonly tried: Pick<AlertCommands, 'remove'>;
  readonly queries: AlertQueries;
  /** How far a goal is forecast, steps; null: the workspace has no such goal. */
  readonly horizonOf: (workspace: string, goalId: string) => Promise<number | null>;
  /** Ids of somebody's channels. */
  readonly channelsOf: (uid: string) => Promise<readonly string[]>;
  /** So many rules a workspace, and one of its goals, may have. */
  readonly most: { readonly workspace: number; readonly goal: number };
  readonly clock: () => number;
  /** Waits, a bounded time, until the read models of alerts hold the fact at a position. */
  readonly visible: (position: number | null) => Promise<void>;
};

export const tag = 'Goals';
export const readAccess = { kind: 'workspace', scope: 'goals.read' } as const;
/** Analysts have alerts of their own. */
export const writeAccess = { kind: 'workspace', scope: 'goals.write', from: 'analyst' } as const;

/**
 * Where rules are found: those of a goal below it, and all of a workspace, with a goal and without, below
 * `alerts`.
 */
export const places = [
  { all: '/v1/goals/alerts', name: 'Alert', ofGoal: false },
  { all: '/v1/goals/{goal_id}/alerts', name: 'GoalAlert', ofGoal: true },
] as const;
export type Place = (typeof places)[number];
