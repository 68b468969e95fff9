import { contextOf } from '../../domain/maths/forecasting/forecaster.js';
import { levelsOf } from '../../domain/models/graph.js';
import { blueprintUidOf, FIRST_PARTY, type HostedModel } from '../../domain/models/hosted.js';
import { Rejected } from '../../domain/rejected.js';
import { compare, type Comparison } from '../../domain/trainings/comparison.js';
import { foldForecasts, type CutWanted } from '../../domain/trainings/cuts.js';
import { isRootOf, lossesOf } from '../../domain/trainings/losses.js';
import { scoreOf } from '../../domain/trainings/evaluate.js';
import type { FoldForecast, TrainingTable, TrainingWork } from '../../domain/trainings/ports.js';
import { defaultFamilyDir, readModelFile } from '../forecaster/files.js';
import { openSession } from '../forecaster/session.js';
import { oneByOne } from './one-by-one.js';

/** A model of the folder of models, or of the platform's own, ready to be asked. */
export async function openHosted(model: HostedModel, modelsFolder: string) {
  const file =
    model.family === FIRST_PARTY
      ? readModelFile(defaultFamilyDir(), model.slug)
      : readModelFile(modelsFolder, blueprintUidOf(model));
  const session = await openSession({ ...file, folder: modelsFolder });
  const { caps } = file.manifest;
  const levels = model.trained?.levels ?? levelsOf(model);
  return {
    forecast: oneByOne(async (series, horizon) => {
      const values = contextOf(series.values, caps);
      const { quantiles } = await session.run(model.trained ? series : { ...series, values }, horizon);
      return { horizon, levels, values: quantiles };
    }),
    close: () => session.close(),
  };
}

/** What came of a comparison; `warnings` say why there is none. */
export type Compared = { readonly comparison: Comparison | null; readonly warnings: readonly string[] };

/**
 * What serves, judged on the same folds without a fit, beside the forecasts of a candidate. It is not where
 * it cannot forecast these series as far as these folds ask (`serving_not_judged`).
 */
export async function comparedWith(
  table: TrainingTable,
  { against, metric, seed }: Pick<TrainingWork, 'against' | 'metric' | 'seed'>,
  wanted: CutWanted,
  made: readonly FoldForecast[],
  modelsFolder: string,
): Promise<Compared> {
  if (against === null) return { comparison: null, warnings: [] };
  const { forecast, close } = await openHosted(against, modelsFolder);
  try {
    const others = await foldForecasts(table, wanted, async () => forecast);
    const [score, other] = [made, others].map(each => scoreOf(each, metric, wanted.period));
    if (score === null || score === undefined || other === null || other === undefined) return NOT_JUDGED;
    const losses = lossesOf(made, others, metric, wanted.period);
    return {
      comparison: compare(losses, { score, against: other }, isRootOf(metric), seed),
      warnings: [],
    };
  } catch (error) {
    if (error instanceof Rejected || error instanceof RangeError) return NOT_JUDGED;
    throw error;
  } finally {
    await close();
  }
}

const NOT_JUDGED: Compared = { comparison: null, warnings: ['serving_not_judged'] };
