import { dot, norm, subtract, subtractThenDot } from '../statistics/columns.js';

/**
 * How a series is turned into its one-step errors: exponential smoothing with this gain, which is the
 * steady state of the local level model (Muth 1960), and an autoregression of what that leaves. The same
 * linear filter is laid over the target and over everything that might move it, so that a regression of one
 * on the other loses nothing of an effect that the level has already followed (de Jong and Penzer, Diagnosing
 * shocks in time series, 1998): generalised least squares without a matrix.
 */
export type Whitening = {
  /** 0 (a level that stands still) to 1 (a random walk). */
  readonly gain: number;
  readonly autoregression: readonly number[];
};

/**
 * One-step errors of exponential smoothing. The first known value is the first level, and the gain is at
 * least that of a mean of all before. Where `known` is 0 there is no error (0) and the level stays. `x` has
 * numbers wherever `known` is 1.
 */
export function levelErrors(x: Float64Array, gain: number, known: Uint8Array): Float64Array {
  const errors = new Float64Array(x.length);
  let level = 0;
  let count = 0;
  for (let t = 0; t < x.length; t++) {
    if (!known[t]) continue;
    count++;
    if (count === 1) {
      level = x[t]!;
      continue;
    }
    const error = x[t]! - level;
    errors[t] = error;
    level += Math.max(gain, 1 / count) * error;
  }
  return errors;
}

/** What an autoregression leaves of errors; a missing one counts as 0, its mean. */
export function withoutPast(errors: Float64Array, phi: readonly number[], known: Uint8Array): Float64Array {
  if (phi.length === 0) return errors;
  const rest = new Float64Array(errors.length);
  for (let t = 0; t < errors.length; t++) {
    if (!known[t]) continue;
    let value = errors[t]!;
    for (let k = 0; k < phi.length && k < t; k++) value -= phi[k]! * errors[t - k - 1]!;
    rest[t] = value;
  }
  return rest;
}

const LAGS = 2;
/** An autoregression whose largest coefficient is under this many standard errors is none. */
const LEAST_ERRORS = 2.5;

/** Up to two lags by Yule and Walker. */
export function autoregressionOf(errors: Float64Array): number[] {
  const c = Array.from({ length: LAGS + 1 }, (_, lag) => {
    let sum = 0;
    for (let t = lag; t < errors.length; t++) sum += errors[t]! * errors[t - lag]!;
    return sum;
  });
  if (!(c[0]! > 0)) return [];
  const [r1, r2] = [c[1]! / c[0]!, c[2]! / c[0]!];
  const phi2 = (r2 - r1 * r1) / (1 - r1 * r1);
  const phi = [r1 * (1 - phi2), phi2];
  const least = LEAST_ERRORS / Math.sqrt(errors.length);
  return Math.max(Math.abs(r1), Math.abs(phi2)) < least ? [] : phi;
}

export const whitened = (x: Float64Array, { gain, autoregression }: Whitening, known: Uint8Array) =>
  withoutPast(levelErrors(x, gain, known), autoregression, known);

/** What of a column is left beside those before it must be more than this share, or it is left out. */
const DEPENDENT = 1e-9;

/** An orthonormal basis of columns, by Gram and Schmidt done twice (Giraud and others 2005). */
export function basisOf(columns: readonly Float64Array[]): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const column of columns) {
    const size = norm(column, 0, column.length);
    const rest = beside(beside(column.slice(), basis), basis);
    const left = norm(rest, 0, rest.length);
    if (left > DEPENDENT * size) basis.push(rest.map(value => value / left));
  }
  return basis;
}

/** In place: x without its share in an orthonormal basis. */
export function beside(x: Float64Array, basis: readonly Float64Array[]): Float64Array {
  if (basis.length === 0) return x;
  let share = dot(basis[0]!, 0, x, 0, x.length);
  for (let k = 1; k < basis.length; k++) share = subtractThenDot(share, basis[k - 1]!, x, basis[k]!);
  subtract(share, basis.at(-1)!, 0, x, 0, x.length);
  return x;
}
