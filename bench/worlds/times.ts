import type { Chance } from './chance.js';

export const RHYTHMS = ['irregular', 'regular', 'clustered', 'seasonal'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

type Room = { readonly steps: number; readonly periods: readonly number[] };

/**
 * The steps of about `count` events, ascending, no two the same:
 * - `irregular`: anywhere;
 * - `regular`: evenly, moved by up to a fifth of the distance, so that no season can stand for them;
 * - `clustered`: in groups of two to four, one to six steps apart;
 * - `seasonal`: at one phase of the shortest season, in fewer than half of its rounds; `irregular` where
 *   there are too few rounds.
 */
export function timesOf(chance: Chance, rhythm: Rhythm, count: number, room: Room): number[] {
  const taken = new Set<number>();
  const take = (step: number): void => {
    if (step >= 0 && step < room.steps) taken.add(step);
  };
  if (rhythm === 'regular') regular(chance, count, room.steps, take);
  if (rhythm === 'clustered') clustered(chance, count, room.steps, take);
  if (rhythm === 'seasonal') seasonal(chance, count, room, take);
  for (let tries = 0; taken.size < count && tries < 20 * count; tries++)
    if (rhythm !== 'clustered' || taken.size < count / 2) take(chance.whole(1, room.steps - 3));
  return [...taken].sort((a, b) => a - b);
}

type Take = (step: number) => void;

function regular(chance: Chance, count: number, steps: number, take: Take): void {
  const distance = steps / count;
  for (let i = 0; i < count; i++) take(Math.floor(distance * (i + 0.5 + chance.between(-0.2, 0.2))));
}

function clustered(chance: Chance, count: number, steps: number, take: Take): void {
  for (let left = count; left > 0; ) {
    const size = Math.min(left, chance.whole(2, 4));
    let step = chance.whole(1, steps - 40);
    for (let i = 0; i < size; i++, step += chance.whole(1, 6)) take(step);
    left -= size;
  }
}

function seasonal(chance: Chance, count: number, { steps, periods }: Room, take: Take): void {
  const period = periods[0] ?? Infinity;
  const rounds = Math.floor(steps / period);
  if (rounds < 2.2 * count) return;
  const phase = chance.whole(0, Math.floor(period) - 1);
  for (const round of someOf(chance, rounds, count)) take(Math.floor(round * period) + phase);
}

/** `count` of the whole numbers below `of`. */
export function someOf(chance: Chance, of: number, count: number): number[] {
  const chosen = new Set<number>();
  while (chosen.size < Math.min(count, of)) chosen.add(chance.whole(0, of - 1));
  return [...chosen];
}

/** When the season is at its highest: the same phase of each round of the shortest period, in most rounds. */
export function peakTimes(chance: Chance, season: Float64Array, { steps, periods }: Room): number[] {
  const period = periods[0]!;
  const means = new Float64Array(Math.floor(period));
  for (let t = 0; t < steps; t++) means[Math.floor(t % period) % means.length]! += season[t]!;
  const phase = means.indexOf(means.reduce((most, x) => Math.max(most, x)));
  const rounds = Math.floor((steps - phase) / period);
  const share = chance.between(0.5, 0.9);
  const all = Array.from({ length: rounds }, (_, round) => Math.floor(round * period) + phase);
  return all.filter(step => step < steps && chance.happens(Math.min(share, 60 / rounds)));
}

/** Comes with most of the events of `cause`, none to two steps after, and at times without. */
export function companionTimes(chance: Chance, cause: readonly number[], steps: number): readonly number[] {
  const share = chance.between(0.7, 0.85);
  const alone = Math.max(3, Math.round(cause.length * chance.between(0.15, 0.3)));
  const without = new Set(someOf(chance, cause.length, Math.max(3, Math.round(cause.length * (1 - share)))));
  const taken = new Set<number>();
  for (const [i, step] of cause.entries())
    if (!without.has(i)) taken.add(Math.min(steps - 1, step + chance.pick([0, 0, 0, 1, 1, 2])));
  for (let i = 0; i < alone; i++) taken.add(chance.whole(1, steps - 3));
  return [...taken].sort((a, b) => a - b);
}
