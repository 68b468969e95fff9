import {
  coverage,
  crps,
  mase,
  rmsse,
  seasonalScale,
  smape,
  squaredChange,
} from '../maths/forecasting/metrics/index.js';
import type { QuantileForecast } from '../maths/forecasting/quantiles.js';
import type { SeriesForecasted } from './forecasting.js';

/**
 * How good a forecast was, over the steps whose actual is known; null where that cannot be told (no actual
 * yet, a history that never changes, a band whose levels were not asked for).
 */
export type Grade = {
  /** Steps with an actual. */
  readonly n: number;
  /** In units of the seasonal naive error within the history, with `period` (Hyndman and Koehler 2006). */
  readonly mase: number | null;
  readonly rmsse: number | null;
  /** 0 to 200. */
  readonly smape: number | null;
  readonly mae: number | null;
  /** 2 x pinball loss, averaged over the levels judged and the steps, in the unit of the series. */
  readonly crps: number | null;
  /** The share of actuals within the band, borders included. */
  readonly coverage80: number | null;
  readonly coverage95: number | null;
  /** The mean of median less actual: above 0 the forecast was too high. */
  readonly bias: number | null;
};

const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
const SAME = 1e-9;

/** What errors are measured in: of the history that a forecast was made from. NaN where it never changes. */
export type Scales = {
  /** `seasonalScale`, for MASE. */
  readonly seasonal: number;
  /** The mean squared change from step to step, for RMSSE. */
  readonly squaredChange: number;
};

export const scalesOf = (history: Float64Array, period: number): Scales => ({
  seasonal: seasonalScale(history, period),
  squaredChange: squaredChange(history),
});

/**
 * Judges a forecast by what came (`actual`: one value for each step, NaN where it is not known, or fewer).
 * The CRPS is that of the nine deciles where all are there, else of all levels.
 */
export function gradeOf(
  { mean, quantiles }: Pick<SeriesForecasted, 'mean' | 'quantiles'>,
  actual: Float64Array,
  { seasonal, squaredChange: change }: Scales,
): Grade {
  const misses = Array.from(actual, (y, h) => mean[h]! - y).filter(Number.isFinite);
  const levels = quantiles.map(({ level }) => level);
  const has = (wanted: number): boolean => levels.some(level => Math.abs(level - wanted) < SAME);
  const deciles = DECILES.every(has);
  const judged = quantiles.filter(
    ({ level }) => !deciles || DECILES.some(decile => Math.abs(level - decile) < SAME),
  );
  const band = (share: number): number | null => {
    const within = [(1 - share) / 2, (1 + share) / 2];
    return within.every(has) ? told(coverage(actual, asForecast(quantiles), share)) : null;
  };
  return {
    n: misses.length,
    mase: told(mase(actual, mean, seasonal)),
    rmsse: told(rmsse(actual, mean, change)),
    smape: told(smape(actual, mean)),
    mae: told(average(misses.map(Math.abs))),
    crps: judged.length ? told(crps(actual, asForecast(judged))) : null,
    coverage80: band(0.8),
    coverage95: band(0.95),
    bias: told(average(misses)),
  };
}

/** The mean of grades, each number over those that have it; `n` is their sum. */
export function averageGrade(grades: readonly Grade[]): Grade {
  const of = (field: keyof Grade): number | null =>
    told(average(grades.flatMap(grade => grade[field] ?? [])));
  return {
    n: grades.reduce((sum, { n }) => sum + n, 0),
    mase: of('mase'),
    rmsse: of('rmsse'),
    smape: of('smape'),
    mae: of('mae'),
    crps: of('crps'),
    coverage80: of('coverage80'),
    coverage95: of('coverage95'),
    bias: of('bias'),
  };
}

const told = (x: number): number | null => (Number.isFinite(x) ? x : null);
const average = (values: readonly number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Levels in ascending order. */
function asForecast(quantiles: SeriesForecasted['quantiles']): QuantileForecast {
  const ascending = [...quantiles].sort((a, b) => a.level - b.level);
  const horizon = ascending[0]?.values.length ?? 0;
  const values = new Float64Array(horizon * ascending.length);
  ascending.forEach((column, k) =>
    column.values.forEach((value, h) => {
      values[h * ascending.length + k] = value;
    }),
  );
  return { horizon, levels: ascending.map(({ level }) => level), values };
}
