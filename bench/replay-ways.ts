import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Libsql from 'libsql';
import { openStores } from '../adapters/open.js';
import { readConfig } from '../config.js';
import { projections } from '../main.js';
import { collectionsOf } from '../projections/engine/projection.js';
import { activeGenerations } from '../workers/engine/generations.js';
import { rebuild } from '../workers/engine/rebuild.js';

// Two ways through a log: as this process's script it goes one, told by its arguments.

const PAGE = 1_000;
const self = fileURLToPath(import.meta.url);

/** What one way through a log of facts took, in a process of its own. */
export type Measured = {
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
export type Way = keyof typeof ways;

export async function measured(way: Way, folder: string): Promise<Measured> {
  const child = fork(self, [way, folder]);
  const [result] = (await once(child, 'message')) as [Measured];
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
  } satisfies Measured);
  process.disconnect();
}

if (process.argv[1] === self && process.send) await measure(process.argv[2] as Way, process.argv[3]!);
