import type { LiveGoal } from '../goals/state.js';
import type { TargetHistory } from '../goals/ports.js';
import { scalesOf } from '../inference/grade.js';
import type { GoalSettings } from '../goals/settings.js';
import type { InferenceSeries, SeriesForecasted } from '../inference/forecasting.js';
import { seasonalNaive } from '../maths/forecasting/baselines/index.js';
import { stepOf } from '../maths/forecasting/quantiles.js';
import { normalQuantile } from '../maths/statistics/distributions.js';
import type { AppliedEvent, ShockBlend } from '../inference/moves.js';
import type { GoalForecastIssued } from './facts.js';
import { stepsAhead } from './steps.js';

/** A goal's forecast on its way: what a model made, moved by what is known of events. */
export type Composed = {
  /** Beginnings of the steps, epoch ms. */
  readonly times: readonly number[];
  readonly mean: readonly number[];
  readonly levels: readonly number[];
  /** `quantiles[k]` belongs to `levels[k]`. */
  readonly quantiles: readonly (readonly number[])[];
  readonly appliedEvents: readonly AppliedEvent[];
  readonly skippedEvents: number;
  /** Events that happened, whose effects are not in what the model read, but go on by their curves. */
  readonly carriedEvents: number;
  readonly shock: ShockBlend | null;
  /** Of the scorers by whose scores events moved it; absent: none did. */
  readonly scorerVersion?: string;
};

/** What a model made. */
export type Made = Pick<Composed, 'mean' | 'quantiles'>;

/** A goal's forecast that is being made. */
export type Making = {
  readonly workspace: string;
  readonly goalId: string;
  readonly steps: Pick<GoalSettings, 'stepS' | 'stepMonths' | 'timezone'>;
  /** Whether events that lie ahead are applied; else they are counted. */
  readonly scheduledEvents: boolean;
  readonly series: InferenceSeries;
  /** What its model makes of other values on the steps of the series, at the levels of the forecast. */
  readonly other: (values: Float64Array) => Promise<Made>;
  /** When it is made, epoch ms. */
  readonly at: number;
  /** By what was recorded until then (epoch ms) alone; null: by all. */
  readonly asOf: number | null;
  /** Bands of a shock widen alike at all steps, as those of the forecast did that is made again. */
  readonly evenBands?: true;
};

/**
 * What else moves a goal's forecast: events that are known beforehand, a shock. What is `known` of it can be
 * kept as JSON, and moves the same forecast by the same once more.
 */
export type Adjustment<K = unknown> = {
  known(making: Making, made: Composed): Promise<K>;
  moved(making: Making, made: Composed, known: K): Promise<Composed>;
};

/** Levels that every forecast has, for grading. */
const GRADED = [0.1, 0.5, 0.9];

/** The levels that are asked of models. */
export const levelsFor = (asked: readonly number[]): readonly number[] =>
  [...new Set([...asked, ...GRADED])].sort((a, b) => a - b);

/** As a model made it. */
export function composed(
  { settings }: LiveGoal,
  { cutoff }: TargetHistory,
  made: SeriesForecasted,
): Composed {
  return {
    times: stepsAhead(settings, cutoff, made.mean.length),
    levels: made.quantiles.map(({ level }) => level),
    ...asMade(made),
    ...UNMOVED,
  };
}

/** Of a forecast that nothing has moved yet. */
export const UNMOVED = { appliedEvents: [], skippedEvents: 0, carriedEvents: 0, shock: null } as const;

export const asMade = ({ mean, quantiles }: SeriesForecasted): Made => ({
  mean: [...mean],
  quantiles: quantiles.map(({ values }) => [...values]),
});

/** With all distances from the median multiplied by a factor for each step. */
export function widenedBy(made: Composed, factors: readonly number[]): Composed {
  const middle = made.quantiles[made.levels.indexOf(0.5)]!;
  return {
    ...made,
    quantiles: made.quantiles.map(column =>
      column.map((value, h) => middle[h]! + factors[h]! * (value - middle[h]!)),
    ),
  };
}

type Against = Pick<GoalForecastIssued['data'], 'naive' | 'scales' | 'period'>;

/** The newest values that seasonal naive reads. */
const NAIVE_READS = 4_096;
const NINETY = normalQuantile(0.9);

/** What a forecast is held against later: seasonal naive of the same history, and its scales. */
export function heldAgainst(
  { series }: TargetHistory,
  { period, lookbackUsed, mean }: SeriesForecasted,
): Against {
  const naive = seasonalNaive(series.values.subarray(-NAIVE_READS), period, mean.length);
  const [middle, high] = [naive.levels.indexOf(0.5), naive.levels.indexOf(0.9)];
  const rows = Array.from({ length: naive.horizon }, (_, h) => stepOf(naive, h));
  const { seasonal, squaredChange } = scalesOf(series.values.subarray(-lookbackUsed), period);
  return {
    period,
    naive: {
      mean: rows.map(row => row[middle]!),
      deviation: rows.map(row => (row[high]! - row[middle]!) / NINETY),
    },
    scales: { seasonal: positive(seasonal), squaredChange: positive(squaredChange) },
  };
}

const positive = (scale: number): number | null => (scale > 0 ? scale : null);
