import { leastSquares } from '../statistics/regression.js';
import type { Rows } from './rows.js';
import { selectTerms, type Term } from './selection.js';
import { minus } from './vectors.js';

/** Out-of-sample errors of the rows of one block, without and with the key. */
export type Block = { readonly without: Float64Array; readonly with: Float64Array };
const BLOCKS = 5;
/** The first block is forecast from at least so many rows. */
const LEAST_KNOWN = 10;

/**
 * Errors of forecasts `horizon` steps ahead over the later half of the rows, in five blocks. For each block
 * both regressions are fitted to all rows before it whose target was known when the block's first forecast
 * had to be made, and the key's terms are chosen from these rows alone.
 */
export function blocksOf(rows: Rows, horizon: number): Block[] {
  const n = rows.y.length;
  const start = firstForecast(rows);
  const edges = Array.from({ length: BLOCKS + 1 }, (_, b) => start + Math.floor((b * (n - start)) / BLOCKS));
  return edges.slice(0, -1).map((from, b) => blockOf(rows, horizon, from, edges[b + 1]!));
}

/** Whether there are rows enough to learn from and to forecast. */
export const canLearn = (rows: Rows, horizon: number): boolean =>
  knownBefore(rows, firstForecast(rows), horizon) >= LEAST_KNOWN;

const firstForecast = ({ y }: Rows): number => Math.ceil(y.length / 2);

/** How many rows have a target that was known `horizon` steps before the row `from`. */
const knownBefore = ({ steps }: Rows, from: number, horizon: number): number =>
  steps.findLastIndex((step, i) => i < from && step <= steps[from]! - horizon) + 1;

function blockOf(rows: Rows, horizon: number, from: number, to: number): Block {
  const { y, base, lags } = rows;
  const known = knownBefore(rows, from, horizon);
  const without = errors(base, y, known, from, to);
  const terms = lags.length ? selectTerms(base, y, lags, horizon, known) : [];
  if (!terms.length) return { without, with: without };
  return {
    without,
    with: errors([...base, ...terms.map(term => columnOf(term, lags, horizon))], y, known, from, to),
  };
}

function columnOf({ lag, form }: Term, lags: readonly Float64Array[], horizon: number): Float64Array {
  const level = lags[lag - horizon]!;
  const before = lags[lag - horizon + 1]!;
  return form === 'level' ? level : minus(level, before);
}

/** Absolute errors in the rows `from`..`to` of the regression fitted to the first `known` rows. */
function errors(
  columns: readonly Float64Array[],
  y: Float64Array,
  known: number,
  from: number,
  to: number,
): Float64Array {
  const { coefficients } = leastSquares(
    columns.map(column => column.subarray(0, known)),
    y.subarray(0, known),
  );
  return Float64Array.from({ length: to - from }, (_, i) =>
    Math.abs(
      y[from + i]! - columns.reduce((sum, column, j) => sum + column[from + i]! * coefficients[j]!, 0),
    ),
  );
}
