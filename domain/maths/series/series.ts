/** A column of numbers; computations over many points are quicker with the typed form. */
export type Numbers = readonly number[] | Float64Array;

/** Points in order of time: epoch ms, strictly increasing, and a finite value for each. */
export type Series = { readonly times: Numbers; readonly values: Numbers };

/**
 * The mean of `count` values from the mean of those before: cannot overflow, and equal values keep their mean
 * to the bit.
 */
export const nextMean = (mean: number, value: number, count: number): number =>
  count === 1 ? value : mean + (value / count - mean / count);

/** The index of the first time that is not before `time` (the length, when all are). */
export function firstFrom(times: Numbers, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
