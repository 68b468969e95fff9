import { dot, subtract } from '../statistics/columns.js';
import { triangularise } from '../statistics/householder.js';
import { copyLag } from './further-rows.js';
import { directions, type OwnPast } from './own-past.js';

/**
 * The lags of a cause, as they stand to the own past of an effect: all that the common rows say about a pair.
 */
export type Reduction = {
  /** x[t-1], ..., x[t-maxLag] along the basis of the effect: columns of maxLag + 2 numbers. */
  readonly along: Float64Array;
  /** What is left of them, brought to a triangle: columns of maxLag numbers. */
  readonly beneath: Float64Array;
};

export const emptyReduction = (maxLag: number): Reduction => ({
  along: new Float64Array((maxLag + 2) * maxLag),
  beneath: new Float64Array(maxLag * maxLag),
});

/**
 * Of a direction no less than this may be left beside the other's past; else the quick way would lose too
 * many digits.
 */
const LEAST_LEFT = 1e-4;

/**
 * From m, the products of the basis of the effect with that of the cause, both without the constant (rows of
 * `directions(maxLag)` numbers). A direction of the cause is m along the effect's, and the rest has the
 * products I - m^T m with the others, of which the Cholesky triangle is taken. That takes a few hundred steps
 * and does not look at the rows. False where too little is left.
 */
export function reduceByProducts(
  effect: OwnPast,
  cause: OwnPast,
  m: Float64Array,
  left: Float64Array,
  into: Reduction,
): boolean {
  const { maxLag } = effect;
  const height = maxLag + 2;
  const width = directions(maxLag);
  if (!cholesky(m, maxLag, width, left)) return false;
  for (let j = 0; j < maxLag; j++) {
    const lag = (j + 1) * height;
    const along = j * height; // in the cause's basis, and in the effect's
    into.along[along] = cause.triangle[lag]!;
    for (let i = 0; i <= maxLag; i++) {
      let sum = 0;
      for (let k = 0; k <= j; k++) sum += m[i * width + k]! * cause.triangle[lag + k + 1]!;
      into.along[along + i + 1] = sum;
    }
    for (let i = 0; i < maxLag; i++) {
      let sum = 0;
      for (let k = i; k <= j; k++) sum += left[k * maxLag + i]! * cause.triangle[lag + k + 1]!;
      into.beneath[j * maxLag + i] = sum;
    }
  }
  return true;
}

/**
 * The upper triangle T with T^T T = I - m^T m, by columns. False where a diagonal number squared is too
 * small.
 */
function cholesky(m: Float64Array, count: number, width: number, into: Float64Array): boolean {
  for (let j = 0; j < count; j++)
    for (let i = 0; i <= j; i++) {
      let sum = i === j ? 1 : 0;
      for (let k = 0; k <= count; k++) sum -= m[k * width + i]! * m[k * width + j]!;
      for (let k = 0; k < i; k++) sum -= into[i * count + k]! * into[j * count + k]!;
      if (i === j && sum < LEAST_LEFT) return false;
      into[j * count + i] = i === j ? Math.sqrt(sum) : sum / into[i * count + i]!;
    }
  return true;
}

/**
 * From the rows themselves: the lags without their parts along the effect's basis, taken out twice, which is
 * enough (Parlett 1980), and brought to a triangle by reflections. Exact also where next to nothing is left.
 */
export function reduceByRows(effect: OwnPast, cause: OwnPast, { along, beneath }: Reduction): void {
  const { maxLag, common, start, basis } = effect;
  const height = maxLag + 2;
  const columns = new Float64Array(maxLag * common);
  const diagonal = new Float64Array(maxLag);
  along.fill(0);
  for (let j = 0; j < maxLag; j++) {
    copyLag(cause.series, start, j + 1, columns, j * common, common);
    for (let k = 0; k < 2 * height; k++) {
      const i = k % height;
      const part = dot(basis, i * common, columns, j * common, common);
      subtract(part, basis, i * common, columns, j * common, common);
      along[j * height + i]! += part;
    }
  }
  triangularise(columns, common, maxLag, maxLag, diagonal);
  beneath.fill(0);
  for (let j = 0; j < maxLag; j++) {
    for (let i = 0; i < j; i++) beneath[j * maxLag + i] = columns[j * common + i]!;
    beneath[j * maxLag + j] = diagonal[j]!;
  }
}
