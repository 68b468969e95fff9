import { GOAL_METRICS, type GoalMetric } from '../goals/settings.js';
import type { SeriesForecasted } from '../inference/forecasting.js';
import { seeded } from '../maths/seeded.js';
import { tTwoSidedQuantile } from '../maths/statistics/distributions.js';
import { ljungBox } from '../maths/statistics/ljung-box.js';
import type { Contest, ContestantScored, ContestMetrics } from './facts.js';
import type { Fold } from './folds.js';
import { lossesOf } from './losses.js';

/** The share of cases in which the score lies outside of the interval, half of them on either side. */
const OUTSIDE = 0.1;
const DRAWS = 500;
const MOST_LAGS = 10;
/** So many residuals are needed for a lag. */
const RESIDUALS_OF_LAG = 5;
const SAME = 1e-9;

export type Score = Pick<
  ContestantScored['data'],
  'score' | 'interval' | 'weighing' | 'losses' | 'metrics' | 'coverage80' | 'ljungBoxP'
>;
type Asked = Pick<Contest, 'metric' | 'quantiles'> & { readonly period: number; readonly seed: number };

/**
 * How good forecasts were: one for each fold, the first of which weighs alone. The score is the mean of the
 * folds' mean losses. Null where no fold can be judged, or a number is not finite.
 */
export function scoreOf(
  forecasts: readonly Pick<SeriesForecasted, 'mean' | 'quantiles'>[],
  folds: readonly Fold[],
  { metric, quantiles: levels, period, seed }: Asked,
): Score | null {
  const lost = folds.map((fold, i) => lossesOf({ forecast: forecasts[i]!, fold, period, levels }));
  const [first, ...judged] = lost.map(fold => meanOf(fold[metric]));
  const losses = judged.map(orNull);
  const score = meanOf(judged);
  if (!Number.isFinite(score)) return null;
  const steps = lost.slice(1).map(fold => fold[metric].filter(Number.isFinite));
  const width = halfWidth(
    steps.filter(({ length }) => length > 0),
    seed,
  );
  const metrics = Object.fromEntries(
    GOAL_METRICS.map(name => [name, orNull(meanOf(lost.slice(1).map(fold => meanOf(fold[name]))))]),
  ) as Record<GoalMetric, number | null> satisfies ContestMetrics;
  return {
    ...{ score, losses, metrics, weighing: orNull(first!) },
    interval: [Math.max(0, score - width), score + width],
    coverage80: coverageOf(forecasts.slice(1), folds.slice(1)),
    ljungBoxP: ljungBoxOf(forecasts.slice(1), folds.slice(1)),
  };
}

/**
 * Of the interval of a mean over folds: their deviation by a seeded bootstrap of folds and, of each drawn
 * one, of runs of its steps (circular blocks, Politis and Romano 1992), against Student's t with as many
 * degrees of freedom as there are folds but one. Of a single fold 0: nothing can be told.
 */
function halfWidth(folds: readonly Float64Array[], seed: number): number {
  if (folds.length < 2) return 0;
  const random = seeded(seed);
  const draws = Array.from({ length: DRAWS }, () => {
    let sum = 0;
    for (let i = 0; i < folds.length; i++) {
      const losses = folds[Math.floor(random() * folds.length)]!;
      const steps = losses.length;
      const block = Math.round(Math.sqrt(steps));
      let lost = 0;
      for (let taken = 0; taken < steps; taken += block) {
        const start = Math.floor(random() * steps);
        for (let k = 0; k < Math.min(block, steps - taken); k++) lost += losses[(start + k) % steps]!;
      }
      sum += lost / steps;
    }
    return sum / folds.length;
  });
  const mean = meanOf(draws);
  const variance = draws.reduce((sum, x) => sum + (x - mean) ** 2, 0) / (DRAWS - 1);
  return Math.sqrt(variance) * tTwoSidedQuantile(OUTSIDE, folds.length - 1);
}

type Told = readonly Pick<SeriesForecasted, 'mean' | 'quantiles'>[];

/** The share of actuals within the 80% band, borders included. */
function coverageOf(forecasts: Told, folds: readonly Fold[]): number {
  let inside = 0;
  let known = 0;
  folds.forEach(({ actual }, i) => {
    const at = (wanted: number) =>
      forecasts[i]!.quantiles.find(({ level }) => Math.abs(level - wanted) < SAME)!.values;
    const [low, high] = [at(0.1), at(0.9)];
    actual.forEach((y, step) => {
      if (Number.isNaN(y)) return;
      known++;
      inside += Number(low[step]! <= y && y <= high[step]!);
    });
  });
  return known === 0 ? 0 : inside / known;
}

/**
 * Of actual less median of all folds, which follow each other in time. What was forecast several steps ahead
 * shares errors, so that a small p is usual.
 */
function ljungBoxOf(forecasts: Told, folds: readonly Fold[]): number | null {
  const residuals = folds
    .flatMap(({ actual }, i) => Array.from(actual, (y, step) => y - forecasts[i]!.mean[step]!))
    .filter(Number.isFinite);
  return ljungBox(residuals, Math.min(MOST_LAGS, Math.floor(residuals.length / RESIDUALS_OF_LAG)))?.p ?? null;
}

/** Of those that are told; NaN of none. */
function meanOf(values: ArrayLike<number>): number {
  const told = Array.from(values).filter(value => !Number.isNaN(value));
  return told.reduce((sum, x) => sum + x, 0) / told.length;
}
const orNull = (x: number): number | null => (Number.isFinite(x) ? x : null);
