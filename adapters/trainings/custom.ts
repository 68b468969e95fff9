import type { ForecastMany } from '../../domain/maths/forecasting/forecaster.js';
import type { WindowedPlan } from '../../domain/models/forecast-trained.js';
import type { TrainedModel } from '../../domain/models/trained.js';
import { linearOnnx } from '../../domain/models/windowed/linear-onnx.js';
import { completed } from '../../domain/models/algorithms.js';
import { foldForecasts, gapOf, tableBefore } from '../../domain/trainings/cuts.js';
import { fit, learnsFromTable } from '../../domain/trainings/custom/fit.js';
import type { Fitted } from '../../domain/trainings/custom/fitted.js';
import { mostJudged } from '../../domain/trainings/custom/local.js';
import { reportOf } from '../../domain/trainings/evaluate.js';
import { localOnnx } from '../../domain/trainings/custom/local-onnx.js';
import type { MadeFile, Train, TrainingTable } from '../../domain/trainings/ports.js';
import { periodOfTable } from '../../domain/trainings/table-period.js';
import { openTrained } from '../forecaster/trained.js';
import { comparedWith } from './compared.js';
import { naiveForecasts } from './naive.js';
import { oneByOne } from './one-by-one.js';

/**
 * Trains a blueprint of kind `custom`: what is served is fitted to the whole table, what is judged to the
 * part of it before each fold. `modelsFolder`: where the file of what serves now lies.
 */
export const customTraining =
  (modelsFolder: string): Train =>
  async (table, work, tell) => {
    const { what, horizon, lookback, metric, seed } = work;
    if (what.kind !== 'custom') throw new RangeError(`a blueprint of kind ${what.kind} is none of these`);
    const { algorithm, hyperparameters } = what.recipe;
    const recipe = { algorithm, hyperparameters: completed(algorithm, hyperparameters) };
    const { judged, warnings } = learnsFromTable(recipe)
      ? { judged: table, warnings: [] }
      : mostJudged(recipe, table);
    // Scores of all models of a table are on the scale of one season, whichever a model takes for itself
    const season = periodOfTable(judged);
    const period = periodIn(recipe.hyperparameters) ?? season;
    const asked = { recipe, horizon, gap: gapOf(table), lookback, period, seed };
    // Folds and the whole table are each fitted once
    const fits = table.folds.length + 1;
    const { model, graph, download, importance } = fit(table, asked, share =>
      tell({ stage: 'running', progress: share / fits, message: null }),
    );
    const file = download ?? fileOf(model, table, period);
    const ends: (() => Promise<void>)[] = [];
    const wanted = { horizon, lookback: model.lookback, period };
    const made = await foldForecasts(judged, wanted, async ({ train }, fold) => {
      const progress = (share: number): number => (1 + fold + share) / (fits + 1);
      const message = `fold ${fold + 1} of ${table.folds.length}`;
      tell({ stage: 'evaluating', progress: progress(0), message });
      const fitted = fit(tableBefore(judged, train.to), asked, share =>
        tell({ stage: 'evaluating', progress: progress(share), message: null }),
      );
      return opened(fitted, ends);
    });
    const naive = await naiveForecasts(judged, horizon, season);
    for (const end of ends) await end();
    const compared = await comparedWith(judged, work, { ...wanted, period: season }, made, modelsFolder);
    return {
      report: reportOf({
        ...{ table: judged, metric, horizon, period: season, made, naive, importance },
        warnings: [...warnings, ...compared.warnings, ...(file ? [] : ['not_exportable'])],
      }),
      made: { model, graph, download: file },
      comparison: compared.comparison,
    };
  };

const periodIn = ({ period }: Readonly<Record<string, unknown>>): number | null =>
  typeof period === 'number' ? period : null;

/** What people download of a model that needs no graph to be served; null: it cannot be written as one. */
function fileOf(model: TrainedModel, table: TrainingTable, period: number): MadeFile | null {
  const { linear, window } = model.plan as Partial<WindowedPlan>;
  const bytes =
    linear && window
      ? linearOnnx(linear, model.levels, { model: JSON.stringify({ ...model, plan: { window } }) })
      : localOnnx(model, table, period);
  return bytes && { format: 'onnx', bytes };
}

/** Asks a model as serving does. */
async function opened(fitted: Fitted, ends: (() => Promise<void>)[]): Promise<ForecastMany> {
  const { levels } = fitted.model;
  const { forecast, close } = await openTrained(fitted.model, fitted.graph ?? new Uint8Array());
  ends.push(close);
  return oneByOne(async (series, horizon) => ({ horizon, levels, values: await forecast(series, horizon) }));
}
