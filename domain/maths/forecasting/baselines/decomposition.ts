/**
 * How strong the autocorrelation at the period must be, in its standard errors: the 90% level of the theta
 * method's authors.
 */
const SEASONAL_ERRORS = 1.6448536269514722;

/**
 * Whether a series without gaps is taken as seasonal: it has more than two periods, and its autocorrelation
 * at the period is beyond 1.645 standard errors by Bartlett's formula, sqrt((1 + 2 (r1^2 + ... + r[m-1]^2)) /
 * n).
 */
export function isSeasonal(values: Float64Array, period: number): boolean {
  if (period < 2 || values.length <= 2 * period) return false;
  const r = correlogram(values, period);
  const before = r.subarray(0, period - 1).reduce((sum, x) => sum + x * x, 0);
  return Math.abs(r[period - 1]!) > SEASONAL_ERRORS * Math.sqrt((1 + 2 * before) / values.length);
}

/**
 * Autocorrelations at the lags 1 to `most` as the formula above takes them: deviations from the one mean,
 * over the one variance. Zeros for a constant.
 */
function correlogram(values: Float64Array, most: number): Float64Array {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const off = values.map(x => x - mean);
  const at = (lag: number): number => off.subarray(lag).reduce((sum, x, i) => sum + x * off[i]!, 0);
  const variance = at(0);
  return Float64Array.from({ length: most }, (_, i) => (variance > 0 ? at(i + 1) / variance : 0));
}

export type SeasonKind = 'additive' | 'multiplicative';

/**
 * The figures of a season by classical decomposition, one for each phase from the first value on (FPP3, 3.4):
 * what is left of the values beside their moving average over a period, averaged by phase; additive ones sum
 * to 0, multiplicative ones have mean 1. The series has no gaps and at least two periods; for multiplicative
 * figures its values are above 0.
 */
export function seasonalFigures(values: Float64Array, period: number, kind: SeasonKind): Float64Array {
  const trend = movingAverage(values, period);
  const sums = new Float64Array(period);
  const counts = new Float64Array(period);
  trend.forEach((level, t) => {
    if (Number.isNaN(level)) return;
    sums[t % period]! += kind === 'additive' ? values[t]! - level : values[t]! / level;
    counts[t % period]! += 1;
  });
  const figures = sums.map((sum, phase) => sum / counts[phase]!);
  const mean = figures.reduce((sum, x) => sum + x, 0) / period;
  return figures.map(figure => (kind === 'additive' ? figure - mean : figure / mean));
}

/**
 * The centred moving average over a period, twice where the period is even; NaN for the half periods at the
 * ends.
 */
export function movingAverage(values: Float64Array, period: number): Float64Array {
  const half = Math.floor(period / 2);
  const even = period % 2 === 0;
  return values.map((_, t) => {
    if (t < half || t + half >= values.length) return NaN;
    const sum = values.subarray(t - half, t + half + 1).reduce((total, x) => total + x, 0);
    const ends = even ? (values[t - half]! + values[t + half]!) / 2 : 0;
    return (sum - ends) / period;
  });
}
