import { dot, ridge } from '../../maths/forecasting/ridge.js';
import { LEVELS } from '../../maths/forecasting/quantiles.js';
import { conformalQuantile } from '../../maths/statistics/conformal.js';
import { heldOut, partOf, type Examples } from './examples.js';

/** A linear function of a row for each step, and how far what came lies from it at most, by level. */
export type LinearSteps = {
  readonly steps: readonly {
    readonly intercept: number;
    readonly weights: readonly number[];
    readonly offsets: readonly number[];
  }[];
};

/** With fewer rows of a step nothing is held out. */
const LEAST_HELD = 20;
/** With fewer rows of a step nothing is fitted: it is the reference. */
const LEAST_ROWS = 4;

/**
 * Ridge regression for each step by itself; the penalty is chosen by rows left out. The bands are split
 * conformal (Lei et al. 2018, "Distribution-Free Predictive Inference for Regression"), alike on both sides:
 * how far a fit to the older origins missed the newest fifth; of few rows, how far rows left out are missed.
 */
export function fitLinearSteps(examples: Examples, horizon: number): LinearSteps {
  const rowsOfStep = Array.from({ length: horizon }, (): number[] => []);
  examples.steps.forEach((step, i) => rowsOfStep[step - 1]!.push(i));
  const steps: LinearSteps['steps'][number][] = [];
  for (const places of rowsOfStep) steps.push(fitStep(examples, Int32Array.from(places), steps.at(-1)));
  return { steps };
}

type Fitted = LinearSteps['steps'][number];

/** `before`: of the step before, for one that nothing is known of. */
function fitStep(examples: Examples, places: Int32Array, before: Fitted | undefined): Fitted {
  const width = examples.features.length;
  if (places.length < LEAST_ROWS)
    return before ?? { intercept: 0, weights: Array(width).fill(0), offsets: LEVELS.map(() => 0) };
  const own = partOf(examples, places);
  const split = heldOut(own, LEAST_HELD);
  const fit = ridge(own.rows, [own.targets]);
  const missed = split ? missesOf(own, split) : own.targets.map((y, i) => y - fit.leftOut[0]![i]!);
  return {
    intercept: fit.intercepts[0]!,
    weights: [...fit.weights[0]!],
    offsets: offsetsOf(missed.map(Math.abs).sort()),
  };
}

function missesOf(own: Examples, { learnt, held }: NonNullable<ReturnType<typeof heldOut>>): Float64Array {
  const { rows, targets } = partOf(own, learnt);
  const fit = ridge(rows, [targets]);
  return Float64Array.from(
    held,
    i => own.targets[i]! - fit.intercepts[0]! - dot(fit.weights[0]!, own.rows[i]!),
  );
}

/** Of ascending sizes of misses: the one that a central band up to each level must have, down or up. */
const offsetsOf = (ascending: Float64Array): number[] =>
  LEVELS.map(level => Math.sign(level - 0.5) * conformalQuantile(ascending, Math.abs(2 * level - 1)));

/** The quantiles of a step (from 1) in sizes, relative to the reference; of a further one the last. */
export function quantilesAt({ steps }: LinearSteps, step: number, row: Float64Array): number[] {
  const { intercept, weights, offsets } = steps[Math.min(step, steps.length) - 1]!;
  const middle = intercept + dot(weights, row);
  return offsets.map(offset => middle + offset);
}

/** How much each feature moves forecasts: its weight in deviations of the feature, averaged over steps. */
export function importanceOfLinear({ steps }: LinearSteps, { features, rows }: Examples): number[] {
  return features.map((_, j) => {
    const mean = rows.reduce((sum, row) => sum + row[j]!, 0) / rows.length;
    const spread = Math.sqrt(rows.reduce((sum, row) => sum + (row[j]! - mean) ** 2, 0) / rows.length);
    return (spread * steps.reduce((sum, { weights }) => sum + Math.abs(weights[j]!), 0)) / steps.length;
  });
}
