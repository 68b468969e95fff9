import { createHash } from 'node:crypto';
import { Cancelled } from '../../domain/maths/compute.js';
import { bestOf, isGain, judged, type Curve } from '../../domain/maths/finetuning/gate.js';
import { STRENGTHS } from '../../domain/maths/finetuning/plans.js';
import {
  corrected,
  correctionOf,
  lossOf,
  partOf,
  unitOf,
  type Correction,
  type MadeAndCame,
} from '../../domain/maths/finetuning/residuals.js';
import { tunedFolds, type TunedWindow } from '../../domain/maths/finetuning/windows.js';
import type {
  FineTuneAsked,
  FineTuned,
  FineTuneWatch,
  TunedFold,
} from '../../domain/trainings/fine-tuning.js';
import type { ForecastMany } from '../../domain/maths/forecasting/forecaster.js';
import { examplesOf } from './examples.js';
import { scoresOf, windowsAt } from './reported.js';
import { packResiduals } from './residual-file.js';
import { tooShort, wordsOf } from './words.js';

/** So many series are forecast before it is looked whether anybody still waits. */
const AT_ONCE = 16;
/** The forecasts by the backbone take nearly all the time. */
const FORECAST = 0.9;

/**
 * Fits a model that cannot be trained, in closed form: how its forecasts erred tells how those to come are
 * moved and stretched. Depth and lookback make no difference.
 */
export async function tuneOther(
  asked: FineTuneAsked,
  forecast: ForecastMany,
  watch: FineTuneWatch,
): Promise<FineTuned> {
  const began = performance.now();
  const { table, horizon } = asked;
  const lookback = asked.backbone.maxContext;
  const series = table.series.map(({ times, columns }) => ({ times, values: columns[0]! }));
  const cut = tunedFolds(series, horizon, Math.min(...table.folds.map(({ train }) => train.to)));
  if (!cut) return tooShort(asked);
  const examples = examplesOf({ ...asked, lookback }, cut.folds[0]!.from);
  const made = async (windows: readonly TunedWindow[], told: (done: number) => void) => {
    const all: MadeAndCame[] = [];
    for (let first = 0; first < windows.length; first += AT_ONCE) {
      if (watch.signal?.aborted) throw new Cancelled();
      const part = windows.slice(first, first + AT_ONCE);
      const answers = await forecast(
        part.map(examples.of).map(({ context, period }) => ({ values: context, period })),
        horizon,
      );
      part.forEach((window, i) => all.push({ ...examples.of(window), forecast: answers[i]! }));
      told(all.length / windows.length);
    }
    return all;
  };
  const past = await made(cut.windows, share => watch.progress?.(share * FORECAST, null));
  const corrections = cut.folds.map(({ train }) => correctionOf(train.map(w => past[w]!)));
  const lossesOf = (fold: number, correction: Correction | null): number[] =>
    cut.folds[fold]!.blocks.map(block =>
      block.reduce((sum, w) => {
        const each = past[w]!;
        const said = correction ? corrected(each, correction) : each.forecast;
        return sum + lossOf(said, each.target, unitOf(each));
      }, 0),
    );
  const curves: Curve[][][] = [
    STRENGTHS.map(strength => corrections.map((c, fold) => [lossesOf(fold, partOf(c, strength))])),
  ];
  const every = [...cut.folds.keys()];
  const choices = every.map(fold =>
    bestOf(
      curves,
      every.filter(other => other !== fold),
    ),
  );
  const verdict = judged(
    every.flatMap(fold => lossesOf(fold, null)),
    choices.flatMap(({ strength }, fold) => curves[0]![strength]![fold]![0]!),
  );
  const kept = isGain(verdict);
  const message = wordsOf(verdict, kept);
  watch.progress?.(FORECAST, message);
  const pack = (correction: Correction): Uint8Array => {
    const { family, slug, sha256, maxContext, maxHorizon, quantiles, graph } = asked.backbone;
    const caps = { context: maxContext, horizon: maxHorizon };
    const backbone = { family, slug, sha256, caps, quantiles, graph };
    return packResiduals({ schema: 1, backbone, correction });
  };
  const folds: TunedFold[] = [];
  for (const { train } of table.folds) {
    const fold = cut.folds.findLastIndex(({ from }) => from <= train.to);
    const correction = partOf(corrections[fold]!, STRENGTHS[choices[fold]!.strength]!);
    const windows = windowsAt(table.series, train.to);
    const own = await made(windows, () => undefined);
    const scores = (of: (each: MadeAndCame) => MadeAndCame['forecast']) =>
      scoresOf(table.series, examples.periods, windows, own.map(of));
    folds.push({
      ...{ adapter: pack(correction), forecasts: windows.length },
      backbone: scores(({ forecast: plain }) => plain),
      adapted: scores(each => corrected(each, correction)),
    });
  }
  const overall = STRENGTHS[bestOf(curves, every).strength]!;
  const adapter = kept ? pack(partOf(correctionOf(past), overall)) : null;
  return {
    ...{ kept, why: kept ? 'gain' : 'no_gain', message, adapter, folds },
    ...{ ratio: verdict.ratio, certainty: verdict.certainty, steps: 0 },
    sha256: adapter && createHash('sha256').update(adapter).digest('hex'),
    seconds: (performance.now() - began) / 1_000,
  };
}
