import { wordsOf, type TextSpan } from './words.js';

export type Tokens = { ids: number[]; spans: TextSpan[] };

const MAX_TOKENS = 128;
/** The first ids of the vocabulary: start of text, padding, end of text, unknown. */
const START = 0;
const END = 2;
export const UNKNOWN = 3;
const FIRST_PIECE = 4;
const UNKNOWN_PENALTY = 10;
const WORD_START = '\u2581';

export type Tokenizer = (text: string, lowerCase: boolean) => Tokens;

/**
 * SentencePiece with a unigram model: each word is cut into the pieces whose product of probabilities is
 * largest (Kudo 2018, arXiv:1804.10959). At most 128 tokens, of which the first and the last mark the ends;
 * their spans are empty.
 */
export const createTokenizer = (vocabulary: readonly (readonly [string, number])[]): Tokenizer => {
  const cut = createCutter(vocabulary);
  return (text, lowerCase) => {
    const ids = [START];
    const spans: TextSpan[] = [[0, 0]];
    for (const { word, span } of wordsOf(text, lowerCase))
      for (const id of cut(WORD_START + word)) {
        if (id === UNKNOWN && ids.at(-1) === UNKNOWN) continue;
        if (ids.length === MAX_TOKENS - 1) return ended(ids, spans, text);
        ids.push(id);
        spans.push(span);
      }
    return ended(ids, spans, text);
  };
};

const ended = (ids: number[], spans: TextSpan[], { length }: string): Tokens => ({
  ids: [...ids, END],
  spans: [...spans, [length, length]],
});

type Best = { score: number; start: number; id: number };

/**
 * Viterbi: best[end] is the best cut of the characters up to `end`; of equals the one with the shorter last
 * piece.
 */
const createCutter = (vocabulary: readonly (readonly [string, number])[]): ((word: string) => number[]) => {
  const pieces = new Map(
    vocabulary.flatMap(([piece, score], id) => (id < FIRST_PIECE ? [] : [[piece, { score, id }] as const])),
  );
  const scores = [...pieces.values()].map(({ score }) => score);
  const unknown = scores.reduce((least, score) => Math.min(least, score), 0) - UNKNOWN_PENALTY;
  const longest = [...pieces.keys()].reduce((most, piece) => Math.max(most, piece.length), 0);
  return word => {
    const best: Best[] = [{ score: 0, start: 0, id: UNKNOWN }];
    for (let end = 1; end <= word.length; end++) {
      let top: Best = { score: (best[end - 1] as Best).score + unknown, start: end - 1, id: UNKNOWN };
      for (let start = Math.max(0, end - longest); start < end; start++) {
        const piece = pieces.get(word.slice(start, end));
        const score = piece ? (best[start] as Best).score + piece.score : -Infinity;
        if (piece && score >= top.score) top = { score, start, id: piece.id };
      }
      best.push(top);
    }
    return walkBack(best);
  };
};

const walkBack = (best: readonly Best[]): number[] => {
  const ids: number[] = [];
  for (let end = best.length - 1; end > 0; ) {
    const { id, start } = best[end] as Best;
    ids.push(id);
    end = start;
  }
  return ids.reverse();
};
