import { nextMean } from '../series/series.js';
import { select } from '../series/quantile.js';
import type { TreesLoss } from './options.js';

/**
 * What boosting needs of a loss (Friedman 2001). The negative gradient of a row is its `pull` less `shift`,
 * and all second derivatives are taken as 1. A quantile's pulls are 0 and 1, so that their sums are exact.
 */
export type LossMaths = {
  readonly shift: number;
  readonly binary: boolean;
  /** The constant with the least loss. */
  base(target: Float64Array): number;
  pulls(target: Float64Array, scores: Float64Array, pulls: Float64Array): void;
  /** The mean over all rows. */
  mean(target: Float64Array, scores: Float64Array): number;
  /**
   * What an end adds, of the residuals of its rows, whose order it may change; null for the gradient's step.
   */
  readonly renewed: ((residuals: Float64Array) => number) | null;
  /** The sum of squared negative gradients at the start: gains of next to nothing of it are rounding. */
  scale(target: Float64Array, base: number): number;
};

export const lossMaths = (loss: TreesLoss): LossMaths =>
  loss.kind === 'squared' ? squared : pinball(loss.level);

/** Differences of this share of the largest value are rounding. */
const ROUNDING = 1e-12;

const squared: LossMaths = {
  shift: 0,
  binary: false,
  renewed: null,
  base: target => target.reduce((mean, y, i) => nextMean(mean, y, i + 1), 0),
  pulls(target, scores, pulls) {
    for (let i = 0; i < pulls.length; i++) pulls[i] = target[i]! - scores[i]!;
  },
  mean: (target, scores) => target.reduce((sum, y, i) => sum + (y - scores[i]!) ** 2, 0) / target.length,
  scale(target, base) {
    const largest = target.reduce((most, y) => Math.max(most, Math.abs(y)), 0);
    const squares = target.reduce((sum, y) => sum + (y - base) ** 2, 0);
    return Math.max(squares, (target.length * (ROUNDING * largest) ** 2) / ROUNDING);
  },
};

/** The loss of Koenker and Bassett (1978) at a level. */
function pinball(level: number): LossMaths {
  if (!(level > 0 && level < 1)) throw new RangeError(`a level lies between 0 and 1, not at ${level}`);
  return {
    shift: 1 - level,
    binary: true,
    renewed: residuals => percentile(residuals, level),
    base: target => percentile(target.slice(), level),
    pulls(target, scores, pulls) {
      for (let i = 0; i < pulls.length; i++) pulls[i] = target[i]! > scores[i]! ? 1 : 0;
    },
    mean(target, scores) {
      let sum = 0;
      for (let i = 0; i < target.length; i++) {
        const residual = target[i]! - scores[i]!;
        sum += residual > 0 ? level * residual : (level - 1) * residual;
      }
      return sum / target.length;
    },
    scale: target => target.length,
  };
}

/**
 * The quantile as LightGBM takes it to renew an end (PercentileFun): between the values at the places
 * floor(k) and floor(k) + 1 from the greatest, k = (1 - level) n, and the outermost one beyond. It changes
 * the order of the values.
 */
function percentile(values: Float64Array, level: number): number {
  const n = values.length;
  const place = (1 - level) * n;
  const whole = Math.floor(place);
  if (whole < 1) return values.reduce((most, x) => Math.max(most, x), -Infinity);
  if (whole >= n) return values.reduce((least, x) => Math.min(least, x), Infinity);
  select(values, n - whole - 1);
  const lower = values[n - whole - 1]!;
  let upper = Infinity;
  for (let i = n - whole; i < n; i++) upper = Math.min(upper, values[i]!);
  return upper - (upper - lower) * (place - whole);
}
