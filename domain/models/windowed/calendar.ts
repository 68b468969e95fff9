import { clockAt } from '../../local-time.js';
import type { Step } from '../../maths/series/grid.js';
import { DAY, HOUR, MINUTE } from '../../time.js';

// What a calendar says of a time: as whole numbers, for trees, or as waves, for linear models.

/** ms of a clock that shows what clocks of the zone show. */
export type LocalClock = (time: number) => number;

/** Clocks are set at full quarters of an hour. */
const QUARTER = 15 * MINUTE;

export function localClock(timezone: string): LocalClock {
  if (timezone.toUpperCase() === 'UTC') return time => time;
  const offsets = new Map<number, number>();
  return time => {
    const quarter = Math.floor(time / QUARTER);
    const known = offsets.get(quarter) ?? clockAt(quarter * QUARTER, timezone) - quarter * QUARTER;
    offsets.set(quarter, known);
    return time + known;
  };
}

/** 1970-01-01 was a Thursday, the fourth day of its week. */
const THURSDAY = 3;
const WEEK = 7;
const YEAR = 365.2425 * DAY;

const weekdayAt = (local: number): number => (((Math.floor(local / DAY) + THURSDAY) % WEEK) + WEEK) % WEEK;

type Part = {
  readonly name: string;
  /** Steps of this length or longer do not tell it. */
  readonly below: number;
  readonly at: (local: number) => number;
};

const parts: readonly Part[] = [
  { name: 'hour', below: DAY, at: local => (((local % DAY) + DAY) % DAY) / HOUR },
  { name: 'day_of_week', below: WEEK * DAY, at: weekdayAt },
  { name: 'day', below: 28 * DAY, at: local => new Date(local).getUTCDate() },
  { name: 'month', below: YEAR, at: local => new Date(local).getUTCMonth() + 1 },
];

/** So many waves of the day and of the year; days of the week are told apart each. */
const WAVES = { day: 3, year: 2 };

/** Names of what is said of a time, and what is. */
export type Calendar = {
  readonly names: readonly string[];
  readonly at: (local: number) => readonly number[];
};

export function numbersOf(step: Step): Calendar {
  const told = parts.filter(({ below }) => step.ms < below);
  return { names: told.map(({ name }) => name), at: local => told.map(({ at }) => at(local)) };
}

export function wavesOf(step: Step): Calendar {
  const told: (readonly [string, (local: number) => number])[] = [];
  const wave = (name: string, length: number, count: number): void => {
    for (let k = 1; k <= count; k++) {
      told.push([`${name}_sin${k}`, local => Math.sin((2 * Math.PI * k * (local % length)) / length)]);
      told.push([`${name}_cos${k}`, local => Math.cos((2 * Math.PI * k * (local % length)) / length)]);
    }
  };
  if (step.ms < DAY) wave('hour', DAY, WAVES.day);
  if (step.ms < WEEK * DAY)
    for (let day = 1; day < WEEK; day++)
      told.push([`weekday_${day}`, local => Number(weekdayAt(local) === day)]);
  if (step.ms < YEAR / 2) wave('year', YEAR, WAVES.year);
  return { names: told.map(([name]) => name), at: local => told.map(([, at]) => at(local)) };
}
