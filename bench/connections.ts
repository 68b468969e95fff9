import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { quick, startPresage, startServer, table, thisBuild, whole, type Server } from './common.js';
import type { Asked } from './realtime-clients.js';
import { clientsOf, furnished, SOCKETS_A_TOKEN, type Furnished } from './realtime-world.js';

/**
 * What a connection of the realtime gateway takes of memory while nothing is told, beside one of bare `ws`:
 * 5,000 of them with 20 channels each, after 500 that warm it up, garbage collected before each look. `used`:
 * the heap and what lies outside of it; what the kernel keeps counts nowhere. `--sockets=5000`.
 * `node dist/bench/connections.js [--quick]`
 */
const given = process.argv.find(arg => arg.startsWith('--sockets='))?.slice('--sockets='.length);
const SOCKETS = Number(given ?? (quick ? 500 : 5_000));
const WARM = 500;
const SETTLED_MS = 1_500;
const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

async function measure(name: string, world: Furnished, start: (env: Env) => Promise<Server>) {
  const file = join(world.path, `${name.replace(/\W/g, '')}.heap`);
  const preload = join(thisBuild, 'bench/heap-when-asked.js');
  const server = await start({ BENCH_HEAP: file, NODE_OPTIONS: `--import=${preload}` });
  const { pid, port } = server;
  const look = async (): Promise<{ readonly used: number; readonly rss: number }> => {
    await wait(SETTLED_MS);
    rmSync(file, { force: true });
    process.kill(pid, 'SIGUSR2');
    for (;;) {
      await wait(50);
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      if (text.endsWith('}')) return JSON.parse(text);
    }
  };
  const clients = fork(join(thisBuild, 'bench/realtime-clients.js'), { serialization: 'advanced' });
  const all = clientsOf(world, WARM + SOCKETS);
  const connect = async (some: typeof all): Promise<void> => {
    clients.send({ type: 'connect', port, clients: some } satisfies Asked);
    await once(clients, 'message');
  };
  await connect(all.slice(0, WARM));
  const before = await look();
  await connect(all.slice(WARM));
  const after = await look();
  clients.disconnect();
  await once(clients, 'exit');
  await server.stop();
  const kb = (bytes: number) => (bytes / SOCKETS / 1_024).toFixed(1);
  return [name, kb(after.used - before.used), kb(after.rss - before.rss)];
}
type Env = Readonly<Record<string, string>>;

const world = await furnished(100, (WARM + SOCKETS) / SOCKETS_A_TOKEN);
const bare = await measure('bare ws', world, env => startServer('bench/realtime-bare.js', [], env));
const presage = await measure('presage', world, env =>
  startPresage(world.path, 'api,projections,workers', env),
);
console.log(`kB of memory for each of ${whole(SOCKETS)} connections`);
table(['server', 'used', 'resident'], [bare, presage]);
rmSync(world.path, { recursive: true });
