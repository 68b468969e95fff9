import { parseArgs } from 'node:util';
import { defaultModelDir, readModelFiles } from '../adapters/scorer/files.js';
import { createScore } from '../adapters/scorer/score.js';
import { createModel } from '../adapters/scorer/session.js';
import { discover } from '../domain/maths/effects/discover.js';
import { median, table } from './common.js';
import { worldOf } from './worlds/generate.js';
import { figuresOf, isStrong, judged, rightly, type Judgement } from './worlds/judge.js';
import { questionOf, saidOf, type ScoreText } from './worlds/question.js';
import { said, type Rate } from './worlds/rates.js';
import { KINDS, type Kind } from './worlds/world.js';

/**
 * Discovery against planted truth: worlds with known causes, asked at their end, and what was found of each
 * source beside what it is. `node dist/bench/discovery-truth.js [options]`
 *
 * --worlds=200      in all; a quarter of them pure noise, the other kinds alike
 * --quick           44 worlds
 * --from=1          number of the first seed; figures that are told of are those from 1
 * --kinds=a,b       of these kinds alone, alike
 * --misses          also a line for each source that was not judged as it should be
 */
const { values: options } = parseArgs({
  options: {
    worlds: { type: 'string' },
    quick: { type: 'boolean', default: false },
    from: { type: 'string', default: '1' },
    kinds: { type: 'string' },
    misses: { type: 'boolean', default: false },
  },
});
const most = Number(options.worlds ?? (options.quick ? 44 : 200));
const wanted = (options.kinds?.split(',') ?? null) as Kind[] | null;
const others = KINDS.filter(kind => kind !== 'noise');

/** Kind and seed of each. */
function* worlds(): Generator<readonly [Kind, number]> {
  const from = Number(options.from);
  for (let i = 0, noise = 0; i < most; i++) {
    if (wanted) yield [wanted[i % wanted.length]!, from + Math.floor(i / wanted.length)];
    else if (i % 4 === 0) yield ['noise', from + noise++];
    else yield [others[(i - noise) % others.length]!, from + Math.floor((i - noise) / others.length)];
  }
}

const score = createScore(await createModel(readModelFiles(defaultModelDir())));
const scored = new Map<string, Awaited<ReturnType<ScoreText>>>();
const profile = { version: '', description: '', phrases: [] };
const scoreText: ScoreText = async text => {
  const known = scored.get(text) ?? (await score({ text, value: null, dataType: 'text', profile })).scores;
  scored.set(text, known);
  return known;
};

const all: Judgement[] = [];
const cpu: number[] = [];
for (const [kind, seed] of worlds()) {
  const world = worldOf(seed, kind);
  const question = await questionOf(world, scoreText);
  const before = process.cpuUsage();
  const answer = discover(question);
  const { user, system } = process.cpuUsage(before);
  cpu.push((user + system) / 1000);
  const found = judged(world, saidOf(world, answer));
  all.push(...found);
  for (const each of options.misses ? found.filter(isWrong) : []) console.log(lineOf(each));
}

function isWrong(each: Judgement): boolean {
  const { real, validated, role, halfLifeRatio: ratio } = each;
  if (real === false && validated) return true;
  if (isStrong(each) && !validated) return true;
  if (role === 'leads' && !validated) return true;
  if (real === true && validated && ratio !== null && (ratio > 1.5 || ratio < 1 / 1.5)) return true;
  return (role === 'anticipated' || role === 'companion') && !rightly(each);
}

function lineOf({ world, key, role, validated, reasons, size, shape, ...rest }: Judgement): string {
  const { occurrences, halfLifeRatio, leadOff, scaledBy } = rest;
  return [
    ...[world.kind, world.seed, key, role, validated ? 'validated' : reasons.join(' ') || 'no reason'],
    ...[`size ${size.toFixed(2)}`, shape, scaledBy, `n ${occurrences}`],
    ...[halfLifeRatio && `half-life x ${halfLifeRatio.toFixed(2)}`, leadOff && `lead off ${leadOff}`],
  ].join(', ');
}

const figures = figuresOf(all);
const rows: readonly (readonly [text: string, wanted: string, rate: Rate])[] = [
  ['true edges of 1 deviation and 12 occurrences that are found', '90%', figures.found],
  ['false edges among those validated', 'at most 5%', figures.falsely],
  ['worlds of pure noise with an edge', 'at most 5%', figures.noise],
  ['half-life within a factor of 1.5', '80%', figures.halfLife],
  ['their peak right to a step or a quarter of the half-life', '', figures.peak],
  ['anticipation refused, with that reason', '90%', figures.anticipation],
  ['confounding refused, with that reason', '90%', figures.confounding],
  ['both refused, with whatever reason', '', figures.refused],
  ['signals that lead, of .3 to 1 deviations, that are found', '', figures.leads],
  ['their lag right to a step', '', figures.lag],
];
table(
  ['', 'wanted', 'measured (95%)'],
  rows.map(([text, goal, rate]) => [text, goal, said(rate)]),
);
const total = cpu.reduce((sum, x) => sum + x, 0);
console.log(
  `${cpu.length} worlds, ${(total / 1000).toFixed(0)} s of a processor, median ${median(cpu).toFixed(0)} ms`,
);
