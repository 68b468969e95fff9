import { sizesOf, type Dictionary } from './dictionary.js';
import type { Occurrences } from './shapes.js';

/** How the best shape of the best weighing does: its |z|, where it stands, and how shifted times do. */
export type Scan = {
  readonly z: number;
  readonly shape: number;
  readonly weighting: number;
  /** Largest |z| over shapes and weighings, of each shift. */
  readonly placebos: Float64Array;
  /** Robust deviation of z over the shifts, by weighing and shape: what noise of this kind makes of it. */
  readonly deviations: readonly Float64Array[];
};

/** A weighing beyond the plain one must have a z^2 greater by this (about log n, as in the BIC). */
const DEARER = 4;

/** Every weighing of one stream (the first is the plain one), at its times and at each shift. */
export function scanOf(
  weighings: readonly Occurrences[],
  dictionary: Dictionary,
  scores: readonly Float64Array[],
  shifts: Int32Array,
): Scan {
  const sizes = weighings.map(occurrences => sizesOf(occurrences, dictionary));
  const deviations = weighings.map(() => new Float64Array(scores.length));
  const placebos = new Float64Array(shifts.length);
  const all = withNone(shifts);
  const z = new Float64Array(all.length);
  const round = new Float64Array(2 * scores[0]!.length);
  let best = { worth: -1, shape: 0, weighting: 0 };
  scores.forEach((score, s) => {
    twice(score, round);
    weighings.forEach((occurrences, weighting) => {
      sumsAt(round, occurrences, all, z);
      const size = sizes[weighting]![s]!;
      const dear = weighting === 0 ? 0 : DEARER;
      for (let b = 0; b <= shifts.length; b++) z[b]! /= size;
      let squares = 0;
      for (let b = 1; b <= shifts.length; b++) squares += z[b]! ** 2;
      const spread = Math.sqrt(squares / shifts.length) || 1;
      const worth = (z[0]! / spread) ** 2 - dear;
      deviations[weighting]![s] = spread;
      const isBetter = worth > best.worth || (worth === best.worth && weighting < best.weighting);
      if (isBetter) best = { worth, shape: s, weighting };
      for (let b = 0; b < shifts.length; b++) {
        const worse = (z[b + 1]! / spread) ** 2 - dear;
        if (worse > placebos[b]!) placebos[b] = worse;
      }
    });
  });
  return {
    shape: best.shape,
    weighting: best.weighting,
    z: Math.sqrt(Math.max(0, best.worth)),
    placebos: placebos.map(x => Math.sqrt(x)),
    deviations,
  };
}

const AT_ONCE = 4;

/** No shift, then all of them, then none again until their number can be taken four at once. */
function withNone(shifts: Int32Array): Int32Array {
  const all = new Int32Array(AT_ONCE * Math.ceil((1 + shifts.length) / AT_ONCE));
  all.set(shifts, 1);
  return all;
}

/** One behind the other, so that shifted times need not be taken back to the start. */
function twice(score: Float64Array, into: Float64Array): void {
  into.set(score);
  into.set(score, score.length);
}

/**
 * The weighed sum of the scores (twice) at the events, at each of the shifts; four of these at once, which
 * the processor adds side by side.
 */
function sumsAt(
  round: Float64Array,
  { steps, weights }: Occurrences,
  shifts: Int32Array,
  into: Float64Array,
): void {
  for (let b = 0; b < shifts.length; b += AT_ONCE) {
    const [first, second, third, fourth] = [shifts[b]!, shifts[b + 1]!, shifts[b + 2]!, shifts[b + 3]!];
    let p = 0;
    let q = 0;
    let r = 0;
    let s = 0;
    for (let i = 0; i < steps.length; i++) {
      const step = steps[i]!;
      const weight = weights[i]!;
      p += weight * round[step + first]!;
      q += weight * round[step + second]!;
      r += weight * round[step + third]!;
      s += weight * round[step + fourth]!;
    }
    into[b] = p;
    into[b + 1] = q;
    into[b + 2] = r;
    into[b + 3] = s;
  }
}

/** The same at the stream's own times in other errors: noise and placebos are taken to be as they were. */
export function scanAgain(
  before: Scan,
  weighings: readonly Occurrences[],
  dictionary: Dictionary,
  scores: readonly Float64Array[],
): Scan {
  let best = { worth: -1, shape: 0, weighting: 0 };
  weighings.forEach((occurrences, weighting) => {
    const sizes = sizesOf(occurrences, dictionary);
    scores.forEach((score, shape) => {
      const z = sumAt(score, occurrences) / sizes[shape]! / before.deviations[weighting]![shape]!;
      const worth = z * z - (weighting === 0 ? 0 : DEARER);
      if (worth > best.worth) best = { worth, shape, weighting };
    });
  });
  return { ...before, ...best, z: Math.sqrt(Math.max(0, best.worth)) };
}

function sumAt(score: Float64Array, { steps, weights }: Occurrences): number {
  let sum = 0;
  for (let i = 0; i < steps.length; i++) sum += weights[i]! * score[steps[i]!]!;
  return sum;
}
