import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openFamily } from '../adapters/forecaster/family.js';
import type { ForecastSeries } from '../domain/maths/forecasting/forecaster.js';
import { cpuOf, median, memoryOf, quick, ratio, startPresage, table, whole, type Server } from './common.js';
import { copyOf, type Folder } from './data.js';
import { load, requestOf } from './load.js';

/**
 * Forecasts over HTTP (token, history of 1,000 points from a signal, bands, the answer kept and visible)
 * against the bare runtime on the same series and horizons: one at a time, 64 calls at once, and two calls at
 * once of 50 series each; then at half of that load, beyond what is allowed, and memory.
 * `node dist/bench/inference.js [--quick]`
 */
const ROUNDS = quick ? 2 : 5;
const SECONDS = quick ? 3 : 6;
/** Signals are entities of bases, 50 each: one call by a base forecasts so many. */
const ENTITIES = 50;
const BASES = quick ? 1 : 3;
const KEYS = BASES * ENTITIES;
const keyOf = (n: number): string => `${baseOf(Math.floor(n / ENTITIES))}__e${n % ENTITIES}`;
const baseOf = (n: number): string => `bench.b${n % BASES}`;
const POINTS = 1_000;
const THREADS = availableParallelism();
const DAY = 86_400_000;
const START = Date.parse('2000-01-01');
/** Steps ahead: each request asks for another number of them, so that no forecast is one remembered. */
const horizonOf = (n: number): number => 32 + (n % 65);

const valuesOf = (key: number): number[] =>
  Array.from({ length: POINTS }, (_, i) => {
    const noise = ((i * 7919 + key * 104_729) % 1_000) / 500;
    return Math.round((100 + 20 * Math.sin((2 * Math.PI * i) / 7) + 0.02 * i + noise) * 100) / 100;
  });

type Asked = {
  readonly server: Server;
  readonly folder: Awaited<ReturnType<typeof copyOf>>;
  readonly promotion: string;
};

const headersOf = ({ token, workspaceId }: Folder) => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspaceId,
  'content-type': 'application/json',
});

type At = Pick<Asked, 'server' | 'folder'>;

const post = ({ server, folder }: At, body: string, path = '/v1/inference/forecast'): Promise<Response> =>
  fetch(`http://127.0.0.1:${server.port}${path}`, { method: 'POST', headers: headersOf(folder), body });
const send = (at: At, path: string, body: object) => post(at, JSON.stringify(body), path);

/** Settings of a plan with credits enough for all that is asked: each forecast is held for and charged. */
function rich(folder: string): Readonly<Record<string, string>> {
  const file = join(folder, 'plans.json');
  const plan = { id: 'bench', name: 'Bench', credits: '1000000000', limits: {} };
  writeFileSync(file, JSON.stringify({ version: 'bench', plans: [plan] }));
  return { PLANS_FILE: file, DEFAULT_PLAN: 'bench' };
}

/** A platform with the signals, and `nano` deployed. */
async function started(env: Readonly<Record<string, string>> = {}): Promise<Asked> {
  const folder = await copyOf(0);
  const limits = { RATE_INFERENCE: '1000000000', INFERENCE_AT_ONCE: '100000', SERVING_THREADS: `${THREADS}` };
  const roles = 'api,projections,workers,serving';
  const server = await startPresage(folder.path, roles, { ...limits, ...rich(folder.path), ...env });
  for (let key = 0; key < KEYS; key++) {
    const values = valuesOf(key).map((value, i) => [START + i * DAY, value]);
    await send({ server, folder }, '/v1/signal/push', { key: keyOf(key), values });
  }
  const model = { family: 'presage', slug: 'nano' };
  const deployed = await send({ server, folder }, '/v1/models/deploy-foundation', model);
  const promotion = ((await deployed.json()) as { data: { promotion_id: string } }).data.promotion_id;
  const size = { min: 1, max: THREADS };
  await send({ server, folder }, `/v1/deployments/${promotion}/scale`, size);
  const asked = { server, folder, promotion };
  // Forecasts of the past are made once for each signal
  for (let key = 0; key < KEYS; key++)
    await send({ server, folder }, '/v1/inference/forecast', bodyOf(asked, keyOf(key), 1));
  return asked;
}

const bodyOf = ({ promotion }: Pick<Asked, 'promotion'>, key: string, horizon: number) => ({
  promotion_id: promotion,
  key,
  horizon,
});

let sent = 0;
/** A forecast of the next signal, or of all of the next base. */
const nextBody = (asked: Asked, batch: number): string => {
  const n = sent++;
  const body =
    batch === 1
      ? bodyOf(asked, keyOf(n % KEYS), horizonOf(Math.floor(n / KEYS)))
      : bodyOf(asked, baseOf(n), horizonOf(Math.floor(n / BASES)));
  return JSON.stringify(body);
};
const requests = (asked: Asked, batch: number) => () =>
  requestOf('POST', '/v1/inference/forecast', headersOf(asked.folder), nextBody(asked, batch));

type Case = { readonly atOnce: number; readonly batch: number };

/** The runtime alone, in this process: forecasts a second, and processor time of each, µs. */
async function bare({ atOnce, batch }: Case, seconds: number) {
  const family = openFamily({ threads: atOnce * batch === 1 ? 1 : THREADS });
  const nano = family.forecasters.get('nano')!;
  const series = Array.from({ length: KEYS }, (_, key): ForecastSeries => {
    return { values: Float64Array.from(valuesOf(key)), period: 7 };
  });
  const signal = () => new AbortController().signal;
  await nano.forecast(series.slice(0, THREADS * 8), 8, signal());
  const before = cpuOf({ pid: process.pid });
  const begun = performance.now();
  let count = 0;
  let n = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() - begun < seconds * 1_000) {
        const next = n++;
        const from = (next * batch) % KEYS;
        await nano.forecast(series.slice(from, from + batch), horizonOf(next), signal());
        count += batch;
      }
    }),
  );
  const rate = count / ((performance.now() - begun) / 1_000);
  const cpu = (cpuOf({ pid: process.pid }) - before) / count;
  await family.close();
  return { rate, cpu };
}

