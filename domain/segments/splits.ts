import type { BuiltTable } from './ports.js';
import type { Recipe } from './recipe.js';
import { stepsOf } from './steps.js';

/** From the beginning of one step to the end of another (not included), epoch ms; so many steps. */
export type Stretch = { readonly from: number; readonly to: number; readonly steps: number };
export type Fold = { readonly train: Stretch; readonly test: Stretch };

/**
 * Rolling origin: the last `folds` times `horizon` steps of a table are tested in turn, the oldest first;
 * each fold trains on all steps before its test but for `gap` of them. The cuts are in time, alike for all
 * entities.
 */
export function foldsOf(recipe: Recipe, { from, steps: count }: BuiltTable['span']): Fold[] {
  const { folds, horizon, gap } = recipe.split;
  const steps = stepsOf(recipe.step_s, recipe.timezone);
  const edges = new Float64Array(count + 1);
  edges[0] = from;
  for (let i = 1; i <= count; i++) edges[i] = steps.next(edges[i - 1]!);
  const stretch = (begin: number, end: number): Stretch => ({
    from: edges[begin]!,
    to: edges[end]!,
    steps: end - begin,
  });
  return Array.from({ length: folds }, (_, k) => {
    const test = count - (folds - k) * horizon;
    return { train: stretch(0, test - gap), test: stretch(test, test + horizon) };
  });
}
