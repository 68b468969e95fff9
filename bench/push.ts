import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { alternated, type Target } from './alternated.js';
import { memoryOf, quick, ratio, startPresage, startServer, table, whole } from './common.js';
import { copyOf } from './data.js';
import { load } from './load.js';
import { BATCH, batches, nobody, SIGNALS } from './requests.js';

/**
 * Pushing batches of 1,000 points over HTTP, durable and visible at once, against Koa that parses the same
 * JSON and answers a constant; then memory and disk while many points are pushed. `node dist/bench/push.js
 * [--quick] [--points=10000000]`
 */
const ROUNDS = quick ? 3 : 7;
const SECONDS = quick ? 2 : 4;
const WARM_UP = quick ? 1 : 2;
const CONNECTIONS = 64;

async function compare(): Promise<void> {
  const folder = await copyOf(0);
  const targets: Target[] = [
    {
      name: 'bare Koa that parses the JSON',
      server: await startServer('bench/baselines.js', ['bare']),
      next: batches(nobody),
    },
    { name: 'presage', server: await startPresage(folder.path, 'api,projections'), next: batches(folder) },
  ];
  const figures = await alternated(targets, {
    ...{ rounds: ROUNDS, seconds: SECONDS, warmUp: WARM_UP, connections: CONNECTIONS },
  });
  folder.remove();
  console.log(
    `Batches of ${whole(BATCH)} points, ${CONNECTIONS} connections: `
      + `medians of ${ROUNDS} rounds of ${SECONDS} s`,
  );
  table(
    ['', 'batches/s', 'points/s', 'of bare Koa', 'p99 ms', 'processor time µs'],
    figures.map(({ name, rate, against, p99, cpu }) => [
      ...[name, whole(rate), whole(rate * BATCH), ratio(against), p99.toFixed(0), cpu.toFixed(0)],
    ]),
  );
}

/** Memory after each tenth of the points, and what a point costs on disk. */
async function fill(points: number): Promise<void> {
  const folder = await copyOf(0);
  const server = await startPresage(folder.path, 'api,projections');
  const next = batches(folder);
  const rows: string[][] = [];
  let pushed = 0;
  while (pushed < points) {
    const goal = Math.min(points, pushed + points / 10);
    while (pushed < goal)
      pushed += (await load({ port: server.port, connections: 16, seconds: 1, next })).count * BATCH;
    const { now, peak } = memoryOf(server);
    rows.push([whole(pushed), now.toFixed(0), peak.toFixed(0), (bytesIn(folder.path) / pushed).toFixed(1)]);
  }
  await server.stop();
  console.log(`Memory and disk while points are pushed to ${SIGNALS} signals (log and read models together)`);
  table(
    ['points', 'MB now', 'MB at most', 'bytes a point'],
    [...rows, ['after the end', '', '', (bytesIn(folder.path) / pushed).toFixed(1)]],
  );
  for (const file of readdirSync(folder.path))
    console.log(file, whole(statSync(join(folder.path, file)).size));
  folder.remove();
}

const bytesIn = (path: string): number =>
  readdirSync(path).reduce((sum, file) => sum + statSync(join(path, file)).size, 0);

const points = Number(
  process.argv.find(arg => arg.startsWith('--points='))?.slice(9) ?? (quick ? 1_000_000 : 10_000_000),
);
if (!process.argv.includes('--memory')) await compare();
await fill(points);
