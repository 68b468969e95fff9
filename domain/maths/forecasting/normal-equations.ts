/** The normal equations of a regression of y on the rows of Z, and their solution (Cholesky). */

/** Row by row: the lower triangle of Z'Z. */
export function gramOf(z: readonly Float64Array[]): Float64Array[] {
  const gram = Array.from(z[0]!, (_, j) => new Float64Array(j + 1));
  for (const row of z) {
    for (let j = 0; j < row.length; j++) {
      const column = gram[j]!;
      const factor = row[j]!;
      for (let k = 0; k <= j; k++) column[k]! += factor * row[k]!;
    }
  }
  return gram;
}

/** Z'y. */
export function productWith(z: readonly Float64Array[], y: Float64Array): Float64Array {
  const product = new Float64Array(z[0]!.length);
  z.forEach((row, i) =>
    row.forEach((x, j) => {
      product[j]! += x * y[i]!;
    }),
  );
  return product;
}

/** The lower triangle L with L L' = gram + added I, `added` above 0. */
export function cholesky(gram: readonly Float64Array[], added: number): Float64Array[] {
  const lower: Float64Array[] = [];
  for (const [j, column] of gram.entries()) {
    const row = new Float64Array(j + 1);
    for (let k = 0; k < j; k++) row[k] = (column[k]! - dotFirst(row, lower[k]!, k)) / lower[k]![k]!;
    row[j] = Math.sqrt(column[j]! + added - dotFirst(row, row, j));
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
export function forward(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const v = new Float64Array(right.length);
  for (const [j, row] of lower.entries()) v[j] = (right[j]! - dotFirst(row, v, j)) / row[j]!;
  return v;
}

/** L' w = right. */
export function backward(lower: readonly Float64Array[], right: Float64Array): Float64Array {
  const w = right.slice();
  for (let j = w.length - 1; j >= 0; j--) {
    w[j]! /= lower[j]![j]!;
    for (let k = 0; k < j; k++) w[k]! -= lower[j]![k]! * w[j]!;
  }
  return w;
}
