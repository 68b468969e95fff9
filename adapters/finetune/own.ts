import { createHash } from 'node:crypto';
import { Cancelled } from '../../domain/maths/compute.js';
import { isGain } from '../../domain/maths/finetuning/gate.js';
import { PLANS } from '../../domain/maths/finetuning/plans.js';
import { tunedFolds } from '../../domain/maths/finetuning/windows.js';
import type { FineTuneAsked, FineTuned, FineTuneWatch } from '../../domain/trainings/fine-tuning.js';
import { readBackbone } from './backbone.js';
import { examplesOf } from './examples.js';
import { foldsOf, searched } from './judging.js';
import { Tuner } from './tuner.js';
import { tooShort, wordsOf } from './words.js';
import { learned, packed, stepsOf, type Work } from './work.js';

/** Shares of the progress: the search over folds, the forecasts of the table's folds; then the adapter. */
const SEARCHED = 0.75;
const REPORTED = 0.9;

/** Fine-tunes one of our own models. `isKept`: what is good enough. */
export async function tuneOwn(
  asked: FineTuneAsked,
  watch: FineTuneWatch,
  isKept = isGain,
): Promise<FineTuned> {
  const began = performance.now();
  const { table, backbone, horizon, seed, intensity } = asked;
  const series = table.series.map(({ times, columns }) => ({ times, values: columns[0]! }));
  const cut = tunedFolds(series, horizon, Math.min(...table.folds.map(({ train }) => train.to)));
  if (!cut) return tooShort(asked);
  const examples = examplesOf(asked, cut.folds[0]!.from);
  const tuner = await Tuner.open(readBackbone(backbone.slug, backbone.sha256));
  try {
    const prepared = await tuner.prepare(cut.windows.map(examples.of), horizon);
    const plain = examples.whole ? await tuner.prepare(cut.windows.map(examples.whole), horizon) : prepared;
    await tuner.addStates(prepared);
    const work: Work = {
      ...{ asked, examples, tuner, prepared, plain, seed, folds: cut.folds, plans: PLANS[intensity] },
      check() {
        if (watch.signal?.aborted) throw new Cancelled();
      },
      told: (share, message) => watch.progress?.(share * SEARCHED, message),
    };
    const { byFold, overall, verdict } = await searched(work, watch);
    const kept = isKept(verdict);
    const message = wordsOf(verdict, kept);
    watch.progress?.(SEARCHED, message);
    const folds = await foldsOf(work, byFold);
    watch.progress?.(REPORTED, null);
    const adapter = kept ? await learned(work, overall, prepared.all(), packed(work)) : null;
    return {
      ...{ kept, why: kept ? 'gain' : 'no_gain', message, adapter, folds },
      ...{ ratio: verdict.ratio, certainty: verdict.certainty },
      sha256: adapter && createHash('sha256').update(adapter).digest('hex'),
      steps: stepsOf(work, overall),
      seconds: (performance.now() - began) / 1_000,
    };
  } finally {
    await tuner.close();
  }
}
