import { median, quick, ratio, startPresage, table, whole, type Server } from './common.js';
import { copyOf, type Folder } from './data.js';
import { oneByOne, requestOf } from './load.js';

/**
 * Reads of signals over HTTP, one request at a time on one connection, in alternated rounds: the list and the
 * overview of many signals against those of few, and 1,000 points out of many against out of few. `node
 * dist/bench/signals.js [--quick]`
 */
const ROUNDS = quick ? 3 : 7;
const REQUESTS = quick ? 10 : 30;
const MOST_PUSHED = 5_000;
const HOUR = 3_600_000;
const START = Date.parse('2000-01-01');
const FEW = 100;
const MANY = quick ? 1_000 : 10_000;
const POINTS = 200;
const GROUPS = { few: 10, many: 40 };
const SHORT = 10_000;
const LONG = quick ? 1_000_000 : 10_000_000;
const PART = 1_000;
const MINUTE = 60_000;

type Side = { readonly folder: Folder & { readonly remove: () => void }; readonly server: Server };
type Read = { readonly name: string; readonly path: (many: boolean) => string };

const headersOf = ({ token, workspaceId }: Folder) => ({
  authorization: `Bearer ${token}`,
  'x-workspace-id': workspaceId,
  'content-type': 'application/json',
});
const anyOf = (count: number): number => Math.floor(Math.random() * count);

async function opened(): Promise<Side> {
  const folder = await copyOf(0);
  return { folder, server: await startPresage(folder.path, 'api,projections') };
}

const push = ({ folder, server }: Side, bodies: Iterator<string>, count: number): Promise<number[]> =>
  oneByOne(server.port, count, () =>
    requestOf('POST', '/v1/signal/push', headersOf(folder), bodies.next().value as string),
  );

/** So many signals in so many groups, each with `POINTS` points an hour apart. */
async function withSignals(count: number, groups: number): Promise<Side> {
  const side = await opened();
  const atOnce = MOST_PUSHED / POINTS;
  await push(
    side,
    (function* () {
      for (let from = 0; ; from += atOnce) {
        const points: string[] = [];
        for (let n = from; n < Math.min(count, from + atOnce); n++)
          for (let i = 0; i < POINTS; i++) {
            const value = Math.round(1e4 * Math.sin(n + i)) / 100;
            const timestamp = START + i * HOUR + n;
            points.push(JSON.stringify({ key: `g${n % groups}.sensor-${n}`, value, timestamp }));
          }
        yield `{"points":[${points.join()}]}`;
      }
    })(),
    Math.ceil(count / atOnce),
  );
  return side;
}

/** One signal with so many points a minute apart. */
async function withPoints(count: number): Promise<Side> {
  const side = await opened();
  await push(
    side,
    (function* () {
      for (let from = 0; ; from += MOST_PUSHED) {
        const values = Array.from(
          { length: Math.min(MOST_PUSHED, count - from) },
          (_, i) => `[${START + (from + i) * MINUTE},${(((from + i) * 7) % 10_007) / 100}]`,
        );
        yield `{"key":"long","values":[${values.join()}]}`;
      }
    })(),
    Math.ceil(count / MOST_PUSHED),
  );
  return side;
}

async function compare(
  heads: readonly [string, string],
  few: Side,
  many: Side,
  reads: readonly Read[],
): Promise<void> {
  const rows: string[][] = [];
  for (const { name, path } of reads) {
    const time = async (side: Side) =>
      median(
        await oneByOne(side.server.port, REQUESTS, () =>
          requestOf('GET', path(side === many), headersOf(side.folder)),
        ),
      );
    const rounds: [few: number, many: number][] = [];
    for (let round = -1; round < ROUNDS; round++) {
      const both: [number, number] = [await time(few), await time(many)];
      if (round >= 0) rounds.push(both); // the first round warms up
    }
    const of = (i: 0 | 1) => median(rounds.map(round => round[i])).toFixed(2);
    rows.push([name, of(0), of(1), ratio(median(rounds.map(([a, b]) => b / a)))]);
  }
  table(['ms a request', ...heads, 'ratio'], rows);
  for (const { server, folder } of [few, many]) {
    await server.stop();
    folder.remove();
  }
}

console.log(`Medians of ${ROUNDS} rounds of ${REQUESTS} requests`);
await compare(
  [`${whole(FEW)} signals`, `${whole(MANY)} signals`],
  await withSignals(FEW, GROUPS.few),
  await withSignals(MANY, GROUPS.many),
  [
    { name: 'newest 20 of the list', path: () => '/v1/signal' },
    {
      name: 'a page from anywhere in the list',
      path: many => `/v1/signal?sort_by=key&offset=${anyOf((many ? MANY : FEW) - 20)}`,
    },
    { name: 'newest 20 of a group', path: () => `/v1/signal?group=g${anyOf(GROUPS.few)}` },
    { name: 'a search', path: () => '/v1/signal?search=SENSOR-77' },
    { name: 'overview', path: () => '/v1/signal/overview' },
    { name: 'overview of a group', path: () => `/v1/signal/overview?group=g${anyOf(GROUPS.few)}` },
  ],
);
const from = (count: number) => START + anyOf(count - PART) * MINUTE;
await compare([`of ${whole(SHORT)}`, `of ${whole(LONG)}`], await withPoints(SHORT), await withPoints(LONG), [
  {
    name: `${whole(PART)} points from anywhere`,
    path: many => {
      const at = from(many ? LONG : SHORT);
      return `/v1/signal/points?key=long&from=${at}&to=${at + (PART - 1) * MINUTE}`;
    },
  },
  { name: `the newest ${whole(PART)} points`, path: () => '/v1/signal/points?key=long' },
  { name: 'overview of all', path: () => '/v1/signal/overview' },
  { name: 'its row of the list', path: () => '/v1/signal' },
]);
