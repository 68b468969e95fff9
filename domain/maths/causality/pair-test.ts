import { dot } from '../statistics/columns.js';
import { triangularise } from '../statistics/householder.js';
import { absorb, copyLag } from './further-rows.js';
import { directions, type OwnPast } from './own-past.js';
import type { PairTable } from './pair-table.js';
import { emptyReduction, reduceByProducts, reduceByRows, type Reduction } from './reduction.js';

/** Room to work in, made once. */
export type PairWorkspace = {
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

export const pairWorkspace = (maxLag: number): PairWorkspace => ({
  products: new Float64Array(directions(maxLag) ** 2),
  left: new Float64Array(maxLag * maxLag),
  reduction: emptyReduction(maxLag),
  small: new Float64Array((maxLag + 1) * 2 * maxLag),
  diagonal: new Float64Array(maxLag),
  top: new Float64Array(maxLag + 1),
  further: Array.from({ length: maxLag }, (_, rows) => new Float64Array(rows)),
});

/** All lags of one pair; `noise`: what is left of a series up to this share of it is rounding. */
export function testPair(
  effect: OwnPast,
  cause: OwnPast,
  noise: number,
  table: PairTable,
  pair: number,
  work: PairWorkspace,
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
  { small, top, reduction, further }: PairWorkspace,
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
