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
export const median = (values: Numbers): number => middleOf(new Float64Array(values));

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
  const deviations = new Float64Array(values);
  let most = 0;
  for (let i = 0; i < deviations.length; i++) {
    most = Math.max(most, Math.abs(deviations[i]!));
    deviations[i] = Math.abs(deviations[i]! - middle);
  }
  const least = DEVIATION_ROUNDING * most;
  const usual = 1.4826 * middleOf(deviations);
  if (usual > least) return { middle, scale: usual };
  deviations.sort();
  const mean = deviations.reduce((sum, deviation) => sum + deviation / deviations.length, 0);
  return { middle, scale: 1.2533 * mean > least ? 1.2533 * mean : 1 };
}

/** The median of a column, whose order it changes: found without bringing all of it into order. */
function middleOf(column: Float64Array): number {
  const at = (column.length - 1) / 2;
  const below = Math.floor(at);
  // Sorting alone knows where to put what is no number
  if (column.length < FEW || column.includes(NaN)) return quantile(column.sort(), 0.5);
  select(column, below);
  let high = column[below + 1]!;
  for (let i = below + 2; i < column.length; i++) high = Math.min(high, column[i]!);
  const share = at - below;
  return column[below]! * (1 - share) + high * share;
}

/** So few values are sorted as quickly. */
const FEW = 16;

/**
 * Brings the value that stands at place k of the ascending order to that place, with none larger before it
 * and none smaller behind it: Hoare's FIND (1961), with the middle of three values as the border. A column
 * made to be slow is sorted instead. None of the values is NaN.
 */
export function select(column: Float64Array, k: number): void {
  let from = 0;
  let to = column.length - 1;
  for (let rounds = 4 * Math.log2(column.length); from < to; rounds--) {
    if (rounds < 0) return void column.subarray(from, to + 1).sort();
    const border = middleOfThree(column[from]!, column[(from + to) >> 1]!, column[to]!);
    let low = from;
    let high = to;
    while (low <= high) {
      while (column[low]! < border) low++;
      while (column[high]! > border) high--;
      if (low > high) break;
      const swapped = column[low]!;
      column[low++] = column[high]!;
      column[high--] = swapped;
    }
    if (k <= high) to = high;
    else if (k >= low) from = low;
    else return;
  }
}

const middleOfThree = (a: number, b: number, c: number): number =>
  Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
