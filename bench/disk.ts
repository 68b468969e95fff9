import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { quick, startPresage, table, whole } from './common.js';
import { copyOf } from './data.js';
import { load, requestOf } from './load.js';

/**
 * What a point costs on disk with the embedded stores: its share of the log of facts, and of the read models,
 * by how regular the times are, how many digits the values have, and how many points come in one push. `node
 * dist/bench/disk.js [--quick]`
 */
const SIGNALS = 64;
const CONNECTIONS = 64;
const SINGLE = quick ? 3_000 : 20_000;
const BATCHED = quick ? 100_000 : 1_000_000;
const MINUTE = 60_000;
const START = Date.parse('2020-01-01');

type Kind = {
  readonly name: string;
  readonly batch: number;
  readonly jitter: number;
  readonly sample: (n: number) => number;
};
const short = (n: number): number => ((n * 7919) % 10_000) / 100;
const long = (n: number): number => Math.sin(n) * 100;
const kinds: readonly Kind[] = [
  { name: 'regular, 4 digits', batch: 1_000, jitter: 0, sample: short },
  { name: 'irregular, 4 digits', batch: 1_000, jitter: 20_000, sample: short },
  { name: 'regular, 17 digits', batch: 1_000, jitter: 0, sample: long },
  { name: 'irregular, 17 digits', batch: 1_000, jitter: 20_000, sample: long },
  { name: 'regular, 4 digits', batch: 1, jitter: 0, sample: short },
  { name: 'irregular, 4 digits', batch: 1, jitter: 20_000, sample: short },
];

/** Pushes in turn to each signal, each going on where the one before it ended. */
function pushes(headers: Readonly<Record<string, string>>, { batch, jitter, sample }: Kind): () => string {
  let count = 0;
  return () => {
    const n = count++;
    const first = Math.floor(n / SIGNALS) * batch;
    const values: string[] = [];
    for (let i = first; i < first + batch; i++)
      values.push(`[${START + i * MINUTE + ((i * 7907) % (jitter + 1))},${sample(i)}]`);
    return requestOf(
      'POST',
      '/v1/signal/push',
      headers,
      `{"key":"plant.sensor-${n % SIGNALS}","values":[${values}]}`,
    );
  };
}

const sizeOf = (path: string, part: string): number =>
  readdirSync(path)
    .filter(file => file.startsWith(part))
    .reduce((sum, file) => sum + statSync(join(path, file)).size, 0);

/**
 * Bytes a point; the files are measured when the server has stopped and moved its write-ahead logs into them.
 */
async function cost(
  kind: Kind,
): Promise<{ readonly points: number; readonly facts: number; readonly models: number }> {
  const folder = await copyOf(0);
  const wanted = kind.batch === 1 ? SINGLE : BATCHED;
  const before = { facts: sizeOf(folder.path, 'facts'), models: sizeOf(folder.path, 'models') };
  const server = await startPresage(folder.path, 'api,projections');
  const next = pushes(
    {
      authorization: `Bearer ${folder.token}`,
      'x-workspace-id': folder.workspaceId,
      'content-type': 'application/json',
    },
    kind,
  );
  let points = 0;
  while (points < wanted)
    points +=
      kind.batch * (await load({ port: server.port, connections: CONNECTIONS, seconds: 1, next })).count;
  await server.stop();
  const of = (part: 'facts' | 'models') => (sizeOf(folder.path, part) - before[part]) / points;
  const found = { points, facts: of('facts'), models: of('models') };
  folder.remove();
  return found;
}

const rows: string[][] = [];
for (const kind of kinds) {
  const { points, facts, models } = await cost(kind);
  rows.push([
    kind.name,
    `${kind.batch}`,
    whole(points),
    facts.toFixed(1),
    models.toFixed(1),
    (facts + models).toFixed(1),
  ]);
}
console.log('Bytes a point on disk');
table(['points', 'in a push', 'pushed', 'facts', 'read models', 'together'], rows);
