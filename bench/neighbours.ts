import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { readConfig } from '../config.js';
import { scopes } from '../domain/tokens/scopes.js';
import { openPlatform } from '../main.js';
import { cpuOf, quick, startServer, table, thisBuild, whole, type Server } from './common.js';
import { copyOf } from './data.js';
import type { Stalls } from './loop-watch.js';
import { loads, type Counted, type LoadName, type Loud } from './neighbours-loads.js';
import { Quiet } from './neighbours-quiet.js';

/**
 * Nobody starves: a quiet workspace beside one that does its worst within its limits, each kind of load alone
 * and then all together. Tells how long the quiet one waits and how often it is refused, how long the event
 * loop stands still, and what processor time each load costs. `--against=<folder of another build>` does the
 * same to that build first, `--only=streams,pushes` takes these loads only, `--together` not one by one,
 * `--seconds=20` as long for each.
 * `node dist/bench/neighbours.js [--quick] [--against=/path/to/dist]`
 */
function option(name: string): string | undefined {
  return process.argv.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
}

const SECONDS = Number(option('seconds') ?? (quick ? 10 : 60));
const EVENTS = quick ? 2_000 : 20_000;
const STREAMS = 100;
const SIGNALS = quick ? 1_000 : 10_000;
const POINTS = 40;
const MINUTE = 60_000;
const START = Date.parse('2026-01-01');
const DRAINED_WITHIN_MS = 20_000;

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** A data folder with the loud workspace of `data.ts`, its signals, and a quiet one of somebody else. */
async function furnished() {
  const folder = await copyOf(EVENTS, STREAMS);
  const config = readConfig({ DATA_DIR: folder.path });
  const log = { info() {}, debug() {}, warn: console.warn, error: console.error };
  const platform = await openPlatform({ config, log, running: ['projections'], owner: 'bench' });
  const { identity, signals } = platform.areas;
  const context = {
    ...{ workspace: null, actor: 'operator', request: null, causation: null },
    correlation: platform.newId(),
    at: Date.now(),
  };
  const them = { organization: 'Q', workspace: 'Q', email: 'q@example.org', name: 'Q', domainTerms: [] };
  const quiet = await identity.install({ ...them, cell: config.CELL }, context);
  const times = Array.from({ length: POINTS }, (_, i) => START + i * MINUTE);
  const AT_ONCE = 100;
  for (let from = 0; from < SIGNALS; from += AT_ONCE) {
    const pushes = Array.from({ length: AT_ONCE }, (_, i) => {
      const n = from + i;
      const values = times.map((_, at) => Math.round(1e4 * Math.sin(n + at * at)) / 100);
      return { key: `g${n % 40}.sensor-${n}`, times, values, unit: null, origin: 'api' } as const;
    });
    const inWorkspace = { ...context, workspace: folder.workspaceId };
    const pushed = await signals.commands.push(folder.workspaceId, pushes, inWorkspace);
    await platform.visible(Math.max(...pushed.map(({ position }) => position ?? 0)));
  }
  await platform.stop();
  return { folder, quiet };
}

async function tokensFor(port: number, token: string): Promise<Loud['tokens']> {
  const made = loads.map(async name => {
    const answer = await fetch(`http://127.0.0.1:${port}/v1/user/api-tokens`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ name, scopes }),
    });
    return [name, ((await answer.json()) as { data: { token: string } }).data.token] as const;
  });
  return Object.fromEntries(await Promise.all(made)) as Loud['tokens'];
}

async function stallsOf(socket: string): Promise<Stalls> {
  const asking = connect(socket);
  let text = '';
  asking.on('data', chunk => (text += chunk));
  await once(asking, 'close');
  return JSON.parse(text) as Stalls;
}

/** Processor time of the main thread alone, in µs. */
const mainCpuOf = ({ pid }: Server): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1_000;

