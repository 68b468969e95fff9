import { DAY, HOUR, MINUTE } from '../../time.js';
import type { Step } from './grid.js';
import { robustScale } from './quantile.js';

/** What comes back: minutes for fine steps, and the hour, day, week and year of people's lives. */
const CYCLES = [MINUTE, HOUR, DAY, 7 * DAY];
const YEAR = 365.2425 * DAY;
const LONGEST = 2_000;
/** Fewer than this many whole periods show no season. */
const LEAST_PERIODS = 3;
/**
 * How strong the autocorrelation at a period must be: as such, in standard errors, and beyond that half a
 * period off.
 */
const LEAST_CORRELATION = 0.3;
const LEAST_ERRORS = 3;
const LEAST_PEAK = 0.18;
/** How much stronger a longer period must be than a shorter one. */
const BETTER = 0.05;
/** Changes are cut to this many robust standard deviations, so that one crisis does not hide the season. */
const LARGEST_CHANGE = 3;

/** The periods, in steps and ascending, at which a series of this step may repeat itself. */
export function periodsOf(step: Step): number[] {
  if (step.months) return 12 % step.months === 0 && step.months < 12 ? [12 / step.months] : [];
  const whole = CYCLES.map(cycle => cycle / step.ms).filter(period => Number.isInteger(period));
  const year = Math.round(YEAR / step.ms);
  return [...whole, ...(step.ms >= DAY ? [year] : [])].filter(period => period >= 2 && period <= LONGEST);
}

/**
 * After how many steps a series (values on a grid, NaN where missing) repeats itself, or null. Of the periods
 * that are usual for the step, the one at which the changes from step to step (cut to 3 robust standard
 * deviations) have the highest autocorrelation: at least 0.3, three standard errors (1 / sqrt n), and 0.18
 * more than the mean of those half a period before and after; from three whole periods on. A longer period
 * must beat a shorter one by 0.05.
 */
export function seasonOf(values: Float64Array, step: Step): number | null {
  const changes = changesOf(values);
  const least = Math.max(LEAST_CORRELATION, LEAST_ERRORS / Math.sqrt(changes.length));
  let season: number | null = null;
  let best = 0;
  for (const period of periodsOf(step)) {
    if (values.length < LEAST_PERIODS * period) continue;
    const r = autocorrelation(changes, period);
    const half = Math.floor(period / 2);
    const aside = (autocorrelation(changes, half) + autocorrelation(changes, period + half)) / 2;
    if (r < least || r < aside + LEAST_PEAK || (season !== null && r < best + BETTER)) continue;
    season = period;
    best = r;
  }
  return season;
}

function changesOf(values: Float64Array): Float64Array {
  const changes = values.slice(1);
  const known = new Float64Array(changes.length);
  let count = 0;
  for (let i = 0; i < changes.length; i++) {
    const change = changes[i]! - values[i]!;
    changes[i] = change;
    if (!Number.isNaN(change)) known[count++] = change;
  }
  const { middle, scale } = robustScale(known.subarray(0, count));
  for (let i = 0; i < changes.length; i++)
    changes[i] = Math.min(LARGEST_CHANGE, Math.max(-LARGEST_CHANGE, (changes[i]! - middle) / scale));
  return changes;
}

/**
 * The correlation of values with those `lag` before them; pairs with a missing one are left out. 0 where
 * nothing varies.
 */
export function autocorrelation(values: Float64Array, lag: number): number {
  let n = 0;
  let x = 0;
  let y = 0;
  for (let i = lag; i < values.length; i++) {
    if (Number.isNaN(values[i]! + values[i - lag]!)) continue;
    n++;
    x += values[i]!;
    y += values[i - lag]!;
  }
  x /= n;
  y /= n;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (let i = lag; i < values.length; i++) {
    if (Number.isNaN(values[i]! + values[i - lag]!)) continue;
    const now = values[i]! - x;
    const then = values[i - lag]! - y;
    xx += now ** 2;
    yy += then ** 2;
    xy += now * then;
  }
  return xy === 0 ? 0 : xy / Math.sqrt(xx * yy) || 0;
}
