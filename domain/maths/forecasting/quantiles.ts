import { normalQuantile } from '../statistics/distributions.js';

/** The nine levels at which every forecast is given. */
export const LEVELS: readonly number[] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

/**
 * A probabilistic forecast: for each of the next `horizon` steps one value for each level, row by row, so
 * that the quantile of step h (from 0) at level k is `values[h * levels.length + k]`. Levels ascend between 0
 * and 1, and so do the values of a step: quantiles may touch and never cross. Values are in the unit of the
 * series.
 */
export type QuantileForecast = {
  readonly horizon: number;
  readonly levels: readonly number[];
  readonly values: Float64Array;
};

/** The quantiles of one step, a view of the forecast's own values. */
export const stepOf = ({ levels, values }: QuantileForecast, step: number): Float64Array =>
  values.subarray(step * levels.length, (step + 1) * levels.length);

/** The medians, one for each step: the point forecast. The levels contain 0.5, or it is a RangeError. */
export function medians(forecast: QuantileForecast): Float64Array {
  const { horizon, levels, values } = forecast;
  const middle = levels.indexOf(0.5);
  if (middle < 0) throw new RangeError('a forecast without the level 0.5 has no median');
  const column = new Float64Array(horizon);
  for (let step = 0; step < horizon; step++) column[step] = values[step * levels.length + middle]!;
  return column;
}

const NORMAL = LEVELS.map(normalQuantile);

/**
 * The forecast that is normal at each step, with these means and standard deviations (at least 0), at the
 * nine levels.
 */
export function normalForecast(means: Float64Array, deviations: Float64Array): QuantileForecast {
  const values = new Float64Array(means.length * LEVELS.length);
  means.forEach((mean, step) =>
    NORMAL.forEach((z, k) => {
      values[step * LEVELS.length + k] = mean + z * deviations[step]!;
    }),
  );
  return { horizon: means.length, levels: LEVELS, values };
}
