import { movingAverage } from '../decomposition.js';

/**
 * Above this KPSS statistic a series is not stationary at the 5% level (Kwiatkowski and others 1992, table
 * 1).
 */
const KPSS_5_PERCENT = 0.463;
/**
 * A season that makes up more of what is beside the trend than this is differenced away (FPP3, 9.1 and 4.3).
 */
const STRONG_SEASON = 0.64;
const EITHER_SIDE = 3;
const MOST_DIFFERENCES = 2;

/** x[t] - x[t - lag]. */
export const difference = (values: Float64Array, lag: number): Float64Array =>
  values.slice(lag).map((x, i) => x - values[i]!);

/**
 * How often to difference a series without gaps: 0 to 2 times, until the KPSS test for a level finds it
 * stationary.
 */
export function differencesFor(values: Float64Array): number {
  let left = values;
  let count = 0;
  while (count < MOST_DIFFERENCES && left.length > 2 && kpss(left) > KPSS_5_PERCENT) {
    left = difference(left, 1);
    count++;
  }
  return count;
}

/** The KPSS statistic around a level, with Bartlett weights up to lag 3 sqrt(n) / 13; 0 of a constant. */
export function kpss(values: Float64Array): number {
  const n = values.length;
  const mean = values.reduce((sum, x) => sum + x, 0) / n;
  const off = values.map(x => x - mean);
  const most = Math.floor((3 * Math.sqrt(n)) / 13);
  let sum = 0;
  let partial = 0;
  for (const x of off) {
    partial += x;
    sum += partial ** 2;
  }
  let variance = 0;
  for (let lag = 0; lag <= most; lag++) {
    const product = off.subarray(lag).reduce((total, x, i) => total + x * off[i]!, 0);
    variance += product * (lag === 0 ? 1 : 2 * (1 - lag / (most + 1)));
  }
  return variance > 0 ? sum / (n * variance) : 0;
}

/**
 * Whether to difference over the season once: its strength, 1 - var(rest) / var(season + rest), is high. The
 * season may change: it is, for each time, the mean of what is left beside the moving average at up to 7
 * times of the same phase around it.
 */
export function hasStrongSeason(values: Float64Array, period: number): boolean {
  if (period < 2 || values.length <= 2 * period) return false;
  const trend = movingAverage(values, period);
  const detrended = values.map((x, t) => x - trend[t]!);
  const rest = detrended.map((x, t) => x - aroundOf(detrended, t, period));
  return 1 - varianceOf(rest) / varianceOf(detrended) > STRONG_SEASON;
}

function aroundOf(values: Float64Array, t: number, period: number): number {
  let sum = 0;
  let count = 0;
  for (let k = -EITHER_SIDE; k <= EITHER_SIDE; k++) {
    const value = values[t + k * period];
    if (value === undefined || Number.isNaN(value)) continue;
    sum += value;
    count++;
  }
  return sum / count;
}

/** The variance of what is not NaN. */
function varianceOf(values: Float64Array): number {
  const known = values.filter(x => !Number.isNaN(x));
  const mean = known.reduce((sum, x) => sum + x, 0) / known.length;
  return known.reduce((sum, x) => sum + (x - mean) ** 2, 0) / known.length;
}
