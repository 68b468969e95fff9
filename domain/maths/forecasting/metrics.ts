import type { QuantileForecast } from './quantiles.js';
import { stepOf } from './quantiles.js';
import { quantileOf } from './tails.js';

/**
 * How good forecasts were. Actuals that are not finite are missing and left out; where none is left, and
 * where a scale is missing, a metric is NaN, and such a series is left out of means and tables (`relativeTo`
 * does so by itself). A forecast that is NaN where the actual is known makes the metric NaN: who does not
 * forecast is not helped by it. Actuals may end before the forecast does, not after it. Smaller is better,
 * but for coverage.
 */

/** A forecast and what came. */
export type Judged = { readonly actual: Float64Array; readonly forecast: QuantileForecast };

/**
 * What errors are measured in: the mean absolute error of the seasonal naive forecast within the history,
 * mean |x[t] - x[t - m]| over pairs without a missing value. The period m counts as 1 where the history has
 * no more than m + 3 steps; and where the seasonal error is 0 or has no pair, that of the naive forecast is
 * taken. NaN where this is 0 or nothing too: a constant has no scale. Hyndman and Koehler (2006), "Another
 * look at measures of forecast accuracy".
 */
export function seasonalScale(history: Float64Array, period: number): number {
  const lag = history.length > period + 3 ? period : 1;
  return [lag, 1].map(lag => mean(differences(history, lag).map(Math.abs))).find(scale => scale > 0) ?? NaN;
}

/**
 * The mean absolute scaled error of point forecasts: mean |y - f| / scale, with the scale of `seasonalScale`.
 */
export const mase = (actual: Float64Array, points: Float64Array, scale: number): number =>
  mean(errors(actual, points).map(Math.abs)) / positive(scale);

/**
 * The root mean squared scaled error, of the M5 competition: the root of mean (y - f)^2 over the mean squared
 * error of the naive forecast within the history. NaN where the history never changes.
 */
export const rmsse = (actual: Float64Array, points: Float64Array, history: Float64Array): number =>
  Math.sqrt(mean(errors(actual, points).map(square)) / positive(mean(differences(history, 1).map(square))));

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

/**
 * The weighted quantile loss of a set: 2 sum pinball / sum |y| for each level, the sums over all steps of all
 * series, averaged over the levels. One series is a set of one. NaN where all actuals are 0.
 */
export function wql(set: readonly Judged[]): number {
  let loss = 0;
  let size = 0;
  for (const { actual, forecast } of set) {
    eachActual(actual, forecast.horizon, (y, step) => {
      loss += quantileLoss(y, stepOf(forecast, step), forecast.levels);
      size += Math.abs(y);
    });
  }
  return loss / positive(size);
}

/**
 * The quantile loss of one series in units of its history, 2 mean pinball / scale, with the scale of
 * `seasonalScale`.
 */
export const scaledWql = (actual: Float64Array, forecast: QuantileForecast, scale: number): number =>
  crps(actual, forecast) / positive(scale);

/**
 * The continuous ranked probability score from quantiles: 2 pinball, averaged over levels and steps, in the
 * unit of the series. The integral over all levels that the score is, is put as the plain mean over those at
 * hand: the tails, where the loss is small, count as if they were like the rest. With the nine levels this is
 * 9.4% too much for a true normal forecast, the same for every forecaster. (To count the tails as nothing,
 * multiply by 0.9: 1.5% too little.)
 */
export function crps(actual: Float64Array, forecast: QuantileForecast): number {
  const losses: number[] = [];
  eachActual(actual, forecast.horizon, (y, step) =>
    losses.push(quantileLoss(y, stepOf(forecast, step), forecast.levels)),
  );
  return mean(losses);
}

/**
 * The same score of a sample (an ensemble) for one actual, exactly: E|X - y| - E|X - X'| / 2 under the
 * sample's own distribution (Gneiting and Raftery 2007, "Strictly proper scoring rules, prediction, and
 * estimation", equation 21).
 */
