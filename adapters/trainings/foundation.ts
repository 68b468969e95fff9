import { levelsOf } from '../../domain/models/graph.js';
import { foldForecasts } from '../../domain/trainings/cuts.js';
import { reportOf } from '../../domain/trainings/evaluate.js';
import type { Train } from '../../domain/trainings/ports.js';
import { periodOfTable } from '../../domain/trainings/table-period.js';
import { finetune } from '../finetune/finetune.js';
import { openSession } from '../forecaster/session.js';
import { comparedWith, openHosted } from './compared.js';
import { naiveForecasts } from './naive.js';
import { oneByOne } from './one-by-one.js';

/** What of the work is the training; the rest is its report. */
const TRAINED = 0.9;

/**
 * Fine-tunes a foundation model. Each fold is judged with an adapter that has seen nothing from its beginning
 * on. What does not win is not kept: nothing is made then (`no_gain`), and the report shows why. Where the
 * history is too short to train at all it shows the backbone as it is.
 */
export const foundationTraining =
  (modelsFolder: string): Train =>
  async (table, work, tell) => {
    const { what, horizon, metric, seed } = work;
    if (what.kind !== 'foundation') throw new RangeError(`a blueprint of kind ${what.kind} is none of these`);
    const { fineTune, backbone } = what;
    const lookback = work.lookback ?? fineTune.lookback;
    const plain = await openHosted(backbone, modelsFolder);
    const { forecast } = plain;
    const asked = { table, backbone, forecast, horizon, lookback, seed, intensity: fineTune.intensity };
    const { kept, why, message, adapter, folds } = await finetune(asked, {
      progress: (share, line) => tell({ stage: 'running', progress: share * TRAINED, message: line }),
    });
    tell({ stage: 'evaluating', progress: TRAINED, message });
    const period = periodOfTable(table);
    const wanted = { horizon, lookback, period };
    const made = await foldForecasts(table, wanted, async (_, fold) => {
      if (!folds) return forecast;
      const session = await openSession({ bytes: folds[fold]!.adapter, folder: modelsFolder });
      return oneByOne(async (series, steps) => {
        const { quantiles } = await session.run(series, steps);
        return { horizon: steps, levels: levelsOf(backbone), values: quantiles };
      });
    });
    await plain.close();
    const naive = await naiveForecasts(table, horizon, period);
    const { comparison, warnings } = await comparedWith(table, work, wanted, made, modelsFolder);
    return {
      report: reportOf({
        ...{ table, metric, horizon, period, made, naive, importance: [] },
        warnings: [...NOT_KEPT[why], ...warnings],
      }),
      made: kept ? { model: null, graph: adapter, download: null } : null,
      comparison,
    };
  };

const NOT_KEPT = { gain: [], no_gain: ['no_gain'], too_short: ['no_gain', 'short_history'] } as const;
