import { round4 } from './rounding.js';
import { DAY } from '../time.js';

/**
 * What a text is held against: the newest events of its stream that were recorded before it and occurred at
 * its time or up to `span` ms before, at most `texts` of them, and no more once `letters` UTF-16 units of
 * them were looked at.
 */
export const RECENT = { span: 7 * DAY, texts: 64, letters: 100_000 };

/** So much of a text is looked at, in UTF-16 units; the scorer reads less. */
const BEGINNING = 10_000;

/**
 * Scripts that put no blanks between words: there a character stands for a word. The last one prolongs a
 * vowel of kana.
 */
const NO_BLANKS =
  '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Katakana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}\\u30fc';
/** A word begins with a letter or digit: NFKC makes a blank and a mark of some quotes. */
const SINGLE_SIGN = `[[${NO_BLANKS}]&&[\\p{L}\\p{N}]]\\p{M}*`;
const SPACED_WORD = `[[\\p{L}\\p{N}]--[${NO_BLANKS}]][[\\p{L}\\p{M}\\p{N}]--[${NO_BLANKS}]]*`;
const WORDS = new RegExp(`${SINGLE_SIGN}|${SPACED_WORD}`, 'gv');
/** A text without a word (emojis alone) is taken character by character. */
const SIGNS = /\S/gu;

/** How many UTF-16 units of a text are looked at. */
export const lookedAt = ({ length }: string): number => Math.min(length, BEGINNING);

/**
 * How much of a text is new, 0..1 at 4 decimals: the share of its distinct shingles that no earlier text
 * holds, one minus the containment of Broder (1997, "On the resemblance and containment of documents").
 * Shingles are pairs of neighbouring words, in NFKC and lower case; a single word stands alone. 1 without
 * earlier texts, whose order does not matter; 0 for a repetition, whatever its case, blanks and the
 * punctuation between words.
 */
export function noveltyOf(text: string, earlier: readonly string[]): number {
  const words = wordsOf(text);
  const numbers = new Map([...new Set(words)].map((word, i) => [word, i]));
  const single = words.length === 1;
  const unseen = new Set(shinglesOf(words, numbers, single));
  const all = unseen.size;
  for (const each of earlier) {
    if (unseen.size === 0) break;
    for (const shingle of shinglesOf(wordsOf(each), numbers, single)) unseen.delete(shingle);
  }
  return all === 0 ? Number(earlier.length === 0) : round4(unseen.size / all);
}

function wordsOf(text: string): readonly string[] {
  const plain = text.slice(0, BEGINNING).normalize('NFKC').toLowerCase();
  return plain.match(WORDS) ?? plain.match(SIGNS) ?? [];
}

/**
 * As numbers, made of those of the words; a shingle with a word that has none is passed over, and costs next
 * to nothing.
 */
function* shinglesOf(
  words: readonly string[],
  numbers: ReadonlyMap<string, number>,
  single: boolean,
): Generator<number> {
  let before = single ? 0 : undefined;
  for (const word of words) {
    const own = numbers.get(word);
    if (before !== undefined && own !== undefined) yield before * numbers.size + own;
    if (!single) before = own;
  }
}
