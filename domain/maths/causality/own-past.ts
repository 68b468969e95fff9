import { norm } from '../statistics/columns.js';
import { reflect, triangularise } from '../statistics/householder.js';
import { copyLag, furtherRows, type FurtherRows } from './further-rows.js';

/**
 * A variable and its own past, factorised once for all pairs it is in. The rows in which even the longest lag
 * has values serve every lag; a shorter lag has some rows more, at the beginning, which are added to its
 * triangle (that of a QR factorisation can take further rows at any time: Golub and Van Loan, Matrix
 * Computations, 6.5.3).
 */
export type OwnPast = {
  readonly series: Float64Array;
  readonly maxLag: number;
  /** The time of the first of the common rows, and their number. */
  readonly start: number;
  readonly common: number;
  /**
   * Columns of `common` numbers at right angles, of length 1: what 1, y[t-1], ..., y[t-maxLag], y[t] each add
   * to those before.
   */
  readonly basis: Float64Array;
  /** 1, y[t-1], ..., y[t-maxLag], y[t] in that basis: a triangle, columns of maxLag + 2 numbers. */
  readonly triangle: Float64Array;
  /** further[lag - 1]: the further rows of a lag. */
  readonly further: readonly FurtherRows[];
  /** The norm of the series in all rows. */
  readonly size: number;
};

/** The part of the series that is looked at: `rows` numbers from `from` on. */
export type RowRange = { readonly from: number; readonly rows: number };

/** The basis has an even number of columns beside that of the constant; the last may be all zeros. */
export const directions = (maxLag: number): number => maxLag + 1 + ((maxLag + 1) % 2);

/** `commonOnly`: no lag takes further rows, so that the fits of all lags can be compared. */
export function ownPast(
  series: Float64Array,
  { from, rows }: RowRange,
  maxLag: number,
  commonOnly: boolean,
): OwnPast {
  const common = rows - maxLag;
  const start = from + maxLag;
  const count = maxLag + 2;
  const columns = new Float64Array(count * common).fill(1, 0, common);
  const diagonal = new Float64Array(count);
  for (let j = 1; j < count; j++) copyLag(series, start, j % (maxLag + 1), columns, j * common, common);
  triangularise(columns, common, count, count, diagonal);
  const triangle = new Float64Array(count * count);
  for (let j = 0; j < count; j++) {
    for (let i = 0; i < j; i++) triangle[j * count + i] = columns[j * common + i]!;
    triangle[j * count + j] = diagonal[j]!;
  }
  const past = {
    series,
    maxLag,
    start,
    common,
    triangle,
    basis: basisOf(columns, common, count, directions(maxLag) + 1),
  };
  const further = Array.from({ length: maxLag }, (_, i) =>
    furtherRows(past, i + 1, commonOnly ? 0 : maxLag - i - 1),
  );
  return { ...past, further, size: norm(series, from, rows) };
}

/**
 * The reflections one after the other, applied to the first unit vectors; and columns of zeros up to `width`.
 */
function basisOf(reflectors: Float64Array, rows: number, count: number, width: number): Float64Array {
  const basis = new Float64Array(width * rows);
  for (let j = 0; j < count; j++) basis[j * rows + j] = 1;
  for (let j = count - 1; j >= 0; j--)
    reflect(reflectors, j * rows + j, basis, j * rows + j, rows - j, count - j, rows);
  return basis;
}
