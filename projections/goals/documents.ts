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

export const goalDocId = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
