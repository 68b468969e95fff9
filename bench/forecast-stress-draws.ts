import type { Random } from '../test/random.js';

// What the series of bench/forecast-stress.ts are drawn with.

export const between = (random: Random, low: number, high: number): number =>
  low + (high - low) * random.next();

/** Evenly spread on the logarithm; both ends above 0. */
export const logBetween = (random: Random, low: number, high: number): number =>
  low * (high / low) ** random.next();

/** A whole number from `low` to `high`, both included. */
export const wholeBetween = (random: Random, low: number, high: number): number =>
  low + random.below(high - low + 1);

/** Of the standard normal distribution (Box and Muller). */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());

export const series = (length: number, at: (t: number) => number): Float64Array =>
  Float64Array.from({ length }, (_, t) => at(t));

/** A stationary AR(1) with this standard deviation. */
export function ar1(random: Random, length: number, phi: number, deviation: number): Float64Array {
  const innovation = deviation * Math.sqrt(1 - phi * phi);
  let state = deviation * normal(random);
  return series(length, () => {
    state = phi * state + innovation * normal(random);
    return state;
  });
}

/** A random walk from 0; with heavy tails its steps are those of Student's t with 4 degrees of freedom. */
export function walk(random: Random, length: number, deviation: number, heavy = false): Float64Array {
  let level = 0;
  return series(length, () => {
    const width = heavy ? Math.sqrt(2 / gamma(random, 2)) / Math.SQRT2 : 1;
    level += deviation * width * normal(random);
    return level;
  });
}

/** Of mean `shape` (at least 1) and scale 1 (Marsaglia and Tsang 2000). */
export function gamma(random: Random, shape: number): number {
  if (shape < 1) return gamma(random, shape + 1) * (1 - random.next()) ** (1 / shape);
  const d = shape - 1 / 3;
  for (;;) {
    const x = normal(random);
    const v = (1 + x / Math.sqrt(9 * d)) ** 3;
    if (v > 0 && Math.log(1 - random.next()) < x * x * 0.5 + d - d * v + d * Math.log(v)) return d * v;
  }
}

/** For a mean up to some hundreds (Knuth). */
export function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random.next(); product > limit; product *= random.next()) count++;
  return count;
}

/**
 * A smooth profile of one period, from 0 to 1: two or three peaks, as a day has them. `wrapped` distances, so
 * that its end meets its beginning.
 */
export function profile(random: Random, period: number): Float64Array {
  const peaks = Array.from({ length: 2 + random.below(2) }, () => ({
    at: random.next(),
    width: between(random, 0.05, 0.15),
    height: between(random, 0.4, 1),
  }));
  const wrapped = (distance: number): number => Math.min(Math.abs(distance), 1 - Math.abs(distance));
  const raw = series(period, t =>
    peaks.reduce(
      (sum, { at, width, height }) => sum + height * Math.exp(-0.5 * (wrapped(t / period - at) / width) ** 2),
      0,
    ),
  );
  const low = Math.min(...raw);
  const high = Math.max(...raw);
  return raw.map(x => (x - low) / (high - low));
}

/** A profile as factors of mean 1; `strength` is from the least to the greatest of them. */
export function factors(random: Random, period: number, strength: number): Float64Array {
  const shape = profile(random, period);
  const middle = shape.reduce((sum, x) => sum + x, 0) / period;
  return shape.map(x => 1 + strength * (x - middle));
}
