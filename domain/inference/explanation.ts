import type { Component, Driver, Explanation } from './forecasting.js';

/** So many of the newest periods tell what the season is like. */
const PERIODS = 6;

export type Explained = {
  /** What the model was given, its period, and the medians: those of the answer, and without covariates. */
  readonly values: Float64Array;
  readonly period: number;
  readonly mean: Float64Array;
  readonly plain: Float64Array;
  /** By name: what each covariate adds at each step. */
  readonly effects: ReadonlyMap<string, Float64Array>;
};

/**
 * The mean in parts that add up to it (but for rounding). The usual season: how the phases of the newest
 * periods (at most 6) lie around a centred moving average, their mean taken out, as in the classical additive
 * decomposition (Kendall and Stuart 1983). Level: the mean of the newest period without it. Trend: the smooth
 * way from the level to the forecast without it, by `smooth`. Covariate: what the known covariates moved.
 * Seasonality: all that is left, the usual season and where the forecast departs from it. Without a season
 * the trend is all that is left. A part that is nowhere is left out, but level and trend.
 */
export function explained({ values, period, mean, plain, effects }: Explained): Explanation {
  const season = seasonOf(values, period);
  const level = levelOf(values, season);
  const covariate = mean.map((value, h) => value - plain[h]!);
  const isSeasonal = season.some(x => x !== 0);
  const without = (of: Float64Array, from: number): Float64Array =>
    of.map((value, i) => value - season[(from + i) % period]!);
  const newest = values.subarray(-2 * period);
  const way = isSeasonal
    ? smooth(without(newest, values.length - newest.length), without(plain, values.length), period)
    : plain;
  const trend = way.map(value => value - level);
  const seasonality = plain.map((value, h) => (isSeasonal ? value - (level + trend[h]!) : 0));
  const parts: Component[] = [
    { name: 'level', points: mean.map(() => level) },
    { name: 'trend', points: trend },
    { name: 'seasonality', points: seasonality },
    { name: 'covariate', points: covariate },
  ];
  const always: readonly Component['name'][] = ['level', 'trend'];
  return {
    components: parts.filter(({ name, points }) => always.includes(name) || points.some(x => x !== 0)),
    drivers: driversOf(effects),
  };
}

/**
 * A course through values ahead and those before them (NaN where missing): at each step the local line
 * through the nearest two periods of both, with tricube weights (loess: Cleveland 1979; two periods: the
 * least that STL takes for a trend, Cleveland, Cleveland, McRae and Terpenning 1990). It is as smooth up to
 * the ends, and a straight line stays what it is.
 */
function smooth(past: Float64Array, ahead: Float64Array, period: number): Float64Array {
  const all = Float64Array.of(...past, ...ahead);
  const span = Math.min(2 * period + 1, all.length);
  return ahead.map((_, h) => {
    const place = past.length + h;
    const from = Math.max(0, Math.min(place - period, all.length - span));
    return lineAt(all, from, from + span, place);
  });
}

/** The line by least squares through the values of a window, the nearest weighing most, at a place. */
function lineAt(values: Float64Array, from: number, to: number, place: number): number {
  const reach = Math.max(place - from, to - 1 - place) + 1;
  let [w, wx, wxx, wy, wxy] = [0, 0, 0, 0, 0];
  for (let i = from; i < to; i++) {
    const [x, y] = [i - place, values[i]!];
    if (Number.isNaN(y)) continue;
    const weight = (1 - Math.abs(x / reach) ** 3) ** 3;
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * y;
    wxy += weight * x * y;
  }
  const spread = w * wxx - wx * wx;
  return spread > 0 ? (wxx * wy - wx * wxy) / spread : wy / w;
}

/** For each phase how far it lies from the moving average; 0 with fewer than two periods. */
function seasonOf(values: Float64Array, period: number): Float64Array {
  const season = new Float64Array(period);
  if (period < 2 || values.length < 2 * period) return season;
  const from = Math.max(0, values.length - (PERIODS + 1) * period);
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  const half = Math.floor(period / 2);
  for (let i = from + half; i + half < values.length; i++) {
    const apart = values[i]! - centredMean(values, i, period);
    if (Number.isNaN(apart)) continue;
    sums[i % period]! += apart;
    counts[i % period]! += 1;
  }
  if (counts.some(count => count === 0)) return season;
  const means = sums.map((sum, phase) => sum / counts[phase]!);
  const middle = means.reduce((sum, x) => sum + x, 0) / period;
  return means.map(x => x - middle);
}

/** The mean of a whole period around a place; of an even period the two ends count half. */
function centredMean(values: Float64Array, place: number, period: number): number {
  const half = Math.floor(period / 2);
  let sum = 0;
  for (let i = place - half; i <= place + half; i++) {
    const isEnd = period % 2 === 0 && Math.abs(i - place) === half;
    sum += values[i]! * (isEnd ? 0.5 : 1);
  }
  return sum / period;
}

/** The mean of the newest period's known values, each without its season. */
function levelOf(values: Float64Array, season: Float64Array): number {
  const rests: number[] = [];
  for (let i = values.length - 1; i >= 0 && (rests.length < season.length || rests.length === 0); i--)
    if (!Number.isNaN(values[i]!)) rests.push(values[i]! - season[i % season.length]!);
  return rests.reduce((sum, rest) => sum + rest / rests.length, 0);
}

/** The covariates by what they add on average, the strongest first. */
function driversOf(effects: ReadonlyMap<string, Float64Array>): Driver[] {
  const drivers = [...effects].map(([key, points]): Driver => {
    const contribution = points.reduce((sum, x) => sum + x / points.length, 0);
    return { key, contribution, direction: contribution < 0 ? 'down' : 'up' };
  });
  return drivers.sort((a, b) => Math.abs(b.contribution) - Math.abs(a.contribution));
}
