import { round4, type ScoreReason } from '../../domain/scoring.js';
import type { Effect } from './session.js';
import type { Span } from './tokens.js';

const TOP = 5;
const LEAST = 0.005;
const WORD = /[\p{L}\p{N}](?:\S*[\p{L}\p{N}%])?/u;

/**
 * The words that moved polarity or importance most, at most five. A word's weight is the sum of what the sentence
 * encoder (to first order), its vector and the lexicons made of it, in points of the score before squashing.
 */
export const reasonsOf = (text: string, effects: readonly Effect[]): ScoreReason[] =>
  byWord(text, effects)
    .flatMap(({ span, polarity, importance }) => [reason('polarity', polarity, span), reason('importance', importance, span)])
    .filter(({ weight }) => Math.abs(weight) >= LEAST)
    .sort((a, b) => Math.abs(b.weight) - Math.abs(a.weight) || a.span[0] - b.span[0])
    .slice(0, TOP);

export const reason = (feature: string, weight: number, span: Span): ScoreReason => ({ feature, weight: round4(weight), span });

/** Effects added up over what stands between blanks; the span is that without the punctuation around it. */
const byWord = (text: string, effects: readonly Effect[]): Effect[] => {
  const ordered = [...effects].sort((a, b) => a.span[0] - b.span[0]);
  let next = 0;
  return [...text.matchAll(/\S+/gu)].flatMap(({ 0: chunk, index }) => {
    const first = next, end = index + chunk.length;
    while ((ordered[next]?.span[0] ?? end) < end) next++;
    const core = WORD.exec(chunk);
    return core ? [addedUp(ordered.slice(first, next), [index + core.index, index + core.index + core[0].length])] : [];
  });
};

const addedUp = (effects: readonly Effect[], span: Span): Effect => ({
  span,
  polarity: effects.reduce((sum, { polarity }) => sum + polarity, 0),
  importance: effects.reduce((sum, { importance }) => sum + importance, 0),
});
