import { lengthOf, riseAt, sharesOf, type Occurrences, type Shape } from './shapes.js';
import type { Whitening } from './whitening.js';

/**
 * Shapes as they look in errors whitened so. `alike[s][lag]`: products of a filtered shape with itself so
 * much later.
 */
export type Dictionary = {
  readonly shapes: readonly Shape[];
  readonly whitening: Whitening;
  readonly alike: readonly Float64Array[];
};

const MOST_LENGTH = 300;

export function dictionaryOf(shapes: readonly Shape[], whitening: Whitening, n: number): Dictionary {
  const most = Math.min(MOST_LENGTH, Math.floor(n / 2));
  const filtered = shapes.map(shape => {
    const length = Math.min(most, lengthOf(shape, most) + Math.ceil(2 / Math.max(whitening.gain, 0.02)));
    return shortened(filteredFrom(sharesOf(shape, length), whitening));
  });
  return { shapes, whitening, alike: filtered.map(withItself) };
}

/** Of a column before which there was nothing for long. */
function filteredFrom(shares: Float64Array, { gain, autoregression }: Whitening): Float64Array {
  let level = 0;
  const errors = shares.map(share => {
    const error = share - level;
    level += gain * error;
    return error;
  });
  return errors.map((error, k) =>
    autoregression.reduce((rest, phi, lag) => rest - phi * (errors[k - lag - 1] ?? 0), error),
  );
}

/** What comes after this share of the sum of squares says no more. */
const TOLD = 0.995;

function shortened(x: Float64Array): Float64Array {
  const all = x.reduce((sum, value) => sum + value * value, 0);
  let told = 0;
  let length = 0;
  while (length < x.length && told < TOLD * all) told += x[length++]! ** 2;
  return x.slice(0, length);
}

function withItself(x: Float64Array): Float64Array {
  return x.map((_, lag) => {
    let sum = 0;
    for (let k = lag; k < x.length; k++) sum += x[k]! * x[k - lag]!;
    return sum;
  });
}

/**
 * scores[s][t]: how well the errors from step t on look like an effect of shape s that begins there, the
 * product of the errors with the filtered shape. The filter is laid over the errors instead, backwards in
 * time, and a shape is a rise and a tail, which many shapes share and recursions sum: no shape costs more
 * than an addition for each step.
 */
export function scoresOf(errors: Float64Array, { shapes, whitening }: Dictionary): Float64Array[] {
  const n = errors.length;
  const back = filteredFrom(errors.slice().reverse(), whitening).reverse();
  const tails = new Map<string, Float64Array>();
  const rises = new Map<string, Float64Array>();
  return shapes.map(({ delay, rise, halfLife, form }) => {
    const name = `${form} ${halfLife}`;
    const tail = tails.get(name) ?? tailOf(back, halfLife, form);
    tails.set(name, tail);
    const start = `${form} ${rise}`;
    const up = rises.get(start) ?? riseOf(back, rise, form);
    rises.set(start, up);
    const scores = new Float64Array(n);
    for (let t = 0, end = n - delay; t < end; t++)
      scores[t] = up[t + delay]! + (t + delay + rise < n ? tail[t + delay + rise]! : 0);
    return scores;
  });
}

/** Sums of x from each step on, weighed by the decay from the peak there. */
function tailOf(x: Float64Array, halfLife: number, form: Shape['form']): Float64Array {
  const sums = new Float64Array(x.length);
  if (form === 'bell') {
    const shares = sharesOf({ delay: 0, rise: 0, halfLife, form }, Math.ceil(BELL_REACH * halfLife));
    shares.forEach((share, k) => {
      for (let t = 0, end = x.length - k; t < end; t++) sums[t]! += share * x[t + k]!;
    });
    return sums;
  }
  const kept = 2 ** (-1 / halfLife);
  for (let t = x.length - 1, sum = 0; t >= 0; t--) {
    sum = x[t]! + kept * sum;
    sums[t] = sum;
  }
  return sums;
}

/** After so many half-lives a thousandth of a bell is left. */
const BELL_REACH = 3.2;

/** Sums of x over the steps of a rise from each step on. */
function riseOf(x: Float64Array, rise: number, form: Shape['form']): Float64Array {
  const sums = new Float64Array(x.length);
  for (let k = 0; k < rise; k++) {
    const share = riseAt(rise, form, k);
    for (let t = 0, end = x.length - k; t < end; t++) sums[t]! += share * x[t + k]!;
  }
  return sums;
}

/** The root of the sum of squares of what these events would add to the errors, for each shape at size 1. */
export function sizesOf({ steps, weights }: Occurrences, { alike }: Dictionary): Float64Array {
  const longest = alike.reduce((most, each) => Math.max(most, each.length), 0);
  const pairs = new Float64Array(longest);
  for (let i = 0; i < steps.length; i++)
    for (let j = i; j < steps.length && steps[j]! - steps[i]! < longest; j++)
      pairs[steps[j]! - steps[i]!]! += (i === j ? 1 : 2) * weights[i]! * weights[j]!;
  return Float64Array.from(alike, each => {
    let sum = 0;
    for (let lag = 0; lag < each.length; lag++) sum += pairs[lag]! * each[lag]!;
    return Math.sqrt(Math.max(sum, 1e-12 * (each[0]! * pairs[0]! + 1e-300)));
  });
}
