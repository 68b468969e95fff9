import { seeded, type Uniform } from '../maths/seeded.js';
import { tTwoSidedQuantile } from '../maths/statistics/distributions.js';

/**
 * A candidate beside what serves, on the same folds by the same metric. `improvement` is 1 - score/against,
 * `interval` where it lies with a probability of 90%, by a seeded block bootstrap over folds and steps.
 */
export type Comparison = {
  readonly score: number;
  readonly against: number;
  readonly improvement: number;
  readonly interval: readonly [low: number, high: number];
};

/**
 * What both lost in a fold by step, oldest first, as sums over the series of that whose mean is the score.
 * Steps for which one of them has no number, or nothing came, are left out by both.
 */
export type FoldLosses = { readonly candidate: Float64Array; readonly against: Float64Array };

/** The share of cases in which the improvement lies outside of the interval, half of them on either side. */
const OUTSIDE = 0.1;
const DRAWS = 1000;
/** One fold tells nothing of how folds differ; with fewer steps than these it tells nothing at all. */
const LEAST_STEPS_OF_ONE_FOLD = 6;
/** An improvement cannot be above 1; what is worse than this is shown as this. */
const WORST = -1;

/**
 * Folds are drawn with replacement, and of each drawn fold runs of steps around its circle, since errors of
 * steps beside each other are alike: the circular block bootstrap (Politis and Romano 1992, A circular
 * block-resampling procedure for stationary data) below one of the folds (Davison and Hinkley 1997,
 * Bootstrap Methods and their Application, 3.8). Both models lose on the same draws, so that what is hard for
 * both cancels out. The interval is Student's, by the deviation over the draws with as many degrees of
 * freedom as there are folds but one: of few folds their deviation is known badly (Hesterberg 2015, What
 * Teachers Should Know About the Bootstrap, 4). Equal input gives equal output.
 * `isRoot`: the score is the root of the mean of what was lost (`rmsse`).
 */
export function compare(
  folds: readonly FoldLosses[],
  { score, against }: Pick<Comparison, 'score' | 'against'>,
  isRoot: boolean,
  seed: number,
): Comparison {
  const told = folds.map(both).filter(({ candidate }) => candidate.length > 0);
  const improvement = improvementOf(score, against);
  const width = halfWidth(told, isRoot, seeded(seed));
  const within = (x: number): number => Math.min(1, Math.max(WORST, x));
  const interval = [within(improvement - width), within(improvement + width)] as const;
  return { score, against, improvement, interval };
}

/** Whether a candidate takes the place of what serves; `least`: of the improvement, a share. */
export const beats = ({ score, against, interval }: Comparison, least: number): boolean =>
  score < against && interval[0] > least;

const improvementOf = (score: number, against: number): number => {
  if (against === 0) return score === 0 ? 0 : WORST;
  return Math.max(WORST, 1 - score / against);
};

/** The steps for which both have a number. */
function both({ candidate, against }: FoldLosses): FoldLosses {
  const isTold = (_: number, i: number): boolean =>
    Number.isFinite(candidate[i]!) && Number.isFinite(against[i]!);
  return { candidate: candidate.filter(isTold), against: against.filter(isTold) };
}

/** Of the interval; infinite where nothing can be told. */
function halfWidth(folds: readonly FoldLosses[], isRoot: boolean, random: Uniform): number {
  const steps = Math.max(0, ...folds.map(({ candidate }) => candidate.length));
  if (folds.length === 0 || (folds.length === 1 && steps < LEAST_STEPS_OF_ONE_FOLD)) return Infinity;
  const power = isRoot ? 0.5 : 1;
  const draws: number[] = [];
  for (let i = 0; i < DRAWS; i++) {
    const [candidate, against] = drawn(folds, random);
    if (against > 0) draws.push(1 - (candidate / against) ** power);
  }
  if (draws.length < DRAWS / 2) return Infinity;
  const degrees = Math.max(1, folds.length - 1);
  // Draws of n folds vary by (n - 1)/n too little; where steps are drawn too, these make up for it
  const lacking = steps === 1 ? Math.sqrt(folds.length / degrees) : 1;
  return deviation(draws) * lacking * tTwoSidedQuantile(OUTSIDE, degrees);
}

/** What both lost in one draw of as many folds as there are. */
function drawn(folds: readonly FoldLosses[], random: Uniform): [candidate: number, against: number] {
  const sums: [number, number] = [0, 0];
  for (let i = 0; i < folds.length; i++) {
    const { candidate, against } = folds[Math.floor(random() * folds.length)]!;
    const steps = candidate.length;
    const block = Math.round(Math.sqrt(steps));
    for (let taken = 0; taken < steps; taken += block) {
      const start = Math.floor(random() * steps);
      for (let k = 0; k < Math.min(block, steps - taken); k++) {
        sums[0] += candidate[(start + k) % steps]!;
        sums[1] += against[(start + k) % steps]!;
      }
    }
  }
  return sums;
}

function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const squares = values.reduce((sum, x) => sum + (x - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1));
}