type Round = {
  readonly alone: { readonly rate: number; readonly cpu: number };
  readonly rate: number;
  readonly p50: number;
  readonly p99: number;
  readonly cpu: number;
};

const cases: readonly Case[] = [
  { atOnce: 1, batch: 1 },
  { atOnce: 64, batch: 1 },
  { atOnce: 2, batch: ENTITIES },
];

/** Calls a second, by how many of one series each are made at once. */
async function compare(asked: Asked): Promise<ReadonlyMap<Case, number>> {
  const rows: string[][] = [];
  const rates = new Map<Case, number>();
  for (const each of cases) {
    const { atOnce, batch } = each;
    const rounds: Round[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      asked.server.pause();
      const alone = await bare(each, SECONDS);
      asked.server.resume();
      const before = cpuOf(asked.server);
      const wanted = { port: asked.server.port, connections: atOnce, seconds: SECONDS };
      const { rate, count, p50, p99 } = await load({ ...wanted, next: requests(asked, batch) });
      const cpu = (cpuOf(asked.server) - before) / (count * batch);
      rounds.push({ alone, rate: rate * batch, p50, p99, cpu });
    }
    const of = (figure: (round: Round) => number) => median(rounds.map(figure));
    rates.set(each, of(({ rate }) => rate) / batch);
    rows.push([
      `${atOnce}`,
      `${batch}`,
      whole(of(({ rate }) => rate)),
      whole(of(({ alone }) => alone.rate)),
      ratio(of(({ rate, alone }) => rate / alone.rate)),
      whole(of(({ cpu }) => cpu)),
      whole(of(({ alone }) => alone.cpu)),
      ratio(of(({ cpu, alone }) => alone.cpu / cpu)),
      of(({ p50 }) => p50).toFixed(1),
      of(({ p99 }) => p99).toFixed(1),
    ]);
  }
  const each = ['calls at once', 'series each', 'forecasts/s', 'bare', 'ratio'];
  table([...each, 'processor µs', 'bare', 'ratio', 'p50 ms', 'p99 ms'], rows);
  return rates;
}

/** Calls at even times, whether those before are answered or not. */
async function halfLoaded(asked: Asked, full: number): Promise<void> {
  const latencies: number[] = [];
  const every = 1_000 / (full / 2);
  const until = performance.now() + SECONDS * 1_000;
  const pending: Promise<void>[] = [];
  for (let at = performance.now(); at < until; at += every) {
    const wait = at - performance.now();
    if (wait > 0) await new Promise(resolve => setTimeout(resolve, wait));
    const begun = performance.now();
    const answer = post(asked, nextBody(asked, 1)).then(async response => {
      await response.arrayBuffer();
      latencies.push(performance.now() - begun);
    });
    pending.push(answer);
  }
  await Promise.all(pending);
  const sorted = latencies.sort((a, b) => a - b);
  const p50 = sorted[sorted.length >> 1]!;
  const p99 = sorted[Math.floor(sorted.length * 0.99)]!;
  console.log(
    `at half of ${whole(full)}/s: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, `
      + `${ratio(p99 / p50)} times (goal: below 4)`,
  );
}

async function oneCall(asked: Asked): Promise<void> {
  const series = Array.from({ length: 100 }, (_, i) => ({
    ...{ id: `s${i}`, start: '2026-01-01', step_s: 86_400 },
    values: valuesOf(i + 1_000).slice(0, 512),
  }));
  const begun = performance.now();
  const queued = await post(asked, JSON.stringify({ promotion_id: asked.promotion, series }));
  const { poll_url } = (await queued.json()) as { poll_url: string };
  const url = `http://127.0.0.1:${asked.server.port}${poll_url}`;
  for (;;) {
    const answer = await fetch(url, { headers: headersOf(asked.folder) });
    const { status } = (await answer.json()) as { status: string };
    if (status === 'completed') break;
    await new Promise(resolve => setTimeout(resolve, 50));
  }
  const tookS = (performance.now() - begun) / 1_000;
  console.log(`100 series of 512 values in one call: ${tookS.toFixed(1)} s with bands, queued and polled`);
}

/** More at once than are allowed: each is answered, or told when to come again. */
async function overload(): Promise<void> {
  const asked = await started({ INFERENCE_AT_ONCE: '20' });
  const counts = new Map<string, number>();
  await Promise.all(
    Array.from({ length: 300 }, async (_, n) => {
      const answer = await post(asked, JSON.stringify(bodyOf(asked, keyOf(n % KEYS), 100 + n)));
      await answer.arrayBuffer();
      const told = answer.headers.has('retry-after') ? ' with Retry-After' : '';
      const name = `${answer.status}${told}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }),
  );
  await asked.server.stop();
  asked.folder.remove();
  console.log(`300 at once, 20 allowed: ${[...counts].map(([name, n]) => `${n} x ${name}`).join(', ')}`);
}

const asked = await started();
const rates = await compare(asked);
await halfLoaded(asked, rates.get(cases[1]!)!);
await oneCall(asked);
const middle = memoryOf(asked.server).now;
await load({ port: asked.server.port, connections: 64, seconds: 3 * SECONDS, next: requests(asked, 1) });
console.log(`memory: ${whole(middle)} MB, ${whole(memoryOf(asked.server).now)} MB after as many again`);
await asked.server.stop();
asked.folder.remove();
await overload();
