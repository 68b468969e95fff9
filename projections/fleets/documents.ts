import type { Lost } from '../../domain/fleets/record.js';
import type { FleetStatus, FleetWork, LiveFleet } from '../../domain/fleets/state.js';
import type { GoalMetric } from '../../domain/goals/settings.js';

// All times are epoch ms.

/** A fleet as it stands. What lists are sorted and filtered by is repeated outside of its state. */
export type FleetDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly fleet_id: string;
  readonly status: FleetStatus;
  /** What is being done for its goals; null: nothing is. */
  readonly work: FleetWork | null;
  /** It looks by itself for entities that are new. */
  readonly looks: boolean;
  readonly state: LiveFleet;
  readonly created_at: number;
  readonly updated_at: number;
};

/** What forecasts of a goal of a fleet lost. */
export type FleetGoalDoc = {
  readonly _id: string;
  readonly fleet: string;
  readonly goal_id: string;
  readonly metric: GoalMetric;
  /** Of MASE, as its newest forecast says; null: its target never changes. */
  readonly scale: number | null;
  /** The newest days (UTC) on which something came, at most 30, the newest last. */
  readonly days: readonly { readonly day: string; readonly lost: Lost }[];
};

/** What came for such a goal on a day, step by step: a correction takes the place of what it corrects. */
export type FleetDayDoc = {
  readonly _id: string;
  readonly goal: string;
  readonly steps: readonly { readonly time: number; readonly lost: Lost }[];
};

export const fleetDocId = (workspace: string, fleetId: string): string => `${workspace}/${fleetId}`;
export const fleetGoalId = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
