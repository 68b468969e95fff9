import { clockAt, instantAt } from './local-time.js';
import { DAY, SECOND } from './time.js';

/** The days of a week, in the order in which `Date` counts them. */
export const WEEKDAYS = [
  ...['sunday', 'monday', 'tuesday', 'wednesday'],
  ...['thursday', 'friday', 'saturday'],
] as const;

/** Again and again, so many seconds after the last run began. */
export type Every = { readonly intervalSeconds: number };
/**
 * On some days from one time of day to another, not more often than a gap allows. Times are minutes since
 * midnight on clocks of the zone, seconds parts of one. An end before the start lies on the next day; the
 * same is the whole day.
 */
export type Windows = {
  readonly days: readonly string[];
  readonly startMinute: number;
  readonly endMinute: number;
  readonly gapSeconds: number;
  readonly timezone: string;
};
export type Schedule = Every | Windows;

/** Whether something runs by the clock, and not on a word alone. */
export const isTimed = (schedule: Schedule): boolean =>
  'intervalSeconds' in schedule || schedule.days.length > 0;

/**
 * When something is to run next (epoch ms), at `from` or later, where its last run began at `last`; null:
 * never by itself. Runs that were missed are not made up for. A time that clocks jump over is the first
 * moment after, one that they show twice the first of the two.
 */
export function nextRun(schedule: Schedule, last: number | null, from: number): number | null {
  if ('intervalSeconds' in schedule) return Math.max(from, (last ?? from) + gapOf(last, schedule));
  if (!isTimed(schedule)) return null;
  return inWindows(schedule, last === null ? from : Math.max(from, last + schedule.gapSeconds * SECOND));
}

const gapOf = (last: number | null, { intervalSeconds }: Every): number =>
  last === null ? 0 : intervalSeconds * SECOND;

/** A window may have begun on the day before, and the same day of the next week is the last that counts. */
function inWindows(schedule: Windows, from: number): number | null {
  const { timezone } = schedule;
  const today = Math.floor(clockAt(from, timezone) / DAY) * DAY;
  let next: number | null = null;
  for (let date = today - DAY; date <= today + 8 * DAY; date += DAY) {
    const begins = beginsIn(schedule, date, from);
    if (begins !== null && (next === null || begins < next)) next = begins;
  }
  return next;
}

/** The first moment of a day's window that is not before `from`; null: there is none. */
function beginsIn(schedule: Windows, date: number, from: number): number | null {
  const { days, startMinute, endMinute, timezone } = schedule;
  if (!days.includes(WEEKDAYS[new Date(date).getUTCDay()]!)) return null;
  const isWhole = startMinute === endMinute;
  const start = instantAt(date + (isWhole ? 0 : msOf(startMinute)), timezone);
  const last = isWhole ? DAY : msOf(endMinute) + (endMinute < startMinute ? DAY : 0);
  const begins = Math.max(start, from);
  return begins < instantAt(date + last, timezone) ? begins : null;
}

const msOf = (minute: number): number => Math.round(minute * 60) * SECOND;
