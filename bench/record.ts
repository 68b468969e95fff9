import { availableParallelism } from 'node:os';
import {
  cpuOf,
  median,
  quick,
  ratio,
  startPresage,
  startServer,
  table,
  whole,
  type Server,
} from './common.js';
import { copyOf, type Folder } from './data.js';
import { load } from './load.js';
import { nobody, recordings } from './requests.js';

/**
 * Recording over HTTP, durable (`synchronous=FULL`) and visible at once, with everything a request goes
 * through, against Koa answering a constant. Every server is a process of its own, held still while another
 * is measured; rounds alternate. `node dist/bench/record.js [--quick] [--only=presage,bare]`
 */
const ROUNDS = quick ? 3 : 7;
const SECONDS = quick ? 2 : 4;
const WARM_UP = quick ? 1 : 2;

type Case = {
  readonly name: string;
  readonly start: () => Promise<{ server: Server; folder: Folder; remove: () => void }>;
};
type Round = { readonly rate: number; readonly p99: number; readonly cpu: number };

const baseline = (name: string, kind: string): Case => ({
  name,
  start: async () => ({
    server: await startServer('bench/baselines.js', [kind]),
    folder: nobody,
    remove: () => {},
  }),
});
const presage = (name: string, events: number, role: string): Case => ({
  name,
  async start() {
    const folder = await copyOf(events);
    return { server: await startPresage(folder.path, role), folder, remove: folder.remove };
  },
});

const cases: readonly Case[] = [
  baseline('bare Koa, lean body reader', 'bare'),
  baseline('Koa, koa-body, one router of 150 routes', 'usual'),
  presage('presage', 0, 'api,projections'),
  presage('presage, scoring meanwhile', 0, 'api,projections,workers'),
  ...(quick ? [] : [presage('presage, 1,000,000 events there', 1_000_000, 'api,projections')]),
].filter(({ name }) => !only() || only()!.some(wanted => name.startsWith(wanted)));

function only(): string[] | undefined {
  return process.argv
    .find(arg => arg.startsWith('--only='))
    ?.slice(7)
    .split(',');
}

async function measure(connections: number): Promise<void> {
  const started = [];
  for (const each of cases) {
    const { server, folder, remove } = await each.start();
    const next = recordings(folder);
    await load({ port: server.port, connections, seconds: WARM_UP, next });
    server.pause();
    started.push({ name: each.name, server, next, remove, rounds: [] as Round[] });
  }
  for (let round = 0; round < ROUNDS; round++)
    for (const { server, next, rounds } of started) {
      server.resume();
      const before = cpuOf(server);
      const {
        rate,
        count: answered,
        p99,
      } = await load({ port: server.port, connections, seconds: SECONDS, next });
      rounds.push({ rate, p99, cpu: (cpuOf(server) - before) / answered });
      server.pause();
    }
  for (const { server, remove } of started) {
    await server.stop();
    remove();
  }
  report(connections, started);
}

function report(
  connections: number,
  measured: readonly { readonly name: string; readonly rounds: readonly Round[] }[],
): void {
  const of = (i: number, figure: keyof Round) => median(measured[i]!.rounds.map(round => round[figure]));
  // Of each round by itself: both sides of a ratio are measured within the same seconds
  const against = (i: number, other: number) =>
    median(measured[i]!.rounds.map(({ rate }, round) => rate / measured[other]!.rounds[round]!.rate));
  console.log(
    `${connections} connections: medians of ${ROUNDS} rounds of ${SECONDS} s, `
      + `${availableParallelism()} cores`,
  );
  table(
    [
      '',
      'requests/s',
      ...measured.slice(0, 3).map(({ name }) => `of ${name}`),
      'p99 ms',
      'processor time µs',
      'rounds',
    ],
    measured.map(({ name, rounds }, i) => [
      name,
      whole(of(i, 'rate')),
      ...measured.slice(0, 3).map((_, other) => ratio(against(i, other))),
      of(i, 'p99').toFixed(0),
      of(i, 'cpu').toFixed(0),
      rounds.map(({ rate }) => whole(rate)).join(' '),
    ]),
  );
}

const connections = Number(process.argv.find(arg => arg.startsWith('--connections='))?.slice(14) ?? 0);
for (const each of connections ? [connections] : [64, 1]) await measure(each);
