import { clamp, round4 } from './rounding.js';
import type { Scores } from './scoring.js';

/**
 * The arithmetic of scoring an event's text. What the ONNX model says about the text comes from
 * `adapters/scorer`; here is everything that can be recomputed by hand. Raise FORMULAS (and the recipe's
 * number) whenever a rule here or there changes an answer: it is part of the scorer's version.
 */
export const FORMULAS = 3;

/**
 * What was read from a text: class probabilities, importance in 0..1, closeness to the profile (null: no
 * profile), and which way the target it is about goes, -1..1 (null: the profile has none, or the text does
 * not say).
 */
export type TextFeatures = {
  readonly probabilities: readonly [negative: number, neutral: number, positive: number];
  readonly importance: number;
  readonly closeness: number | null;
  readonly rise: number | null;
  readonly foreign: boolean;
};

const SENTIMENTS = ['negative', 'neutral', 'positive'] as const;
const FOREIGN = { polarity: 1 / 4, importance: 1 / 2 };
const NEUTRAL_IMPACT = 1 / 4;

/** The importance head speaks on the scale of the labels, 0..1, and can overshoot its ends. */
export const importanceOf = (raw: number): number => clamp(raw, 0, 1);

/**
 * 0..1 from the cosines between an event and a profile: half the one to the whole profile, half the mean of
 * the three best ones to single phrases. Constants: the middle between workspaces' own events and those of
 * others.
 */
export const closenessOf = (whole: number, phrases: readonly number[]): number => {
  const best = [...phrases].sort((a, b) => b - a).slice(0, 3);
  if (!best.length) return whole;
  return whole / 2 + best.reduce((sum, x) => sum + x, 0) / best.length / 2;
};

/** Cosines between an event and a profile: to the whole, to each of its own words, to each of its names. */
export type Cosines = {
  readonly whole: number;
  readonly phrases: readonly number[];
  readonly names: readonly number[];
};

/** Names join the phrases, and make no event less relevant than it is without them; null: no profile. */
export const closenessTo = ({ whole, phrases, names }: Cosines): number | null => {
  const own = phrases.length > 0 ? closenessOf(whole, phrases) : null;
  if (names.length === 0) return own;
  return Math.max(own ?? MIDDLE, closenessOf(whole, [...phrases, ...names]));
};

/** The closeness at which relevance is 0.5. */
const MIDDLE = 0.12;

/** A workspace without a profile knows nothing about relevance: 0.5. */
export const relevanceOf = (closeness: number | null): number =>
  closeness === null ? 0.5 : 1 / (1 + Math.exp(-(closeness - MIDDLE) / 0.06));

/**
 * A text is about a target from this cosine on, and says which way it goes from this certainty (2p - 1) on:
 * 96% were right then.
 */
const ABOUT_TARGET = 0.35;
const SURE_RISE = 0.9;

/**
 * Which way a text moves the target it is closest to: 2p - 1 for the probability p that it goes up; null when
 * no target is close or the direction is not clear. `logit`: log odds of up against down.
 */
export const riseOf = (
  targets: readonly { readonly closeness: number; readonly logit: number }[],
): number | null => {
  let nearest = targets[0];
  for (const target of targets) if (!(nearest!.closeness >= target.closeness)) nearest = target;
  if (!nearest || nearest.closeness < ABOUT_TARGET) return null;
  const rise = Math.tanh(nearest.logit / 2);
  return Math.abs(rise) < SURE_RISE ? null : rise;
};

/**
 * Which way and how far it pushes, times importance and relevance. The push is the way of the target where
 * that is known (bad news can raise a price); else polarity, a quarter of it for a neutral text.
 */
export const impactOf = (
  scores: Pick<Scores, 'sentiment' | 'polarity' | 'importance' | 'relevance'>,
  rise: number | null,
): number => {
  const share = scores.sentiment === 'neutral' ? NEUTRAL_IMPACT : 1;
  const push = rise ?? scores.polarity * share;
  return push * scores.importance * scores.relevance;
};

/** 0..100, from the other rounded scores, so that anybody can recompute it from a stored event. */
export const rankOf = ({
  importance,
  relevance,
  impact,
}: Pick<Scores, 'importance' | 'relevance' | 'impact'>): number =>
  Math.round(100 * Math.sqrt(relevance) * (0.7 * importance + 0.3 * Math.abs(impact)));

/**
 * The six scores of a text. One in a language the model cannot read is neutral, its polarity and importance
 * shrunk.
 */
export const scoresOf = ({ probabilities, importance, closeness, rise, foreign }: TextFeatures): Scores => {
  const [negative, , positive] = probabilities;
  const likeliest = probabilities.indexOf(Math.max(...probabilities));
  const sentiment = foreign ? 'neutral' : (SENTIMENTS[likeliest] ?? 'neutral');
  const scores = {
    sentiment,
    polarity: round4((positive - negative) * (foreign ? FOREIGN.polarity : 1)),
    importance: round4(importance * (foreign ? FOREIGN.importance : 1)),
    relevance: round4(relevanceOf(closeness)),
  };
  const impact = round4(impactOf(scores, foreign ? null : rise));
  return { ...scores, impact, rank: rankOf({ ...scores, impact }) };
};

/** Words out of a key: `net_load.deBelow` -> `net load de Below`. */
export const readable = (key: string): string =>
  key
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[\s_./:-]+/gu, ' ')
    .trim();
