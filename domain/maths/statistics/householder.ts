import { dot, norm, subtract } from './columns.js';

/**
 * Reflections, H = I - v v^T with |v|^2 = 2 (Householder 1958), in matrices whose columns lie one behind the
 * other in one array. Orthogonal steps leave sums of squares as they are, so that what they compute of a
 * regression is as exact as the data allow, where normal equations lose half of the digits (Golub and Van
 * Loan, Matrix Computations, 5.2).
 */

/**
 * Turns `length` numbers into the v of the reflection that brings all of them into the first, and returns
 * what the first then is. `size` is their norm, above 0.
 */
export function makeReflector(x: Float64Array, at: number, length: number, size: number): number {
  const first = x[at]!;
  const signed = first < 0 ? -size : size;
  const unit = 1 / Math.sqrt(size * (size + Math.abs(first)));
  x[at] = first + signed;
  for (let i = at, end = at + length; i < end; i++) x[i]! *= unit;
  return -signed;
}

/**
 * Reflects `count` columns of x, `stride` apart, by v: `length` numbers of each, the first of the first at
 * xAt.
 */
export function reflect(
  v: Float64Array,
  vAt: number,
  x: Float64Array,
  xAt: number,
  length: number,
  count = 1,
  stride = 0,
): void {
  let j = 0;
  for (; j + 3 < count; j += 4) reflectFour(v, vAt, x, xAt + j * stride, stride, length);
  for (; j < count; j++)
    subtract(dot(v, vAt, x, xAt + j * stride, length), v, vAt, x, xAt + j * stride, length);
}

/** Four at a time: each number of v is fetched once for all. Twice as quick as one by one. */
function reflectFour(
  v: Float64Array,
  vAt: number,
  x: Float64Array,
  first: number,
  stride: number,
  length: number,
): void {
  const second = first + stride;
  const third = second + stride;
  const fourth = third + stride;
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  for (let i = 0; i < length; i++) {
    const value = v[vAt + i]!;
    a += value * x[first + i]!;
    b += value * x[second + i]!;
    c += value * x[third + i]!;
    d += value * x[fourth + i]!;
  }
  for (let i = 0; i < length; i++) {
    const value = v[vAt + i]!;
    x[first + i]! -= a * value;
    x[second + i]! -= b * value;
    x[third + i]! -= c * value;
    x[fourth + i]! -= d * value;
  }
}

/**
 * Brings the first `count` of `all` columns of `rows` numbers to a triangle. The reflectors stay in its place
 * and below, its diagonal goes to `diagonal`; that of a column that is all zeros is 0, and its reflector too.
 */
export function triangularise(
  columns: Float64Array,
  rows: number,
  count: number,
  all: number,
  diagonal: Float64Array,
): void {
  for (let j = 0; j < count; j++) {
    const at = j * (rows + 1);
    const left = norm(columns, at, rows - j);
    diagonal[j] = left === 0 ? 0 : makeReflector(columns, at, rows - j, left);
    if (left > 0) reflect(columns, at, columns, at + rows, rows - j, all - j - 1, rows);
  }
}