export function crpsOfSample(actual: number, sample: Float64Array): number {
  if (!Number.isFinite(actual)) return NaN;
  const ascending = Float64Array.from(sample).sort();
  const n = ascending.length;
  let distance = 0;
  let spread = 0; // sum |x - y|, and sum over pairs i < j of x[j] - x[i]
  ascending.forEach((x, i) => {
    distance += Math.abs(x - actual);
    spread += (2 * i + 1 - n) * (x - actual);
  });
  return distance / n - spread / (n * n);
}

/**
 * The share of actuals within the central band, borders included, 0..1; `band` is what it ought to be,
 * between 0 and 1.
 */
export function coverage(actual: Float64Array, forecast: QuantileForecast, band = 0.8): number {
  const inside: number[] = [];
  eachBand(actual, forecast, band, (y, low, high) =>
    inside.push(Number.isNaN(low + high) ? NaN : Number(low <= y && y <= high)),
  );
  return mean(inside);
}

/**
 * The mean interval score of the central band: its width, and for each actual outside 2 / (1 - band) times
 * how far, in the unit of the series (Gneiting and Raftery 2007, equation 43).
 */
export function meanIntervalScore(actual: Float64Array, forecast: QuantileForecast, band = 0.8): number {
  const scores: number[] = [];
  eachBand(actual, forecast, band, (y, low, high) =>
    scores.push(high - low + (2 / (1 - band)) * (Math.max(0, low - y) + Math.max(0, y - high))),
  );
  return mean(scores);
}

/** Ratios are taken of scores that this is added to, and count as at most e^3 and at least e^-3. */
const EPSILON = 1e-3;
const WIDEST = 3;

/**
 * Scores relative to a baseline's on the same series, in the same order: the geometric mean of (score +
 * 0.001) / (baseline + 0.001), each ratio cut to e^-3 .. e^3, so that a series forecast without error, or
 * badly missed, counts and does not rule. For scaled scores (MASE, scaled WQL). Series for which either is
 * NaN are left out; NaN where none is left.
 */
export function relativeTo(baseline: readonly number[], scores: readonly number[]): number {
  if (baseline.length !== scores.length) throw new RangeError("a score for each of the baseline's is needed");
  const logs = scores
    .map((score, i) => Math.log((score + EPSILON) / (baseline[i]! + EPSILON)))
    .filter(log => !Number.isNaN(log));
  return Math.exp(mean(logs.map(log => Math.min(WIDEST, Math.max(-WIDEST, log)))));
}

/** Twice the pinball loss of the quantiles for y, averaged over the levels. */
function quantileLoss(y: number, quantiles: Float64Array, levels: readonly number[]): number {
  let sum = 0;
  levels.forEach((level, k) => {
    const error = y - quantiles[k]!;
    sum += Math.max(level * error, (level - 1) * error);
  });
  return (2 * sum) / levels.length;
}

function eachBand(
  actual: Float64Array,
  forecast: QuantileForecast,
  band: number,
  visit: (y: number, low: number, high: number) => void,
): void {
  eachActual(actual, forecast.horizon, (y, step) => {
    const quantiles = stepOf(forecast, step);
    visit(
      y,
      quantileOf(quantiles, forecast.levels, (1 - band) / 2),
      quantileOf(quantiles, forecast.levels, (1 + band) / 2),
    );
  });
}

function eachActual(actual: Float64Array, horizon: number, visit: (y: number, step: number) => void): void {
  if (actual.length > horizon)
    throw new RangeError(`${actual.length} actuals for a forecast of ${horizon} steps`);
  actual.forEach((y, step) => {
    if (Number.isFinite(y)) visit(y, step);
  });
}

function errors(actual: Float64Array, points: Float64Array): number[] {
  const found: number[] = [];
  eachActual(actual, points.length, (y, step) => found.push(y - points[step]!));
  return found;
}

/** x[t] - x[t - lag], where both are there. */
function differences(values: Float64Array, lag: number): number[] {
  return Array.from(values.subarray(lag), (x, i) => x - values[i]!).filter(Number.isFinite);
}

const square = (x: number): number => x * x;
const positive = (scale: number): number => (scale > 0 ? scale : NaN);
const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
