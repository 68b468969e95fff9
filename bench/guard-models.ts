import { fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { openFamily } from '../adapters/forecaster/family.js';
import { defaultFamilyDir, readModelFile } from '../adapters/forecaster/files.js';
import { SESSION_OPTIONS } from '../adapters/onnx.js';
import { defaultModelDir, readModelFiles } from '../adapters/scorer/files.js';
import { createScorer } from '../adapters/scorer/scorer.js';
import { feedsOf } from '../adapters/scorer/session.js';
import { createTokenizer } from '../adapters/scorer/tokens.js';

const ROUNDS = 15;
const RUNS = 8;
const MODEL = 'mini';
const STEPS = 64;
const PERIOD = 12;
const VALUES = Float64Array.from(
  { length: 512 },
  (_, i) => i / 50 + 5 * Math.sin((2 * Math.PI * i) / PERIOD),
);
const self = fileURLToPath(import.meta.url);
const TEXT = 'Storm cuts power to 40,000 homes along the coast; crews expect repairs to take two days.';

type Run = () => Promise<unknown>;
/** As the platform runs it, and the bare run of its model. */
type Sides = { readonly ours: Run; readonly bare: Run; readonly end: () => Promise<unknown> };

/** One forecast, or one scoring, against the bare run of its model, in a process of its own. */
export async function measuredModel(name: ModelName): Promise<number> {
  const child = fork(self, [name]);
  const [ratio] = (await once(child, 'message')) as [number];
  return ratio;
}

const models = { forecast: forecasts, scoring: scorings };
export type ModelName = keyof typeof models;

async function forecasts(): Promise<Sides> {
  const family = openFamily({ threads: 1 });
  const forecaster = family.forecasters.get(MODEL)!;
  const { signal } = new AbortController();
  const { bytes } = readModelFile(defaultFamilyDir(), MODEL);
  const session = await InferenceSession.create(bytes, SESSION_OPTIONS);
  const feeds = () => ({
    context: new Tensor('float64', VALUES, [1, VALUES.length]),
    period: new Tensor('int64', BigInt64Array.of(BigInt(PERIOD)), [1]),
    horizon: new Tensor('int64', BigInt64Array.of(BigInt(STEPS)), [1]),
  });
  return {
    ours: () => forecaster.forecast([{ values: VALUES, period: PERIOD }], STEPS, signal),
    bare: () => session.run(feeds()),
    end: () => Promise.all([family.close(), session.release()]),
  };
}

async function scorings(): Promise<Sides> {
  const scorer = await createScorer({ threads: 1 });
  const { model, vocabulary } = readModelFiles(defaultModelDir());
  const session = await InferenceSession.create(model, SESSION_OPTIONS);
  const feeds = feedsOf(createTokenizer(vocabulary)(TEXT, false));
  const profile = { version: '1', description: '', phrases: [] };
  return {
    ours: () => scorer.score({ text: TEXT, value: null, dataType: 'text', profile }),
    bare: () => session.run(feeds),
    end: () => Promise.all([scorer.close(), session.release()]),
  };
}

/** In alternated rounds, the first of which warms up; of each side the least counts. */
async function measure(name: ModelName): Promise<void> {
  // As the workers of both have it, so that all wait for others alike
  setPriority(constants.priority.PRIORITY_LOW);
  const { ours, bare, end } = await models[name]();
  const rounds: [ours: number, bare: number][] = [];
  for (let round = 0; round <= ROUNDS; round++) rounds.push([await costOf(ours), await costOf(bare)]);
  const least = (side: 0 | 1) => Math.min(...rounds.slice(1).map(round => round[side]));
  process.send!(least(0) / least(1));
  await end();
  process.disconnect();
}

/** Processor time of this process, all its threads, for some runs, µs. */
async function costOf(run: Run): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < RUNS; i++) await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

if (process.argv[1] === self && process.send) await measure(process.argv[2] as ModelName);
