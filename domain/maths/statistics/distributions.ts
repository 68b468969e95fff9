import { incompleteBeta, upperIncompleteGamma } from './special.js';

/** Tail probabilities, with their digits kept down to 1e-300; below that they fade to 0. */

/**
 * P(F > f) of the F distribution with d1 and d2 degrees of freedom, d1, d2 > 0; 1 at f <= 0, 0 at infinity.
 */
export function fUpperTail(f: number, d1: number, d2: number): number {
  if (f <= 0) return 1;
  const scaled = (f * d1) / d2;
  return scaled === Infinity ? 0 : shareTail(scaled / (1 + scaled), 1 / (1 + scaled), d1, d2);
}

/**
 * The same for R^2 = d1 f / (d2 + d1 f), the share of the variance that d1 regressors explain in a fit with
 * d2 residual degrees of freedom; `rest` is 1 - R^2. Who asks often for the same degrees of freedom hands in
 * `lnBeta`, logBeta(d2 / 2, d1 / 2).
 */
export const shareTail = (share: number, rest: number, d1: number, d2: number, lnBeta?: number): number =>
  incompleteBeta(d2 / 2, d1 / 2, rest, share, lnBeta);

/** P(|T| > |t|) of Student's t distribution with `degrees` > 0 degrees of freedom. */
export function tTwoSided(t: number, degrees: number): number {
  const scaled = (t * t) / degrees;
  return scaled === Infinity ? 0 : incompleteBeta(degrees / 2, 0.5, 1 / (1 + scaled), scaled / (1 + scaled));
}

/**
 * The t with P(|T| > t) = p, 0 < p < 1, of Student's t distribution with `degrees` > 0 degrees of freedom, to
 * about 12 digits.
 */
export function tTwoSidedQuantile(p: number, degrees: number): number {
  let [low, high] = [0, 1];
  while (tTwoSided(high, degrees) > p) [low, high] = [high, 2 * high];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (tTwoSided(middle, degrees) > p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/**
 * P(|R| > |r|) of the correlation of n pairs of independent normal numbers, n > 2: by t = r sqrt((n - 2) / (1
 * - r^2)).
 */
export function correlationTwoSided(r: number, n: number): number {
  const size = Math.min(1, Math.abs(r));
  return incompleteBeta((n - 2) / 2, 0.5, (1 - size) * (1 + size), size * size);
}

/** P(X > x) of the chi-squared distribution with `degrees` > 0 degrees of freedom; 1 at x <= 0. */
export const chiSquaredUpperTail = (x: number, degrees: number): number =>
  x <= 0 ? 1 : upperIncompleteGamma(degrees / 2, x / 2);

const SQRT_2PI = Math.sqrt(2 * Math.PI);

/** P(Z < z) of the standard normal distribution. */
export function normalLowerTail(z: number): number {
  if (z < -3) return (Math.exp((-z * z) / 2) / SQRT_2PI) * mills(-z);
  if (z > 3) return 1 - normalLowerTail(-z);
  let term = z;
  let sum = z; // z + z^3/3 + z^5/(3 5) + ..., DLMF 7.6.2
  for (let k = 3; Math.abs(term) > 1e-18 * Math.abs(sum); k += 2) {
    term *= (z * z) / k;
    sum += term;
  }
  return 0.5 + (Math.exp((-z * z) / 2) / SQRT_2PI) * sum;
}

/** Mills' ratio, tail over density, for x >= 3: 1/(x + 1/(x + 2/(x + 3/(x + ...)))) (Laplace). */
function mills(x: number): number {
  let value = x;
  for (let k = 120; k > 0; k--) value = x + k / value;
  return 1 / value;
}

/**
 * The z with P(Z < z) = p, 0 < p < 1, to about 15 digits; -Infinity at 0, Infinity at 1. A first guess
 * (Abramowitz and Stegun 26.2.23, good to 4.5e-4) and Halley's steps on the lower tail, where p keeps its
 * digits.
 */
export function normalQuantile(p: number): number {
  if (p > 0.5) return -normalQuantile(1 - p);
  if (p === 0.5 || p === 0) return p === 0 ? -Infinity : 0;
  const t = Math.sqrt(-2 * Math.log(p));
  let z =
    (2.515517 + t * (0.802853 + t * 0.010328)) / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308))) - t;
  for (let i = 0; i < 3; i++) {
    const off = (normalLowerTail(z) / p - 1) * p * SQRT_2PI * Math.exp((z * z) / 2);
    z -= off / (1 + (z * off) / 2);
  }
  return z;
}
