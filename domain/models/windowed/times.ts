import { clockAt } from '../../local-time.js';
import type { ForecastSeries } from '../../maths/forecasting/forecaster.js';
import type { Step } from '../../maths/series/grid.js';
import { DAY } from '../../time.js';
import type { WindowPlan } from './plan.js';

/**
 * When the k-th value of a series lies, epoch ms. Steps of whole days keep the hour that clocks show, also
 * where these are set; so do months of a model that learnt calendar months, from a first of one on.
 * @throws RangeError where the series does not say when its values were
 */
export function stepTimes(
  { times }: ForecastSeries,
  { timezone, step: learnt }: NonNullable<WindowPlan['calendar']>,
): (k: number) => number {
  if (!times) throw new RangeError('a model that reads a calendar must be told when values were');
  const { start, step } = times;
  const isZoned = timezone.toUpperCase() !== 'UTC' && keepsClock(step, learnt, clockAt(start, timezone));
  const from = isZoned ? clockAt(start, timezone) : start;
  const after = (k: number): number =>
    step.months ? monthsAfter(from, k * step.months) : from + k * step.ms;
  if (!isZoned) return after;
  const offsetAt = (time: number): number => clockAt(time, timezone) - time;
  return k => {
    const guess = after(k);
    return guess - offsetAt(guess - offsetAt(guess));
  };
}

/** `local`: the start, by a clock that shows UTC. */
const keepsClock = (step: Step, learnt: Step, local: number): boolean =>
  step.months
    ? learnt.months > 0 && local % DAY === 0 && new Date(local).getUTCDate() === 1
    : step.ms % DAY === 0;

function monthsAfter(time: number, months: number): number {
  const date = new Date(time);
  return date.setUTCMonth(date.getUTCMonth() + months);
}