/** What the loud one says next under a name. */
const told = <T>(worker: Worker, name: string): Promise<T> =>
  new Promise(resolve => {
    const hear = (said: { readonly name: string; readonly value: T }): void => {
      if (said.name !== name) return;
      worker.off('message', hear);
      resolve(said.value);
    };
    worker.on('message', hear);
  });

async function until(ready: () => Promise<boolean>): Promise<void> {
  while (!(await ready())) await wait(250);
}

async function measure(name: string, build: string): Promise<void> {
  const { folder, quiet } = await furnished();
  const socket = join(tmpdir(), `presage-loop-${process.pid}.sock`);
  const server = await startServer(
    'cli/presage.js',
    ['serve'],
    {
      ...{ PORT: '0', DATA_DIR: folder.path, LOG_LEVEL: 'error', LOOP_WATCH: socket },
      NODE_OPTIONS: `--import=${join(thisBuild, 'bench/loop-watch.js')}`,
    },
    build,
  );
  const base = `http://127.0.0.1:${server.port}`;
  const authorization = `Bearer ${folder.token}`;
  await until(async () => (await fetch(`${base}/ready`, { headers: { authorization } })).status === 200);
  const loud: Loud = {
    ...{ port: server.port, workspaceId: folder.workspaceId },
    tokens: await tokensFor(server.port, folder.token),
  };
  const worker = new Worker(new URL('neighbours-loud.js', import.meta.url), { workerData: loud });
  const only = option('only')?.split(',') as LoadName[] | undefined;
  const alone = only ?? loads;
  const phases: (readonly [string, readonly LoadName[]])[] = [
    ['nothing beside it', []],
    ...(process.argv.includes('--together') ? [] : alone.map(load => [load, [load]] as const)),
    ...(alone.length > 1 ? [['all together', alone] as const] : []),
  ];
  const rows: string[][] = [];
  for (const [phase, names] of phases) {
    console.error(`${name}: ${phase}`);
    const client = new Quiet(server.port, quiet.token, quiet.workspaceId);
    await stallsOf(socket);
    const before = { all: cpuOf(server), main: mainCpuOf(server) };
    const began = performance.now();
    worker.postMessage(names);
    await client.run(SECONDS);
    worker.postMessage('end');
    const counted = await told<Counted>(worker, 'counted');
    const share = (since: number, now: number) =>
      `${Math.round((now - since) / 10 / (performance.now() - began))}%`;
    const all = share(before.all, cpuOf(server));
    const main = share(before.main, mainCpuOf(server));
    const stalls = await stallsOf(socket);
    rows.push([
      phase,
      ...client.cells(),
      stalls.longest.toFixed(0),
      stalls.p99.toFixed(0),
      `${stalls.work.p99.toFixed(0)} / ${stalls.work.longest.toFixed(0)}`,
      main,
      all,
      inWords(counted),
    ]);
    // What was begun is hardly the next one's, except for texts that wait for scores
    await Promise.race([told(worker, 'drained'), wait(DRAINED_WITHIN_MS)]);
  }
  console.log(
    `${name}: ms of the quiet workspace's calls, one of each a second for ${SECONDS} s. Beside it `
      + `${whole(EVENTS)} events in ${STREAMS} streams and ${whole(SIGNALS)} signals.`,
  );
  table(
    [
      'beside it',
      'user/me p50 / p99 / most',
      'record',
      'push',
      'refused',
      'longest stall',
      'p99 stall',
      'of processor time: p99 / longest',
      'main thread',
      'all threads',
      'loud: answered / refused / open',
    ],
    rows,
  );
  await worker.terminate();
  await server.stop();
  folder.remove();
}

const inWords = (counted: Counted): string =>
  Object.values(counted)
    .map(({ ok, refused, unanswered, why }) => `${ok} / ${refused} / ${unanswered}${why && ` (${why})`}`)
    .join('; ');

const against = option('against');
if (against !== undefined) await measure('the other build', against);
await measure('this build', thisBuild);
