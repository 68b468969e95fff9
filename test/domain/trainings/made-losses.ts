import type { FoldLosses } from '../../../domain/trainings/comparison.js';
import { randomOf, type Random } from '../../random.js';
import { normal } from '../maths/relevance/made.js';

/** A world in which a model stands beside the one that serves. */
export type World = {
  readonly folds: number;
  readonly steps: number;
  readonly series: number;
  /** The share of what both get wrong alike, of the variance of their errors. */
  readonly alike: number;
  /** By which share the candidate's errors are smaller. */
  readonly better: number;
};

/** From one step to the next an error keeps so much of itself. */
const KEEPS = 0.8;

/** Errors of a fold by step: alike beside each other, and growing with the root of the step. */
function errors(random: Random, steps: number): number[] {
  const made: number[] = [];
  let error = normal(random);
  for (let step = 1; step <= steps; step++) {
    made.push(error * Math.sqrt(step));
    error = KEEPS * error + Math.sqrt(1 - KEEPS ** 2) * normal(random);
  }
  return made;
}

const fold = (random: Random, { steps, series, alike, better }: World): FoldLosses => {
  const losses = { candidate: new Float64Array(steps), against: new Float64Array(steps) };
  const [shared, own] = [Math.sqrt(alike), Math.sqrt(1 - alike)];
  for (let one = 0; one < series; one++) {
    const both = errors(random, steps);
    const [mine, theirs] = [errors(random, steps), errors(random, steps)];
    for (let step = 0; step < steps; step++) {
      losses.candidate[step]! += (1 - better) * Math.abs(shared * both[step]! + own * mine[step]!);
      losses.against[step]! += Math.abs(shared * both[step]! + own * theirs[step]!);
    }
  }
  return losses;
};

/** Absolute errors of both in such a world, from a seed. */
export function madeLosses(world: World, seed: number): readonly FoldLosses[] {
  const random = randomOf(seed);
  return Array.from({ length: world.folds }, () => fold(random, world));
}

const sum = (losses: readonly Float64Array[]): number =>
  losses.flatMap(of => [...of]).reduce((total, loss) => total + loss, 0);

/** The scores of both: what they lost in all. */
export const scoresOf = (folds: readonly FoldLosses[]) => ({
  score: sum(folds.map(({ candidate }) => candidate)),
  against: sum(folds.map(({ against }) => against)),
});
