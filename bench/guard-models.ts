import { InferenceSession, Tensor } from 'onnxruntime-node';
import { openFamily } from '../adapters/forecaster/family.js';
import { defaultFamilyDir, readModelFile } from '../adapters/forecaster/files.js';
import { SESSION_OPTIONS } from '../adapters/onnx.js';
import { defaultModelDir, readModelFiles } from '../adapters/scorer/files.js';
import { createScorer } from '../adapters/scorer/scorer.js';
import { feedsOf } from '../adapters/scorer/session.js';
import { createTokenizer } from '../adapters/scorer/tokens.js';
import type { Figure } from './guard-verdict.js';

const ROUNDS = 7;
const RUNS = 20;
const MODEL = 'mini';
const STEPS = 64;
const PERIOD = 12;
const VALUES = Float64Array.from(
  { length: 512 },
  (_, i) => i / 50 + 5 * Math.sin((2 * Math.PI * i) / PERIOD),
);
const TEXT = 'Storm cuts power to 40,000 homes along the coast; crews expect repairs to take two days.';

type Bare = { readonly run: () => Promise<unknown>; readonly end: () => Promise<void> };

/** One forecast and one scoring as the platform makes them, each against the bare run of its model. */
export async function modelFigures(): Promise<{
  readonly figures: readonly Figure[];
  readonly end: () => Promise<void>;
}> {
  const family = openFamily({ threads: 1 });
  const scorer = await createScorer({ threads: 1 });
  const bareForecast = await bareForecasts();
  const bareScore = await bareScorings();
  const { signal } = new AbortController();
  const forecast = () =>
    family.forecasters.get(MODEL)!.forecast([{ values: VALUES, period: PERIOD }], STEPS, signal);
  const profile = { version: '1', description: '', phrases: [] };
  const score = () => scorer.score({ text: TEXT, value: null, dataType: 'text', profile });
  return {
    figures: [
      {
        name: 'a forecast',
        of: 'the bare run of its model',
        measured: () => against(forecast, bareForecast.run),
      },
      { name: 'a scoring', of: 'the bare run of its model', measured: () => against(score, bareScore.run) },
    ],
    async end() {
      await Promise.all([family.close(), scorer.close(), bareForecast.end(), bareScore.end()]);
    },
  };
}

async function bareForecasts(): Promise<Bare> {
  const { bytes } = readModelFile(defaultFamilyDir(), MODEL);
  const session = await InferenceSession.create(bytes, SESSION_OPTIONS);
  const feeds = () => ({
    context: new Tensor('float64', VALUES, [1, VALUES.length]),
    period: new Tensor('int64', BigInt64Array.of(BigInt(PERIOD)), [1]),
    horizon: new Tensor('int64', BigInt64Array.of(BigInt(STEPS)), [1]),
  });
  return { run: () => session.run(feeds()), end: () => session.release() };
}

async function bareScorings(): Promise<Bare> {
  const { model, vocabulary } = readModelFiles(defaultModelDir());
  const session = await InferenceSession.create(model, SESSION_OPTIONS);
  const feeds = feedsOf(createTokenizer(vocabulary)(TEXT, false));
  return { run: () => session.run(feeds), end: () => session.release() };
}

/** In alternated rounds, the first of which warms up; of each side the least counts. */
async function against(ours: () => Promise<unknown>, bare: () => Promise<unknown>): Promise<number> {
  const rounds: [ours: number, bare: number][] = [];
  for (let round = 0; round <= ROUNDS; round++) rounds.push([await costOf(ours), await costOf(bare)]);
  const least = (side: 0 | 1) => Math.min(...rounds.slice(1).map(round => round[side]));
  return least(0) / least(1);
}

/** Processor time of this process, all its threads, for some runs, µs. */
async function costOf(run: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  for (let i = 0; i < RUNS; i++) await run();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}
