import { dot, norm } from './columns.js';
import { makeReflector, reflect } from './householder.js';

/**
 * What of a column is left beside the others, as a share of it, must be more than this, or it counts as
 * dependent on them.
 */
export const DEPENDENT = 1e-11;

/**
 * Least squares by Householder QR with column pivoting (Businger and Golub 1965): `coefficients` and `rss`,
 * the residual sum of squares, of y on the columns (put a column of ones among them for a constant). All are
 * of equal length, finite, and within 1e-150..1e150 in size. Always the column with the greatest share left
 * beside those chosen is next; where no more than 1e-11 of any is left, the rest depend on those chosen and
 * get the coefficient 0; `rank` is how many are chosen. The input is left as it is.
 */
export function leastSquares(
  columns: readonly Float64Array[],
  y: Float64Array,
): { coefficients: Float64Array; rss: number; rank: number } {
  const rows = y.length;
  const a = stacked(columns, y);
  const end = columns.length * rows;
  const sizes = columns.map((_, j) => norm(a, j * rows, rows));
  const chosen: number[] = [];
  const diagonal: number[] = [];
  for (let rank = 0; rank < Math.min(rows, columns.length); rank++) {
    const next = greatestLeft(a, rows, sizes, chosen);
    if (next === null) break;
    diagonal.push(
      makeReflector(a, next * rows + rank, rows - rank, norm(a, next * rows + rank, rows - rank)),
    );
    chosen.push(next);
    for (let j = 0; j <= columns.length; j++)
      if (!chosen.includes(j)) reflect(a, next * rows + rank, a, j * rows + rank, rows - rank);
  }
  const rank = chosen.length;
  return {
    coefficients: solved(a, rows, columns.length, chosen, diagonal),
    rank,
    rss: dot(a, end + rank, a, end + rank, rows - rank),
  };
}

/** The column not yet chosen of which most is left, if enough. */
function greatestLeft(
  a: Float64Array,
  rows: number,
  sizes: readonly number[],
  chosen: readonly number[],
): number | null {
  let best: number | null = null;
  let most = DEPENDENT;
  for (let j = 0; j < sizes.length; j++) {
    if (chosen.includes(j) || sizes[j] === 0) continue;
    const left = norm(a, j * rows + chosen.length, rows - chosen.length) / sizes[j]!;
    if (left > most) {
      best = j;
      most = left;
    }
  }
  return best;
}

/** Back substitution in the triangle that stands above the reflectors. */
function solved(
  a: Float64Array,
  rows: number,
  count: number,
  chosen: readonly number[],
  diagonal: readonly number[],
): Float64Array {
  const coefficients = new Float64Array(count);
  for (let i = chosen.length - 1; i >= 0; i--) {
    let value = a[count * rows + i]!;
    for (let k = i + 1; k < chosen.length; k++)
      value -= a[chosen[k]! * rows + i]! * coefficients[chosen[k]!]!;
    coefficients[chosen[i]!] = value / diagonal[i]!;
  }
  return coefficients;
}

/** Fits of y on the first j columns, for every j at once. */
export type NestedFits = {
  /** rss[j]: the residual sum of squares on the first j columns; j from 0. */
  readonly rss: Float64Array;
  /** rank[j]: how many of the first j columns are independent. */
  readonly rank: Int32Array;
  /**
   * The share of column j in y beside those before it, effects[j]^2 = rss[j] - rss[j + 1], with the sign of
   * its coefficient: its t in the fit on the first j + 1 columns is effects[j] / sqrt(rss[j + 1] / (rows -
   * rank[j + 1])). 0 for a dependent column.
   */
  readonly effects: Float64Array;
};

/**
 * Least squares on the first, the first two, the first three ... columns by one Householder QR. A column of
 * which no more than 1e-11 is left beside those before it changes nothing. Input as for `leastSquares`.
 */
export function nestedFits(columns: readonly Float64Array[], y: Float64Array): NestedFits {
  const rows = y.length;
  const count = columns.length;
  const a = stacked(columns, y);
  const end = count * rows;
  const effects = new Float64Array(count);
  const rank = new Int32Array(count + 1);
  const rss = new Float64Array(count + 1);
  for (let j = 0, r = 0; j < count; j++) {
    const at = j * rows + r;
    const left = norm(a, at, rows - r);
    const size = norm(columns[j]!, 0, rows);
    if (r < rows && left > DEPENDENT * size) {
      const diagonal = makeReflector(a, at, rows - r, left);
      reflect(a, at, a, at + rows, rows - r, count - j, rows);
      effects[j] = a[end + r]! * Math.sign(diagonal);
      r++;
    }
    rank[j + 1] = r;
  }
  const rest = rank[count]!;
  rss[count] = dot(a, end + rest, a, end + rest, rows - rest);
  for (let j = count - 1; j >= 0; j--) rss[j] = rss[j + 1]! + effects[j]! ** 2;
  return { rss, rank, effects };
}

/** The columns one behind the other, y last. */
function stacked(columns: readonly Float64Array[], y: Float64Array): Float64Array {
  const rows = y.length;
  const a = new Float64Array((columns.length + 1) * rows);
  columns.forEach((column, j) => a.set(column, j * rows));
  a.set(y, columns.length * rows);
  return a;
}
