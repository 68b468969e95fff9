import { dot, products, triangularise } from '../statistics/householder.js';
import type { Standard } from '../statistics/series.js';
import { absorb, copyLag, directions, ownPast, type OwnPast, type RowRange } from './own-past.js';
import { emptyReduction, reduceByProducts, reduceByRows, type Reduction } from './reduction.js';

/**
 * Granger's (1969) question for every pair of variables: how much of what an effect's own past leaves open do
 * the last values of a cause explain? Two nested regressions with a constant for each lag, on all rows which
 * that lag has.
 */
export type PairTable = {
  readonly variables: number;
  readonly rows: number;
  readonly maxLag: number;
  /** tested[pair]: so many lags, from 1 on, could be tested; pair = cause * variables + effect. */
  readonly tested: Uint8Array;
  /**
   * share[pair * maxLag + lag - 1] = 1 - RSS(unrestricted) / RSS(restricted), the partial R^2; rest = 1 -
   * share, above 0.
   */
  readonly share: Float64Array;
  readonly rest: Float64Array;
  /** RSS(unrestricted), of the series as they were handed in. */
  readonly rss: Float64Array;
};

/** The longest lag for which these rows leave a residual degree of freedom. */
export const longestLag = (rows: number): number => Math.max(0, Math.floor((rows - 2) / 3));

/**
 * Residual degrees of freedom of the unrestricted regression: rows - lag observations, 2 lag + 1
 * coefficients.
 */
export const residualDegrees = (rows: number, lag: number): number => rows - 3 * lag - 1;

/**
 * Tests all pairs in a span of rows. null stands for a constant variable, of which nothing is tested. The
 * lags of a pair end where a regressor depends on the others, or where the effect follows from its own past
 * without error. `maxLag` is at most `longestLag(span.rows)`. `commonOnly`: all lags on the rows of the
 * longest, so that their fits can be compared. Takes room for (maxLag + 2) numbers per row and variable.
 */
export function pairTable(
  variables: readonly (Standard | null)[],
  span: RowRange,
  maxLag: number,
  commonOnly = false,
): PairTable {
  const count = variables.length;
  const table = emptyTable(count, span.rows, maxLag);
  if (maxLag === 0) return table;
  const pasts = variables.map(v => v && ownPast(v.values, span, maxLag, commonOnly));
  const work = workspace(maxLag);
  for (let a = 0; a < count; a++)
    for (let b = 0; b < a; b++) {
      const one = pasts[a];
      const other = pasts[b];
      if (!one || !other) continue;
      const noise = Math.max(variables[a]!.noise, variables[b]!.noise);
      const width = directions(maxLag);
      products(one.basis, one.common, other.basis, other.common, one.common, width, work.products);
      testPair(one, other, noise, table, b * count + a, work);
      transpose(work.products, width);
      testPair(other, one, noise, table, a * count + b, work);
    }
  return table;
}

function emptyTable(variables: number, rows: number, maxLag: number): PairTable {
  const pairs = variables * variables;
  const numbers = () => new Float64Array(pairs * maxLag);
  return {
    variables,
    rows,
    maxLag,
    tested: new Uint8Array(pairs),
    share: numbers(),
    rest: numbers(),
    rss: numbers(),
  };
}

/** Room to work in, made once. */
type Workspace = {
  /** Of the two bases: a row for each direction of the effect's. */
  readonly products: Float64Array;
  readonly left: Float64Array;
  readonly reduction: Reduction;
  /** Columns of at most 2 maxLag numbers: x[t-1], ..., x[t-lag], and y[t], for one lag. */
  readonly small: Float64Array;
  readonly diagonal: Float64Array;
  readonly top: Float64Array;
  /** further[rows]: room for so many numbers. */
  readonly further: readonly Float64Array[];
};

const workspace = (maxLag: number): Workspace => ({
  products: new Float64Array(directions(maxLag) ** 2),
  left: new Float64Array(maxLag * maxLag),
  reduction: emptyReduction(maxLag),
  small: new Float64Array((maxLag + 1) * 2 * maxLag),
  diagonal: new Float64Array(maxLag),
  top: new Float64Array(maxLag + 1),
  further: Array.from({ length: maxLag }, (_, rows) => new Float64Array(rows)),
});

function transpose(matrix: Float64Array, width: number): void {
  for (let i = 0; i < width; i++)
    for (let j = 0; j < i; j++) {
      const value = matrix[i * width + j]!;
      matrix[i * width + j] = matrix[j * width + i]!;
      matrix[j * width + i] = value;
    }
}

/** All lags of one pair; `noise`: what is left of a series up to this share of it is rounding. */
function testPair(
  effect: OwnPast,
  cause: OwnPast,
  noise: number,
  table: PairTable,
  pair: number,
  work: Workspace,
): void {
  const { maxLag } = effect;
  const { small, diagonal } = work;
  const floor = (noise * effect.size) ** 2;
  if (!reduceByProducts(effect, cause, work.products, work.left, work.reduction))
    reduceByRows(effect, cause, work.reduction);
  for (let lag = 1; lag <= maxLag; lag++) {
    if (effect.further[lag - 1]!.least <= noise * effect.size) return;
    const rows = fillSmall(effect, cause.series, lag, work);
    const y = lag * rows;
    triangularise(small, rows, lag, lag + 1, diagonal);
    for (let j = 0; j < lag; j++) if (Math.abs(diagonal[j]!) <= noise * cause.size) return;
    const explained = dot(small, y, small, y, lag);
    const open = dot(small, y + lag, small, y + lag, rows - lag);
    if (explained + open <= floor) return;
    const at = pair * maxLag + lag - 1;
    const rss = Math.max(open, floor);
    table.share[at] = explained / (explained + rss);
    table.rest[at] = rss / (explained + rss);
    table.rss[at] = rss;
    table.tested[pair] = lag;
  }
}

/**
 * Fills `small` with what the own past of one lag leaves of x and y: along the longer own past, which this
 * lag does not have, and along y itself; in its further rows; and beneath all that. Returns how many rows
 * that are.
 */
function fillSmall(
  effect: OwnPast,
  cause: Float64Array,
  lag: number,
  { small, top, reduction, further }: Workspace,
): number {
  const { maxLag } = effect;
  const height = maxLag + 2;
  const more = effect.further[lag - 1]!;
  const room = further[more.rows]!;
  const longer = height - lag - 1;
  const rows = longer + more.rows + lag;
  const { along, beneath } = reduction;
  const y = (maxLag + 1) * height;
  for (let j = 0; j < lag; j++) {
    const at = j * rows;
    for (let i = 0; i <= lag; i++) top[i] = along[j * height + i]!;
    copyLag(cause, more.start, j + 1, room, 0, more.rows);
    absorb(more.reflectors, lag + 1, top, room);
    for (let i = 0; i < longer; i++) small[at + i] = along[j * height + lag + 1 + i]!;
    small.set(room, at + longer);
    for (let i = 0; i < lag; i++) small[at + longer + more.rows + i] = beneath[j * maxLag + i]!;
  }
  for (let i = 0; i < longer; i++) small[lag * rows + i] = effect.triangle[y + lag + 1 + i]!;
  small.set(more.target, lag * rows + longer);
  small.fill(0, lag * rows + longer + more.rows, (lag + 1) * rows);
  return rows;
}
