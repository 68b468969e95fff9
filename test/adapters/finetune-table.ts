import { fixed } from '../../domain/maths/series/grid.js';
import { HOUR } from '../../domain/time.js';
import type { TrainingTable } from '../../domain/trainings/ports.js';
import { normals } from '../domain/maths/forecasting/toys.js';

const step = fixed(HOUR);

/** Series of hours with four folds of `horizon` steps at their end. */
export function tableOf(series: readonly Float64Array[], horizon: number): TrainingTable {
  const length = Math.max(...series.map(values => values.length));
  const stretch = (from: number, to: number) => ({ from: from * HOUR, to: to * HOUR, steps: to - from });
  return {
    ...{ step, timezone: 'UTC' },
    folds: [4, 3, 2, 1].map(k => ({
      train: stretch(0, length - k * horizon),
      test: stretch(length - k * horizon, length - (k - 1) * horizon),
    })),
    columns: [{ name: 'load', role: 'target' }],
    series: series.map((values, i) => ({
      entity: `e${i}`,
      times: Float64Array.from(values, (_, t) => (length - values.length + t) * HOUR),
      columns: [values],
    })),
  };
}

/** Jumps to and fro between two levels, seldom twice to the same: no closed form forecasts that. */
export function alternating(length: number, seed: number): Float64Array {
  const next = normals(seed);
  let side = 1;
  return Float64Array.from({ length }, () => {
    if (next() < 1.3) side = -side;
    return 50 + 10 * side + next();
  });
}
