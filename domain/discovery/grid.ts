import { beginningsOf, stepIn, stepsIn } from '../forecasts/steps.js';
import type { InferenceSeries } from '../inference/forecasting.js';
import type { Series } from '../maths/series/series.js';
import { fixed, startOfStep } from '../maths/series/grid.js';
import { DAY, SECOND } from '../time.js';
import type { Subject } from './facts.js';

/**
 * The steps of a target as steps of equal length, which tests stand on: days of a zone have 23 to 25 hours,
 * months 28 to 31 days.
 * `to` is not included; both are epoch ms of clocks.
 */
export type Grid = {
  readonly from: number;
  readonly to: number;
  readonly steps: number;
  /** Where the first step begins on steps of equal length. */
  readonly first: number;
  /** Of a time, epoch ms: the step it lies in, from 0; -1 outside. */
  readonly stepAt: (time: number) => number;
  /** The same place on steps of equal length. */
  readonly placed: (time: number) => number;
  readonly target: Series;
};

/** Of a target on its steps. */
export function gridOf(
  series: InferenceSeries,
  subject: Pick<Subject, 'stepS' | 'stepMonths' | 'timezone'>,
): Grid {
  const { start, values } = series;
  const ms = subject.stepS * SECOND;
  const last = start + (values.length - 1) * ms;
  // Tests count steps from a Monday at 00:00 UTC: late in a step that begins elsewhere it would be the next
  const first = startOfStep(start, fixed(ms));
  const target = knownOf(values, i => first + i * ms);
  const steps = values.length;
  const { months } = stepIn(subject);
  if (months === 0 && (subject.stepS % (DAY / SECOND) !== 0 || subject.timezone === 'UTC')) {
    const stepAt = (time: number): number => {
      const step = Math.floor((time - start) / ms);
      return step >= 0 && step < steps ? step : -1;
    };
    return { from: start, to: last + ms, steps, first, stepAt, placed: time => time, target };
  }
  const { startOf, next } = stepsIn(subject);
  const edges = months > 0 ? beginningsOf(subject, series) : upTo(startOf(last), steps, startOf);
  const to = next(edges.at(-1)!);
  const stepAt = (time: number): number => (time < edges[0]! || time >= to ? -1 : lastUpTo(edges, time));
  const placed = (time: number): number => {
    const step = stepAt(time);
    // Outside it is outside all the same; within, a day of 25 hours has no 25th
    if (step < 0) return time < to ? first - 1 : first + steps * ms;
    return first + step * ms + Math.min(time - edges[step]!, ms - 1);
  };
  return { from: edges[0]!, to, steps, first, stepAt, placed, target };
}

/** So many beginnings of steps, up to one. */
function upTo(last: number, count: number, startOf: (time: number) => number): number[] {
  const edges = [last];
  while (edges.length < count) edges.push(startOf(edges.at(-1)! - 1));
  return edges.reverse();
}

function knownOf(values: Float64Array, timeOf: (i: number) => number): Series {
  const known = [...values.keys()].filter(i => !Number.isNaN(values[i]!));
  return { times: Float64Array.from(known, timeOf), values: Float64Array.from(known, i => values[i]!) };
}

/** The index of the last of ascending times that is not after `time`; the first is not. */
function lastUpTo(times: readonly number[], time: number): number {
  let low = 0;
  let high = times.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >>> 1;
    if (times[middle]! <= time) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Means of points by step, taken in as they come: as many numbers as there are steps, however many come. */
export function stepMeans({ steps, first, stepAt }: Grid, stepS: number) {
  const sums = new Float64Array(steps);
  const counts = new Uint32Array(steps);
  return {
    add(times: readonly number[], values: readonly number[]): void {
      times.forEach((time, i) => {
        const step = stepAt(time);
        if (step < 0) return;
        sums[step]! += values[i]!;
        counts[step]!++;
      });
    },
    /** On steps of equal length. */
    series: (): Series =>
      knownOf(
        sums.map((sum, i) => (counts[i]! > 0 ? sum / counts[i]! : NaN)),
        i => first + i * stepS * SECOND,
      ),
  };
}
