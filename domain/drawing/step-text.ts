import type { Step } from '../maths/series/grid.js';
import { DAY, MINUTE, SECOND } from '../time.js';

/** The time (UTC) of a step, as short as tells it from the others: `1960-12`, `2026-03-01 06:00`. */
export function stepText(time: number, { ms, months }: Step): string {
  const text = new Date(time).toISOString();
  const isMidnight = time % DAY === 0;
  if (months && isMidnight && new Date(time).getUTCDate() === 1)
    return months % 12 === 0 ? text.slice(0, 4) : text.slice(0, 7);
  if ((months || ms % DAY === 0) && isMidnight) return text.slice(0, 10);
  const isWhole = (unit: number): boolean => time % unit === 0 && ms % unit === 0;
  const [, end] = CLOCKS.find(([unit]) => isWhole(unit))!;
  return text.slice(0, end).replace('T', ' ');
}

/** Where the text of a time ends that is whole minutes, seconds or milliseconds. */
const CLOCKS = [
  [MINUTE, 16],
  [SECOND, 19],
  [1, 23],
] as const;

/** How long a step is, for people: `1 month`, `7 days`, `30 minutes`. */
export function lengthText({ ms, months }: Step): string {
  if (months) return months % 12 === 0 ? counted(months / 12, 'year') : counted(months, 'month');
  const [size, name] = UNITS.find(([unit]) => ms % unit === 0)!;
  return counted(ms / size, name);
}

const UNITS = [
  [DAY, 'day'],
  [60 * MINUTE, 'hour'],
  [MINUTE, 'minute'],
  [SECOND, 'second'],
  [1, 'millisecond'],
] as const;
const counted = (count: number, name: string): string => `${count} ${name}${count === 1 ? '' : 's'}`;
