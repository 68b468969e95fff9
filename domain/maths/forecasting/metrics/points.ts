import { eachActual, mean, positive } from './actuals.js';

/**
 * What errors are measured in: the mean absolute error of the seasonal naive forecast within the history,
 * mean |x[t] - x[t - m]| over pairs without a missing value. The period m counts as 1 where the history has
 * no more than m + 3 steps; and where the seasonal error is 0 or has no pair, that of the naive forecast is
 * taken. NaN where this is 0 or nothing too: a constant has no scale. Hyndman and Koehler (2006), "Another
 * look at measures of forecast accuracy".
 */
export function seasonalScale(history: Float64Array, period: number): number {
  const seasonal = history.length > period + 3 ? meanChange(history, period, Math.abs) : NaN;
  return seasonal > 0 ? seasonal : positive(meanChange(history, 1, Math.abs));
}

/**
 * The mean absolute scaled error of point forecasts: mean |y - f| / scale, with the scale of `seasonalScale`.
 */
export const mase = (actual: Float64Array, points: Float64Array, scale: number): number =>
  mean(errors(actual, points).map(Math.abs)) / positive(scale);

/** The mean squared change from step to step of a history, pairs with a missing value left out. */
export const squaredChange = (history: Float64Array): number => meanChange(history, 1, square);

/**
 * The root mean squared scaled error, of the M5 competition: the root of mean (y - f)^2 over the mean squared
 * error of the naive forecast within the history (`squaredChange`). NaN where the history never changes.
 */
export const rmsse = (actual: Float64Array, points: Float64Array, change: number): number =>
  Math.sqrt(mean(errors(actual, points).map(square)) / positive(change));

/**
 * The symmetric mean absolute percentage error of M3 and M4, 0..200: mean 200 |y - f| / (|y| + |f|), 0 where
 * both are 0.
 */
export function smape(actual: Float64Array, points: Float64Array): number {
  const parts: number[] = [];
  eachActual(actual, points.length, (y, step) => {
    const f = points[step]!;
    parts.push(y === f ? 0 : (200 * Math.abs(y - f)) / (Math.abs(y) + Math.abs(f)));
  });
  return mean(parts);
}

function errors(actual: Float64Array, points: Float64Array): number[] {
  const found: number[] = [];
  eachActual(actual, points.length, (y, step) => found.push(y - points[step]!));
  return found;
}

/** The mean of a function of x[t] - x[t - lag], over pairs that are both there; NaN of none. */
function meanChange(values: Float64Array, lag: number, of: (change: number) => number): number {
  let sum = 0;
  let count = 0;
  for (let i = lag; i < values.length; i++) {
    const change = values[i]! - values[i - lag]!;
    if (!Number.isFinite(change)) continue;
    sum += of(change);
    count++;
  }
  return sum / count;
}

const square = (x: number): number => x * x;
