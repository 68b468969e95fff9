import { normalForecast, type QuantileForecast } from '../quantiles.js';
import type { Baseline } from './baseline.js';
import { betweenNumbers, checkArguments } from './gaps.js';

/**
 * The last value one season ago, again and again. Normal, with variance s^2 k for a step k seasons after its
 * last value, s^2 the mean squared change from season to season (Hyndman and Athanasopoulos, Forecasting:
 * Principles and Practice, 3rd edition, 5.5). Each phase of the season is a random walk of its own, missing
 * values included: a change over k seasons counts as its square over k. A phase without any number goes on
 * from the last number of all. Without a pair of numbers a whole number of seasons apart there is no season,
 * and the forecast is the naive one; of a single number, with bands of no width.
 */
export const seasonalNaive: Baseline = (series, period, horizon) => {
  checkArguments(series, period, horizon);
  const variance = changeOver(series, period);
  if (Number.isNaN(variance))
    return period > 1 ? seasonalNaive(series, 1, horizon) : withoutChange(series, horizon);
  const last = lastNumber(series);
  const means = new Float64Array(horizon);
  const deviations = new Float64Array(horizon);
  for (let step = 0; step < horizon; step++) {
    const at = series.length + step;
    const own = lastOfPhase(series, at, period);
    const from = own < 0 ? last : own;
    means[step] = series[from]!;
    deviations[step] = Math.sqrt(variance * Math.ceil((at - from) / period));
  }
  return normalForecast(means, deviations);
};

/** The last value: `seasonalNaive` of period 1, whatever the period. */
export const naive: Baseline = (series, period, horizon) => {
  checkArguments(series, period, horizon);
  return seasonalNaive(series, 1, horizon);
};

/**
 * The line through the first and the last number, gone on with. Normal, with variance s^2 (h + h^2 / (T - 1))
 * at step h (FPP3, 5.5), s^2 from the changes less the drift, with one degree of freedom for the drift. A
 * change over a gap of k steps counts as its square over k. Of fewer than three numbers the bands have no
 * width.
 */
export const drift: Baseline = betweenNumbers((series, _period, horizon) => {
  const span = series.length - 1;
  const slope = span && (series[span]! - series[0]!) / span;
  let squares = 0;
  let changes = 0;
  eachChange(series, 1, (change, gap) => {
    squares += (change - gap * slope) ** 2 / gap;
    changes++;
  });
  const variance = changes > 1 ? squares / (changes - 1) : 0;
  const steps = Float64Array.from({ length: horizon }, (_, i) => i + 1);
  return normalForecast(
    steps.map(h => series[span]! + h * slope),
    steps.map(h => variance && Math.sqrt(variance * (h + (h * h) / span))),
  );
});

/** The mean squared change over a season, NaN where there is none. */
function changeOver(series: Float64Array, period: number): number {
  let squares = 0;
  let changes = 0;
  eachChange(series, period, (change, gap) => {
    squares += (change * change) / gap;
    changes++;
  });
  return squares / changes;
}

/** Visits the changes between numbers that follow each other in a phase, `gap` seasons apart. */
function eachChange(
  series: Float64Array,
  period: number,
  visit: (change: number, gap: number) => void,
): void {
  const phases = Math.min(period, series.length);
  const before = new Int32Array(phases).fill(-1);
  series.forEach((value, at) => {
    if (!Number.isFinite(value)) return;
    const last = before[at % phases]!;
    if (last >= 0) visit(value - series[last]!, (at - last) / period);
    before[at % phases] = at;
  });
}

function lastOfPhase(series: Float64Array, at: number, period: number): number {
  let from = at;
  do from -= period;
  while (from >= 0 && (from >= series.length || !Number.isFinite(series[from]!)));
  return from;
}

function lastNumber(series: Float64Array): number {
  const last = series.findLastIndex(Number.isFinite);
  if (last < 0) throw new RangeError('a series without a number cannot be forecast');
  return last;
}

const withoutChange = (series: Float64Array, horizon: number): QuantileForecast =>
  normalForecast(new Float64Array(horizon).fill(series[lastNumber(series)]!), new Float64Array(horizon));
