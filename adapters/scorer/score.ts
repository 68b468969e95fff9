import { isNumericContent, neutralScores } from '../../domain/events/numeric.js';
import { scoresOf } from '../../domain/events/score-formulas.js';
import type { ScoreReason, Scoring, ScoringInput } from '../../domain/events/scoring.js';
import { foreignLanguage, isUpperCase, sentencesOf, withoutMarkup, type Cut } from './gates.js';
import { createComparison, dot } from './profiles.js';
import { reason, reasonsOf } from './reasons.js';
import type { Model, SentenceReading } from './session.js';
import { UNKNOWN } from './tokens.js';
import type { TextSpan } from './words.js';

export type Score = (input: ScoringInput) => Promise<Scoring>;

/** Gates, model, formulas. Pure but for the cache of profiles: the answer depends on the input alone. */
export const createScore = (model: Model): Score => {
  const compare = createComparison(model);
  return async ({ text, dataType, profile }) => {
    const bare = withoutMarkup(text);
    if (isNumericContent(bare, dataType)) return numeric(text, model.version);
    const spans = sentencesOf(bare);
    const head = bare.slice(0, spans.at(-1)?.[1]);
    const lowerCase = isUpperCase(head);
    const plain = lowerCase ? head.toLowerCase() : head;
    const language = await foreignLanguage(plain, cutOf(model, plain));
    const whole = combine(await readAll(model, bare, spans, lowerCase));
    const scores = scoresOf({ ...whole, ...(await compare(whole, profile)), foreign: language !== null });
    const reasons =
      language === null
        ? reasonsOf(head, whole.effects)
        : [foreignReason(language, text, scores.polarity, whole)];
    return { scores, reasons, version: model.version };
  };
};

/** The two marks at the ends are no pieces of the text. */
const cutOf = (model: Model, text: string): Cut => {
  const { ids } = model.tokens(text);
  return { pieces: ids.length - 2, unknown: ids.filter(id => id === UNKNOWN).length };
};

const numeric = (text: string, version: string): Scoring => ({
  scores: neutralScores(),
  reasons: [reason('numeric', 0, [0, text.length])],
  version,
});

/** Words the model cannot read explain nothing; the weight is what the gate took from the polarity. */
const foreignReason = (
  language: string,
  text: string,
  polarity: number,
  { probabilities }: SentenceReading,
): ScoreReason =>
  reason(`language:${language}`, polarity - (probabilities[2] - probabilities[0]), [0, text.length]);

const readAll = async (
  model: Model,
  text: string,
  spans: readonly TextSpan[],
  lowerCase: boolean,
): Promise<SentenceReading[]> => {
  const readings: SentenceReading[] = [];
  for (const [start, end] of spans)
    readings.push(moved(await model.read(text.slice(start, end), lowerCase), start));
  return readings;
};

const moved = (reading: SentenceReading, by: number): SentenceReading => ({
  ...reading,
  effects: reading.effects.map(e => ({ ...e, span: [e.span[0] + by, e.span[1] + by] })),
});

/**
 * Importance and course are those of the most important sentence; the topic is the mean weighted by the
 * square of importance, the tone by its cube, as many sentences that matter little stand around news. So are
 * the effects: on polarity each sentence's by its weight in the tone, on importance those of the one that
 * counts.
 */
const combine = (sentences: readonly SentenceReading[]): SentenceReading => {
  const [first] = sentences;
  if (first && sentences.length === 1) return first;
  const weights = shares(sentences, 2);
  const tones = shares(sentences, 3);
  const tone = (of: 0 | 1 | 2): number => meanOf(sentences, tones, s => s.probabilities[of]);
  const importance = Math.max(...sentences.map(s => s.importance));
  const leading = sentences.findIndex(s => s.importance === importance);
  const { course, quantity } = sentences[leading] as SentenceReading;
  return {
    course,
    quantity,
    probabilities: [tone(0), tone(1), tone(2)],
    importance,
    topic: unit(
      Float32Array.from(first?.topic ?? [], (_, i) => meanOf(sentences, weights, s => s.topic[i] ?? 0)),
    ),
    effects: sentences.flatMap(({ effects }, i) =>
      effects.map(e => ({
        span: e.span,
        polarity: e.polarity * tones[i]!,
        importance: i === leading ? e.importance : 0,
      })),
    ),
  };
};

const shares = (sentences: readonly SentenceReading[], power: number): number[] => {
  const weights = sentences.map(({ importance }) => (importance + 0.01) ** power);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map(weight => weight / total);
};

const meanOf = <T>(items: readonly T[], weights: readonly number[], of: (item: T) => number): number =>
  items.reduce((sum, item, i) => sum + of(item) * weights[i]!, 0);

const unit = (vector: Float32Array): Float32Array => {
  const length = Math.sqrt(dot(vector, vector)) || 1;
  return vector.map(x => x / length);
};
