import { clockAt } from '../../local-time.js';
import type { ForecastSeries } from '../../maths/forecasting/forecaster.js';
import { DAY } from '../../time.js';
import type { WindowPlan } from './plan.js';

/**
 * When the k-th value of a series lies, epoch ms. Steps of whole days keep the hour that clocks show, also
 * where these are set.
 * @throws RangeError where the series does not say when its values were
 */
export function stepTimes(
  { times }: ForecastSeries,
  { timezone }: NonNullable<WindowPlan['calendar']>,
): (k: number) => number {
  if (!times) throw new RangeError('a model that reads a calendar must be told when values were');
  const { start, step } = times;
  if (step.months)
    return k => {
      const date = new Date(start);
      return date.setUTCMonth(date.getUTCMonth() + k * step.months);
    };
  if (step.ms % DAY !== 0 || timezone.toUpperCase() === 'UTC') return k => start + k * step.ms;
  const offsetAt = (time: number): number => clockAt(time, timezone) - time;
  const local = start + offsetAt(start);
  return k => {
    const guess = local + k * step.ms;
    return guess - offsetAt(guess - offsetAt(guess));
  };
}
