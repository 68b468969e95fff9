import { DAY, HOUR, MINUTE, SECOND } from '../time.js';
import type { Tick } from './ticks.js';

/** Intervals of an axis of times, the finest first: of a clock, of days of a month, of months and years. */
type Interval =
  | { readonly unit: 'ms'; readonly every: number }
  | { readonly unit: 'days'; readonly every: number }
  | { readonly unit: 'months'; readonly every: number };

const intervals: readonly Interval[] = [
  ...[1, 10, 100, 500].map(every => ({ unit: 'ms', every }) as const),
  ...[1, 5, 15, 30].map(n => ({ unit: 'ms', every: n * SECOND }) as const),
  ...[1, 5, 15, 30].map(n => ({ unit: 'ms', every: n * MINUTE }) as const),
  ...[1, 3, 6, 12].map(n => ({ unit: 'ms', every: n * HOUR }) as const),
  ...[1, 2, 7, 14].map(every => ({ unit: 'days', every }) as const),
  ...[1, 3, 6].map(every => ({ unit: 'months', every }) as const),
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 5_000].map(
    n => ({ unit: 'months', every: 12 * n }) as const,
  ),
];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = 30.44 * DAY;
/** Weeks on an axis begin on Monday. */
const MONDAY = Date.UTC(1970, 0, 5);

/**
 * Round times (UTC) from one to another, at most `most` (2 or more), each with what is new in it: the year,
 * the month, the day or the hour. The first one says more.
 */
export function timeTicks(from: number, to: number, most: number): Tick[] {
  const interval = intervals.find(each => (to - from) / lengthOf(each) <= most - 1) ?? intervals.at(-1)!;
  const times: number[] = [];
  for (let at = firstFrom(from, interval); at <= to; at = nextOf(at, interval)) times.push(at);
  return times.map((at, i) => ({ at, label: labelOf(at, interval, i === 0) }));
}

const lengthOf = ({ unit, every }: Interval): number => every * { ms: 1, days: DAY, months: MONTH }[unit];

function firstFrom(from: number, interval: Interval): number {
  const { every } = interval;
  if (interval.unit !== 'months') {
    const length = lengthOf(interval);
    return MONDAY + Math.ceil((from - MONDAY) / length) * length;
  }
  const date = new Date(from);
  const month = date.getUTCFullYear() * 12 + date.getUTCMonth();
  const at = monthAt(Math.floor(month / every) * every);
  return at < from ? nextOf(at, interval) : at;
}

function nextOf(at: number, interval: Interval): number {
  if (interval.unit !== 'months') return at + lengthOf(interval);
  const date = new Date(at);
  return monthAt(date.getUTCFullYear() * 12 + date.getUTCMonth() + interval.every);
}

/** Date.UTC would take the years 0 to 99 as those after 1900. */
const monthAt = (month: number): number => new Date(0).setUTCFullYear(0, month, 1);

function labelOf(at: number, { unit, every }: Interval, isFirst: boolean): string {
  const date = new Date(at);
  const text = date.toISOString();
  const year = String(date.getUTCFullYear());
  const month = MONTHS[date.getUTCMonth()]!;
  const day = `${date.getUTCDate()} ${month}`;
  if (unit === 'months') {
    if (every % 12 === 0 || (!isFirst && month === 'Jan')) return year;
    return isFirst ? `${month} ${year}` : month;
  }
  if (unit === 'days') return isFirst ? `${day} ${year}` : day;
  if (at % DAY === 0) return day;
  let clock = text.slice(11, 16);
  if (every < MINUTE) clock = text.slice(11, every < SECOND ? 23 : 19);
  return isFirst ? `${day} ${clock}` : clock;
}
