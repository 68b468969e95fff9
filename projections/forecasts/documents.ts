import type { Millicredits } from '../../domain/billing/credits.js';
import type { Owed } from '../../domain/forecasts/cadence.js';
import type { GoalActualsCame, GoalForecastIssued } from '../../domain/forecasts/facts.js';
import type { Tracker } from '../../domain/forecasts/tracker.js';
import type { GoalSettings } from '../../domain/goals/settings.js';

// All times are epoch ms.

/** A forecast of a goal, as it was given out. */
export type ForecastDoc = {
  readonly _id: string;
  readonly goal: string;
  readonly forecast_id: string;
  readonly issued_at: number;
  /** Beginnings of its first step and of its last. */
  readonly first: number;
  readonly until: number;
  readonly issued: GoalForecastIssued['data'];
};

/** What came on one day (UTC), and how the forecasts did that waited for it. */
export type ActualsDoc = {
  readonly _id: string;
  readonly goal: string;
  /** `2026-01-31` */
  readonly day: string;
  readonly steps: GoalActualsCame['data']['steps'];
};

/** What is known of a goal's forecasts as a whole. */
export type RecordDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly goal_id: string;
  readonly settings: Pick<
    GoalSettings,
    'target' | 'stepS' | 'stepMonths' | 'cadenceS' | 'timezone' | 'metric'
  >;
  readonly active: boolean;
  /** Beats of the cadence up to here are done with. */
  readonly handled: number | null;
  /** What was due by an earlier cadence, and is still to be made; null, or absent: nothing. */
  readonly owed?: Owed | null;
  /** The next beat, or the one that is owed; null: none is to come. */
  readonly due_at: number | null;
  readonly latest: {
    readonly forecast_id: string;
    readonly issued_at: number;
    readonly next_ts: number;
    readonly next_value: number;
  } | null;
  /** Where its target lies (`<workspace>/<key>`), as it was read last; null: never. */
  readonly source: string | null;
  /** Scale of the target's errors (`seasonalScale`), as it was last; null: it never changed. */
  readonly scale: number | null;
  readonly tracker: Tracker;
  /** Credits of the month of the newest forecast (`2026-01`). */
  readonly month: string;
  readonly spent: Millicredits;
};

/** How a goal is called in `goal`. */
export const goalIn = (workspace: string, goalId: string): string => `${workspace}/${goalId}`;
export const forecastDocId = (workspace: string, forecastId: string): string => `${workspace}/${forecastId}`;
export const actualsDocId = (workspace: string, goalId: string, day: string): string =>
  `${goalIn(workspace, goalId)}/${day}`;
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
/** How a signal is called in `source`. */
export const sourceIn = (workspace: string, key: string): string => `${workspace}/${key}`;
