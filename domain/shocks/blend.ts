import { PHASES, type GradedStep, type Phase, type Weights } from './facts.js';

/** Weights of each phase at R = 1, and how much wider bands are then. */
export type Blend = { readonly weights: Readonly<Record<Phase, Weights>>; readonly bandK: number };

const START: Weights = { champion: 0.4, generalist: 0.25, response: 0.35 };
export const STARTING_BLEND: Blend = {
  weights: Object.fromEntries(PHASES.map(phase => [phase, START])) as Record<Phase, Weights>,
  bandK: 1,
};

/** By R(t): half of the response remains after the first half-life, a quarter after the second. */
export function phaseOf(remaining: number): Phase {
  if (remaining > 0.5) return 'first';
  return remaining > 0.25 ? 'second' : 'later';
}

/** A phase's weights at R = 1 on their straight way to the champion alone at R = 0. */
export const towardsChampion = (at1: Weights, remaining: number): Weights => ({
  champion: 1 - remaining * (1 - at1.champion),
  generalist: remaining * at1.generalist,
  response: remaining * at1.response,
});

/** The weights that hold where so much of the response remains. */
export const weightsAt = ({ weights }: Blend, remaining: number): Weights =>
  towardsChampion(weights[phaseOf(remaining)], remaining);

/** The half-width of a band is multiplied by it where so much of the response remains at its step. */
export const bandFactorAt = ({ bandK }: Blend, remaining: number): number => 1 + bandK * remaining;

/** Without a generalist the champion has its share. */
export const withoutGeneralist = ({ champion, generalist, response }: Weights): Weights => ({
  champion: champion + generalist,
  generalist: 0,
  response,
});

/** The sum of the parts by their weights. */
export const mixed = (weights: Weights, parts: Weights): number =>
  weights.champion * parts.champion
  + weights.generalist * parts.generalist
  + weights.response * parts.response;

const MOST_K = 3;
/**
 * How fast k follows: a step that all bands missed widens them by this times .8, one inside narrows by .2. A
 * goal sees few steps in shock: so it comes from 1, where nearly all is inside, to 0 within some fifteen.
 */
const RATE = 0.4;
const OUTSIDE = 0.2;

/** k after actuals came: bands of shocks come to hold 80% of them, over all steps that they had. */
export const bandKAfter = (bandK: number, steps: readonly GradedStep[]): number =>
  steps.map(missed).reduce((k, share) => Math.max(0, Math.min(MOST_K, k + RATE * (share - OUTSIDE))), bandK);

/** Of the forecasts that had a step, the share whose widened bands do not hold it. */
const missed = ({ outside, forecastIds, insideWidened }: GradedStep): number =>
  outside === undefined ? Number(!insideWidened) : outside / forecastIds.length;
