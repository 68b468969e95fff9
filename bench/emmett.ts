import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median, quick, ratio, startPresage, startServer, table, whole, type Server } from './common.js';
import { copyOf, streamOf, textOf } from './data.js';
import { load, requestOf } from './load.js';

/**
 * Recording over HTTP on one connection against emmett's SQLite event store behind bare Koa, which appends
 * and does nothing else. emmett is no part of the project; it is found in the folder EMMETT_DIR.
 * `EMMETT_DIR=... node dist/bench/emmett.js [--quick]`
 */
const ROUNDS = quick ? 3 : 7;
const SECONDS = 3;
const STREAMS = 50;
const HOW = `emmett is not installed. To compare:
  mkdir /tmp/emmett && cd /tmp/emmett && npm init -y
  npm install @event-driven-io/emmett@0.38.5 @event-driven-io/emmett-sqlite@0.38.5 sqlite3@5.1.7
  EMMETT_DIR=/tmp/emmett node dist/bench/emmett.js`;

type Side = {
  readonly name: string;
  readonly server: Server;
  readonly next: () => string;
  readonly rates: number[];
};

async function compare(emmett: string): Promise<void> {
  const folder = await copyOf(0);
  const own = mkdtempSync(join(tmpdir(), 'presage-emmett-'));
  const headers = {
    authorization: `Bearer ${folder.token}`,
    'x-workspace-id': folder.workspaceId,
    'content-type': 'application/json',
  };
  let count = 0;
  const next = () =>
    requestOf(
      'POST',
      '/v1/event/record',
      headers,
      JSON.stringify({ key: streamOf(++count, STREAMS), text: textOf(count) }),
    );
  const sides: Side[] = [
    {
      name: 'emmett',
      server: await startServer('bench/emmett-server.js', [emmett, join(own, 'emmett.db')]),
      next,
      rates: [],
    },
    { name: 'presage', server: await startPresage(folder.path, 'api,projections'), next, rates: [] },
  ];
  for (let round = -1; round < ROUNDS; round++)
    for (const { server, rates } of sides) {
      server.resume();
      const { rate } = await load({ port: server.port, connections: 1, seconds: SECONDS, next });
      server.pause();
      if (round >= 0) rates.push(rate); // the first round warms up
    }
  for (const { server } of sides) await server.stop();
  folder.remove();
  rmSync(own, { recursive: true });
  const base = sides[0]!.rates;
  console.log(`1 connection, medians of ${ROUNDS} rounds of ${SECONDS} s`);
  table(
    ['', 'requests/s', 'ratio', 'rounds'],
    sides.map(({ name, rates }) => [
      name,
      whole(median(rates)),
      ratio(median(rates.map((rate, i) => rate / base[i]!))),
      rates.map(whole).join(' '),
    ]),
  );
}

const installed = process.env['EMMETT_DIR'];
if (installed && existsSync(join(installed, 'node_modules/@event-driven-io/emmett-sqlite')))
  await compare(installed);
else console.log(HOW);
