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

/**
 * Ridge regression (Hoerl and Kennard 1970) of outputs on features that are brought to mean 0 and deviation
 * 1; the constant is not penalised. Of six penalties it takes the one with the least squared error of rows
 * left out one at a time, which has a closed form (Allen 1974). `rows` are two or more, all finite and of
 * equal length; `outputs[output][row]`. Time: rows x features^2 for each penalty.
 */
export function ridge(rows: readonly Float64Array[], outputs: readonly Float64Array[]): RidgeFit {
  const { means, scales, z } = standardised(rows);
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

type Fit = { lambda: number; solutions: Float64Array[]; residuals: Float64Array[]; error: number };

function fitted(
  gram: readonly Float64Array[],
  z: readonly Float64Array[],
  right: readonly Float64Array[],
  centred: readonly Float64Array[],
  lambda: number,
): Fit {
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
export function standardised(rows: readonly Float64Array[]): {
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
    scales[j] = Math.sqrt(variance) > ROUNDING * Math.abs(means[j]!) ? Math.sqrt(variance) : 1;
  });
  return { means, scales, z: rows.map(row => row.map((x, j) => (x - means[j]!) / scales[j]!)) };
}

/** Deviations of this share of the mean are rounding. */
const ROUNDING = 1e-12;

/** Row by row: the lower triangle of Z'Z. */
function gramOf(z: readonly Float64Array[]): Float64Array[] {
  const gram = Array.from(z[0]!, (_, j) => new Float64Array(j + 1));
  for (const row of z) {
    for (let j = 0; j < row.length; j++) {
      const of = gram[j]!;
      const factor = row[j]!;
      for (let k = 0; k <= j; k++) of[k]! += factor * row[k]!;
    }
  }
  return gram;
}

function productWith(z: readonly Float64Array[], y: Float64Array): Float64Array {
  const product = new Float64Array(z[0]!.length);
  z.forEach((row, i) =>
    row.forEach((x, j) => {
      product[j]! += x * y[i]!;
    }),
  );
  return product;
}

/** The lower triangle L with L L' = gram + added I, `added` above 0. */
function cholesky(gram: readonly Float64Array[], added: number): Float64Array[] {
  const lower: Float64Array[] = [];
  for (const [j, of] of gram.entries()) {
    const row = new Float64Array(j + 1);
    for (let k = 0; k < j; k++) row[k] = (of[k]! - dotFirst(row, lower[k]!, k)) / lower[k]![k]!;
    row[j] = Math.sqrt(of[j]! + added - dotFirst(row, row, j));
    lower.push(row);
  }
  return lower;
}

function dotFirst(a: Float64Array, b: Float64Array, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[i]! * b[i]!;
  return sum;
}

/** L v = right. */
function forward(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const v = new Float64Array(right.length);
  for (const [j, row] of lower.entries()) v[j] = (right[j]! - dotFirst(row, v, j)) / row[j]!;
  return v;
}

/** L' w = right. */
function backward(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const w = right.slice();
  for (let j = w.length - 1; j >= 0; j--) {
    w[j]! /= lower[j]![j]!;
    for (let k = 0; k < j; k++) w[k]! -= lower[j]![k]! * w[j]!;
  }
  return w;
}
