import { seasonalNaive } from '../../domain/maths/forecasting/baselines/index.js';
import { foldForecasts } from '../../domain/trainings/cuts.js';
import type { TrainingTable } from '../../domain/trainings/ports.js';
import { oneByOne } from './one-by-one.js';

/**
 * The forecasts that a report's baseline is made of: seasonal naive on each fold, from all that lies before
 * it, so that it is the same whatever is held against it. `period`: in steps.
 */
export const naiveForecasts = (table: TrainingTable, horizon: number, period: number) =>
  foldForecasts(table, { horizon, lookback: Number.MAX_SAFE_INTEGER, period }, async () =>
    oneByOne(async (series, steps) => seasonalNaive(series.values, period, steps)),
  );
