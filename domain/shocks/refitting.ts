import { mixed, towardsChampion } from './blend.js';
import type { Evidence, Weights } from './facts.js';

/** A graded step of a forecast: what was blended there, how much of the response remained, and what came. */
export type Sample = {
  readonly time: number;
  readonly actual: number;
  readonly parts: Weights;
  readonly remaining: number;
};

/** Weights are looked at after so many graded steps, of so many actuals. */
const LOOKED_AFTER = 20;
const ACTUALS = 4;
export const isEnough = (samples: readonly Sample[]): boolean =>
  samples.length >= LOOKED_AFTER && timesOf(samples).length >= ACTUALS;

const timesOf = (samples: readonly Sample[]): number[] =>
  [...new Set(samples.map(({ time }) => time))].sort((a, b) => a - b);

/** The most that a weight moves at a time. */
const MOST_MOVED = 0.1;
const ROUNDS = 400;

export type Refitting = { readonly after: Weights; readonly helps: boolean; readonly evidence: Evidence };

/**
 * Weights of a phase (at R = 1) fitted to the steps of every other actual by projected gradient on the
 * simplex, moved there from the present ones by at most .1; they help where they lose less, in mean absolute
 * error, at the steps between.
 */
export function refitted(before: Weights, samples: readonly Sample[]): Refitting {
  const times = timesOf(samples);
  const isFitted = new Set(times.filter((_, i) => i % 2 === 0));
  const fitting = samples.filter(({ time }) => isFitted.has(time));
  const held = samples.filter(({ time }) => !isFitted.has(time));
  const after = movedTowards(before, fitted(before, fitting));
  const evidence = {
    ...{ from: times[0]!, to: times.at(-1)!, fitted: fitting.length, heldOut: held.length },
    ...{ lossBefore: lossOf(before, held), lossAfter: lossOf(after, held) },
    championLoss: lossOf({ champion: 1, generalist: 0, response: 0 }, held),
  };
  return { after, helps: evidence.lossAfter < evidence.lossBefore, evidence };
}

const errorOf = (weights: Weights, { parts, remaining, actual }: Sample): number =>
  mixed(towardsChampion(weights, remaining), parts) - actual;
const lossOf = (weights: Weights, samples: readonly Sample[]): number =>
  samples.reduce((sum, sample) => sum + Math.abs(errorOf(weights, sample)), 0) / samples.length;

/** The best weights on the way of a subgradient, whose steps become smaller. */
function fitted(start: Weights, samples: readonly Sample[]): Weights {
  let weights = start;
  let best = { weights, loss: lossOf(weights, samples) };
  for (let round = 1; round <= ROUNDS && best.loss > 0; round++) {
    const slope = slopeOf(weights, samples);
    const size = Math.hypot(slope.champion, slope.generalist, slope.response);
    if (size === 0) break;
    const step = 0.5 / (size * Math.sqrt(round));
    weights = ontoSimplex({
      champion: weights.champion - step * slope.champion,
      generalist: weights.generalist - step * slope.generalist,
      response: weights.response - step * slope.response,
    });
    const loss = lossOf(weights, samples);
    if (loss < best.loss) best = { weights, loss };
  }
  return best.weights;
}

/** Of the mean absolute error by the weights, within those that add to 1. */
function slopeOf(weights: Weights, samples: readonly Sample[]): Weights {
  let generalist = 0;
  let response = 0;
  for (const sample of samples) {
    const { parts, remaining } = sample;
    const sign = (Math.sign(errorOf(weights, sample)) * remaining) / samples.length;
    generalist += sign * (parts.generalist - parts.champion);
    response += sign * (parts.response - parts.champion);
  }
  const mean = (generalist + response) / 3;
  return { champion: -mean, generalist: generalist - mean, response: response - mean };
}

/** The nearest weights that are not negative and add to 1 (Duchi and others 2008). */
export function ontoSimplex({ champion, generalist, response }: Weights): Weights {
  const sorted = [champion, generalist, response].sort((a, b) => b - a);
  let sum = 0;
  let shift = 0;
  sorted.forEach((value, i) => {
    sum += value;
    if (value - (sum - 1) / (i + 1) > 0) shift = (sum - 1) / (i + 1);
  });
  const cut = (value: number): number => Math.max(0, value - shift);
  return { champion: cut(champion), generalist: cut(generalist), response: cut(response) };
}

/** On the straight way to other weights as far as no weight moves by more than .1. */
function movedTowards(from: Weights, to: Weights): Weights {
  const most = Math.max(
    Math.abs(to.champion - from.champion),
    Math.abs(to.generalist - from.generalist),
    Math.abs(to.response - from.response),
  );
  const share = most > MOST_MOVED ? MOST_MOVED / most : 1;
  const generalist = from.generalist + share * (to.generalist - from.generalist);
  const response = from.response + share * (to.response - from.response);
  return { champion: Math.max(0, 1 - generalist - response), generalist, response };
}
