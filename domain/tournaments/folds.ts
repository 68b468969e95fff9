import type { InferenceSeries } from '../inference/forecasting.js';
import { timeOfStep } from '../inference/steps.js';

export const FOLDS = { least: 3, most: 20, usual: 5 } as const;
/** A third of the values, and never fewer than these, are before the first forecast. */
const LEAST_KNOWN = 16;

/** A past moment to forecast from: what was known, and what came. */
export type Fold = {
  readonly known: InferenceSeries;
  /** NaN where nothing came. */
  readonly actual: Float64Array;
  /** The last step that is known, epoch ms. */
  readonly cutoff: number;
};

/**
 * Folds by rolling origin (Tashman 2000), oldest first, one after the other up to the newest value: `folds`
 * to be judged on, and one before them whose losses weigh the members of blends. Each is as long as the
 * horizon where the series is long enough, else as it allows. Null where not even a step is left for each.
 */
export function foldsOf(
  series: InferenceSeries,
  { folds, horizon }: { readonly folds: number; readonly horizon: number },
): readonly Fold[] | null {
  const { values } = series;
  const count = folds + 1;
  const left = values.length - Math.max(LEAST_KNOWN, Math.floor(values.length / 3));
  const steps = Math.min(horizon, Math.floor(left / count));
  if (steps < 1) return null;
  return Array.from({ length: count }, (_, i) => {
    const origin = values.length - (count - i) * steps;
    return {
      known: { ...series, values: values.subarray(0, origin) },
      actual: values.slice(origin, origin + steps),
      cutoff: timeOfStep(series, origin - 1),
    };
  });
}
