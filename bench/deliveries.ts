import { createHmac } from 'node:crypto';
import { alternated, type Target } from './alternated.js';
import { quick, ratio, startPresage, startServer, table, whole, type Server } from './common.js';
import { copyOf } from './data.js';
import { requestOf } from './load.js';

/**
 * Deliveries of one event each to a webhook source, verified, durable and visible at once, against Koa that
 * verifies the same HMAC and parses the same JSON. Rounds alternate.
 * `node dist/bench/deliveries.js [--quick]`
 */
const ROUNDS = quick ? 3 : 7;
const SECONDS = quick ? 2 : 4;
const WARM_UP = quick ? 2 : 3;
const CONNECTIONS = 64;

type Source = { readonly path: string; readonly secret: string };

async function sourceOf(
  { port }: Server,
  { token, workspaceId }: { readonly token: string; readonly workspaceId: string },
): Promise<Source> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/ingestion/connect/create-event`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaceId,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ mode: 'push', event_config: { stream: 'bench', id_path: 'id' } }),
  });
  const { data } = (await answer.json()) as { data: { webhook_url: string; webhook_secret: string } };
  return { path: new URL(data.webhook_url).pathname, secret: data.webhook_secret };
}

/** Each delivery is another event. */
function deliveriesTo({ path, secret }: Source): () => string {
  let id = 0;
  return () => {
    const body = JSON.stringify({
      id: `evt-${id++}`,
      text: `Checkout ${id} is slow in Europe, orders are late`,
      occurred_at: 1_767_225_600 + id,
      severity: 'warning',
      region: 'eu-west',
    });
    const signature = createHmac('sha256', secret).update(body).digest('hex');
    return requestOf('POST', path, { 'content-type': 'application/json', 'x-signature': signature }, body);
  };
}

const folder = await copyOf(0);
const presage = await startPresage(folder.path, 'api,projections');
const source = await sourceOf(presage, folder);
const targets: readonly Target[] = [
  {
    name: 'bare Koa that verifies and parses',
    server: await startServer('bench/baselines.js', ['signed', source.secret]),
    next: deliveriesTo(source),
  },
  { name: 'presage', server: presage, next: deliveriesTo(source) },
];
const figures = await alternated(targets, {
  ...{ rounds: ROUNDS, seconds: SECONDS, warmUp: WARM_UP, connections: CONNECTIONS },
});
folder.remove();
console.log(
  `Deliveries of one event, ${CONNECTIONS} connections: medians of ${ROUNDS} rounds of ${SECONDS} s`,
);
table(
  ['', 'deliveries/s', 'of bare Koa', 'p99 ms', 'processor time µs'],
  figures.map(({ name, rate, against, p99, cpu }) => [
    ...[name, whole(rate), ratio(against), p99.toFixed(0), cpu.toFixed(0)],
  ]),
);
