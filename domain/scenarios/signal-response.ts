import { leastSquares } from '../maths/statistics/regression.js';

/**
 * How a target follows a signal, in steps: y(t) = own y(t-1) + season y(t-period) + now x(t-lag)
 * + before x(t-lag-1) + what is no matter of the signal.
 */
export type SignalResponse = {
  readonly lag: number;
  readonly period: number;
  readonly own: number;
  readonly season: number;
  readonly now: number;
  readonly before: number;
};

/** Fewer rows say nothing. */
const LEAST_ROWS = 30;

/**
 * Least squares of a target on its own past (the step before, and the season before where there is one) and
 * on a signal at its lag and the step before that: with the last, errors that follow each other do no harm,
 * since y = b x + u with u(t) = r u(t-1) + e is a case of it. Series on the same steps, NaN where missing;
 * null where too little is there, or the signal never changes.
 */
export function responseOf(
  y: Float64Array,
  x: Float64Array,
  { lag, period }: Pick<SignalResponse, 'lag' | 'period'>,
): SignalResponse | null {
  const hasSeason = period > 1;
  const rows: number[][] = [];
  const targets: number[] = [];
  for (let t = Math.max(lag + 1, hasSeason ? period : 1); t < y.length; t++) {
    const row = [1, y[t - 1]!, x[t - lag]!, x[t - lag - 1]!, ...(hasSeason ? [y[t - period]!] : [])];
    if (![...row, y[t]!].every(Number.isFinite)) continue;
    rows.push(row);
    targets.push(y[t]!);
  }
  if (rows.length < LEAST_ROWS) return null;
  const columns = rows[0]!.map((_, c) => Float64Array.from(rows, row => row[c]!));
  if (isConstant(columns[2]!)) return null;
  const { coefficients } = leastSquares(columns, Float64Array.from(targets));
  const [, own = 0, now = 0, before = 0, season = 0] = coefficients;
  // What would grow without end is held at what lasts
  const size = Math.max(1, Math.abs(own) + Math.abs(season));
  return { lag, period, own: own / size, season: season / size, now, before };
}

const isConstant = (column: Float64Array): boolean => column.every(value => value === column[0]);

/**
 * What changes of a signal do to a target, step by step: both columns begin at the same step, before which
 * nothing was changed.
 */
export function followed(
  { lag, period, own, season, now, before }: SignalResponse,
  changes: Float64Array,
): Float64Array {
  const moved = new Float64Array(changes.length);
  const at = (column: Float64Array, t: number): number => (t < 0 ? 0 : column[t]!);
  for (let t = 0; t < moved.length; t++)
    moved[t] =
      own * at(moved, t - 1)
      + (period > 1 ? season * at(moved, t - period) : 0)
      + now * at(changes, t - lag)
      + before * at(changes, t - lag - 1);
  return moved;
}
