import { commonStep, fixed, months, startOfStep, stepsAfter, type Step } from '../maths/series/grid.js';
import type { Columns } from '../signals/points.js';
import type { InferenceSeries } from './forecasting.js';
import { isEveryMonths, phaseOf, timeOfStep } from './steps.js';

type Options = {
  /** The length of a step, where it is known; else it is that of the points' usual interval. */
  readonly step?: Step;
  /** So many of the newest steps, at most. */
  readonly most: number;
};

/**
 * Points (in order of time, none twice, at least one) on even steps, the newest `most` of them: the last
 * point of each step, NaN where a step has none. Steps are those of calendar and clock (`commonStep`). Where
 * all points lie at about the same place of their steps, steps are called by that place (each day at 14:30),
 * and a point belongs to the nearest; else by their beginnings, and a point belongs to the step it lies in.
 */
export function gridded(id: string, { times, values }: Columns, { step, most }: Options): InferenceSeries {
  const steps = step ?? commonStep([{ times, values }]);
  const phase = phaseOf(times, steps);
  // With the usual place in the middle of a step, early and late points stay in theirs
  const shift = phase === null || steps.months ? 0 : phase - Math.floor(steps.ms / 2);
  const after = stepsAfter(times[0]! - shift, steps);
  const placeOf = (time: number): number => after(time - shift);
  const last = placeOf(times.at(-1)!);
  const first = Math.max(0, last - most + 1);
  const columns = new Float64Array(last - first + 1).fill(NaN);
  for (let i = times.length - 1; i >= 0; i--) {
    const place = placeOf(times[i]!) - first;
    if (place < 0) break;
    if (Number.isNaN(columns[place]!)) columns[place] = values[i]!;
  }
  const origin = startOfStep(times[0]! - shift, steps) + (phase ?? 0);
  const comesEarly = phase === 0 && times.some(time => startOfStep(time, steps) !== time);
  return {
    id,
    start: timeOfStep({ start: origin, step: steps }, first),
    step: steps,
    ...(comesEarly && { nearest: true }),
    values: columns,
    period: null,
    covariates: {},
  };
}

/**
 * Values one after the other from a time on; null where missing. `stepMs`: from 1 ms; `stepMonths`:
 * so many calendar months, from a day on that all of them have.
 */
export const evenly = (
  id: string,
  {
    start,
    stepMs,
    stepMonths,
    values,
  }: { start: number; stepMs: number; stepMonths?: number | undefined; values: readonly (number | null)[] },
): InferenceSeries => ({
  id,
  start,
  step: stepMonths && isEveryMonths(start) ? months(stepMonths) : fixed(stepMs),
  values: Float64Array.from(values, value => value ?? NaN),
  period: null,
  covariates: {},
});
