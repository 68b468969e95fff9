import { bestOf, judged, type Choice, type Verdict } from '../../domain/maths/finetuning/gate.js';
import type { FineTuneWatch, TunedFold } from '../../domain/trainings/fine-tuning.js';
import { scoresOf, windowsAt } from './reported.js';
import { blockLosses, noCurves, search } from './search.js';
import { curvesIn, fingerprintOf, stateOf } from './state.js';
import { learned, packed, type Work } from './work.js';

/** The choice for each fold, made on the others, and that for the adapter, made on all. */
type Found = { readonly byFold: readonly Choice[]; readonly overall: Choice; readonly verdict: Verdict };

/**
 * Each fold is judged with the way, strength and number of steps that did best on the other folds, so that no
 * choice was made on what it is judged by.
 */
export async function searched(work: Work, { keep }: FineTuneWatch): Promise<Found> {
  const { asked, folds, tuner, plain } = work;
  const fingerprint = fingerprintOf(asked);
  const curves = curvesIn(asked.from, fingerprint) ?? noCurves(work.plans);
  await search(work, curves, () => keep?.(stateOf(fingerprint, curves)));
  const every = [...folds.keys()];
  const byFold = every.map(fold =>
    bestOf(
      curves,
      every.filter(other => other !== fold),
    ),
  );
  const after = byFold.flatMap(({ way, strength, look }, fold) => {
    const curve = curves[way]![strength]![fold]!;
    return curve[Math.min(look, curve.length - 1)]!;
  });
  const before: number[] = [];
  for (const fold of folds)
    before.push(...(await blockLosses({ tuner, prepared: plain }, 'score', fold, tuner.backbone.weights)));
  return { byFold, overall: bestOf(curves, every), verdict: judged(before, after) };
}

/** Each fold of the table by what was learned from windows that end before it: of the nearest such part. */
export async function foldsOf(work: Work, byFold: readonly Choice[]): Promise<TunedFold[]> {
  const { asked, tuner, folds, examples } = work;
  const { table, horizon } = asked;
  const made: TunedFold[] = [];
  for (const { train } of table.folds) {
    const fold = folds.findLastIndex(({ from }) => from <= train.to);
    const windows = windowsAt(table.series, train.to);
    const prepared = await tuner.prepare(windows.map(examples.of), horizon);
    const backbone = await tuner.forecasts(prepared, horizon, tuner.backbone.weights);
    const scores = (forecasts: typeof backbone) =>
      scoresOf(table.series, examples.periods, windows, forecasts);
    const { adapter, adapted } = await learned(
      work,
      byFold[fold]!,
      folds[fold]!.train,
      async (own, strength) => ({
        adapter: await packed(work)(own, strength),
        adapted: await tuner.forecasts(prepared, horizon, own.weights(strength)),
      }),
    );
    made.push({
      ...{ adapter, forecasts: windows.length },
      ...{ backbone: scores(backbone), adapted: scores(adapted) },
    });
  }
  return made;
}
