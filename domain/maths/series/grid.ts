import { DAY, HOUR, MINUTE, SECOND } from '../../time.js';
import { cadenceOf } from './cadence.js';
import type { Numbers, Series } from './series.js';

/**
 * How long a step is: whole calendar months in UTC (`ms` is then their mean length), or, where `months` is 0,
 * `ms`.
 */
export type Step = { readonly ms: number; readonly months: number };

/**
 * Steps of time without holes: step k lasts from `times[k]` to the time of the next, the last one to `to`
 * (exclusive).
 */
export type Grid = {
  readonly step: Step;
  readonly from: number;
  readonly to: number;
  readonly times: Float64Array;
};

/**
 * Steps are counted from a Monday at 00:00 UTC: weeks begin on Monday, days at midnight, hours at the full
 * hour.
 */
const ORIGIN = Date.UTC(1970, 0, 5);
/** A mean month of the Gregorian calendar. */
const MONTH = (365.2425 / 12) * DAY;
const MONTHS = [1, 2, 3, 4, 6, 12];
/** Intervals of n calendar months differ at most by this from n mean months. */
const MONTH_TOLERANCE = 2 * DAY;
/** A month of four weeks to 31 days is at most this from a mean one. */
const NEAR_A_MONTH = 2.5 * DAY;
/** A step this close to a usual one is taken as that one: clocks are not exact. */
const TOLERANCE = 0.02;
const USUAL = [
  ...[1, 2, 5, 10, 15, 20, 30].flatMap(n => [n * SECOND, n * MINUTE]),
  ...[1, 2, 3, 4, 6, 8, 12].map(n => n * HOUR),
  DAY,
  7 * DAY,
];

export const months = (count: number): Step => ({ ms: count * MONTH, months: count });
/** How many calendar months have a mean length of just so many ms: 1, 2, 3, 4, 6 or 12; 0: none. */
export const monthsOfLength = (ms: number): number =>
  MONTHS.find(count => Math.round(count * MONTH) === ms) ?? 0;
/** Months, as above, that are about so many ms; 0: none. */
export const nearMonths = (ms: number): number =>
  MONTHS.find(count => Math.abs(ms - count * MONTH) <= count * NEAR_A_MONTH) ?? 0;
/** A step of a fixed length, at least 1 ms. */
export const fixed = (ms: number): Step => ({ ms: Math.max(1, Math.round(ms)), months: 0 });

/**
 * The step on which series are brought together: the largest of their cadences, so that none has to be
 * invented between its points. It is taken as calendar months where it is as long as those and the intervals
 * vary as those do, and else as the usual step (of a second to a week) within 2% of it. A day where no series
 * has two points.
 */
export function commonStep(series: readonly Series[]): Step {
  const cadences = series.map(({ times }) => cadenceOf(times) ?? 0);
  const slowest = cadences.reduce((most, cadence) => Math.max(most, cadence), 0);
  const count = monthsIn(slowest);
  const varies = (i: number) => monthsIn(cadences[i]!) === count && !isEven(series[i]!.times, cadences[i]!);
  return count && cadences.some((_, i) => varies(i)) ? months(count) : usualStep(slowest || DAY);
}

/** The step of a fixed length: the usual one within 2% of these ms, else these. */
export const usualStep = (ms: number): Step =>
  fixed(USUAL.find(usual => Math.abs(ms / usual - 1) <= TOLERANCE) ?? ms);

/** How many calendar months intervals of `ms` are likely to be; 0: they are none. */
function monthsIn(ms: number): number {
  const count = Math.round(ms / MONTH);
  const usual = MONTHS.includes(count) || (count > 0 && count % 12 === 0);
  return usual && Math.abs(ms - count * MONTH) <= MONTH_TOLERANCE ? count : 0;
}

/**
 * Whether every interval is one or several cadences to the ms, as those of calendar months never are for
 * long.
 */
function isEven(times: Numbers, cadence: number): boolean {
  for (let i = 1; i < times.length; i++) if ((times[i]! - times[i - 1]!) % cadence !== 0) return false;
  return true;
}

/**
 * The steps from the one with the time `from` to the one with the time `to`; where these are more than
 * `most`, the newest.
 */
export function gridOf(from: number, to: number, step: Step, most: number): Grid {
  const last = indexOf(to, step);
  const first = Math.max(indexOf(from, step), last - most + 1);
  const times = Float64Array.from({ length: Math.max(0, last - first + 1) }, (_, k) =>
    startOf(first + k, step),
  );
  return { step, from: startOf(first, step), to: startOf(last + 1, step), times };
}

/** The step of a grid that a time lies in, or -1. */
export const stepAt = (grid: Grid, time: number): number =>
  time < grid.from || time >= grid.to ? -1 : indexOf(time, grid.step) - indexOf(grid.from, grid.step);

/** The number of the step a time lies in, counted from the origin (of months: from the year 0). */
function indexOf(time: number, step: Step): number {
  if (!step.months) return Math.floor((time - ORIGIN) / step.ms);
  const date = new Date(time);
  return Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / step.months);
}

/** The beginning of the step a time lies in. */
export const startOfStep = (time: number, step: Step): number => startOf(indexOf(time, step), step);

/** How many steps after the one of `from` a time lies. */
export function stepsAfter(from: number, step: Step): (time: number) => number {
  const first = indexOf(from, step);
  return time => indexOf(time, step) - first;
}

/** So many steps lie between the steps of two times. */
export const stepsBetween = (from: number, to: number, step: Step): number =>
  indexOf(to, step) - indexOf(from, step);

/** Date.UTC would take the years 0 to 99 as those after 1900. */
const startOf = (index: number, step: Step): number =>
  step.months ? new Date(0).setUTCFullYear(0, index * step.months, 1) : ORIGIN + index * step.ms;
