import type { Numbers } from './series.js';

/**
 * The p-quantile (p in 0..1) of ascending values by linear interpolation: definition 7 of Hyndman and Fan
 * (1996), the default of R and numpy. NaN of no values.
 */
export function quantile(ascending: Numbers, p: number): number {
  const at = (ascending.length - 1) * p;
  const below = Math.floor(at);
  const share = at - below;
  const low = ascending[below] ?? NaN;
  const high = ascending[below + 1] ?? low;
  return low * (1 - share) + high * share;
}

/** The median of values in any order; NaN of none. */
export const median = (values: Numbers): number => quantile(Float64Array.from(values).sort(), 0.5);

/** Deviations of at most this share of the largest value are rounding, and count as none. */
const DEVIATION_ROUNDING = 1e-13;

/**
 * How values are brought to one measure: middle and scale, so that (value - middle) / scale is how many
 * robust standard deviations a value lies from the middle. The scale is 1.4826 times the median absolute
 * deviation from the median; where that is 0 (half the values are equal), 1.2533 times the mean one; where
 * that is 0 too (a constant), 1, so that a constant becomes 0. Values up to 1e300.
 */
export function robustScale(values: Numbers): { readonly middle: number; readonly scale: number } {
  const middle = median(values);
  const column = Float64Array.from(values);
  const deviations = column.map(value => Math.abs(value - middle)).sort();
  const mean = deviations.reduce((sum, deviation) => sum + deviation / deviations.length, 0);
  const least = DEVIATION_ROUNDING * column.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const scales = [1.4826 * quantile(deviations, 0.5), 1.2533 * mean];
  return { middle, scale: scales.find(scale => scale > least) ?? 1 };
}
