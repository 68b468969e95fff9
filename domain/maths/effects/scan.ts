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
  const all = Int32Array.of(0, ...shifts);
  const sums = weighings.map(() => new Float64Array(all.length));
  const heavy = side(weighings);
  let best = { worth: -1, shape: 0, weighting: 0 };
  scores.forEach((score, s) => {
    sumsAt(score, weighings[0]!.steps, heavy, all, sums);
    sums.forEach((each, weighting) => {
      const size = sizes[weighting]![s]!;
      const dear = weighting === 0 ? 0 : DEARER;
      let squares = 0;
      for (let b = 1; b < each.length; b++) squares += (each[b]! / size) ** 2;
      const spread = Math.sqrt(squares / shifts.length) || 1;
      const worth = (each[0]! / size / spread) ** 2 - dear;
      deviations[weighting]![s] = spread;
      const isBetter = worth > best.worth || (worth === best.worth && weighting < best.weighting);
      if (isBetter) best = { worth, shape: s, weighting };
      for (let b = 0; b < shifts.length; b++) {
        const worse = (each[b + 1]! / size / spread) ** 2 - dear;
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

const MOST_WEIGHINGS = 4;

/** The weights of all weighings side by side, four to an event: their steps are the same. */
function side(weighings: readonly Occurrences[]): Float64Array {
  const heavy = new Float64Array(MOST_WEIGHINGS * weighings[0]!.steps.length);
  weighings.forEach(({ weights }, w) => weights.forEach((x, i) => (heavy[MOST_WEIGHINGS * i + w] = x)));
  return heavy;
}

/** Into a column for each weighing: the weighed sum of the scores at the events, at each of the shifts. */
function sumsAt(
  score: Float64Array,
  steps: Int32Array,
  heavy: Float64Array,
  shifts: Int32Array,
  into: readonly Float64Array[],
): void {
  const n = score.length;
  const sums = new Float64Array(MOST_WEIGHINGS);
  for (let b = 0; b < shifts.length; b++) {
    const shift = shifts[b]!;
    let p = 0;
    let q = 0;
    let r = 0;
    let s = 0;
    for (let i = 0, at = 0; i < steps.length; i++, at += MOST_WEIGHINGS) {
      const step = steps[i]! + shift;
      const value = score[step >= n ? step - n : step]!;
      p += heavy[at]! * value;
      q += heavy[at + 1]! * value;
      r += heavy[at + 2]! * value;
      s += heavy[at + 3]! * value;
    }
    sums[0] = p;
    sums[1] = q;
    sums[2] = r;
    sums[3] = s;
    for (let w = 0; w < into.length; w++) into[w]![b] = sums[w]!;
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
