import type { Curve } from '../../domain/maths/finetuning/gate.js';
import type { Weights } from '../../domain/maths/finetuning/learned.js';
import { STRENGTHS, type Plan } from '../../domain/maths/finetuning/plans.js';
import type { TunedFold } from '../../domain/maths/finetuning/windows.js';
import { descend } from './descend.js';
import type { Prepared } from './prepared.js';
import type { Tuner } from './tuner.js';

export type Search = {
  readonly tuner: Tuner;
  readonly prepared: Prepared;
  readonly folds: readonly TunedFold[];
  readonly plans: readonly Plan[];
  readonly seed: number;
  readonly check: () => void;
  /** A share of the search, and a line where a fold is done. */
  readonly told: (share: number, message: string | null) => void;
};

/** By way, strength and fold; of folds that are not done there is nothing. */
export type Curves = Curve[][][];

export const noCurves = (plans: readonly Plan[]): Curves => plans.map(() => STRENGTHS.map(() => []));

/**
 * Trains once for each way and fold, and looks at what is held out on the way. Goes on from `curves`, which
 * it fills; `keep` is called after each fold.
 */
export async function search(of: Search, curves: Curves, keep: () => void): Promise<void> {
  const { plans, folds, told } = of;
  const total = plans.reduce((sum, { steps }) => sum + steps, 0) * folds.length;
  let done = 0;
  for (const [way, plan] of plans.entries())
    for (const [fold, parts] of folds.entries()) {
      const own = curves[way]!;
      if (own[0]!.length <= fold) {
        const found = await curvesOf(of, plan, parts, step => told((done + step) / total, null));
        found.forEach((curve, strength) => own[strength]!.push(curve));
        keep();
      }
      done += plan.steps;
      const looks = own[0]![fold]!.length;
      told(done / total, `way ${way + 1} of ${plans.length}, fold ${fold + 1}: ${looks * plan.every} steps`);
    }
}

/** Of one fold, by strength. */
async function curvesOf(
  of: Search,
  plan: Plan,
  fold: TunedFold,
  at: (step: number) => void,
): Promise<Curve[]> {
  const { tuner, prepared, seed, check } = of;
  const curves: number[][][] = STRENGTHS.map(() => []);
  await descend({
    ...{ tuner, plan, prepared, train: fold.train, seed, check },
    upTo: plan.steps,
    async look({ steps, weights }) {
      at(steps);
      for (const [k, strength] of STRENGTHS.entries())
        curves[k]!.push(
          await blockLosses(of, plan.graph === 'head' ? 'head' : 'score', fold, weights(strength)),
        );
      return looksSinceBest(curves) < plan.patience;
    },
  });
  return curves;
}

/** The summed losses of the blocks of a fold. */
export async function blockLosses(
  { tuner, prepared }: Pick<Search, 'tuner' | 'prepared'>,
  graph: 'head' | 'score',
  { blocks }: TunedFold,
  weights: Weights,
): Promise<number[]> {
  const losses = await tuner.losses(graph, prepared, blocks.flat(), weights);
  const starts = blocks.map((_, k) => sum(blocks.slice(0, k).map(({ length }) => length)));
  return blocks.map(({ length }, k) => sum(losses.slice(starts[k]!, starts[k]! + length)));
}

const sum = (values: readonly number[]): number => values.reduce((total, x) => total + x, 0);

function looksSinceBest(curves: readonly (readonly (readonly number[])[])[]): number {
  const least = curves[0]!.map((_, look) => Math.min(...curves.map(curve => sum(curve[look]!))));
  return least.length - 1 - least.indexOf(Math.min(...least));
}
