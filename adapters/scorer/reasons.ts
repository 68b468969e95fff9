import { round4 } from '../../domain/events/rounding.js';
import type { ScoreReason } from '../../domain/events/scoring.js';
import type { Effect } from './session.js';
import type { TextSpan } from './words.js';

/** How many reasons a score gets, and the least effect that is worth naming: weaker ones are often wrong. */
const TOP = { polarity: 3, importance: 2 };
const LEAST = { polarity: 0.1, importance: 0.01 };
const WORD = /[\p{L}\p{N}](?:\S*[\p{L}\p{N}%])?/u;

/**
 * The words that moved polarity and importance most: at most three and two. A word's weight is about what
 * happens when it is taken out, in half the log odds of positive against negative, and in points of
 * importance.
 */
export const reasonsOf = (text: string, effects: readonly Effect[]): ScoreReason[] => {
  const words = byWord(text, effects);
  return [...strongest('polarity', words), ...strongest('importance', words)].sort(byStrength);
};

const strongest = (feature: 'polarity' | 'importance', words: readonly Effect[]): ScoreReason[] =>
  words
    .map(word => reason(feature, word[feature], word.span))
    .filter(({ weight }) => Math.abs(weight) >= LEAST[feature])
    .sort(byStrength)
    .slice(0, TOP[feature]);

const byStrength = (a: ScoreReason, b: ScoreReason): number =>
  Math.abs(b.weight) - Math.abs(a.weight) || a.span[0] - b.span[0];

export const reason = (feature: string, weight: number, span: TextSpan): ScoreReason => ({
  feature,
  weight: round4(weight),
  span,
});

/** Effects added up over what stands between blanks; the span is that without the punctuation around it. */
const byWord = (text: string, effects: readonly Effect[]): Effect[] => {
  const ordered = [...effects].sort((a, b) => a.span[0] - b.span[0]);
  let next = 0;
  return [...text.matchAll(/\S+/gu)].flatMap(({ 0: chunk, index }) => {
    const first = next;
    const end = index + chunk.length;
    while ((ordered[next]?.span[0] ?? end) < end) next++;
    const core = WORD.exec(chunk);
    return core
      ? [addedUp(ordered.slice(first, next), [index + core.index, index + core.index + core[0].length])]
      : [];
  });
};

const addedUp = (effects: readonly Effect[], span: TextSpan): Effect => ({
  span,
  polarity: effects.reduce((sum, { polarity }) => sum + polarity, 0),
  importance: effects.reduce((sum, { importance }) => sum + importance, 0),
});
