import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultModelDir, readModelFiles } from '../adapters/scorer/files.js';
import { createScore } from '../adapters/scorer/score.js';
import { createModel } from '../adapters/scorer/session.js';
import type { Scores, Sentiment } from '../domain/events/scoring.js';
import { table } from './common.js';
import { labelled, type Sign } from './scorer-set.js';

/**
 * What changes a score and should not: marks around a text, and sentences around news that are none; and how
 * the kinds of texts do that went wrong once. `node dist/bench/scorer-around.js [options]`
 *
 * --part=dev        or test, which is for final figures only
 * --model=<folder>  another scorer of the same form
 */
const { values: options } = parseArgs({
  options: {
    part: { type: 'string', default: 'dev' },
    model: { type: 'string', default: defaultModelDir() },
  },
});
if (options.part !== 'dev' && options.part !== 'test')
  throw new Error('--part is dev or test: the scorer has learnt from the rest');
const SHORT = 200;
/** As in recipe/extra.py. */
const KIND_LINES = 70;
const KINDS = ['ends', 'rulings', 'rivals', 'calm', 'gone', 'plain'];
const folder = join(defaultModelDir(), 'recipe/data');
const linesOf = (file: string): string[] => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n');

const model = await createModel(readModelFiles(resolve(options.model)));
const score = createScore(model);
const PROFILE = { version: '', description: '', phrases: [] };
const scoresOf = async (text: string): Promise<Scores> =>
  (await score({ text, value: null, dataType: 'text', profile: PROFILE })).scores;
const SIGNS: Record<Sentiment, Sign> = { negative: -1, neutral: 0, positive: 1 };
const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(1)}%`;

type Text = { readonly text: string; readonly sentiment: Sign };
const texts: readonly Text[] = labelled(join(defaultModelDir(), 'data')).filter(
  ({ part, lang, text }) => part === options.part && lang === 'en' && text.length <= SHORT,
);
const bare = (text: string): string => text.replace(/[.!"'\u201c\u201d]+$/u, '');
const plain = await Promise.all(texts.map(({ text }) => scoresOf(bare(text))));

const MARKS: readonly (readonly [string, (text: string) => string])[] = [
  ['full stop', text => `${text}.`],
  ['exclamation mark', text => `${text}!`],
  ['quotation marks', text => `\u201c${text}\u201d`],
  ['HTML', text => `<div class="alert alert-danger"><p>${text}</p></div>`],
  ['in bold (Markdown)', text => `**${text}**`],
  ['bullet', text => `- ${text}`],
  ['in brackets', text => `(${text})`],
  ['label in front', text => `Memo: ${text}`],
];
const marked: string[][] = [];
for (const [name, mark] of MARKS) {
  const found = await Promise.all(texts.map(({ text }) => scoresOf(mark(bare(text)))));
  const other = found.filter(({ sentiment }, i) => sentiment !== plain[i]!.sentiment).length;
  const moved = found.reduce(
    (sum, { importance }, i) => sum + Math.abs(importance - plain[i]!.importance),
    0,
  );
  marked.push([name, percent(other, texts.length), (moved / texts.length).toFixed(3)]);
}
console.log(`${texts.length} English texts of the ${options.part} part, at most ${SHORT} characters`);
table(['Mark', 'another sentiment', 'importance moved by'], marked);

const around = linesOf('around-exam.txt').map(line => line.split('|') as [kind: string, sentence: string]);
const sentencesOf = (kind: string): string[] => around.flatMap(([own, text]) => (own === kind ? [text] : []));
const [admin, praise, gloom] = [sentencesOf('admin'), sentencesOf('praise'), sentencesOf('gloom')];
/** The text after half of `count` sentences and before the others, each text with others of them. */
const among = (sentences: readonly string[], count: number) => (text: string, i: number) => {
  const own = Array.from({ length: count }, (_, k) => sentences[(i * 7 + k * 11) % sentences.length]!);
  return [...own.slice(0, count / 2), `${bare(text)}.`, ...own.slice(count / 2)].join(' ');
};
const signed = (sign: Sign) => (row: Text, i: number) =>
  row.sentiment === sign && SIGNS[plain[i]!.sentiment] === sign;
const toned = (row: Text): boolean => row.sentiment !== 0;
const AROUND: readonly (readonly [
  string,
  (row: Text, i: number) => boolean,
  (text: string, i: number) => string,
])[] = [
  ['nothing', toned, bare],
  ...[1, 2, 4, 8, 12].map(n => [`${n} of administration`, toned, among(admin, n)] as const),
  ['bad news alone, read so', signed(-1), bare],
  ['praise behind it', signed(-1), among(praise, 1)],
  ['praise before and behind it', signed(-1), among(praise, 2)],
  ['good news alone, read so', signed(1), bare],
  ['grumbling behind it', signed(1), among(gloom, 1)],
  ['grumbling before and behind it', signed(1), among(gloom, 2)],
  ['neither, alone, read so', signed(0), bare],
  ['1 of administration', signed(0), among(admin, 1)],
  ['8 of administration', signed(0), among(admin, 8)],
  ['praise behind it', signed(0), among(praise, 1)],
  ['praise, 8 sentences around it', signed(0), among(praise, 8)],
  ['grumbling, 8 sentences around it', signed(0), among(gloom, 8)],
];
const surrounded: string[][] = [];
for (const [name, chosen, change] of AROUND) {
  let [right, all] = [0, 0];
  for (const [i, row] of texts.entries()) {
    if (!chosen(row, i)) continue;
    all++;
    if (SIGNS[(await scoresOf(change(row.text, i))).sentiment] === row.sentiment) right++;
  }
  surrounded.push([name, String(all), percent(right, all)]);
}
table(['Around good, bad and other news', 'texts', 'right'], surrounded);

const exam = linesOf('kinds-exam.txt').map(line => line.split('|'));
const kinds: string[][] = [];
for (const [k, kind] of KINDS.entries()) {
  let right = 0;
  const own = exam.slice(k * KIND_LINES, (k + 1) * KIND_LINES);
  for (const [sentiment, , , , , , ...text] of own)
    if (SIGNS[(await scoresOf(text.join('|'))).sentiment] === Number(sentiment)) right++;
  kinds.push([kind, String(own.length), percent(right, own.length)]);
}
table(['Kind', 'texts', 'right'], kinds);
await model.close();
