import { stepAt, type Grid } from './grid.js';
import type { Numbers } from './series.js';

/**
 * How many events happened in each step of a grid; `times` in any order, those outside the grid do not count.
 */
export const countIntensity = (times: Numbers, grid: Grid): Float64Array => summed(times, grid, () => 1);

/**
 * The sum of rank / 100 of the events in each step of a grid: `ranks` are 0 to 100, an event without one
 * (null) weighs 0.
 */
export const rankIntensity = (times: Numbers, ranks: readonly (number | null)[], grid: Grid): Float64Array =>
  summed(times, grid, i => (ranks[i] ?? 0) / 100);

function summed(times: Numbers, grid: Grid, weight: (i: number) => number): Float64Array {
  const sums = new Float64Array(grid.times.length);
  for (let i = 0; i < times.length; i++) {
    const step = stepAt(grid, times[i]!);
    if (step >= 0) sums[step] = sums[step]! + weight(i);
  }
  return sums;
}
