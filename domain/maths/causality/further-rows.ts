import { dot, norm } from '../statistics/columns.js';
import { makeReflector } from '../statistics/householder.js';

/** The further rows of a lag, taken into the triangle of 1, y[t-1], ..., y[t-lag]. */
export type FurtherRows = {
  readonly start: number;
  readonly rows: number;
  /**
   * For each column of the triangle a reflector: one number for the triangle's row, then one for each further
   * row.
   */
  readonly reflectors: Float64Array;
  /** What is left of y[t] in them. */
  readonly target: Float64Array;
  /** How little is left of a lag of y beside those before it, at least. */
  readonly least: number;
};

/** What of an own past (`OwnPast`) is there before its further rows are taken in. */
type CommonPast = {
  readonly series: Float64Array;
  readonly maxLag: number;
  readonly start: number;
  readonly triangle: Float64Array;
};

/** Takes so many rows before the common ones into the triangle of one lag. */
export function furtherRows(
  { series, maxLag, start, triangle }: CommonPast,
  lag: number,
  rows: number,
): FurtherRows {
  const width = rows + 1;
  const first = start - rows;
  const height = maxLag + 2;
  const reflectors = new Float64Array((lag + 1) * width);
  const top = new Float64Array(lag + 1);
  const target = new Float64Array(rows);
  const column = new Float64Array(rows);
  let least = Infinity;
  for (let j = 0; j <= lag; j++) {
    for (let i = 0; i <= j; i++) top[i] = triangle[j * height + i]!;
    if (j === 0) column.fill(1);
    else copyLag(series, first, j, column, 0, rows);
    absorb(reflectors, j, top, column);
    const at = j * width;
    reflectors[at] = top[j]!;
    reflectors.set(column, at + 1);
    const left = norm(reflectors, at, width);
    if (left > 0) makeReflector(reflectors, at, width, left);
    if (j > 0) least = Math.min(least, left);
  }
  for (let i = 0; i <= lag; i++) top[i] = triangle[(maxLag + 1) * height + i]!;
  copyLag(series, first, 0, target, 0, rows);
  absorb(reflectors, lag + 1, top, target);
  return { start: first, rows, reflectors, target, least };
}

/**
 * Reflects a column by the first reflectors: its numbers in the triangle's rows, and those in the further
 * rows.
 */
export function absorb(
  reflectors: Float64Array,
  count: number,
  top: Float64Array,
  further: Float64Array,
): void {
  const rows = further.length;
  for (let j = 0; j < count; j++) {
    const at = j * (rows + 1);
    const own = reflectors[at]!;
    const factor = own * top[j]! + dot(reflectors, at + 1, further, 0, rows);
    top[j]! -= factor * own;
    for (let i = 0; i < rows; i++) further[i]! -= factor * reflectors[at + 1 + i]!;
  }
}

/** Copies x[t - lag] for the times t from `start` on. */
export function copyLag(
  series: Float64Array,
  start: number,
  lag: number,
  into: Float64Array,
  at: number,
  rows: number,
): void {
  const first = start - lag;
  for (let i = 0; i < rows; i++) into[at + i] = series[first + i]!;
}
