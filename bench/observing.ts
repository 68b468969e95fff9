import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { median, quick, startPresage, table, whole, type Server } from './common.js';
import { copyOf, streamOf, textOf, type Folder } from './data.js';
import { load, requestOf } from './load.js';

/**
 * What watching costs a recording, in processor time of the whole process: the same platform without, without
 * once more (how much two equal ones differ: the noise), with figures, and with traces. Each is a process of
 * its own, held still while another is measured; short rounds alternate, in an order that turns around each
 * time.
 * `node dist/bench/observing.js [--quick]`
 */
const ROUNDS = quick ? 20 : 150;
const SECONDS = 0.4;
const WARM_UP_SECONDS = 4;
const CONNECTIONS = 64;
const STREAMS = 50;

type Case = { readonly name: string; readonly env: Readonly<Record<string, string>> };
type Started = { readonly server: Server; readonly next: () => string; readonly remove: () => void };
type Measured = Case & Started & { readonly costs: number[]; readonly rates: number[] };

/** A collector that takes whatever it is sent. */
const sink = createServer((req, res) => req.resume().on('end', () => res.end('{}'))).listen(0, '127.0.0.1');
await once(sink, 'listening');
const endpoint = `http://127.0.0.1:${(sink.address() as AddressInfo).port}`;

const cases: readonly Case[] = [
  { name: 'without', env: {} },
  { name: 'without, once more', env: {} },
  { name: 'with figures', env: { METRICS_LISTEN: '127.0.0.1:0' } },
  { name: 'with every trace', env: { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } },
];

const recordings = ({ token, workspaceId }: Folder): (() => string) => {
  const run = `${Date.now() % 1e9}`;
  let count = 0;
  const headers = {
    authorization: `Bearer ${token}`,
    'x-workspace-id': workspaceId,
    'content-type': 'application/json',
  };
  return () => {
    const n = ++count;
    const body = JSON.stringify({ key: streamOf(n, STREAMS), text: `${run} ${textOf(n)}` });
    return requestOf('POST', '/v1/event/record', headers, body);
  };
};

async function started({ env }: Case): Promise<Started> {
  const folder = await copyOf(0);
  const server = await startPresage(folder.path, 'api,projections', env);
  const next = recordings(folder);
  await load({ port: server.port, connections: CONNECTIONS, seconds: WARM_UP_SECONDS, next });
  server.pause();
  return { server, next, remove: folder.remove };
}

async function round({ server, next, costs, rates }: Measured): Promise<void> {
  server.resume();
  const before = spentBy(server);
  const { count, rate } = await load({ port: server.port, connections: CONNECTIONS, seconds: SECONDS, next });
  costs.push((spentBy(server) - before) / count);
  rates.push(rate);
  server.pause();
}

/** Processor time of all threads of a process so far, in µs: finer than what /proc/<pid>/stat counts. */
const spentBy = ({ pid }: Server): number =>
  readdirSync(`/proc/${pid}/task`)
    .map(
      thread => Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1_000,
    )
    .reduce((sum, time) => sum + time, 0);

const measured: Measured[] = [];
for (const each of cases) measured.push({ ...each, ...(await started(each)), costs: [], rates: [] });
for (let i = 0; i < ROUNDS; i++) {
  const order = i % 2 === 0 ? measured : [...measured].reverse();
  for (const each of order) await round(each);
}
for (const { server, remove } of measured) {
  await server.stop();
  remove();
}

const percent = (share: number): string => `${(100 * share).toFixed(1)}%`;
/** What nine of ten rounds exceed: those that were disturbed least by what else the machine does. */
const best = (costs: readonly number[]): number =>
  [...costs].sort((a, b) => a - b)[Math.floor(costs.length / 10)] ?? NaN;
const base = measured[0]!;
table(
  ['', 'processor time µs a recording, best tenth', 'more than without', 'median', 'more', 'requests/s'],
  measured.map(({ name, costs, rates }) => [
    name,
    best(costs).toFixed(1),
    percent(best(costs) / best(base.costs) - 1),
    median(costs).toFixed(1),
    percent(median(costs.map((cost, i) => cost / base.costs[i]!)) - 1),
    whole(median(rates)),
  ]),
);
sink.close();
