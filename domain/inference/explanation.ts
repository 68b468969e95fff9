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
 * The mean in parts that add up to it (but for rounding). Seasonality: how the phases of the newest periods
 * (at most 6) lie around a centred moving average, their mean taken out, as in the classical additive
 * decomposition (Kendall and Stuart 1983). Level: the mean of the newest period without the season.
 * Covariate: what the known covariates moved. Trend: all that is left, the way from the level to the
 * forecast. A part that is nowhere is left out, but level and trend.
 */
export function explained({ values, period, mean, plain, effects }: Explained): Explanation {
  const season = seasonOf(values, period);
  const phase = (step: number): number => (values.length + step) % period;
  const level = levelOf(values, season);
  const seasonality = mean.map((_, h) => season[phase(h)]!);
  const covariate = mean.map((value, h) => value - plain[h]!);
  const trend = plain.map((value, h) => value - level - seasonality[h]!);
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
