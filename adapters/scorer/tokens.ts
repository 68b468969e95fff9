/** A piece of the text between blanks: UTF-16 offsets in the original text. */
export type TextSpan = [start: number, end: number];
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

/** What the vocabulary was made without: control characters; and marks that stood for blanks there. */
const DROPPED = /[\0-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]/g;
const BLANKS = /[\u200b-\u200f\u2581\ufeff\ufffd]/g;

/** HTML's names of characters, but for those that `withoutMarkup` makes blanks. */
const ENTITY = /&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|([a-z]{2,6}));/gi;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['apos', "'"],
  ['euro', '\u20ac'],
  ['ndash', '\u2013'],
  ['mdash', '\u2014'],
  ['hellip', '\u2026'],
]);

/**
 * What says nothing: quotation marks, bullets and rules at either end, a full stop or exclamation marks at
 * the end, brackets around all.
 */
const QUOTES = /["\u201c-\u201f\u00ab\u00bb\u2039\u203a\u300c-\u300f]/g;
const AROUND = /^['\u2018-\u201b`*\u2022\u00a1]+|(?<!['\u2018-\u201b`*])['\u2018-\u201b`*]+$/g;
const MARKS = /^[-\u2013\u2014\u00b7>#|=~_]+$/;
const LAST = /(?:(?<!\.)\.|(?<!!)!+|[\u3002\u0964\u06d4])$/;
const BRACKETS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
]);

type Word = { readonly word: string; readonly span: TextSpan };

/** Words in compatibility form (NFKC), which may itself bring blanks in, without what says nothing. */
const wordsOf = (text: string, lowerCase: boolean): Word[] => {
  const words = [...chunksOf(text, lowerCase)];
  let first = 0;
  let end = words.length;
  while (first < end && isBullet(words[first]!, words[first + 1])) first++;
  while (first < end && (MARKS.test(words[end - 1]!.word) || !words[end - 1]!.word.replace(LAST, ''))) end--;
  return unstopped(unbracketed(unstopped(words.slice(first, end))));
};

/** Not a minus before its number. */
const isBullet = ({ word }: Word, next: Word | undefined): boolean =>
  MARKS.test(word) && !/^\p{Nd}/u.test(next?.word ?? '');

const unstopped = (words: Word[]): Word[] => {
  const last = words.pop();
  const word = last?.word.replace(LAST, '').replace(AROUND, '');
  return last && word ? [...words, { ...last, word }] : words;
};

/** Without brackets where the one that opens the first word is closed by the end of the last. */
const unbracketed = (words: Word[]): Word[] => {
  const text = words.map(({ word }) => word).join(' ');
  const close = BRACKETS.get(text.charAt(0));
  if (!close || text.indexOf(close) !== text.length - 1) return words;
  words[0] = { ...words[0]!, word: words[0]!.word.slice(1) };
  words[words.length - 1] = { ...words.at(-1)!, word: words.at(-1)!.word.slice(0, -1) };
  return words.filter(({ word }) => word);
};

function* chunksOf(text: string, lowerCase: boolean): Generator<Word> {
  for (const { 0: raw, index } of text.matchAll(/\S+/gu)) {
    const plain = (lowerCase ? raw.toLowerCase() : raw)
      .replace(ENTITY, characterOf)
      .replace(DROPPED, '')
      .replace(BLANKS, ' ')
      .normalize('NFKC');
    const span: TextSpan = [index, index + raw.length];
    for (const part of plain.split(/\s+/u)) {
      const word = part.replace(QUOTES, '').replace(AROUND, '');
      if (word) yield { word, span };
    }
  }
}

/** What an entity stands for; itself where that is not known. */
const characterOf = (entity: string, decimal?: string, hexadecimal?: string, name?: string): string => {
  if (name !== undefined) return ENTITIES.get(name.toLowerCase()) ?? entity;
  const code = decimal === undefined ? Number.parseInt(hexadecimal!, 16) : Number(decimal);
  return code < 0xd800 || code > 0xdfff ? String.fromCodePoint(code) : entity;
};

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
