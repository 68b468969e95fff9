import { lengthen, quotient, toPartials } from './polynomials.js';

/** y[t] = phi1 y[t-1] + ... + e[t] + theta1 e[t-1] + ..., stationary. */
export type Arma = { readonly phi: Float64Array; readonly theta: Float64Array };

export type Filtered = {
  /**
   * The sum of squared innovations, each over its variance in units of that of e, and the sum of the logs of
   * these variances.
   */
  readonly squares: number;
  readonly logs: number;
  /** What is known after the last value: the first entry is the next value's mean, and so on by `stepped`. */
  readonly state: Float64Array;
};

/** From here on the innovations' variance no longer changes. */
const STEADY = 1e-13;

/**
 * The exact Gaussian likelihood of a series without gaps: -2 ln L = n ln(2 pi s^2) + logs + squares / s^2.
 * Kalman's filter in the form of Harvey and Phillips (1979), its gain by the recursions of Morf, Sidhu and
 * Kailath (1974), which take a number of operations in proportion to the order instead of its square
 * (Pearlman 1980). null where phi is not stationary.
 */
export function filter(arma: Arma, values: Float64Array): Filtered | null {
  const size = Math.max(arma.phi.length, arma.theta.length + 1);
  const phi = padded(arma.phi, size);
  const covariances = startOf(arma, phi, size);
  if (!covariances) return null;
  let variance = covariances[0]!;
  let factor = -1 / variance;
  let steady = false;
  let squares = 0;
  let logs = 0;
  const gain = stepped(phi, covariances);
  const root = Float64Array.from(gain);
  const state = new Float64Array(size + 1);
  for (const value of values) {
    const surprise = value - state[0]!;
    const correction = surprise / variance;
    const now = state[0]!;
    squares += surprise * correction;
    logs += Math.log(variance);
    for (let i = 0; i < size; i++) state[i] = phi[i]! * now + state[i + 1]! + gain[i]! * correction;
    if (steady) continue;
    const first = root[0]!;
    const next = variance + factor * first * first;
    for (let i = 0; i < size; i++) {
      const moved = phi[i]! * first + (root[i + 1] ?? 0);
      gain[i]! += moved * factor * first;
      root[i] = moved - (gain[i]! / next) * first;
    }
    factor += (factor * factor * first * first) / variance;
    steady = Math.abs(next - variance) < STEADY * next;
    variance = next;
  }
  return { squares, logs, state: state.subarray(0, size) };
}

/** The state one step on, without a new value. */
export const stepped = (phi: Float64Array, state: Float64Array): Float64Array =>
  state.map((_, i) => (phi[i] ?? 0) * state[0]! + (state[i + 1] ?? 0));

const padded = (values: Float64Array, size: number): Float64Array =>
  Float64Array.from({ length: size }, (_, i) => values[i] ?? 0);

/** The covariances of the state's entries with the value, in the long run, in units of the variance of e. */
function startOf({ phi, theta }: Arma, padded: Float64Array, size: number): Float64Array | null {
  const own = autocovariances(phi, size + 2 * theta.length);
  if (!own) return null;
  const gamma = smeared(own, theta, size + 1);
  const psi = quotient(phi, theta, size);
  const covariances = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    let sum = 0;
    for (let j = i; j < size; j++)
      sum += padded[j]! * gamma[1 + j - i]! + (j === 0 ? 1 : (theta[j - 1] ?? 0)) * psi[j - i]!;
    covariances[i] = sum;
  }
  return covariances;
}

/**
 * The autocovariances at the lags 0 to `count` - 1 of 1 + theta1 B + ... applied to a process with those of
 * `own`.
 */
function smeared(own: Float64Array, theta: Float64Array, count: number): Float64Array {
  const terms = [
    [0, 1] as const,
    ...Array.from(theta, (c, i) => [i + 1, c] as const).filter(([, c]) => c !== 0),
  ];
  const gamma = new Float64Array(count);
  for (const [i, a] of terms) {
    for (const [j, b] of terms) {
      for (let lag = 0; lag < count; lag++) gamma[lag]! += a * b * own[Math.abs(lag + i - j)]!;
    }
  }
  return gamma;
}

/**
 * The autocovariances at lags 0 to `most` of an autoregression with errors of variance 1; null where it is
 * not stationary.
 */
function autocovariances(phi: Float64Array, most: number): Float64Array | null {
  const partials = toPartials(phi);
  if (!partials) return null;
  const gamma = new Float64Array(most + 1);
  const predictor = new Float64Array(phi.length);
  let rest = 1 / partials.reduce((left, partial) => left * (1 - partial * partial), 1);
  gamma[0] = rest;
  for (let lag = 1; lag <= most; lag++) {
    const partial = partials[lag - 1] ?? 0;
    let sum = partial * rest;
    const known = Math.min(lag - 1, phi.length);
    for (let j = 0; j < known; j++) sum += predictor[j]! * gamma[lag - 1 - j]!;
    gamma[lag] = sum;
    if (lag > phi.length) continue;
    rest *= 1 - partial * partial;
    lengthen(predictor, lag - 1, partial);
  }
  return gamma;
}
