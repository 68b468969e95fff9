import type { TextSpan } from './words.js';

const LONG = 320;
const MAX_SENTENCES = 16;
const MAX_SENTENCE = 500;
const SENTENCE_END =
  /(?<=[.!?\u2026])["')\]\u201d\u2019]*\s+(?=[^\p{Ll}\s])|(?<=[\u3002\uff01\uff1f\u061f\u0964\u06d4])|\n+/gu;

const TAGS =
  'a|abbr|address|article|aside|b|big|blockquote|body|br|button|caption|center|cite|code|col'
  + '|colgroup|dd|del|details|div|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|head'
  + '|header|hr|html|i|iframe|img|input|ins|label|li|link|main|mark|meta|nav|ol|option|p|pre|q'
  + '|s|samp|section|select|small|span|strike|strong|sub|summary|sup|svg|table|tbody|td'
  + '|textarea|tfoot|th|thead|time|title|tr|tt|u|ul|video|wbr';
const MARKUP = new RegExp(
  '<!--.*?(?:-->|$)|<(script|style)\\b[^<>]*>.*?(?:</\\1[\\t-\\r ]*>|$)|<!doctype[^<>]*>'
    + `|</?(?:${TAGS})(?:[\\t-\\r /][^<>]*)?>|&lt;/?(?:${TAGS})(?:[\\t-\\r /](?:[^<>&]|&(?![lg]t;))*)?&gt;`
    + '|&(?:amp;)?(?:nbsp|quot|[lr][ds]quo|#160|#34);',
  'gis',
);
const ENDS_BLOCK =
  /^(?:<|&lt;)(?:br|\/(?:p|div|li|dd|dt|h[1-6]|tr|table|title|blockquote|section|article))\b/i;

/**
 * Blanks where a text has HTML's markup, also for tags that are written as entities, and entities that are
 * blanks or quotation marks, so that everything else stays at its place; where a block ends, a line does.
 */
export const withoutMarkup = (text: string): string =>
  text.replace(MARKUP, found =>
    ENDS_BLOCK.test(found) ? `${' '.repeat(found.length - 1)}\n` : ' '.repeat(found.length),
  );

/**
 * A short text is read whole, however many blanks are in it. A long one by sentences, the first 16, none
 * longer than 500 characters.
 */
export const sentencesOf = (text: string): TextSpan[] => {
  if (text.replace(/\s+/gu, ' ').length <= LONG) return [[0, text.length]];
  const spans: TextSpan[] = [];
  let start = 0;
  for (const end of sentenceEnds(text)) {
    for (const span of pieces(text, start, end)) {
      spans.push(span);
      if (spans.length === MAX_SENTENCES) return spans;
    }
    start = end;
  }
  return spans;
};

function* sentenceEnds(text: string): Generator<number> {
  for (const { 0: gap, index } of text.matchAll(SENTENCE_END)) yield index + gap.length;
  yield text.length;
}

/** A sentence without the blanks around it, cut between words (or code points) where it is too long. */
function* pieces(text: string, start: number, end: number): Generator<TextSpan> {
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

/** The languages the model was taught and measured in (ISO 639-1). */
export const READ: ReadonlySet<string> = new Set([
  'en',
  'zh',
  'hi',
  'es',
  'fr',
  'ar',
  'bn',
  'pt',
  'ru',
  'ur',
  'de',
  'ja',
]);

/**
 * Pieces of common words are longer than this, in letters; of languages whose pieces were cut from the
 * vocabulary, shorter.
 */
const COMMON_LENGTH = 2.5;
const UNKNOWN_SHARE = 0.25;
const CLOSE = 0.84;
/** Scripts without blanks, whose pieces are short by nature. */
const SHORT = /[\u3040-\u30ff\u3400-\u9fff]/u;

/** 150 MB and a third of a second to load, so only the first text that looks strange asks for it. */
const detector = async (): Promise<typeof import('eld/small').eld> => (await import('eld/small')).eld;

/**
 * How a text falls into the tokenizer's pieces: how many there are, and how many of them it does not know.
 */
export type Cut = { readonly pieces: number; readonly unknown: number };

/**
 * The language of a text the model cannot read (ISO 639-1; `und` where there are no letters or none can be
 * told), or null where it can. A short headline full of names looks like many languages, so two signs are
 * needed: the text falls into short or unknown pieces, and the detector clearly prefers a language the model
 * was not taught.
 */
export const foreignLanguage = async (text: string, { pieces, unknown }: Cut): Promise<string | null> => {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  if (letters === 0 || pieces === 0) return 'und';
  const strange = unknown > UNKNOWN_SHARE * pieces;
  if (!strange && (letters > COMMON_LENGTH * pieces || SHORT.test(text))) return null;
  const found = (await detector()).detect(text);
  if (!found.language) return strange ? 'und' : null;
  if (READ.has(found.language)) return null;
  const scores = found.getScores();
  const best = Math.max(0, ...[...READ].map(language => scores[language] ?? 0));
  return strange || best < CLOSE * (scores[found.language] ?? 0) ? found.language : null;
};
