import { fixed, months, monthsOfLength, type Step } from '../maths/series/grid.js';
import { DAY, SECOND } from '../time.js';
import type { Recipe } from './recipe.js';
import { zoneOf, type Zone } from './zone.js';

/**
 * Steps without holes: each is named by its beginning and lasts until that of the next. Whole days are days
 * of the zone (23 to 25 hours), n of them counted from a Monday; months are those of its calendar, n of them
 * counted from a January; other steps have a fixed length.
 */
export type Steps = {
  readonly zone: Zone;
  /** The beginning of the step that a time lies in. */
  startOf(time: number): number;
  next(start: number): number;
  /** How many steps lie from the beginning of one to that of another. */
  count(from: number, to: number): number;
  /** ms from the beginning of one to that of another; months count as long as they are on average. */
  apart(from: number, to: number): number;
  /** Before this time no step begins that is less than `ms` apart from the beginning of this one. */
  back(start: number, ms: number): number;
};

/** A Monday: 1970-01-05. Fixed steps are counted from its first moment in UTC. */
const MONDAY = 4;

export function stepsOf(stepS: number, timezone: string): Steps {
  const zone = zoneOf(timezone);
  const ms = stepS * SECOND;
  return ms % DAY === 0 ? wholeDays(ms / DAY, zone) : fixedSteps(ms, zone);
}

/** How long steps are, as a recipe keeps it. */
export type StepLength = Pick<Recipe, 'step_s' | 'step_months'>;

/** The steps that seconds ask for: calendar months where they are as long as those are on average. */
export function stepLength(stepS: number): StepLength {
  const count = monthsOfLength(stepS * SECOND);
  return count ? { step_s: stepS, step_months: count } : { step_s: stepS };
}

/** How long the steps of a recipe are; one that was made before there were months has none. */
export const lengthOf = ({ step_s, step_months }: StepLength): StepLength =>
  step_months ? { step_s, step_months } : { step_s };

/** The steps of a recipe. */
export const stepsIn = ({ timezone, ...length }: StepLength & Pick<Recipe, 'timezone'>): Steps =>
  length.step_months
    ? calendarMonths(length.step_months, zoneOf(timezone))
    : stepsOf(length.step_s, timezone);

/** A step of a recipe, as models are told of it. */
export const stepOf = ({ step_s: seconds, step_months: count }: StepLength): Step =>
  count ? months(count) : fixed(seconds * SECOND);

const inTime = {
  apart: (from: number, to: number): number => to - from,
  back: (start: number, ms: number): number => start - ms,
};

const fixedSteps = (ms: number, zone: Zone): Steps => ({
  zone,
  startOf: time => Math.floor((time - MONDAY * DAY) / ms) * ms + MONDAY * DAY,
  next: start => start + ms,
  count: (from, to) => (to - from) / ms,
  ...inTime,
});

const wholeDays = (count: number, zone: Zone): Steps =>
  ofDays(zone, (day, after) => (Math.floor((day - MONDAY) / count) + after) * count + MONDAY);

function calendarMonths(count: number, zone: Zone): Steps {
  const { ms } = months(count);
  const steps = ofDays(zone, (day, after) => {
    const date = new Date(day * DAY);
    const period = Math.floor((date.getUTCFullYear() * 12 + date.getUTCMonth()) / count) + after;
    // Date.UTC would take the years 0 to 99 as those after 1900
    return new Date(0).setUTCFullYear(0, period * count, 1) / DAY;
  });
  // The calendar is never more than days off its mean lengths
  const between = (from: number, to: number): number => Math.round((to - from) / ms);
  return {
    ...steps,
    count: between,
    apart: (from, to) => between(from, to) * ms,
    back: (start, far) => steps.startOf(start - far),
  };
}

/** `firstDay`: of the step so many after the one that a day lies in. */
function ofDays(zone: Zone, firstDay: (day: number, after: number) => number): Steps {
  const next = (start: number): number => zone.startOfDay(firstDay(zone.dayAt(start), 1));
  function startOf(time: number): number {
    let start = zone.startOfDay(firstDay(zone.dayAt(time), 0));
    // Clocks that are set back over midnight show the day before once more
    for (let after = next(start); after <= time; after = next(start)) start = after;
    return start;
  }
  // Days that clocks skip are none
  function counted(from: number, to: number): number {
    let steps = 0;
    for (let start = from; start < to; start = next(start)) steps++;
    return steps;
  }
  return { zone, startOf, next, count: counted, ...inTime };
}

/**
 * Beginnings of steps that follow each other, some ahead of those at work: `edges[i]` is that of the i-th
 * step from the first at work, and one more than asked for is there.
 */
export class Walk {
  edges: Float64Array;
  #known = 1;

  constructor(
    readonly steps: Steps,
    first: number,
    most: number,
  ) {
    this.edges = new Float64Array(most + 1);
    this.edges[0] = first;
  }

  /** Makes sure of the edges of so many steps. */
  reach(count: number): void {
    for (; this.#known <= count; this.#known++)
      this.edges[this.#known] = this.steps.next(this.edges[this.#known - 1]!);
  }

  /** So many steps are done. */
  pass(count: number): void {
    this.reach(count);
    this.edges.copyWithin(0, count, this.#known);
    this.#known -= count;
  }
}
