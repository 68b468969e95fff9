import type { InferenceSeries } from '../inference/forecasting.js';
import type { Steps } from '../segments/steps.js';
import type { Columns } from '../signals/points.js';
import { SECOND } from '../time.js';
import type { GoalSettings } from '../goals/settings.js';
import { startNamed, stepIn, stepsIn } from './steps.js';

/** What is forecast, and on which steps. */
export type Target = Pick<GoalSettings, 'target' | 'stepS' | 'stepMonths' | 'timezone'>;

/** A target on its steps, and the points that it was made of. */
export type OnSteps = {
  readonly series: InferenceSeries;
  readonly points: Columns;
  /** Time of the newest point that counts, epoch ms. */
  readonly cutoff: number;
};

/**
 * Points (in order of time) on a goal's steps, the newest `most` of them: the mean of each step's points, NaN
 * where a step has none. A target with at most one point a step has its newest step as soon as that has a
 * point; of a finer one a step counts once it is over (`now`, epoch ms). Null where nothing counts yet.
 */
export function onSteps(
  target: Target,
  all: Columns,
  { most, now }: { readonly most: number; readonly now: number },
): OnSteps | null {
  const steps = stepsIn(target);
  const whole = wholeSteps(steps, all, now);
  if (whole.times.length === 0) return null;
  const ms = target.stepS * SECOND;
  const step = stepIn(target);
  const last = steps.startOf(whole.times.at(-1)!);
  const starts = startsUpTo(steps, steps.startOf(Math.max(whole.times[0]!, last - (most - 1) * ms)), last);
  const edges = starts.slice(-most);
  const points = since(whole, edges[0]!);
  return {
    series: {
      id: target.target,
      // Days of 23 and of 25 hours even out: the newest step lies where it is
      start: step.months ? startNamed(target, edges[0]!) : last - (edges.length - 1) * ms,
      step,
      values: meansOf(points, edges),
      period: null,
      covariates: {},
    },
    points,
    cutoff: points.times.at(-1)!,
  };
}

/** Without the step that is not over yet, where a step has several points. */
function wholeSteps(steps: Steps, all: Columns, now: number): Columns {
  const newest = all.times.at(-1);
  if (newest === undefined) return all;
  const start = steps.startOf(newest);
  if (steps.next(start) <= now || !isFiner(steps, all.times)) return all;
  const end = all.times.findIndex(time => time >= start);
  return { times: all.times.slice(0, end), values: all.values.slice(0, end) };
}

/** Whether some step has several points. */
function isFiner(steps: Steps, times: readonly number[]): boolean {
  let end = -Infinity;
  for (const time of times) {
    if (time < end) return true;
    end = steps.next(steps.startOf(time));
  }
  return false;
}

function startsUpTo(steps: Steps, first: number, last: number): number[] {
  const starts = [first];
  for (let start = steps.next(first); start <= last; start = steps.next(start)) starts.push(start);
  return starts;
}

function since({ times, values }: Columns, from: number): Columns {
  const first = times.findIndex(time => time >= from);
  return { times: times.slice(first), values: values.slice(first) };
}

function meansOf({ times, values }: Columns, edges: readonly number[]): Float64Array {
  const sums = new Float64Array(edges.length);
  const counts = new Uint32Array(edges.length);
  let step = 0;
  times.forEach((time, i) => {
    while (step + 1 < edges.length && time >= edges[step + 1]!) step++;
    sums[step]! += values[i]!;
    counts[step]!++;
  });
  return sums.map((sum, i) => (counts[i]! > 0 ? sum / counts[i]! : NaN));
}
