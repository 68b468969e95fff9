/** How series are made ready for the mathematics. */

/** Of numbers of at most 1: a range no greater than this is rounding, and the series constant. */
const CONSTANT_RANGE = 1e-13;
/**
 * What of a series is left beside others must be more than this share of it to be more than the rounding of
 * its numbers.
 */
const LEAST_SHARE = 1e-10;
const DIGITS = 1e-14;

/** A series brought to mean 0 and to a size of at most 1. */
export type Standard = {
  readonly values: Float64Array;
  /**
   * What is left of the series when others are taken out of it is rounding of its numbers, up to this share.
   */
  readonly noise: number;
};

/**
 * The series (or its differences, one number fewer) without its mean, divided by a power of two so that its
 * largest number is in 0.5..1. What does not depend on location and scale (t, F, correlation) stays as it is,
 * and no square overflows. NaN stays NaN. null for a constant series, also one that is constant but for
 * rounding, and for one of less than two numbers.
 */
export function standardised(series: Float64Array, difference = false): Standard | null {
  const small = unitSize(series);
  const values = difference ? differences(small) : small;
  const [low, high, mean] = summary(values);
  if (!(high - low > CONSTANT_RANGE)) return null;
  const centred = values.map(x => x - mean);
  return { values: unitSize(centred), noise: Math.min(0.1, LEAST_SHARE + DIGITS / largest(centred)) };
}

/** x[i + 1] - x[i]; NaN where either is. */
export function differences(series: Float64Array): Float64Array {
  const result = new Float64Array(Math.max(0, series.length - 1));
  for (let i = 0; i < result.length; i++) result[i] = series[i + 1]! - series[i]!;
  return result;
}

/**
 * Divided by the power of two that makes the largest number at least a half and below 1; in two steps, as it
 * may be huge.
 */
function unitSize(series: Float64Array): Float64Array {
  const size = largest(series);
  const exponent = size > 0 ? Math.floor(Math.log2(size)) + 1 : 0;
  const half = exponent >> 1;
  const a = 2 ** -half;
  const b = 2 ** (half - exponent);
  return series.map(x => x * a * b);
}

const largest = (series: Float64Array): number =>
  series.reduce((most, x) => Math.max(most, Number.isNaN(x) ? 0 : Math.abs(x)), 0);

function summary(series: Float64Array): [low: number, high: number, mean: number] {
  let low = Infinity;
  let high = -Infinity;
  let sum = 0;
  let count = 0;
  for (const x of series) {
    if (Number.isNaN(x)) continue;
    if (x < low) low = x;
    if (x > high) high = x;
    sum += x;
    count++;
  }
  return [low, high, sum / count];
}
