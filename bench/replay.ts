import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { openStores } from '../adapters/open.js';
import { readConfig } from '../config.js';
import { projections } from '../main.js';
import { collectionsOf } from '../projections/engine/projection.js';
import { rebuild } from '../workers/engine/rebuild.js';
import { activeGenerations } from '../workers/engine/generations.js';
import { median, quick, ratio, table, whole } from './common.js';
import { copyOf } from './data.js';

/**
 * Replay of 1,000,000 facts (500,000 events and their scores) into new read models beside those that serve,
 * against reading the same log page by page with plain libsql and JSON.parse. Each a process of its own, in
 * alternated rounds. `node dist/bench/replay.js [--quick]`
 */
const EVENTS = quick ? 50_000 : 500_000;
const ROUNDS = quick ? 1 : 3;
const PAGE = 1_000;
const self = fileURLToPath(import.meta.url);

type Result = {
  readonly facts: number;
  readonly ms: number;
  readonly cpuMs: number;
  readonly peakMb: number;
};

/** All facts, every page parsed, with nothing done to them. */
async function page(folder: string): Promise<number> {
  const db = new Libsql(join(folder, 'facts.db'));
  db.exec('PRAGMA cache_size = -65536');
  const statement = db.prepare('SELECT * FROM facts WHERE position > ? ORDER BY position LIMIT ?').raw();
  let facts = 0;
  for (let at = -1; ; ) {
    const rows = statement.all([at, PAGE]) as unknown[][];
    if (rows.length === 0) return facts;
    for (const row of rows) [JSON.parse(row[6] as string), JSON.parse(row[7] as string)];
    at = rows.at(-1)![0] as number;
    facts += rows.length;
  }
}

/** What `presage replay --projection events` does. */
async function replay(folder: string): Promise<number> {
  const stores = await openStores(readConfig({ DATA_DIR: folder }), { clock: Date.now, owner: 'bench' });
  const projection = projections.find(({ name }) => name === 'events')!;
  const generations = await activeGenerations(stores.kv, projections);
  await stores.models.prepare(collectionsOf(projection, generations.generationOf(projection)));
  const { signal } = new AbortController();
  let facts = 0;
  for await (const progress of rebuild({
    store: stores.events,
    models: stores.models,
    generations,
    projection,
    projector: null,
    graceMs: 0,
    signal,
  })) {
    facts = Math.max(facts, progress.facts);
    if (progress.phase === 'switching') break;
  }
  await stores.close();
  return facts;
}

const ways = { page, replay };
type Way = keyof typeof ways;

async function measured(way: Way, folder: string): Promise<Result> {
  const child = fork(self, [way, folder]);
  const [result] = (await once(child, 'message')) as [Result];
  return result;
}

async function measure(way: Way, folder: string): Promise<void> {
  const start = performance.now();
  const cpu = process.cpuUsage();
  const facts = await ways[way](folder);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpu);
  process.send!({
    facts,
    ms,
    cpuMs: (user + system) / 1000,
    peakMb: process.resourceUsage().maxRSS / 1024,
  } satisfies Result);
  process.disconnect();
}

async function compare(): Promise<void> {
  const folder = await copyOf(EVENTS);
  const results: Record<Way, Result[]> = { page: [], replay: [] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ['page', 'replay'] as const) results[way].push(await measured(way, folder.path));
  }
  folder.remove();
  const rate = ({ facts, ms }: Result) => (facts / ms) * 1000;
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

if (process.send) await measure(process.argv[2] as Way, process.argv[3]!);
else await compare();
