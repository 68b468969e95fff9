import { Rejected } from '../../domain/rejected.js';
import { foldForecasts } from '../../domain/trainings/cuts.js';
import { reportOf } from '../../domain/trainings/evaluate.js';
import type { Train } from '../../domain/trainings/ports.js';
import { periodOfTable } from '../../domain/trainings/table-period.js';
import { comparedWith, openHosted } from './compared.js';
import { naiveForecasts } from './naive.js';

/** Judges an uploaded model as it is on every fold; nothing is fitted, and nothing made. */
export const uploadedTraining =
  (modelsFolder: string): Train =>
  async (table, work, tell) => {
    const { what, horizon, metric } = work;
    if (what.kind !== 'byom') throw new RangeError(`a model of kind ${what.kind} was not uploaded`);
    const { model } = what;
    if (horizon > model.maxHorizon) throw horizonAbove(horizon, model.maxHorizon);
    const period = periodOfTable(table);
    const wanted = { horizon, lookback: model.maxContext, period };
    const { length: folds } = table.folds;
    const { forecast, close } = await openHosted(model, modelsFolder);
    try {
      const made = await foldForecasts(table, wanted, async (_, fold) => {
        tell({ stage: 'evaluating', progress: fold / folds, message: `fold ${fold + 1} of ${folds}` });
        return forecast;
      });
      const naive = await naiveForecasts(table, horizon, period);
      const { comparison, warnings } = await comparedWith(table, work, wanted, made, modelsFolder);
      const report = reportOf({ table, metric, horizon, period, made, naive, importance: [], warnings });
      return { report, made: null, comparison };
    } finally {
      await close();
    }
  };

const horizonAbove = (horizon: number, cap: number): Rejected =>
  new Rejected('unprocessable', 'horizon_above_cap', `The model gives ${cap} steps, not ${horizon}`, {
    field: 'horizon',
    cap,
    given: horizon,
  });
