import { seeded } from '../../domain/maths/seeded.js';

/** Draws from chance, the same for the same seed and label. */
export type Chance = {
  /** At least 0 and below 1. */
  next(): number;
  between(low: number, high: number): number;
  /** As likely between 1 and 2 as between 10 and 20. */
  scaleBetween(low: number, high: number): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  happens(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
  /** Mean 0, deviation 1. */
  normal(): number;
  /** Student's t of whole degrees of freedom, from 3, scaled to deviation 1. */
  heavy(freedom: number): number;
  /** A count of mean `mean`. */
  poisson(mean: number): number;
};

/**
 * What is drawn under one label does not move when more is drawn under another: a world without noise is the
 * world with noise, less its noise.
 */
export function chanceOf(seed: number, label: string): Chance {
  const next = seeded(hash(`${seed} ${label}`));
  const between = (low: number, high: number): number => low + (high - low) * next();
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    between,
    scaleBetween: (low, high) => Math.exp(between(Math.log(low), Math.log(high))),
    whole,
    happens: probability => next() < probability,
    pick: list => list[Math.floor(next() * list.length)]!,
    normal,
    heavy(freedom) {
      let squares = 0;
      for (let i = 0; i < freedom; i++) squares += normal() ** 2;
      return (normal() / Math.sqrt(squares / freedom)) * Math.sqrt((freedom - 2) / freedom);
    },
    poisson: mean => poissonOf(mean, next),
  };
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0)!, 0x01000193);
  return state >>> 0;
}

/** Knuth's product of uniform numbers, in parts of at most 50 so that it does not underflow. */
function poissonOf(mean: number, next: () => number): number {
  let count = 0;
  for (let left = mean; left > 0; left -= 50) {
    const limit = Math.exp(-Math.min(left, 50));
    for (let product = next(); product > limit; product *= next()) count++;
  }
  return count;
}
