import { median, quick, ratio, table, whole } from './common.js';
import { copyOf } from './data.js';
import { measured, type Measured, type Way } from './replay-ways.js';

/**
 * Replay of 1,000,000 facts (500,000 events and their scores) into new read models beside those that serve,
 * against reading the same log page by page with plain libsql and JSON.parse. Each a process of its own, in
 * alternated rounds. `node dist/bench/replay.js [--quick]`
 */
const EVENTS = quick ? 50_000 : 500_000;
const ROUNDS = quick ? 1 : 3;

async function compare(): Promise<void> {
  const folder = await copyOf(EVENTS);
  const results: Record<Way, Measured[]> = { page: [], replay: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ['page', 'replay'] as const) results[way].push(await measured(way, folder.path));
  }
  folder.remove();
  const rate = ({ facts, ms }: Measured) => (facts / ms) * 1000;
  const row = (name: string, way: Way) => [
    name,
    whole(median(results[way].map(rate))),
    ratio(median(results[way].map((result, i) => rate(result) / rate(results.page[i]!)))),
    median(results[way].map(({ cpuMs, facts }) => (cpuMs / facts) * 1000)).toFixed(1),
    whole(Math.max(...results[way].map(({ peakMb }) => peakMb))),
    results[way].map(result => whole(rate(result))).join(' '),
  ];
  console.log(`${whole(results.replay[0]!.facts)} facts, medians of ${ROUNDS} rounds`);
  table(
    ['', 'facts/s', 'ratio', 'processor time µs a fact', 'peak memory MB', 'rounds'],
    [row('paging with JSON.parse', 'page'), row('replay of the events', 'replay')],
  );
}

await compare();
