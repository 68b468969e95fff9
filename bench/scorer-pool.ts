import { readFileSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import { InferenceSession } from 'onnxruntime-node';
import { SESSION_OPTIONS } from '../adapters/onnx.js';
import { defaultModelDir, readModelFiles } from '../adapters/scorer/files.js';
import { createScorer } from '../adapters/scorer/scorer.js';
import { feedsOf } from '../adapters/scorer/session.js';
import { createTokenizer } from '../adapters/scorer/tokens.js';
import type { Profile } from '../domain/events/scoring.js';

/**
 * Scoring through the pool (one worker: gates, tokens, model, relevance, reasons, messages) against the bare
 * session.run of the same texts, encoded beforehand, in the main thread. Goal: at least 0.8 of its
 * throughput. `node dist/bench/scorer-pool.js [rounds]`
 */
const ROUNDS = Number(process.argv[2] ?? 7);
const TIMES = 3;
const GOAL = 0.8;

const profile: Profile = {
  version: '1',
  description: 'Electricity prices and load of the national power grid',
  phrases: ['day ahead price', 'net load', 'wind generation', 'gas storage level', 'grid outages'],
};
const lines = readFileSync(join(defaultModelDir(), 'recipe/data/heldout.txt'), 'utf8').trim().split('\n');
const texts = Array.from({ length: TIMES }, () => lines.map(line => line.split('|')[0] ?? '')).flat();

// as the pool's workers have it, so that both sides wait for others alike
setPriority(constants.priority.PRIORITY_LOW);
const files = readModelFiles(defaultModelDir());
const session = await InferenceSession.create(files.model, SESSION_OPTIONS);
const tokenizer = createTokenizer(files.vocabulary);
const feeds = texts.map(text => feedsOf(tokenizer(text, false)));
const scorer = await createScorer({ threads: 1 });

const bare = async (): Promise<void> => {
  for (const feed of feeds) await session.run(feed);
};
const pool = async (): Promise<void> => {
  await Promise.all(texts.map(text => scorer.score({ text, value: null, dataType: 'text', profile })));
};
const msPerText = async (run: () => Promise<void>): Promise<number> => {
  const start = performance.now();
  await run();
  return (performance.now() - start) / texts.length;
};
const median = (values: number[]): number => values.sort((a, b) => a - b)[values.length >> 1] ?? NaN;

await bare();
await pool();
const times: [number[], number[]] = [[], []];
for (let round = 0; round < ROUNDS; round++) {
  times[0].push(await msPerText(bare));
  times[1].push(await msPerText(pool));
}
await scorer.close();
await session.release();

const [bareMs, poolMs] = times.map(median) as [number, number];
const line = (ms: number) => ({
  'ms a text': ms.toFixed(2),
  'texts a second': Math.round(1000 / ms),
  ratio: (bareMs / ms).toFixed(2),
});
console.log(`${texts.length} texts, medians of ${ROUNDS} alternated rounds`);
console.table({
  'bare session.run': line(bareMs),
  'pool, one worker': line(poolMs),
});
console.log(`goal: ratio of at least ${GOAL}`);
