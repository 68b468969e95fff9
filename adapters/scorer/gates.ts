import type { Span } from './tokens.js';

const LONG = 320;
const MAX_SENTENCES = 16;
const MAX_SENTENCE = 500;
const SENTENCE_END = /(?<=[.!?\u2026])["')\]\u201d\u2019]*\s+(?=[^\p{Ll}\s])|(?<=[\u3002\uff01\uff1f\u061f\u0964])|\n+/gu;

/** A short text is read whole. A long one by sentences, the first 16, none longer than 500 characters. */
export const sentencesOf = (text: string): Span[] => {
  if (text.length <= LONG) return [[0, text.length]];
  const spans: Span[] = [];
  let start = 0;
  for (const end of sentenceEnds(text)) {
    for (const span of pieces(text, start, end)) {
      spans.push(span);
      if (spans.length === MAX_SENTENCES) return spans;
    }
    start = end;
  }
  return spans.length ? spans : [[0, LONG]];
};

function* sentenceEnds(text: string): Generator<number> {
  for (const { 0: gap, index } of text.matchAll(SENTENCE_END)) yield index + gap.length;
  yield text.length;
}

/** A sentence without the blanks around it, cut between words (or code points) where it is too long. */
function* pieces(text: string, start: number, end: number): Generator<Span> {
  while (start < end) {
    const stop = end - start <= MAX_SENTENCE ? end : cutBefore(text, start + MAX_SENTENCE, start);
    const piece = text.slice(start, stop);
    const from = start + piece.length - piece.trimStart().length;
    if (piece.trim()) yield [from, from + piece.trim().length];
    start = stop;
  }
}

const cutBefore = (text: string, limit: number, start: number): number => {
  const blank = text.lastIndexOf(' ', limit);
  if (blank > start) return blank;
  return /[\udc00-\udfff]/.test(text.charAt(limit)) ? limit - 1 : limit;
};

/** Headlines in capitals say no more than others, but the model knows few words in capitals. */
export const isUpperCase = (text: string): boolean => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  return capitals > 0.7 * letters;
};

const KNOWN = 0.67;
const CLOSE_TO_ENGLISH = 0.84;

/** 150 MB and a third of a second to load, so only the first text with unknown words asks for it. */
const detector = async (): Promise<typeof import('eld/small').eld> => (await import('eld/small')).eld;

/**
 * The language of a text the model cannot read (ISO 639-1; `und` where there are no letters), or null for English. A
 * short headline full of names looks like many languages, so two signs are needed: a third of the words or more are none
 * the model knows, and the detector clearly prefers another language.
 */
export const foreignLanguage = async (text: string, knows: (word: string) => boolean): Promise<string | null> => {
  const words = text.toLowerCase().match(/\p{L}+/gu);
  if (!words) return 'und';
  if (words.filter(knows).length > KNOWN * words.length) return null;
  const found = (await detector()).detect(text);
  if (!found.language || found.language === 'en') return null;
  const scores = found.getScores();
  return (scores['en'] ?? 0) < CLOSE_TO_ENGLISH * (scores[found.language] ?? 0) ? found.language : null;
};
