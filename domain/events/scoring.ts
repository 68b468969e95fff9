/**
 * The arithmetic of scoring an event's text. What the ONNX model says about the text comes from
 * `adapters/scorer`; here is everything that can be recomputed by hand. Raise FORMULAS (and the recipe's
 * number) whenever a rule here or there changes an answer: it is part of the scorer's version.
 */
export const FORMULAS = 2;

export type Sentiment = 'negative' | 'neutral' | 'positive';

/**
 * polarity and impact in -1..1, importance and relevance in 0..1, all at 4 decimals; rank an integer in
 * 0..100.
 */
export type Scores = {
  readonly sentiment: Sentiment;
  readonly polarity: number;
  readonly importance: number;
  readonly relevance: number;
  readonly impact: number;
  readonly rank: number;
  /**
   * How much of the text was new in its stream, 0..1 (`domain/events/novelty.ts`). No scorer knows it, no
   * other score depends on it; absent with numeric content, and in facts older than it.
   */
  readonly novelty?: number;
};

/**
 * Why: `weight` is how far `feature` moved the polarity or importance it names; `span` are UTF-16 offsets in
 * the text.
 */
export type ScoreReason = {
  readonly feature: string;
  readonly weight: number;
  readonly span: [number, number];
};

/**
 * What a workspace is about, in its own words: goal names, signal keys, streams, domain terms. `targets`: the
 * quantities it forecasts ("oil price"); where a text clearly says which way one goes, that is the sign of
 * its impact.
 */
export type Profile = {
  readonly version: string;
  readonly description: string;
  readonly phrases: readonly string[];
  readonly targets?: readonly string[];
};

export type ScoringInput = {
  readonly text: string;
  readonly value: number | null;
  readonly dataType: string;
  readonly profile: Profile;
};
export type Scoring = { readonly scores: Scores; readonly reasons: ScoreReason[]; readonly version: string };

/**
 * Same input and same version give the same answer to the bit on one machine; scorings may run side by side.
 */
export type Scorer = {
  readonly version: string;
  score(input: ScoringInput): Promise<Scoring>;
  close(): Promise<void>;
};

/**
 * What was read from a text: class probabilities, importance in 0..1, closeness to the profile (null: no
 * profile), and which way the target it is about goes, -1..1 (null: the profile has none, or the text does
 * not say).
 */
export type Reading = {
  readonly probabilities: readonly [negative: number, neutral: number, positive: number];
  readonly importance: number;
  readonly closeness: number | null;
  readonly rise: number | null;
  readonly foreign: boolean;
};

const SENTIMENTS = ['negative', 'neutral', 'positive'] as const;
const FOREIGN = { polarity: 1 / 4, importance: 1 / 2 };
const NEUTRAL_IMPACT = 1 / 4;

/** Rounded to 4 decimals (never minus zero). */
export const round4 = (x: number): number => Math.round(x * 1e4) / 1e4 + 0;

const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

/** The importance head speaks on the scale of the labels, 0..1, and can overshoot its ends. */
export const importanceOf = (raw: number): number => clamp(raw, 0, 1);

/**
 * 0..1 from the cosines between an event and a profile: half the one to the whole profile, half the mean of
 * the three best ones to single phrases. Constants: the middle between workspaces' own events and those of
 * others.
 */
export const closenessOf = (whole: number, phrases: readonly number[]): number => {
  const best = [...phrases].sort((a, b) => b - a).slice(0, 3);
  return best.length ? whole / 2 + best.reduce((sum, x) => sum + x, 0) / best.length / 2 : whole;
};

