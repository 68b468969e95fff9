import { DAY, SECOND } from '../time.js';
import { zoneOf, type Zone } from './zone.js';

/**
 * Steps without holes: each is named by its beginning and lasts until that of the next. Whole days are days
 * of the zone (23 to 25 hours), n of them counted from a Monday; other steps have a fixed length.
 */
export type Steps = {
  readonly zone: Zone;
  /** The beginning of the step that a time lies in. */
  startOf(time: number): number;
  next(start: number): number;
  /** How many steps lie from the beginning of one to that of another. */
  count(from: number, to: number): number;
};

/** A Monday: 1970-01-05. Fixed steps are counted from its first moment in UTC. */
const MONDAY = 4;

export function stepsOf(stepS: number, timezone: string): Steps {
  const zone = zoneOf(timezone);
  const ms = stepS * SECOND;
  return ms % DAY === 0 ? wholeDays(ms / DAY, zone) : fixedSteps(ms, zone);
}

const fixedSteps = (ms: number, zone: Zone): Steps => ({
  zone,
  startOf: time => Math.floor((time - MONDAY * DAY) / ms) * ms + MONDAY * DAY,
  next: start => start + ms,
  count: (from, to) => (to - from) / ms,
});

function wholeDays(count: number, zone: Zone): Steps {
  const firstDay = (day: number): number => Math.floor((day - MONDAY) / count) * count + MONDAY;
  const next = (start: number): number => zone.startOfDay(firstDay(zone.dayAt(start)) + count);
  function startOf(time: number): number {
    let start = zone.startOfDay(firstDay(zone.dayAt(time)));
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
  return { zone, startOf, next, count: counted };
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
