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
import { oneByOne, requestOf } from './load.js';

/**
 * Reads that show a whole workspace, of 10,000 signals and of 20,000 events in 100 streams: processor time of
 * the server for one request, and how many times as much as bare Koa needs for a constant, in alternated
 * rounds. `--against=<folder of another build>` reads the same from that build too. `node
 * dist/bench/glance.js [--quick] [--against=/path/to/dist]`
 */
const ROUNDS = quick ? 3 : 7;
/** Processor time is counted in steps of 10 ms: so much of it is spent in a round at least. */
const ROUND_US = quick ? 200_000 : 500_000;
const SIGNALS = quick ? 1_000 : 10_000;
const GROUPS = 40;
const POINTS = 200;
const EVENTS = quick ? 2_000 : 20_000;
const STREAMS = 100;
const MOST_PUSHED = 5_000;
const MINUTE = 60_000;
const START = Date.parse('2026-01-01');

type Side = {
  readonly name: string;
  readonly server: Server;
  readonly folder: Folder;
  readonly end: () => void;
};

const reads: Readonly<Record<string, string>> = {
  'signal/overview': '/v1/signal/overview',
  'signal/overview of a group': '/v1/signal/overview?group=g7',
  'signal?limit=100': '/v1/signal?limit=100',
  'signal?search=': '/v1/signal?search=SENSOR-77',
  'signal?origin=': '/v1/signal?origin=ingestion',
  'event/streams': '/v1/event/streams',
  'event/streams?points=none': '/v1/event/streams?points=none',
  'event/streams/{s}/events': '/v1/event/streams/stream-7/events',
};

const headersOf = ({ token, workspaceId }: Folder) => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspaceId,
  'content-type': 'application/json',
});

async function presage(name: string, build?: string): Promise<Side> {
  const folder = await copyOf(EVENTS, STREAMS);
  const server = await startPresage(folder.path, 'api,projections', {}, build);
  const bodies = pushes();
  const count = Math.ceil((SIGNALS * POINTS) / MOST_PUSHED);
  await oneByOne(server.port, count, () =>
    requestOf('POST', '/v1/signal/push', headersOf(folder), bodies.next().value as string),
  );
  return { name, server, folder, end: folder.remove };
}

/** So many signals in so many groups, each with `POINTS` points a minute apart. */
function* pushes(): Generator<string> {
  const atOnce = MOST_PUSHED / POINTS;
  for (let from = 0; from < SIGNALS; from += atOnce) {
    const points: string[] = [];
    for (let n = from; n < Math.min(SIGNALS, from + atOnce); n++)
      for (let i = 0; i < POINTS; i++) {
        const value = Math.round(1e4 * Math.sin(n + i)) / 100;
        points.push(
          `{"key":"g${n % GROUPS}.sensor-${n}","value":${value},"timestamp":${START + i * MINUTE + n}}`,
        );
      }
    yield `{"points":[${points.join()}]}`;
  }
}

async function bareKoa(): Promise<Side> {
  const server = await startServer('bench/baselines.js', ['bare']);
  const folder = { path: '', token: 'psg_live_none', workspaceId: 'wsp_bench', events: 0, now: 0 };
  return { name: 'bare Koa', server, folder, end: () => {} };
}

/** Processor time of one request, in µs; as many are made as give a time that can be read. */
async function timed({ server, folder }: Side, path: string): Promise<number> {
  const before = cpuOf(server);
  let count = 0;
  for (; cpuOf(server) - before < ROUND_US; count++) {
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { headers: headersOf(folder) });
    if (answer.status !== 200) throw new Error(`refused: ${await answer.text()}`);
    await answer.arrayBuffer();
  }
  return (cpuOf(server) - before) / count;
}

const against = process.argv.find(arg => arg.startsWith('--against='))?.slice('--against='.length);
const sides = [await bareKoa(), ...(against ? [await presage('the other build', against)] : [])];
sides.push(await presage('this build'));
console.log(
  `Processor time of a request in ms, medians of ${ROUNDS} rounds: ${whole(SIGNALS)} signals of ${POINTS} `
    + `points, ${whole(EVENTS)} events in ${STREAMS} streams`,
);
const rows: string[][] = [];
for (const [name, path] of Object.entries(reads)) {
  const times = sides.map(() => [] as number[]);
  for (let round = -1; round < ROUNDS; round++)
    for (const [i, side] of sides.entries()) {
      const time = await timed(side, path);
      if (round >= 0) times[i]!.push(time); // the first round warms up
    }
  const of = (i: number) => median(times[i]!);
  const last = sides.length - 1;
  rows.push([
    name,
    ...sides.map((_, i) => (of(i) / 1000).toFixed(i === 0 ? 3 : 2)),
    ...sides.slice(1).map((_, i) => ratio(median(times[i + 1]!.map((time, nth) => time / times[0]![nth]!)))),
    ...(against ? [ratio(median(times[last]!.map((time, nth) => time / times[1]![nth]!)))] : []),
  ]);
}
table(
  [
    'ms',
    ...sides.map(({ name }) => name),
    ...sides.slice(1).map(({ name }) => `${name} of bare Koa`),
    ...(against ? ['this of the other'] : []),
  ],
  rows,
);
for (const { server, end } of sides) {
  await server.stop();
  end();
}
