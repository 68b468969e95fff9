import type { Block } from './blocks.js';

export type Lift = {
  /** The share by which the mean absolute error falls with the key; below 0 where it rises. */
  readonly lift: number;
  /** The lift, less what chance alone may have done: 0..1. */
  readonly shrunk: number;
  /** Whether the error falls in most blocks. */
  readonly stable: boolean;
};

/** A lift of this many squared standard errors, or less, counts as none. */
const DOUBT = 2;

/**
 * The lift over all blocks, and shrunk towards 0 by the factor 1 - 2 / z^2 (0 below z = 1.4), where z is the
 * mean fall of the error by its standard error (of Newey and West 1987, since neighbouring errors are alike).
 */
export function liftOf(blocks: readonly Block[], horizon: number): Lift {
  const falls = blocks.map(block => block.without.map((error, i) => error - block.with[i]!));
  const all = Float64Array.from(falls.flatMap(fall => [...fall]));
  const errorBefore = mean(blocks.flatMap(block => [...block.without]));
  const fall = mean(all);
  const lift = errorBefore > 0 ? fall / errorBefore : 0;
  const squared = fall > 0 ? fall ** 2 / varianceOfMean(all, fall, horizon) : 0;
  return {
    lift,
    shrunk: squared > DOUBT ? lift * (1 - DOUBT / squared) : 0,
    stable: falls.filter(each => mean(each) > 0).length * 2 > blocks.length,
  };
}

export const mean = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return values.length ? sum / values.length : 0;
};

/**
 * Of Newey and West: covariances up to the bandwidth max(horizon - 1, 4 (n / 100)^(2/9)), with falling
 * weights.
 */
function varianceOfMean(values: Float64Array, middle: number, horizon: number): number {
  const n = values.length;
  const width = Math.max(horizon - 1, Math.floor(4 * (n / 100) ** (2 / 9)));
  let sum = 0;
  for (let lag = 0; lag <= Math.min(width, n - 1); lag++) {
    let covariance = 0;
    for (let i = lag; i < n; i++) covariance += (values[i]! - middle) * (values[i - lag]! - middle);
    sum += covariance * (lag === 0 ? 1 : 2 * (1 - lag / (width + 1)));
  }
  return sum / n ** 2;
}
