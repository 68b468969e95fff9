import type { EtsFit } from './fit.js';

/** Means and variances of the steps ahead. */
export type Ahead = { readonly means: Float64Array; readonly variances: Float64Array };

/**
 * What a fitted model expects, with its variances (Hyndman, Koehler, Ord and Snyder 2008, Forecasting with
 * Exponential Smoothing, chapter 6): exact for added errors (class 1) and for errors that multiply a sum
 * (class 2). Where the season multiplies (class 3) it is the formula of class 2 for the level and slope, an
 * error's effect on the season added to that on them: within 1% of the exact standard deviations over some
 * seasons. `steps` values follow the `seen` ones.
 */
export function ahead(
  { form, weights, end, squares, count, parameters }: EtsFit,
  seen: number,
  steps: number,
): Ahead {
  const m = end.season.length;
  const variance = squares / (count - parameters);
  const bases = new Float64Array(steps);
  const figures = new Float64Array(steps);
  let { level, slope } = end;
  for (let h = 0; h < steps; h++) {
    slope *= weights.phi;
    level += slope;
    bases[h] = level;
    figures[h] = end.season[(seen + h) % m]!;
  }
  const multiplies = form.season === 'M';
  const means = bases.map((base, h) => (multiplies ? base * figures[h]! : base + figures[h]!));
  const effects = effectsOf(weights, multiplies ? Infinity : m, steps);
  if (form.error === 'A') return { means, variances: sums(effects).map(sum => variance * (1 + sum)) };
  const onSeason = (h: number, j: number): number =>
    multiplies && j % m === 0 ? (weights.gamma * bases[h]!) / bases[h - j]! : 0;
  const core = multiplies ? bases : means;
  const spread = secondMoments(core, variance, (h, j) => effects[j - 1]! + onSeason(h, j));
  const variances = core.map((mean, h) => (1 + variance) * spread[h]! - mean * mean);
  return { means, variances: multiplies ? variances.map((v, h) => figures[h]! ** 2 * v) : variances };
}

/** How much an error still counts j steps later, at the index j - 1. */
function effectsOf(
  { alpha, beta, gamma, phi }: EtsFit['weights'],
  period: number,
  steps: number,
): Float64Array {
  let faded = 0;
  let power = 1;
  return Float64Array.from({ length: steps }, (_, i) => {
    power *= phi;
    faded += power;
    return alpha + beta * faded + ((i + 1) % period === 0 ? gamma : 0);
  });
}

/** At each step the sum of the squares of the effects before it. */
function sums(effects: Float64Array): Float64Array {
  let sum = 0;
  return effects.map(effect => {
    const before = sum;
    sum += effect * effect;
    return before;
  });
}

/**
 * Errors of a tenth or more that multiply each other make the variance grow without bounds: the few paths
 * that go far up are all of it, and a normal band from it says nothing. It is at most so many times what the
 * errors add up to when each is taken in proportion to the means.
 */
const MOST_SPREAD = 4;

/**
 * theta of the book: mean^2 of a step and what the errors `j` steps before it, in proportion to theirs, add.
 */
function secondMoments(
  means: Float64Array,
  variance: number,
  effect: (h: number, j: number) => number,
): Float64Array {
  const theta = new Float64Array(means.length);
  for (let h = 0; h < means.length; h++) {
    let sum = 0;
    let plain = 0;
    for (let j = 1; j <= h; j++) {
      sum += effect(h, j) ** 2 * theta[h - j]!;
      plain += (effect(h, j) * means[h - j]!) ** 2;
    }
    theta[h] = means[h]! ** 2 + variance * Math.min(sum, MOST_SPREAD * plain);
  }
  return theta;
}
