import type { Step } from '../../../domain/maths/series/grid.js';
import type { TrainingSeries, TrainingTable } from '../../../domain/trainings/ports.js';
import { DAY } from '../../../domain/time.js';
import { randomOf } from '../../random.js';

export const START = Date.UTC(2026, 0, 5);
const DAILY: Step = { ms: DAY, months: 0 };

/** Days of a week and noise: values with two digits, the same for the same seed. */
export function weekly(seed: number, length: number): Float64Array {
  const random = randomOf(seed);
  const week = [0, 30, 10, -20, -40, 50, -30];
  return Float64Array.from(
    { length },
    (_, t) => Math.round(100 * (200 + week[t % 7]! + t / 10 + 20 * random.next())) / 100,
  );
}

export const seriesOf = (
  target: Float64Array,
  entity: string | null = null,
  others: readonly Float64Array[] = [],
): TrainingSeries => ({
  entity,
  times: Float64Array.from(target, (_, t) => START + t * DAY),
  columns: [target, ...others],
});

/** Daily series of one length; the last `folds` times `horizon` steps are tested. */
export function tableOf(
  series: readonly TrainingSeries[],
  { folds = 2, horizon = 7, gap = 0, columns = [] as TrainingTable['columns'] } = {},
): TrainingTable {
  const length = series[0]!.times.length;
  const at = (steps: number): number => START + steps * DAY;
  return {
    step: DAILY,
    timezone: 'UTC',
    columns: [{ name: 'orders', role: 'target' }, ...columns],
    series,
    folds: Array.from({ length: folds }, (_, k) => {
      const test = length - (folds - k) * horizon;
      return {
        train: { from: START, to: at(test - gap), steps: test - gap },
        test: { from: at(test), to: at(test + horizon), steps: horizon },
      };
    }),
  };
}
