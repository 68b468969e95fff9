/**
 * Polynomials in the lag operator B, written as 1 - c1 B - c2 B^2 - ..., by their coefficients c1, c2, ...
 */

/**
 * The stationary polynomial with these partial autocorrelations, each within -1..1 (Durbin 1960, Levinson).
 */
export function fromPartials(partials: Float64Array): Float64Array {
  const coefficients = new Float64Array(partials.length);
  partials.forEach((partial, k) => lengthen(coefficients, k, partial));
  return coefficients;
}

/** Makes of the best predictor from k values the one from k + 1, in place. */
export function lengthen(coefficients: Float64Array, k: number, partial: number): void {
  mix(coefficients, k, -partial, 1);
  coefficients[k] = partial;
}

/**
 * The same backwards; null where the polynomial is not stationary: it has a root on or within the unit
 * circle.
 */
export function toPartials(polynomial: Float64Array): Float64Array | null {
  const partials = Float64Array.from(polynomial);
  for (let k = partials.length - 1; k >= 0; k--) {
    const partial = partials[k]!;
    if (!(Math.abs(partial) < 1)) return null;
    if (partial) mix(partials, k, partial, 1 / (1 - partial * partial));
  }
  return partials;
}

/** c[i] becomes (c[i] + share c[k - 1 - i]) scale for the first k. */
function mix(c: Float64Array, k: number, share: number, scale: number): void {
  for (let i = 0, j = k - 1; i <= j; i++, j--) {
    const a = c[i]!;
    const b = c[j]!;
    c[i] = (a + share * b) * scale;
    c[j] = (b + share * a) * scale;
  }
}

/** Whether all roots lie beyond `radius` from zero. */
export const rootsBeyond = (radius: number, polynomial: Float64Array): boolean =>
  toPartials(polynomial.map((c, i) => c * radius ** (i + 1))) !== null;

/** The product of two polynomials, the second in B^period. */
export function product(first: Float64Array, second: Float64Array, period: number): Float64Array {
  const coefficients = new Float64Array(first.length + second.length * period);
  first.forEach((a, i) => {
    coefficients[i]! += a;
  });
  second.forEach((b, j) => {
    coefficients[(j + 1) * period - 1]! += b;
    first.forEach((a, i) => {
      coefficients[(j + 1) * period + i]! -= a * b;
    });
  });
  return coefficients;
}

/**
 * The first `length` coefficients, from psi0 = 1 on, of the series (1 + theta1 B + ...) / (1 - phi1 B - ...).
 */
export function quotient(phi: Float64Array, theta: Float64Array, length: number): Float64Array {
  const psi = new Float64Array(length);
  for (let j = 0; j < length; j++) {
    let sum = j === 0 ? 1 : (theta[j - 1] ?? 0);
    for (let i = 1; i <= Math.min(j, phi.length); i++) sum += phi[i - 1]! * psi[j - i]!;
    psi[j] = sum;
  }
  return psi;
}
