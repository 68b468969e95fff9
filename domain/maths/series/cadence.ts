import { median } from './quantile.js';
import { nextMean, type Numbers, type Series } from './series.js';

/**
 * An interval longer than this many cadences is a gap. Months of 28 to 31 days, leap years and the hour of
 * daylight saving stay below it, one missing month or day does not.
 */
export const GAP_CADENCES = 1.5;
/** A series without a point for more than this many cadences is stale. */
export const STALE_CADENCES = 3;

/** The median interval between neighbouring times, in ms; null with fewer than two. */
export function cadenceOf(times: Numbers): number | null {
  if (times.length < 2) return null;
  const intervals = new Float64Array(times.length - 1);
  for (let i = 0; i < intervals.length; i++) intervals[i] = times[i + 1]! - times[i]!;
  return median(intervals);
}

/** How many intervals are gaps. */
export function gapsIn(times: Numbers, cadence: number | null): number {
  const longest = cadence === null ? Infinity : cadence * GAP_CADENCES;
  let gaps = 0;
  for (let i = 1; i < times.length; i++) if (times[i]! - times[i - 1]! > longest) gaps++;
  return gaps;
}

/** Whether no point came for so long that the next is overdue. What has no cadence is never stale. */
export const isStale = (lastAt: number, cadence: number | null, now: number): boolean =>
  cadence !== null && now - lastAt > cadence * STALE_CADENCES;

/**
 * At most `max` numbers that draw the course of a series: its values, or the means of equal spans of time
 * that have any.
 */
export function sparkOf({ times, values }: Series, max = 50): number[] {
  if (values.length <= max) return Array.from(values);
  const first = times[0]!;
  const span = times[times.length - 1]! - first;
  const spark: number[] = [];
  let current = -1;
  let count = 0;
  for (let i = 0; i < values.length; i++) {
    const bucket = Math.min(max - 1, Math.floor(((times[i]! - first) / span) * max));
    if (bucket !== current) {
      current = bucket;
      count = 0;
      spark.push(0);
    }
    spark[spark.length - 1] = nextMean(spark[spark.length - 1]!, values[i]!, ++count);
  }
  return spark;
}
