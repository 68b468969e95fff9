import { leastSquares } from '../statistics/regression.js';
import { selectTerms, type Term } from './selection.js';
import { minus } from './vectors.js';

/** Out-of-sample errors of the rows of one block, without and with the key. */
export type Block = { readonly without: Float64Array; readonly with: Float64Array };
/**
 * Rows in order of time: which step each is, the target, the baseline's regressors, and the key's lags from
 * the horizon on.
 */
export type Rows = {
  readonly steps: readonly number[];
  readonly y: Float64Array;
  readonly base: readonly Float64Array[];
  readonly lags: readonly Float64Array[];
};

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

export type Lift = {
  /** The share by which the mean absolute error falls with the key; below 0 where it rises. */
  readonly lift: number;
  /** The lift, less what chance alone may have done: 0..1. */
  readonly shrunk: number;
  /** Whether the error falls in most blocks. */
  readonly stable: boolean;
};

/** A lift of this many squared standard errors, or less, counts as none. */
const DOUBT = 2;

/**
 * The lift over all blocks, and shrunk towards 0 by the factor 1 - 2 / z^2 (0 below z = 1.4), where z is the
 * mean fall of the error by its standard error (of Newey and West 1987, since neighbouring errors are alike).
 */
export function liftOf(blocks: readonly Block[], horizon: number): Lift {
  const falls = blocks.map(block => block.without.map((error, i) => error - block.with[i]!));
  const all = Float64Array.from(falls.flatMap(fall => [...fall]));
  const errorBefore = mean(blocks.flatMap(block => [...block.without]));
  const fall = mean(all);
  const lift = errorBefore > 0 ? fall / errorBefore : 0;
  const squared = fall > 0 ? fall ** 2 / varianceOfMean(all, fall, horizon) : 0;
  return {
    lift,
    shrunk: squared > DOUBT ? lift * (1 - DOUBT / squared) : 0,
    stable: falls.filter(each => mean(each) > 0).length * 2 > blocks.length,
  };
}

export const mean = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return values.length ? sum / values.length : 0;
};

/**
 * Of Newey and West: covariances up to the bandwidth max(horizon - 1, 4 (n / 100)^(2/9)), with falling
 * weights.
 */
function varianceOfMean(values: Float64Array, middle: number, horizon: number): number {
  const n = values.length;
  const width = Math.max(horizon - 1, Math.floor(4 * (n / 100) ** (2 / 9)));
  let sum = 0;
  for (let lag = 0; lag <= Math.min(width, n - 1); lag++) {
    let covariance = 0;
    for (let i = lag; i < n; i++) covariance += (values[i]! - middle) * (values[i - lag]! - middle);
    sum += covariance * (lag === 0 ? 1 : 2 * (1 - lag / (width + 1)));
  }
  return sum / n ** 2;
}
