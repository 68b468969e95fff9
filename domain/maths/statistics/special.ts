/**
 * Functions that the distributions are made of, to about 13 digits, with the digits kept in the far tails.
 */

const HALF_LN_2PI = 0.5 * Math.log(2 * Math.PI);
const TINY = 1e-300;
const MACHINE_EPSILON = 2 ** -53;
/** From here on the series below has 16 digits. */
const LARGE = 10;

/** Stirling's series, lnGamma(x) - ((x - 1/2) ln x - x + ln(2 pi)/2), for x >= 10 (DLMF 5.11.1). */
function stirling(x: number): number {
  const y = 1 / (x * x);
  return (
    (1 / 12
      - y * (1 / 360 - y * (1 / 1260 - y * (1 / 1680 - y * (1 / 1188 - y * (691 / 360_360 - y / 156))))))
    / x
  );
}

/** ln Gamma(x), for x > 0. */
export function logGamma(x: number): number {
  let shifted = x;
  let product = 1;
  for (; shifted < LARGE; shifted++) product *= shifted;
  return (shifted - 0.5) * Math.log(shifted) - shifted + HALF_LN_2PI + stirling(shifted) - Math.log(product);
}

/**
 * ln B(a, b), for a, b > 0. With a large argument the great parts of its two log-gammas are taken off each
 * other on paper, so that millions of degrees of freedom cost no digits.
 */
export function logBeta(a: number, b: number): number {
  const large = Math.max(a, b);
  const small = Math.min(a, b);
  const sum = a + b;
  if (large < LARGE) return logGamma(a) + logGamma(b) - logGamma(sum);
  const ratio =
    -(large - 0.5) * Math.log1p(small / large)
    - small * Math.log(sum)
    + small
    + stirling(large)
    - stirling(sum);
  return ratio + logGamma(small);
}

/**
 * The regularised incomplete beta function I_x(a, b), for a, b > 0 and 0 <= x <= 1; `y` is 1 - x, given apart
 * so that neither loses digits. By Lentz's continued fraction (DLMF 8.17.22) from the side where it converges
 * quickly.
 */
export function incompleteBeta(
  a: number,
  b: number,
  x: number,
  y: number,
  lnBeta: number = logBeta(a, b),
): number {
  if (x <= 0) return 0;
  if (y <= 0) return 1;
  const lnX = y < 0.5 ? Math.log1p(-y) : Math.log(x);
  const lnY = x < 0.5 ? Math.log1p(-x) : Math.log(y);
  const factor = Math.exp(a * lnX + b * lnY - lnBeta);
  return x < (a + 1) / (a + b + 2)
    ? (factor * betaFraction(a, b, x)) / a
    : 1 - (factor * betaFraction(b, a, y)) / b;
}

function betaFraction(a: number, b: number, x: number): number {
  let c = 1;
  let d = 1 / awayFromZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m < 100_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / awayFromZero(1 + even * d);
    c = awayFromZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / awayFromZero(1 + odd * d);
    c = awayFromZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) <= MACHINE_EPSILON * 4) break;
  }
  return value;
}

/**
 * The regularised upper incomplete gamma function Q(a, x), for a > 0 and x >= 0: by its series below a + 1
 * (DLMF 8.7.1), else by Lentz's continued fraction (DLMF 8.9.2).
 */
export function upperIncompleteGamma(a: number, x: number): number {
  if (x <= 0) return 1;
  if (x === Infinity) return 0;
  const factor = Math.exp(a * Math.log(x) - x - logGamma(a));
  if (x < a + 1) {
    let term = 1 / a;
    let sum = term;
    for (let k = 1; term > sum * MACHINE_EPSILON; k++) {
      term *= x / (a + k);
      sum += term;
    }
    return 1 - factor * sum;
  }
  let b = x + 1 - a;
  let c = 1 / TINY;
  let d = 1 / awayFromZero(b);
  let value = d;
  for (let k = 1; k < 100_000; k++) {
    const numerator = -k * (k - a);
    b += 2;
    d = 1 / awayFromZero(numerator * d + b);
    c = awayFromZero(b + numerator / c);
    value *= d * c;
    if (Math.abs(d * c - 1) <= MACHINE_EPSILON * 4) break;
  }
  return factor * value;
}

const awayFromZero = (value: number): number => (Math.abs(value) < TINY ? TINY : value);
