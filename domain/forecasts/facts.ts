import type { Message } from '../fact.js';
import type { Millicredits } from '../billing/credits.js';
import type { HistoryRead } from '../inference/facts.js';
import type { Calibration } from '../inference/forecasting.js';
import type { AppliedEvent, ShockBlend } from '../inference/moves.js';
import type { GoalModel, ServedBy } from '../goals/model.js';
import type { GoalOptions } from '../goals/settings.js';

/** One row a step, one column a level; all of the same length. */
export type GoalPoints = {
  /** Beginnings of the steps, epoch ms. */
  readonly times: readonly number[];
  readonly mean: readonly number[];
  /** `quantiles[k]` belongs to `levels[k]`. */
  readonly levels: readonly number[];
  readonly quantiles: readonly (readonly number[])[];
};

/** What else the numbers of a forecast follow from: by it the very same is made again. */
export type ForecastFollows = Pick<GoalOptions, 'calibration' | 'scheduledEvents'> & {
  readonly timezone: string;
  /** How many steps of the target were read. */
  readonly steps: number;
  /** What was known of all that moves forecasts; absent: it was too much to be kept. */
  readonly known?: readonly unknown[];
};

/** A forecast as it was given out; it never changes. */
export type GoalForecastIssued = Message<
  'GoalForecastIssued',
  {
    readonly goalId: string;
    readonly forecastId: string;
    /** `cadence`: the beat that it is for (epoch ms) is `dueAt`; a person's and a shock's have none. */
    readonly trigger: 'activation' | 'cadence' | 'manual' | 'shock' | 'scheduled_event';
    readonly dueAt: number | null;
    readonly asOf: number;
    readonly horizon: number;
    readonly stepS: number;
    /** Its steps are so many calendar months; absent: all are of one length. */
    readonly stepMonths?: number;
    readonly points: GoalPoints;
    /** The medians before events moved them; null: none did. */
    readonly plain: readonly number[] | null;
    /** The levels that the goal asked for; the others are there for grading. */
    readonly asked: readonly number[];
    readonly servedBy: ServedBy;
    readonly model: GoalModel;
    /** The model as people read it. */
    readonly name: string;
    readonly warnings: readonly { readonly code: string; readonly message: string }[];
    /** Time of the newest value, epoch ms; how many values were read; how many were made up. */
    readonly dataCutoff: number;
    readonly lookbackUsed: number;
    readonly filledPoints: number;
    readonly read: HistoryRead;
    /** Steps of the main season. */
    readonly period: number;
    /** Seasonal naive of the same history, normal at each step: what the forecast is held against. */
    readonly naive: { readonly mean: readonly number[]; readonly deviation: readonly number[] };
    /** What its errors are measured in, of the same history; null: it never changes. */
    readonly scales: { readonly seasonal: number | null; readonly squaredChange: number | null };
    /** How the bands were set right by the series' own past. */
    readonly calibration: Calibration;
    /** By which factor the bands of each step were widened, by the goal's own record. */
    readonly widened: readonly number[];
    /** That record: the share inside the 80% band of late (null: none was graded), and how many were. */
    readonly record: { readonly coverage: number | null; readonly n: number };
    readonly appliedEvents: readonly AppliedEvent[];
    readonly skippedEvents: number;
    /** Events that happened, whose effects are not in what the model read, but go on by their curves. */
    readonly carriedEvents?: number;
    readonly shock: ShockBlend | null;
    /** Of the scorers by whose scores events moved it; absent: none did, or it is not known. */
    readonly scorerVersion?: string;
    readonly supersedes: string | null;
    readonly inputsHash: string;
    readonly seed: number;
    readonly codeVersion: string;
    /** Position of the log that read models stood at. */
    readonly upTo: number;
    /** What it cost. */
    readonly credits: Millicredits;
    /** Absent: it was not kept yet. */
    readonly follows?: ForecastFollows;
  }
>;
/** Beats of the cadence that follow each other at which none could be made, and why. */
export type GoalForecastMissed = Message<
  'GoalForecastMissed',
  {
    readonly goalId: string;
    /** The first of the beats and the last, epoch ms, and how many there are. */
    readonly dueAt: number;
    readonly lastDueAt: number;
    readonly beats: number;
    readonly code: string;
    readonly message: string;
  }
>;
/**
 * Actuals came: for each step of time what it was, and how the forecasts did that waited for it.
 * Columns, one entry for each forecast that had the step, in order of their issue; `loss` is the pinball loss
 * over the levels, `naive` that of seasonal naive at the same lead.
 */
export type GoalActualsCame = Message<
  'GoalActualsCame',
  {
    readonly goalId: string;
    readonly steps: readonly {
      /** Beginning of the step, epoch ms. */
      readonly time: number;
      readonly actual: number;
      readonly forecastIds: readonly string[];
      /** Steps ahead, from 1. */
      readonly leads: readonly number[];
      readonly losses: readonly number[];
      readonly naiveLosses: readonly (number | null)[];
      /** Median less actual. */
      readonly errors: readonly number[];
      /** Distance from the median in half-widths of the 80% band, signed; within -1 and 1 is inside. */
      readonly scores: readonly number[];
    }[];
  }
>;

/**
 * Journals `goal_forecast-<workspace>.<forecast_id>` (the id of a cadence's forecast follows from goal and
 * beat, so that each beat is issued once) and `goal_actuals-<workspace>.<goal_id>.<day>`, where each step
 * comes once, and again when its actual is corrected.
 */
export type GoalForecastFact = GoalForecastIssued | GoalForecastMissed;
export type GoalActualsFact = GoalActualsCame;
