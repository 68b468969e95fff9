import { DAY, MINUTE, SECOND } from './time.js';

/** By names in small letters, as which there are only so many. Making one takes far longer than using it. */
const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase();
  const known = formats.get(name);
  if (known) return known;
  const made = new Intl.DateTimeFormat('en-US', {
    ...{ timeZone, hourCycle: 'h23', era: 'short' },
    ...{ year: 'numeric', month: 'numeric', day: 'numeric' },
    ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
  });
  formats.set(name, made);
  return made;
}

/** What clocks of a zone show at a time (epoch ms): as ms of a clock that shows UTC; whole seconds. */
export function clockAt(at: number, timeZone: string): number {
  const parts: Record<string, string> = {};
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = value;
  const of = (part: string): number => Number(parts[part]);
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
}

/** Minutes since midnight that clocks show. */
export const minuteAt = (at: number, timeZone: string): number =>
  Math.floor((clockAt(at, timeZone) % DAY) / MINUTE);

/** 0: Sunday. */
export const weekdayAt = (at: number, timeZone: string): number =>
  new Date(clockAt(at, timeZone)).getUTCDay();

const offsetAt = (at: number, timeZone: string): number =>
  clockAt(at, timeZone) - Math.floor(at / SECOND) * SECOND;

/**
 * The first time after `at` when clocks show so many minutes since midnight, seconds 0. Where they jump over
 * that minute, it is when they jump; where they show it twice, both count.
 */
export function nextAt(at: number, minute: number, timeZone: string): number {
  for (let from = at; ; ) {
    const left = modulo(minute * MINUTE - (clockAt(from, timeZone) % DAY), DAY) || DAY;
    const then = Math.floor(from / SECOND) * SECOND + left;
    const jump = jumpIn(from, then, timeZone);
    if (jump === null) return then;
    if (isPassed(jump, minute, timeZone)) return jump;
    from = jump;
  }
}

/** The first time after `from`, up to `to`, when clocks are set to another offset; null: they are not. */
export function jumpIn(from: number, to: number, timeZone: string): number | null {
  const before = offsetAt(from, timeZone);
  if (offsetAt(to, timeZone) === before) return null;
  let [low, high] = [Math.floor(from / SECOND), Math.ceil(to / SECOND)];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetAt(middle * SECOND, timeZone) === before) low = middle;
    else high = middle;
  }
  return high * SECOND;
}

/**
 * When clocks of a zone show a local time (as ms of a clock that shows UTC): the first of the two where they
 * show it twice, and the first moment after where they jump over it.
 */
export function instantAt(local: number, timeZone: string): number {
  const offsets = [local - DAY, local + DAY].map(at => offsetAt(at, timeZone));
  const shown = offsets.map(offset => local - offset).filter(at => clockAt(at, timeZone) === local);
  if (shown.length > 0) return Math.min(...shown);
  return jumpIn(local - 2 * DAY, local + 2 * DAY, timeZone)!;
}

/** Whether clocks, when they are set at `jump`, come to a minute or pass over it. */
function isPassed(jump: number, minute: number, timeZone: string): boolean {
  const shown = clockAt(jump, timeZone);
  const by = offsetAt(jump, timeZone) - offsetAt(jump - SECOND, timeZone);
  if (by < 0) return shown % DAY === minute * MINUTE;
  return modulo((shown % DAY) - minute * MINUTE, DAY) <= by;
}

const modulo = (x: number, of: number): number => ((x % of) + of) % of;
