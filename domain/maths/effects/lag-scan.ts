import { dot, norm } from '../statistics/columns.js';
import { circularProducts } from '../statistics/circular.js';
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

/**
 * z of a signal (as seen in the frame, or in one it was made from) at one lag, in errors of deviation 1,
 * beside what the last `added` columns of the basis explain.
 */
export function zAt({ errors, basis, n }: Frame, seen: Float64Array, lag: number, added: number): number {
  const [to, from] = lag >= 0 ? [lag, 0] : [0, -lag];
  const length = n - to - from;
  const productWith = (column: Float64Array): number => dot(column, to, seen, from, length);
  const whole = dot(seen, from, seen, from, length);
  let left = whole;
  for (let j = basis.length - added; j < basis.length; j++) left -= productWith(basis[j]!) ** 2;
  return left > LEAST_LEFT ** 2 * whole ? productWith(errors) / Math.sqrt(left) : 0;
}

/**
 * All lags (from 0 on) of a signal, at its own times and at each of the shifts (circular). Noise is measured
 * by the shifts, over all of the lags together, and is at least that of the errors: what was taken out of
 * them they do not have at any shift.
 */
export function lagScan(
  frame: Frame,
  seen: Float64Array,
  lags: readonly number[],
  shifts: Int32Array,
  added: number,
): LagScan {
  const { n, errors } = frame;
  const whole = norm(seen, 0, n) || 1;
  const placebos = new Float64Array(shifts.length);
  let squares = 0;
  const products = circularProducts(errors, seen);
  shifts.forEach((shift, b) => {
    for (const lag of lags) {
      const z = products[(shift + lag) % n]! / whole;
      squares += z * z;
      placebos[b] = Math.max(placebos[b]!, Math.abs(z));
    }
  });
  const spread = Math.sqrt(squares / Math.max(1, shifts.length * lags.length)) || 1;
  const own = Math.sqrt(dot(errors, 0, errors, 0, n) / Math.max(1, frame.degrees));
  const scan = { placebos: placebos.map(z => z / spread), spread: Math.max(spread, own) };
  return lagScanAgain({ ...scan, z: 0, p: 1, placeboP: 1, lag: lags[0]! }, frame, seen, lags, added);
}

/** The same beside more: noise and placebos are taken to be as they were. */
export function lagScanAgain(
  before: LagScan,
  frame: Frame,
  seen: Float64Array,
  lags: readonly number[],
  added: number,
): LagScan {
  let best = { z: 0, lag: lags[0]! };
  for (const lag of lags) {
    const z = Math.abs(zAt(frame, seen, lag, added)) / before.spread;
    if (z > best.z) best = { z, lag };
  }
  const { placebos } = before;
  return { ...before, ...best, p: scanP(best.z, placebos), placeboP: placeboP(best.z, placebos) };
}
