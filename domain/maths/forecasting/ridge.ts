import { backward, cholesky, forward, gramOf, productWith } from './normal-equations.js';

/**
 * Linear functions of standardised features, one for each output: `weights[output][feature]` are in the
 * features' own units.
 */
export type Linear = { readonly intercepts: readonly number[]; readonly weights: readonly Float64Array[] };

/** `leftOut[output][row]`: what a fit without that row gives for it. */
export type RidgeFit = Linear & { readonly lambda: number; readonly leftOut: readonly Float64Array[] };

/**
 * Penalties that are tried, as shares of the number of rows: from nearly least squares to nearly the mean.
 */
const LAMBDAS = [1e-4, 1e-3, 1e-2, 0.1, 1, 10];
/** Deviations of this share of the mean are rounding. */
const CONSTANT_FEATURE = 1e-12;

/**
 * Ridge regression (Hoerl and Kennard 1970) of outputs on features that are brought to mean 0 and deviation
 * 1; the constant is not penalised. Of six penalties it takes the one with the least squared error of rows
 * left out one at a time, which has a closed form (Allen 1974). `rows` are two or more, all finite and of
 * equal length; `outputs[output][row]`. Time: rows x features^2 for each penalty.
 */
export function ridge(rows: readonly Float64Array[], outputs: readonly Float64Array[]): RidgeFit {
  const { means, scales, z } = standardisedFeatures(rows);
  const centres = outputs.map(meanOf);
  const centred = outputs.map((y, k) => y.map(value => value - centres[k]!));
  const gram = gramOf(z);
  const right = centred.map(y => productWith(z, y));
  const fits = LAMBDAS.map(lambda => fitted(gram, z, right, centred, lambda));
  const best = fits.reduce((a, b) => (b.error < a.error ? b : a));
  const weights = best.solutions.map(solution => solution.map((w, j) => w / scales[j]!));
  return {
    lambda: best.lambda,
    weights,
    intercepts: weights.map((w, k) => centres[k]! - dot(w, means)),
    leftOut: best.residuals.map((residual, k) => residual.map((r, i) => outputs[k]![i]! - r)),
  };
}

/** The outputs of one row. */
export const linearAt = ({ intercepts, weights }: Linear, row: ArrayLike<number>): number[] =>
  weights.map((w, k) => intercepts[k]! + dot(w, row));

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

type PenalisedFit = { lambda: number; solutions: Float64Array[]; residuals: Float64Array[]; error: number };

function fitted(
  gram: readonly Float64Array[],
  z: readonly Float64Array[],
  right: readonly Float64Array[],
  centred: readonly Float64Array[],
  lambda: number,
): PenalisedFit {
  const n = z.length;
  const lower = cholesky(gram, lambda * n);
  const solutions = right.map(r => backward(lower, forward(lower, r)));
  // A row's own pull on its fit; the constant adds 1 / n
  const left = z.map(row => {
    const v = forward(lower, row);
    return Math.max(1e-9, 1 - 1 / n - dot(v, v));
  });
  const residuals = centred.map((y, k) =>
    y.map((value, i) => (value - dot(solutions[k]!, z[i]!)) / left[i]!),
  );
  return { lambda, solutions, residuals, error: residuals.reduce((sum, r) => sum + dot(r, r), 0) };
}

const meanOf = (values: Float64Array): number => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Columns of mean 0 and deviation 1; one that never changes stays 0. */
export function standardisedFeatures(rows: readonly Float64Array[]): {
  means: Float64Array;
  scales: Float64Array;
  z: Float64Array[];
} {
  const columns = rows[0]!.length;
  const means = new Float64Array(columns);
  const scales = new Float64Array(columns);
  for (const row of rows)
    row.forEach((x, j) => {
      means[j]! += x / rows.length;
    });
  for (const row of rows)
    row.forEach((x, j) => {
      scales[j]! += (x - means[j]!) ** 2 / rows.length;
    });
  scales.forEach((variance, j) => {
    scales[j] = Math.sqrt(variance) > CONSTANT_FEATURE * Math.abs(means[j]!) ? Math.sqrt(variance) : 1;
  });
  return { means, scales, z: rows.map(row => row.map((x, j) => (x - means[j]!) / scales[j]!)) };
}
