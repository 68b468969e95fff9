import { knownOf } from './reference.js';

/** Fewer tell nothing of a level. */
export const FEWEST_STEPS = 40;

/**
 * The series without a block of steps, and the step by which its level may have changed meanwhile. Too little
 * before a block is left out with it; null: too little is left.
 */
export function blockOf(y: Float64Array, from: number, to: number) {
  const begins = countOf(y.subarray(0, from)) < FEWEST_STEPS ? 0 : from;
  const rest = y.slice().fill(NaN, begins, to);
  if (countOf(rest) < FEWEST_STEPS) return null;
  const moved = Float64Array.from(y, (_, t) => (t >= to ? 1 : 0));
  return { rest, after: begins > 0 && to < y.length ? [{ path: moved }] : [] };
}

const countOf = (y: Float64Array): number => knownOf(y).reduce((sum, x) => sum + x, 0);
