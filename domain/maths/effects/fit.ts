import type { Frame } from './frame.js';
import { unlikeWithin, type Occurrences, type Shape } from './shapes.js';
import { lateNear, structuresBeside, structuresNear } from './structures.js';
import { better, explainedBy, type Explained, type Tried } from './tried.js';

/** The response of a target to a stream: shape, size at the peak for weight 1 in its unit, and how sure. */
export type Fit = {
  readonly shape: Shape;
  readonly size: number;
  readonly z: number;
  /** In steps, of all shapes that were tried, each as likely as it is: between alike ones chance decides. */
  readonly halfLife: number;
  /** 90%: half-lives that explain nearly as much, in steps. */
  readonly halfLives: readonly [number, number];
};

const GOLDEN = (Math.sqrt(5) - 1) / 2;
const ROUNDS = 9;
const REACH = 2.5;
/** The 90% point of chi-squared with one degree of freedom. */
const WITHIN = 2.706;
const LEAST_HALF_LIFE = 0.3;

/**
 * The best response of any shape, by least squares over all that the frame leaves: the best of a few that are
 * unlike each other (and of `also`), and then what is near it, with a continuous half-life.
 */
export function fitted(frame: Frame, occurrences: Occurrences, also: readonly Shape[] = []): Fit {
  const explained = explainedBy(frame, occurrences);
  const tried = triedOf(frame, explained, also);
  const best = tried.reduce(better);
  const halfLives = rangeOf(best, tried, frame.n, explained);
  const halfLife = Math.min(halfLives[1], Math.max(halfLives[0], likelyHalfLife(best, tried)));
  return { shape: best.shape, size: best.size, z: best.z, halfLife, halfLives };
}

/** The shape of that response alone. */
export const shapeOf = (frame: Frame, occurrences: Occurrences): Shape =>
  triedOf(frame, explainedBy(frame, occurrences), []).reduce(better).shape;

function triedOf(frame: Frame, explained: Explained, also: readonly Shape[]): Tried[] {
  const looked = [...unlikeWithin(frame.n), ...also].map(explained);
  const atOnce = looked.filter(({ shape }) => shape.delay === 0).reduce(better).shape;
  const starts = [...structuresNear(atOnce), ...lateNear(looked, explained)];
  const near = starts.map(shape => bestHalfLife(shape, shape.halfLife, frame.n, explained));
  const found = near.reduce(better);
  const nearer = structuresBeside(found.shape).map(shape =>
    bestHalfLife(shape, found.shape.halfLife, frame.n, explained),
  );
  return [...near, ...nearer];
}

/** By golden section over the logarithm of the half-life. */
function bestHalfLife(shape: Shape, around: number, n: number, explained: Explained): Tried {
  const at = (log: number): Tried => explained({ ...shape, halfLife: Math.exp(log) });
  let low = Math.log(Math.max(LEAST_HALF_LIFE, around / REACH));
  let high = Math.log(Math.max(LEAST_HALF_LIFE * REACH, Math.min(n, around * REACH)));
  let left = at(high - GOLDEN * (high - low));
  let right = at(low + GOLDEN * (high - low));
  for (let round = 0; round < ROUNDS; round++) {
    if (left.worth >= right.worth) {
      high = Math.log(right.shape.halfLife);
      right = left;
      left = at(high - GOLDEN * (high - low));
    } else {
      low = Math.log(left.shape.halfLife);
      left = right;
      right = at(low + GOLDEN * (high - low));
    }
  }
  return left.worth >= right.worth ? left : right;
}

/** The mean of its logarithm (model averaging). */
function likelyHalfLife(best: Tried, tried: readonly Tried[]): number {
  let sum = 0;
  let all = 0;
  for (const { worth, shape } of tried) {
    const likely = Math.exp((worth - best.worth) / 2);
    sum += likely * Math.log(shape.halfLife);
    all += likely;
  }
  return Math.exp(sum / all);
}

const STRIDE = 2 ** 0.25;

/**
 * The half-lives whose best shape explains as much as the best but for what chance gives (profile
 * likelihood).
 */
function rangeOf(best: Tried, tried: readonly Tried[], n: number, explained: Explained): [number, number] {
  const structures = tried.filter(({ worth }) => worth >= best.worth - WITHIN).map(({ shape }) => shape);
  const holds = (halfLife: number): boolean =>
    structures.some(shape => explained({ ...shape, halfLife }).worth >= best.worth - WITHIN);
  const end = (stride: number): number => {
    let reached = best.shape.halfLife;
    while (reached > LEAST_HALF_LIFE && reached < n && holds(reached * stride)) reached *= stride;
    return reached * Math.sqrt(stride);
  };
  return [end(1 / STRIDE), end(STRIDE)];
}
