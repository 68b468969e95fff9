import { normalLowerTail } from '../statistics/distributions.js';
import type { Uniform } from '../seeded.js';

/** Shifts that a source is held against. */
export const PLACEBOS = 199;

/**
 * p of a scan over many shapes: 1 - (1 - p1)^m, where p1 is that of a single normal z and m how many
 * independent looks the scan is worth, fitted to its placebos (the upper third of them, as a censored
 * exponential sample), so that it reaches further than the placebos can be counted (compare Knijnenburg and
 * others, Fewer permutations, more accurate P-values, 2009).
 */
export function scanP(z: number, placebos: Float64Array): number {
  const looks = looksOf(placebos);
  return -Math.expm1(looks * Math.log1p(-Math.min(1 - 1e-16, twoSided(z))));
}

const UPPER = 1 / 3;

export function looksOf(placebos: Float64Array): number {
  const tails = placebos.map(z => -Math.log1p(-Math.min(1 - 1e-16, twoSided(z)))).sort();
  const counted = Math.max(1, Math.ceil(tails.length * UPPER));
  let sum = (tails.length - counted) * tails[counted - 1]!;
  for (let i = 0; i < counted; i++) sum += tails[i]!;
  return Math.max(1, counted / Math.max(sum, 1e-12));
}

export const twoSided = (z: number): number => Math.min(1, 2 * normalLowerTail(-Math.abs(z)));

/** Share of the placebos that did as well, the stream itself counted among them. */
export const placeboP = (z: number, placebos: Float64Array): number =>
  (1 + placebos.filter(each => each >= z).length) / (1 + placebos.length);

const NEAREST = 5;
const FEWEST_SEASONAL = 40;

/**
 * Up to `most` circular shifts of n steps, none within `nearest` steps of none: whole seasons where there are
 * enough of them, so that the place in the season stays, else drawn by chance.
 */
export function shiftsOf(
  n: number,
  period: number,
  most: number,
  random: Uniform,
  nearest = NEAREST,
): Int32Array {
  const least = Math.max(1, Math.ceil(nearest / period));
  const seasons = Math.floor((n - nearest) / period) - least + 1;
  const [unit, first, count] =
    seasons >= FEWEST_SEASONAL ? [period, least, seasons] : [1, nearest, n - 2 * nearest];
  const drawn = new Set<number>();
  if (count <= most) for (let i = 0; i < count; i++) drawn.add((first + i) * unit);
  else while (drawn.size < most) drawn.add((first + Math.floor(random() * count)) * unit);
  return Int32Array.from(drawn);
}
