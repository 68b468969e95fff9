import { stepOf, type QuantileForecast } from '../quantiles.js';
import { quantileOf } from '../tails.js';
import { eachActual, mean, positive } from './actuals.js';

/** A forecast and what came. */
export type ForecastWithActual = { readonly actual: Float64Array; readonly forecast: QuantileForecast };

/**
 * The weighted quantile loss of a set: 2 sum pinball / sum |y| for each level, the sums over all steps of all
 * series, averaged over the levels. One series is a set of one. NaN where all actuals are 0.
 */
export function wql(set: readonly ForecastWithActual[]): number {
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
