import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { defaultModelDir, readModelFiles } from '../adapters/scorer/files.js';
import { isUpperCase } from '../adapters/scorer/gates.js';
import { dot } from '../adapters/scorer/profiles.js';
import { createScore } from '../adapters/scorer/score.js';
import { createModel } from '../adapters/scorer/session.js';
import { readable } from '../domain/events/score-formulas.js';
import type { Sentiment } from '../domain/events/scoring.js';
import { median, table } from './common.js';
import { byAfinn, byVader } from './scorer-others.js';
import { GROUPS, groups, qualityOf, type Judgement } from './scorer-quality.js';
import { labelled, type Labelled, type Sign } from './scorer-set.js';

/**
 * How good the event scorer is on the labelled texts of models/event-scorer/data, beside VADER and AFINN, and
 * what a text costs each of them. `node dist/bench/scorer.js [options]`
 *
 * --part=dev        or test, which is for final figures only
 * --model=<folder>  another scorer of the same form
 * --rounds=5        of measuring, alternated
 */
const { values: options } = parseArgs({
  options: {
    part: { type: 'string', default: 'dev' },
    rounds: { type: 'string', default: '5' },
    model: { type: 'string', default: defaultModelDir() },
  },
});
if (options.part !== 'dev' && options.part !== 'test')
  throw new Error('--part is dev or test: the scorer has learnt from the rest');
const rounds = Number(options.rounds);
const MIN_CPU_MS = 100;
const rows = labelled(join(defaultModelDir(), 'data')).filter(({ part }) => part === options.part);

const NO_PROFILE = { version: '', description: '', phrases: [] };
const SIGNS: Record<Sentiment, Sign> = { negative: -1, neutral: 0, positive: 1 };
const model = await createModel(readModelFiles(resolve(options.model)));
const score = createScore(model);
const scoresOf = async (text: string) =>
  (await score({ text, value: null, dataType: 'text', profile: NO_PROFILE })).scores;

/** Everything the program says of a text, and which way it thinks the text's targets go, however unsure. */
async function ours({ text, targets }: Labelled): Promise<Judgement> {
  const { sentiment, importance, rank } = await scoresOf(text);
  const signs: Sign[] = [];
  const { course } = await model.read(text, isUpperCase(text));
  for (const { target } of targets)
    signs.push(dot(course, (await model.read(readable(target), false)).quantity) > 0 ? 1 : -1);
  return { sentiment: SIGNS[sentiment], importance, rank, signs };
}

/**
 * `judge` is all that is known of a text, `work` what is timed: a text scored as the program does it, but for
 * the pool.
 */
type Side = {
  readonly name: string;
  readonly judge: (row: Labelled) => Judgement | Promise<Judgement>;
  readonly work: (text: string) => unknown;
};
const sides: readonly Side[] = [
  { name: `event-scorer ${model.version}`, judge: ours, work: scoresOf },
  { name: 'VADER', judge: ({ text }) => ({ sentiment: byVader(text) }), work: byVader },
  { name: 'AFINN-165', judge: ({ text }) => ({ sentiment: byAfinn(text) }), work: byAfinn },
];

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * CPU ms a text of the whole process, over as many passes through all texts as make the clock's steps small.
 */
async function cpuOf({ work }: Side): Promise<number> {
  const start = cpuMs();
  let passes = 0;
  for (; cpuMs() - start < MIN_CPU_MS; passes++) for (const { text } of rows) await work(text);
  return (cpuMs() - start) / (passes * rows.length);
}

const judgements = new Map<Side, Judgement[]>();
const times = new Map<Side, number[]>();
for (const side of sides) {
  const all: Judgement[] = [];
  for (const row of rows) all.push(await side.judge(row)); // warms it, too
  judgements.set(side, all);
}
for (let round = 0; round < rounds; round++)
  for (const side of sides) times.set(side, [...(times.get(side) ?? []), await cpuOf(side)]);
await model.close();

const show = (x: number, digits = 3): string => (Number.isNaN(x) ? '-' : x.toFixed(digits));
const sizeOf = (group: keyof typeof GROUPS): string => `${group} (${rows.filter(GROUPS[group]).length})`;
const targets = rows.reduce((sum, row) => sum + row.targets.length, 0);
console.log(
  `${rows.length} texts, the ${options.part} part: `
    + 'share with the right one of three sentiments, of all and of some',
);
if (options.part === 'test')
  console.log(
    'The test part is not for choosing: figures that something was chosen by say nothing any more.',
  );
table(
  [
    '',
    ...groups.map(sizeOf),
    'importance, r',
    'rank with importance, rho',
    `signs of targets (${targets})`,
    'CPU ms a text',
  ],
  sides.map(side => {
    const { right, importanceR, rankRho, signs } = qualityOf(rows, judgements.get(side)!);
    const cpu = median(times.get(side) ?? []);
    return [
      side.name,
      ...groups.map(group => show(right[group])),
      show(importanceR),
      show(rankRho),
      show(signs),
      show(cpu, 4),
    ];
  }),
);
console.log(
  "VADER and AFINN are for English; neutral: VADER's compound below 0.05 either way, AFINN's sum 0.",
);
console.log(
  'CPU: one text at a time, one thread, no pool, ours with gates and reasons; '
    + `medians of ${rounds} alternated rounds.`,
);
console.log('Rank: without a profile.');
