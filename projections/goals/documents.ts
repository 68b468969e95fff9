import { restInVain } from '../../domain/goals/drift.js';
import type { LiveGoal } from '../../domain/goals/state.js';

// All times are epoch ms.

/** A goal as it stands. What lists are sorted and filtered by is repeated outside of its state. */
export type GoalDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly goal_id: string;
  readonly name: string;
  readonly target: string;
  readonly status: LiveGoal['status'];
  /** Whole seconds; absent in documents of version 3. */
  readonly cadence_s?: number;
  readonly fleet_id: string | null;
  readonly segment_id: string | null;
  /** Absent where it was written before version 4. */
  readonly pipeline_id?: string | null;
  /** It counts to the plan's cap. */
  readonly counts: boolean;
  readonly state: LiveGoal;
  /** When models began to compete for it last; null: never. */
  readonly competed_at: number | null;
  /**
   * How often they did while it had no champion, since people changed something of it; absent: never, or in
   * documents of version 4.
   */
  readonly in_vain?: number;
  /** When what drives it was looked for last, and when its edges were looked at; absent: never. */
  readonly discovered_at?: number;
  readonly rechecked_at?: number;
  readonly created_at: number;
  readonly updated_at: number;
};

/** Something that happened to a goal. */
export type HappeningDoc = {
  readonly _id: string;
  readonly goal: string;
  /** `goal.created`, `forecast.missed`. */
  readonly kind: string;
  readonly at: number;
  readonly position: number;
  readonly actor: string;
  /** What of it people read, by the names of the API. */
  readonly data: Readonly<Record<string, unknown>>;
};

/**
 * When models compete by themselves for a goal that has no champion, epoch ms, at the earliest; null: it has
 * one, is not active, or they do not.
 */
export function nextContest({ state, competed_at, in_vain = 0, created_at }: GoalDoc): number | null {
  const { status, champion, activatedAt, settings } = state;
  const isUnled = status === 'active' && champion === null && settings.options.autoTournament !== 'off';
  return isUnled ? (competed_at ?? activatedAt ?? created_at) + restInVain(in_vain) : null;
}

export const goalDocId = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
