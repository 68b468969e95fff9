import type { InferenceSeries } from '../inference/forecasting.js';
import { startNamed, stepIn } from '../forecasts/steps.js';
import { timeOfStep } from '../inference/steps.js';
import { summed, type Hierarchy } from '../maths/reconciliation/hierarchy.js';
import { SECOND } from '../time.js';
import type { Forecast, Window } from './window.js';

/** A target's history, NaN where a step has none; `start`: time of its first value, epoch ms. */
export type Past = Pick<InferenceSeries, 'start' | 'values'>;

/** A sum reads so many steps of the past at most. */
export const MOST_STEPS = 1_024;

/**
 * The histories of a window's targets, each up to the step before the window, as long as the shortest.
 * Steps that have not come yet are as the goal's own forecast has them; gaps are filled on a straight line.
 */
export function pastsOf(window: Window, pasts: readonly Past[]): Float64Array[] {
  const even = window.leaves.map((leaf, i) => upTo(window.times[0]!, leaf, pasts[i]!));
  const length = Math.min(MOST_STEPS, ...even.map(values => values.length));
  return even.map(values => values.slice(values.length - length));
}

function upTo(first: number, { issued }: Forecast, { start, values }: Past): Float64Array {
  const ms = issued.stepS * SECOND;
  // Days of 23 and of 25 hours even out, and so do months
  const count = Math.round((first - start) / ms);
  const begun = values.findIndex(value => !Number.isNaN(value));
  const known = Float64Array.from({ length: Math.max(0, count) }, (_, k) => {
    if (k < values.length && !Number.isNaN(values[k]!)) return values[k]!;
    const ahead = Math.round((start + k * ms - issued.points.times[0]!) / ms);
    return k < values.length ? NaN : (issued.points.mean[ahead] ?? NaN);
  });
  return straight(begun < 0 ? new Float64Array(0) : known.subarray(begun));
}

/** With gaps filled on a straight line between their ends; at the end as it was last. */
function straight(values: Float64Array): Float64Array {
  const filled = values.slice();
  let last = -1;
  filled.forEach((value, k) => {
    if (Number.isNaN(value)) return;
    for (let gap = last + 1; gap < k; gap++) {
      const share = (gap - last) / (k - last);
      filled[gap] = filled[last]! + share * (value - filled[last]!);
    }
    last = k;
  });
  return filled.map((value, k) => (k > last ? filled[last]! : value));
}

/** A series that is forecast, and that ends so many steps before the window (0: just before it). */
export function seriesOf(
  { times, leaves }: Window,
  values: Float64Array,
  { id, period, before }: { readonly id: string; readonly period: number | null; readonly before: number },
): InferenceSeries {
  const { issued } = leaves[0]!;
  const step = stepIn(issued);
  const start = timeOfStep({ start: startNamed(issued, times[0]!), step }, -(values.length + before));
  return { id, start, step, values, period, covariates: {} };
}

export const sumsOf = ({ sums }: Hierarchy, pasts: readonly Float64Array[]): Float64Array[] =>
  sums.map(places => summed(pasts, places));
