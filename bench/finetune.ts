import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { tuneOwn } from '../adapters/finetune/own.js';
import { defaultFamilyDir, readModelFile } from '../adapters/forecaster/files.js';
import { openSession, type Session } from '../adapters/forecaster/session.js';
import { firstPartyModels } from '../adapters/models/first-party.js';
import { isGain, type Verdict } from '../domain/maths/finetuning/gate.js';
import { crps } from '../domain/maths/forecasting/metrics/index.js';
import { periodOf } from '../domain/maths/forecasting/period.js';
import { LEVELS } from '../domain/maths/forecasting/quantiles.js';
import type { Intensity } from '../domain/models/facts.js';
import { table } from './common.js';
import { casesIn, tableOf, type Case } from './finetune-sets.js';
import { prepare } from './forecast-prepare.js';

/**
 * What fine-tuning a model of ours gains on single series, by the newest quarter of each, which no training
 * sees: `PYTHON=.venv/bin/python node dist/bench/finetune.js [options]`; for Python see bench/forecast.ts.
 * Adapters are made also where the gate refuses them, so that it shows what it spares and what it costs.
 *
 * --slug=nano         the backbone
 * --intensity=adapt   or specialize, forge
 * --series=<folder>   CSV files, as for bench/forecast.ts
 * --development       the series that the rules of the gate were chosen on, instead of the others
 * --part=0 --parts=1  does every so manieth of them, for several processes at once
 * --folder=<folder>   where series and results are kept; what lies there is not made again
 */
const { values: options } = parseArgs({
  options: {
    slug: { type: 'string', default: 'nano' },
    intensity: { type: 'string', default: 'adapt' },
    series: { type: 'string', multiple: true, default: [] },
    development: { type: 'boolean', default: false },
    part: { type: 'string', default: '0' },
    parts: { type: 'string', default: '1' },
    folder: { type: 'string', default: join(tmpdir(), 'presage-forecast') },
  },
});
const { slug, folder, development } = options;
const intensity = options.intensity as Intensity;
const LOOKBACK = 2_048;
const MOST_ORIGINS = 40;

/** `test`: the loss with the adapter relative to that of the backbone, on what no training has seen. */
type Found = Verdict & {
  readonly name: string;
  readonly freq: string;
  readonly test: number;
  readonly origins: number;
  readonly steps: number;
  readonly seconds: number;
  readonly bytes: number;
};

const sets = join(folder, 'sets');
prepare('forecast-data.py', sets, options.series);
const backbone = firstPartyModels().find(model => model.slug === slug)!;
const plain = await openSession(readModelFile(defaultFamilyDir(), slug));
const cases = await casesIn(sets, development);
const file = join(folder, `finetune-${slug}-${intensity}${development ? '-development' : ''}.jsonl`);
const foundIn = (): Found[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(line => line.endsWith('}'))
        .map(line => JSON.parse(line) as Found)
    : [];

for (const [i, each] of cases.entries()) {
  if (i % Number(options.parts) !== Number(options.part)) continue;
  if (foundIn().some(({ name }) => name === each.name)) continue;
  const found = await foundOf(each);
  if (found) appendFileSync(file, `${JSON.stringify(found)}\n`);
  const words = found && `${found.ratio.toFixed(3)} held out, ${found.test.toFixed(3)} in the test`;
  console.log(`${i + 1} of ${cases.length} ${each.name}: ${words ?? 'too short'}`);
}
print(foundIn());

async function foundOf(each: Case): Promise<Found | null> {
  const { name, freq, horizon } = each;
  const verdicts: Verdict[] = [];
  const { user, system } = process.cpuUsage();
  const asked = { table: tableOf(each), backbone, intensity, horizon, lookback: LOOKBACK, seed: 1 };
  const { adapter, steps } = await tuneOwn(asked, {}, verdict => verdicts.push(verdict) > 0);
  const used = process.cpuUsage({ user, system });
  if (!adapter) return null;
  const losses = await lossesOf(each, [plain, await openSession({ bytes: adapter })]);
  const sum = (k: number): number => losses.reduce((total, pair) => total + pair[k]!, 0);
  return {
    ...{ name, freq, ...verdicts[0]!, test: sum(1) / sum(0), origins: losses.length, steps },
    ...{ seconds: (used.user + used.system) / 1e6, bytes: adapter.length },
  };
}

/** The CRPS of each session from origins over the untouched part; both read all that they can. */
async function lossesOf(
  { values, known, horizon, step }: Case,
  sessions: readonly Session[],
): Promise<number[][]> {
  const period = periodOf(values.subarray(0, known), step);
  const stride = Math.max(horizon, Math.floor((values.length - known) / MOST_ORIGINS));
  const losses: number[][] = [];
  for (let origin = known; origin + horizon <= values.length; origin += stride) {
    const context = values.slice(Math.max(0, origin - LOOKBACK), origin);
    const actual = values.subarray(origin, origin + horizon);
    const pair: number[] = [];
    for (const session of sessions) {
      const { quantiles } = await session.run({ values: context, period }, horizon);
      pair.push(crps(actual, { horizon, levels: LEVELS, values: quantiles }));
    }
    if (pair.every(Number.isFinite)) losses.push(pair);
  }
  return losses;
}

function print(found: readonly Found[]): void {
  const logs = (some: readonly Found[]): number =>
    Math.exp(some.reduce((sum, { test }) => sum + Math.log(test), 0) / some.length);
  const kept = found.filter(isGain);
  const gated = found.map(each => (isGain(each) ? each : { ...each, test: 1 }));
  const row = (name: string, some: readonly Found[]): string[] => [
    name,
    String(some.length),
    logs(some).toFixed(3),
    Math.max(...some.map(({ test }) => test)).toFixed(3),
    String(some.filter(({ test }) => test > 1.02).length),
  ];
  table(
    ['', 'series', 'loss relative to the backbone', 'worst', 'worse than 1.02'],
    [
      row('kept by the gate', kept),
      row('all, with the gate', gated),
      row('all, were everything kept', found),
    ],
  );
  const seconds = found.map(each => each.seconds).sort((a, b) => a - b);
  const [middle, most] = [seconds[seconds.length >> 1], seconds.at(-1)];
  console.log(`${middle?.toFixed(0)} s of a processor (median), ${most?.toFixed(0)} at most`);
  for (const { name, ratio, certainty, test } of [...kept].sort((a, b) => a.test - b.test)) {
    const held = `${ratio.toFixed(3)} held out (${certainty.toFixed(1)} errors)`;
    console.log(`${name}: ${held}, ${test.toFixed(3)} in the test`);
  }
}
