import type { BuiltTable } from './ports.js';
import type { Recipe } from './recipe.js';
import { stepsIn } from './steps.js';

/** From the beginning of one step to the end of another (not included), epoch ms; so many steps. */
export type Stretch = { readonly from: number; readonly to: number; readonly steps: number };
export type Fold = { readonly train: Stretch; readonly test: Stretch };

/**
 * Rolling origin: the last `folds` times `horizon` steps of a table are tested in turn, the oldest first;
 * each fold trains on all steps before its test but for `gap` of them. The cuts are in time, alike for all
 * entities.
 */
export function foldsOf(recipe: Recipe, { from, to, steps: count }: BuiltTable['span']): Fold[] {
  const { folds, horizon, gap } = recipe.split;
  const steps = stepsIn(recipe);
  // Beginnings of steps, counted from the end
  const edges = [to];
  for (let i = 1; i <= folds * horizon + gap; i++) edges.push(steps.startOf(edges[i - 1]! - 1));
  return Array.from({ length: folds }, (_, k) => {
    const test = (folds - k) * horizon;
    return {
      train: { from, to: edges[test + gap]!, steps: count - test - gap },
      test: { from: edges[test]!, to: edges[test - horizon]!, steps: horizon },
    };
  });
}
