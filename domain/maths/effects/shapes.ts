/**
 * How an effect runs, in steps from that of the event: nothing for `delay`, a rise of `rise` steps to the
 * peak (0: a jump), and a decay to half in `halfLife`. `exponential`: a straight rise and 2^-(k/h); `bell`:
 * both sides are halves of bells, 2^-(k/h)^2, which is a transient bump, or from a jump a level that holds
 * for a while.
 */
export type Shape = {
  readonly delay: number;
  readonly rise: number;
  readonly halfLife: number;
  readonly form: 'exponential' | 'bell';
};

/** Share of the peak, k steps after the event's. */
export function shareAt({ delay, rise, halfLife, form }: Shape, k: number): number {
  const at = k - delay;
  if (at < 0) return 0;
  if (at < rise) return riseAt(rise, form, at);
  const past = (at - rise) / halfLife;
  return 2 ** -(form === 'bell' ? past * past : past);
}

/** Share of the peak, `at` steps into the rise to it. */
export function riseAt(rise: number, form: Shape['form'], at: number): number {
  return form === 'bell' ? 2 ** -(((2 * (rise - at)) / (rise + 1)) ** 2) : (at + 1) / (rise + 1);
}

/** After so many steps less than a hundredth of the peak is left, or `most`. */
export function lengthOf({ delay, rise, halfLife, form }: Shape, most: number): number {
  const tail = halfLife * (form === 'bell' ? 2.6 : 6.7);
  return Math.min(most, Math.ceil(delay + rise + tail) + 1);
}

export const peakOf = ({ delay, rise }: Shape): number => delay + rise;

const RISES = [0, 1, 2, 3, 4, 6, 8, 11, 15, 20];
const HALF_LIVES = [0.5, 1, 2, 3, 4.5, 6.5, 9, 13, 18, 26, 38, 60, 150];
const BELL_RISES = [0, 1, 2, 3, 4, 6, 8, 11, 15, 20];
const BELL_HALF_LIVES = [1, 2, 3, 4.5, 6.5, 9, 13, 18, 26];
const DELAYS = [1, 2, 3, 4, 6, 8, 12, 16];
const DELAYED_HALF_LIVES = [0.5, 1.5, 3, 6, 10, 18, 30, 60];

/** The shapes that are looked for: spaced so that none between two of them is much unlike both. */
export const SHAPES: readonly Shape[] = [
  ...RISES.flatMap(rise => HALF_LIVES.map(halfLife => shape(0, rise, halfLife, 'exponential'))),
  ...BELL_RISES.flatMap(rise => BELL_HALF_LIVES.map(halfLife => shape(0, rise, halfLife, 'bell'))),
  ...DELAYS.flatMap(delay => DELAYED_HALF_LIVES.map(halfLife => shape(delay, 0, halfLife, 'exponential'))),
];

function shape(delay: number, rise: number, halfLife: number, form: Shape['form']): Shape {
  return { delay, rise, halfLife, form };
}

const isWithin = (each: Shape, steps: number): boolean =>
  peakOf(each) * 6 <= steps && (each.halfLife * 4 <= steps || each.halfLife <= 3);

/** The shapes that fit into so many steps of data. */
export const shapesWithin = (steps: number): Shape[] => SHAPES.filter(each => isWithin(each, steps));

export const FORMS = ['exponential', 'bell'] as const;

/** A few shapes so spaced that every other one is near one of them. */
const UNLIKE: readonly Shape[] = [
  ...[0, 2, 6, 15].flatMap(rise => [1, 3, 8, 20, 60].map(h => shape(0, rise, h, 'exponential'))),
  ...[0, 3, 8, 15].flatMap(rise => [2, 6, 16, 36].map(h => shape(0, rise, h, 'bell'))),
  ...[1, 3, 6, 12].flatMap(delay => [2, 8, 30].map(h => shape(delay, 0, h, 'exponential'))),
];

export const unlikeWithin = (steps: number): Shape[] => UNLIKE.filter(each => isWithin(each, steps));

/** When events happened (steps, ascending, each once) and what those of each step weigh together. */
export type Occurrences = { readonly steps: Int32Array; readonly weights: Float64Array };

/** The sum of the responses to all events over n steps: the path of an effect of size 1. */
export function pathOf({ steps, weights }: Occurrences, each: Shape, n: number): Float64Array {
  const path = new Float64Array(n);
  const shares = sharesOf(each, lengthOf(each, n));
  steps.forEach((step, i) => {
    const weight = weights[i]!;
    for (let k = 0, end = Math.min(shares.length, n - step); k < end; k++)
      path[step + k]! += weight * shares[k]!;
  });
  return path;
}

export function sharesOf(each: Shape, length: number): Float64Array {
  const shares = new Float64Array(length);
  for (let k = 0; k < length; k++) shares[k] = shareAt(each, k);
  return shares;
}
