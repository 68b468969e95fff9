import { dot, norm } from '../statistics/columns.js';
import { circularProductsWith } from '../statistics/circular.js';
import { frameBeside, type Frame } from './frame.js';
import { placeboP, scanP } from './placebos.js';
import { beside, whitened } from './whitening.js';

/** How the best of some lags does: its |z|, which lag it is, and how shifted times do. */
export type LagScan = {
  readonly z: number;
  readonly p: number;
  readonly placeboP: number;
  readonly lag: number;
  /** Largest |z| over the lags, of each shift. */
  readonly placebos: Float64Array;
  /** What a z is divided by: 1, but for what errors and signal repeat of themselves. */
  readonly spread: number;
};

/** What of a signal is left beside what was taken out must be more than this share of it. */
const LEAST_LEFT = 0.15;

/** A signal as the errors of a frame see it. */
export const seenIn = ({ reference, known, basis }: Frame, x: Float64Array): Float64Array =>
  beside(whitened(x, reference, known), basis);

/**
 * The frame beside its own past: errors so many steps before. A signal that only repeats what the target did
 * has nothing to add to that.
 */
export function besideOwnPast(frame: Frame, lags: number): Frame {
  const own = Array.from({ length: lags }, (_, i) => beside(moved(frame.errors, i + 1), frame.basis));
  return frameBeside(frame, own);
}

/** Where each value stands `lag` steps later (earlier, below 0); 0 where there is none. */
export function moved(x: Float64Array, lag: number): Float64Array {
  const later = new Float64Array(x.length);
  if (lag >= 0) later.set(x.subarray(0, Math.max(0, x.length - lag)), Math.min(lag, x.length));
  else later.set(x.subarray(-lag));
  return later;
}

/** The sum of products of a column with a signal that lies `lag` steps later in it. */
function productAt(column: Float64Array, signal: Float64Array, lag: number): number {
  const [to, from] = lag >= 0 ? [lag, 0] : [0, -lag];
  return dot(column, to, signal, from, signal.length - to - from);
}

/** Of the values that meet the errors at a lag. */
function squaresAt(signal: Float64Array, lag: number): number {
  const length = signal.length - Math.abs(lag);
  const from = Math.max(0, -lag);
  return dot(signal, from, signal, from, length);
}

/** What an orthonormal basis leaves of so many squares of a signal at a lag. */
const leftBeside = (
  squares: number,
  signal: Float64Array,
  lag: number,
  columns: readonly Float64Array[],
): number => columns.reduce((left, column) => left - productAt(column, signal, lag) ** 2, squares);

/** A signal (as seen in a frame) at each of some lags: all of its squares, and those left beside columns. */
export type Lagged = {
  readonly signal: Float64Array;
  readonly lags: readonly number[];
  readonly squares: readonly number[];
  readonly left: readonly number[];
};

/** Beside an orthonormal basis. */
export function laggedBeside(
  signal: Float64Array,
  lags: readonly number[],
  columns: readonly Float64Array[],
): Lagged {
  const squares = lags.map(lag => squaresAt(signal, lag));
  const left = squares.map((all, i) => leftBeside(all, signal, lags[i]!, columns));
  return { signal, lags, squares, left };
}

/**
 * z of a signal at the lag in that place, in errors of deviation 1, also beside further columns of an
 * orthonormal basis.
 */
export function zAt(
  errors: Float64Array,
  { signal, lags, squares, left }: Lagged,
  place: number,
  further: readonly Float64Array[],
): number {
  const lag = lags[place]!;
  const rest = leftBeside(left[place]!, signal, lag, further);
  return rest > LEAST_LEFT ** 2 * squares[place]! ? productAt(errors, signal, lag) / Math.sqrt(rest) : 0;
}

/**
 * Scans all lags (from 0 on) of a signal, at its own times and at each of the shifts (circular), beside
 * further columns. Noise is measured by the shifts, over all of the lags together, and is at least that of
 * the errors: what was taken out of them they do not have at any shift.
 */
export function lagScanIn(
  frame: Frame,
  shifts: Int32Array,
  further: readonly Float64Array[],
): (lagged: Lagged) => LagScan {
  const { n, errors, degrees } = frame;
  const productsWith = circularProductsWith(errors);
  const own = Math.sqrt(dot(errors, 0, errors, 0, n) / Math.max(1, degrees));
  return lagged => {
    const { signal, lags } = lagged;
    const whole = norm(signal, 0, n) || 1;
    const placebos = new Float64Array(shifts.length);
    let squares = 0;
    const products = productsWith(signal);
    shifts.forEach((shift, b) => {
      for (const lag of lags) {
        const z = products[(shift + lag) % n]! / whole;
        squares += z * z;
        placebos[b] = Math.max(placebos[b]!, Math.abs(z));
      }
    });
    const spread = Math.sqrt(squares / Math.max(1, shifts.length * lags.length)) || 1;
    const scan = { placebos: placebos.map(z => z / spread), spread: Math.max(spread, own) };
    return lagScanAgain({ ...scan, z: 0, p: 1, placeboP: 1, lag: lags[0]! }, frame, lagged, further);
  };
}

/** The same in other errors: noise and placebos are taken to be as they were. */
export function lagScanAgain(
  before: LagScan,
  { errors }: Frame,
  lagged: Lagged,
  further: readonly Float64Array[],
): LagScan {
  let best = { z: 0, lag: lagged.lags[0]! };
  lagged.lags.forEach((lag, place) => {
    const z = Math.abs(zAt(errors, lagged, place, further)) / before.spread;
    if (z > best.z) best = { z, lag };
  });
  const { placebos } = before;
  return { ...before, ...best, p: scanP(best.z, placebos), placeboP: placeboP(best.z, placebos) };
}
