import type { Step } from '../series/grid.js';
import { quantile } from '../series/quantile.js';
import type { Uniform } from '../seeded.js';
import { normalQuantile } from '../statistics/distributions.js';
import { LEVELS } from '../forecasting/quantiles.js';
import type { Interval } from './answer.js';
import { blockOf, FEWEST_STEPS } from './blocks.js';
import { levelsOf } from './curve.js';
import { learnt, type Learned } from './learning.js';
import { knownOf, profileOf, referenceOf, type Reference } from './reference.js';
import { pathOf, peakOf, type Occurrences } from './shapes.js';

export const FOLDS = 5;
/** Origins of forecasts are taken until so many half-lives after the peak, at most this many an event. */
const FOLLOWED = 2;
const MOST_ORIGINS = 8;
/** Longer horizons are scored so far. */
const MOST_LEADS = 200;
/** References of folds are fitted to tenths of the series. */
const TENTHS = 10;

/**
 * Pinball losses of one event's forecasts, in residual deviations: not knowing the stream, and knowing it.
 */
export type EventLoss = { readonly without: number; readonly with: number };

/** Another source that acts: what it adds is known to both forecasts, fitted to the same past. */
export type Acting = { readonly path: Float64Array };

/** The references that forecasters of different moments would have fitted: `at` the first step not known. */
export function referencesOf(y: Float64Array, step: Step): (at: number) => Reference | null {
  const made = new Map<number, Reference>();
  return at => {
    const tenth = Math.max(1, Math.floor(y.length / TENTHS));
    const steps = Math.floor(at / tenth) * tenth;
    if (steps < FEWEST_STEPS) return null;
    const reference = made.get(steps) ?? referenceOf(y.slice(0, steps), step);
    made.set(steps, reference);
    return reference;
  };
}

/**
 * What knowing the stream is worth to forecasts of the horizon, event by event. Events are cut into fifths,
 * blocks of time from the first event of one to that of the next; what is needed to forecast in a block
 * (level's gain, season's size, shape and size of the response) is learnt from all steps outside it. The
 * forecasts of an event begin at the step before it and, where the horizon ends before the effect does, at
 * further ones, and end with the next event, which is not known at their origin: what it does is its own. So
 * no step at which an event is tried has told anything of the response that is tried there.
 * `like`: a reference that has the trend and harmonics of the target.
 */
export function eventLosses(
  y: Float64Array,
  step: Step,
  like: Reference,
  occurrences: Occurrences,
  others: readonly Acting[],
  horizon: number,
): EventLoss[] {
  const count = occurrences.steps.length;
  return Array.from({ length: FOLDS }, (_, k) => k).flatMap(k => {
    const from = Math.floor((count * k) / FOLDS);
    const to = Math.floor((count * (k + 1)) / FOLDS);
    const block = blockOf(y, occurrences.steps[from] ?? 0, occurrences.steps[to] ?? y.length);
    if (from === to || block === null) return [];
    const learned = learnt(block.rest, step, like, occurrences, [...others, ...block.after]);
    const steps = Array.from({ length: to - from }, (_, i) => from + i);
    return steps.map(i => lossOf(y, occurrences, i, learned, others, horizon));
  });
}

function lossOf(
  y: Float64Array,
  { steps, weights }: Occurrences,
  event: number,
  learned: Learned,
  others: readonly Acting[],
  horizon: number,
): EventLoss {
  const { reference } = learned;
  const leads = Math.min(horizon, MOST_LEADS);
  const at = steps[event]!;
  const span = peakOf(learned.shape) + Math.ceil(FOLLOWED * learned.shape.halfLife);
  const next = steps[event + 1] ?? y.length;
  const end = Math.min(next, at + span + leads + 1);
  const known = knownOf(y.subarray(0, end));
  const profile = profileOf(reference, end);
  const rest = Float64Array.from({ length: end }, (_, t) =>
    others.reduce((left, each, i) => left - learned.others[i]! * each.path[t]!, y[t]! - profile[t]!),
  );
  const upTo = { steps: steps.subarray(0, event + 1), weights: weights.subarray(0, event + 1) };
  const path = pathOf(upTo, learned.shape, end).map(share => share * learned.size);
  const levels = levelsOf(rest, reference.gain, known);
  const followed = levelsOf(path, reference.gain, known);
  const losses = { without: 0, with: 0 };
  const stride = Math.max(1, leads, Math.ceil(span / MOST_ORIGINS));
  const until = Math.min(at + span, next) - 1;
  for (let origin = at - 1; origin < Math.max(at, until); origin += stride)
    for (let lead = 1; lead <= leads && origin + lead < end; lead++) {
      const t = origin + lead;
      if (!known[t] || origin < 0) continue;
      const deviation = reference.scale * Math.sqrt(1 + (lead - 1) * reference.gain ** 2);
      const error = rest[t]! - levels[origin]!;
      losses.without += pinball(error / deviation);
      losses.with += pinball((error - path[t]! + followed[origin]!) / deviation);
    }
  return losses;
}

const NORMAL = LEVELS.map(normalQuantile);

/** Mean pinball loss over the nine levels of a standard normal forecast. */
export function pinball(error: number): number {
  let sum = 0;
  LEVELS.forEach((level, k) => {
    const over = error - NORMAL[k]!;
    sum += over > 0 ? level * over : (level - 1) * over;
  });
  return sum / LEVELS.length;
}

export const BOOTSTRAPS = 500;
const BAND = [0.05, 0.95] as const;
const FEWEST = 4;

/** 1 - loss with / without, and its 90% interval by drawing events again; null from fewer than 4. */
export function liftOf(
  losses: readonly EventLoss[],
  random: Uniform,
): { lift: number; interval: Interval } | null {
  const over = (events: readonly EventLoss[]): number => {
    const without = events.reduce((sum, each) => sum + each.without, 0);
    return without > 0 ? 1 - events.reduce((sum, each) => sum + each.with, 0) / without : 0;
  };
  if (losses.length < FEWEST) return null;
  const drawn = Array.from({ length: BOOTSTRAPS }, () =>
    over(losses.map(() => losses[Math.floor(random() * losses.length)]!)),
  ).sort((a, b) => a - b);
  return { lift: over(losses), interval: [quantile(drawn, BAND[0]), quantile(drawn, BAND[1])] };
}
