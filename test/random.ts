import { seeded } from '../domain/maths/seeded.js';

/** Numbers that look random and are the same for the same seed. */
export type Random = {
  /** At least 0 and below 1. */
  next(): number;
  /** A whole number, at least 0 and below `below`. */
  below(below: number): number;
  chance(probability: number): boolean;
  pick<T>(list: readonly T[]): T;
};

export function randomOf(seed: number): Random {
  const next = seeded(seed);
  const below = (limit: number): number => Math.floor(next() * limit);
  return {
    next,
    below,
    chance: probability => next() < probability,
    pick: list => list[below(list.length)]!,
  };
}

/**
 * The seed to use, from an environment variable or new; it is printed, so that what was seen can be seen
 * again.
 */
export function seedFrom(variable: string): number {
  const seed = Number(process.env[variable] ?? Date.now() % 1_000_000_007);
  console.log(`${variable}=${seed}`);
  return seed;
}
