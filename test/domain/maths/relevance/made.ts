import type { Random } from '../../../random.js';

/** Made series, from numbers that look random. */
export type Make = (length: number, random: Random) => Float64Array;

export const normal = ({ next }: Random): number =>
  Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());

export const column = (length: number, of: (t: number) => number): Float64Array =>
  Float64Array.from({ length }, (_, t) => of(t));

/** x[t] = keep x[t - 1] + drift + noise: with keep 1 a random walk. */
export const regressive =
  (keep: number, drift = 0): Make =>
  (length, random) => {
    let level = 0;
    return column(length, () => (level = keep * level + drift + normal(random)));
  };

export const white: Make = (length, random) => column(length, () => normal(random));
export const trending: Make = (length, random) => column(length, t => t / 20 + normal(random));
export const rare: Make = (length, random) => column(length, () => (random.chance(0.06) ? 1 : 0));

/** A season of 12 of any shape under noise. */
export const seasonal: Make = (length, random) => {
  const shape = white(12, random);
  return column(length, t => 3 * shape[t % 12]! + normal(random));
};

/** y[t] = 0.5 y[t - 1] + strength x[t - lag] + noise. */
export function drivenBy(x: Float64Array, lag: number, strength: number, random: Random): Float64Array {
  let level = 0;
  return column(x.length, t => (level = 0.5 * level + strength * (x[t - lag] ?? 0) + normal(random)));
}
