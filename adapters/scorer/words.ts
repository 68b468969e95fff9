/** A piece of the text between blanks: UTF-16 offsets in the original text. */
export type TextSpan = [start: number, end: number];

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
export const wordsOf = (text: string, lowerCase: boolean): Word[] => {
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
  const close = BRACKETS.get(words[0]?.word.charAt(0) ?? '');
  if (!close) return words;
  const text = words.map(({ word }) => word).join(' ');
  if (text.indexOf(close) !== text.length - 1) return words;
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
