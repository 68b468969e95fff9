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
  const n = scores[0]!.length;
  const deviations: Float64Array[] = [];
  const placebos = new Float64Array(shifts.length);
  let best = { worth: -1, shape: 0, weighting: 0 };
  weighings.forEach((occurrences, weighting) => {
    const sizes = sizesOf(occurrences, dictionary);
    const dear = weighting === 0 ? 0 : DEARER;
    const spreads = new Float64Array(sizes.length);
    const shifted = new Float64Array(shifts.length);
    scores.forEach((score, s) => {
      for (let b = 0; b < shifts.length; b++)
        shifted[b] = sumAt(score, occurrences, shifts[b]!, n) / sizes[s]!;
      const spread = Math.sqrt(shifted.reduce((sum, x) => sum + x * x, 0) / shifts.length) || 1;
      const z = sumAt(score, occurrences, 0, n) / sizes[s]! / spread;
      spreads[s] = spread;
      const worth = z * z - dear;
      if (worth > best.worth) best = { worth, shape: s, weighting };
      for (let b = 0; b < shifts.length; b++)
        placebos[b] = Math.max(placebos[b]!, (shifted[b]! / spread) ** 2 - dear);
    });
    deviations.push(spreads);
  });
  return {
    shape: best.shape,
    weighting: best.weighting,
    z: Math.sqrt(Math.max(0, best.worth)),
    placebos: placebos.map(x => Math.sqrt(x)),
    deviations,
  };
}

/** The same at the stream's own times in other errors: noise and placebos are taken to be as they were. */
export function scanAgain(
  before: Scan,
  weighings: readonly Occurrences[],
  dictionary: Dictionary,
  scores: readonly Float64Array[],
): Scan {
  const n = scores[0]!.length;
  let best = { worth: -1, shape: 0, weighting: 0 };
  weighings.forEach((occurrences, weighting) => {
    const sizes = sizesOf(occurrences, dictionary);
    scores.forEach((score, shape) => {
      const z = sumAt(score, occurrences, 0, n) / sizes[shape]! / before.deviations[weighting]![shape]!;
      const worth = z * z - (weighting === 0 ? 0 : DEARER);
      if (worth > best.worth) best = { worth, shape, weighting };
    });
  });
  return { ...before, ...best, z: Math.sqrt(Math.max(0, best.worth)) };
}

function sumAt(score: Float64Array, { steps, weights }: Occurrences, shift: number, n: number): number {
  let sum = 0;
  for (let i = 0; i < steps.length; i++) {
    const at = steps[i]! + shift;
    sum += weights[i]! * score[at >= n ? at - n : at]!;
  }
  return sum;
}