/** A workspace without a profile knows nothing about relevance: 0.5. */
export const relevanceOf = (closeness: number | null): number =>
  closeness === null ? 0.5 : 1 / (1 + Math.exp(-(closeness - 0.12) / 0.06));

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
  const nearest = targets.reduce<(typeof targets)[number] | null>(
    (best, t) => (best && best.closeness >= t.closeness ? best : t),
    null,
  );
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
): number =>
  (rise ?? scores.polarity * (scores.sentiment === 'neutral' ? NEUTRAL_IMPACT : 1))
  * scores.importance
  * scores.relevance;

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
export const scoresOf = ({ probabilities, importance, closeness, rise, foreign }: Reading): Scores => {
  const [negative, , positive] = probabilities;
  const likeliest = probabilities.indexOf(Math.max(...probabilities));
  const sentiment = foreign ? 'neutral' : (SENTIMENTS[likeliest] ?? 'neutral');
  const told = {
    sentiment,
    polarity: round4((positive - negative) * (foreign ? FOREIGN.polarity : 1)),
    importance: round4(importance * (foreign ? FOREIGN.importance : 1)),
    relevance: round4(relevanceOf(closeness)),
  };
  const impact = round4(impactOf(told, foreign ? null : rise));
  return { ...told, impact, rank: rankOf({ ...told, impact }) };
};

/** The scores of numeric content: its value carries the weight. */
export const neutralScores = (): Scores => ({
  sentiment: 'neutral',
  polarity: 0,
  importance: 0,
  relevance: 0,
  impact: 0,
  rank: 0,
});

const NUMERIC_TYPES: ReadonlySet<string> = new Set(['number', 'numeric', 'integer', 'float']);
const NO_LETTERS = /^[\p{N}\p{P}\p{Sc}\p{Sm}\s]*$/u;
const SCIENTIFIC = /^\s*[-+]?\d+(?:\.\d+)?e[-+]?\d+\s*$/i;

/**
 * Nothing but digits, punctuation, blanks, currency, percent and mathematical signs; or said to be a number.
 */
export const isNumericContent = (text: string, dataType: string): boolean =>
  NUMERIC_TYPES.has(dataType.toLowerCase()) || NO_LETTERS.test(text) || SCIENTIFIC.test(text);

/** Words out of a key: `net_load.deBelow` -> `net load de Below`. */
export const readable = (key: string): string =>
  key
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .replace(/[\s_./:-]+/gu, ' ')
    .trim();

/** Normalised values lie in -VALUE_LIMIT..VALUE_LIMIT robust standard deviations. */
export const VALUE_LIMIT = 6;
/** With fewer earlier values there is no telling what is usual: the normalised value is 0. */
export const VALUE_MIN_HISTORY = 5;

/**
 * How unusual a value is for its stream: (value - median) / scale, clipped to -6..6, 4 decimals. `history`
 * are the (finite) values that occurred before it, in any order.
 *
 * scale = 1.4826 MAD, the median absolute deviation brought to the standard deviation of a normal
 * distribution (Hampel 1974; Rousseeuw and Croux 1993). Where MAD is 0, half the values or more being equal,
 * 1.2533 times the mean absolute deviation from the median (Iglewicz and Hoaglin 1993); where that is 0, too,
 * the history is constant, and any other value is at the limit.
 */
export const normaliseValue = (value: number, history: readonly number[]): number => {
  if (history.length < VALUE_MIN_HISTORY) return 0;
  const unit = largest([value, ...history]) || 1; // measured in it, not even the largest numbers overflow
  const past = history.map(x => x / unit);
  const middle = median(past);
  const deviations = past.map(x => Math.abs(x - middle)).sort((a, b) => a - b);
  const scale = 1.4826 * median(deviations) || 1.2533 * mean(deviations);
  const distance = value / unit - middle;
  return scale > 0
    ? round4(clamp(distance / scale, -VALUE_LIMIT, VALUE_LIMIT))
    : VALUE_LIMIT * Math.sign(distance) + 0;
};

const largest = (values: readonly number[]): number =>
  values.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 ? upper : ((sorted[half - 1] ?? upper) + upper) / 2;
};

/** Of sorted values, so that the order they came in leaves no trace in the last bits. */
const mean = (sorted: readonly number[]): number => sorted.reduce((sum, x) => sum + x, 0) / sorted.length;
