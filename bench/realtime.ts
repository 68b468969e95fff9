import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { cpuOf, quick, startPresage, startServer, table, thisBuild, whole } from './common.js';
import type { Server } from './common.js';
import type { Asked, Said } from './realtime-clients.js';
import { clientsOf, furnished, SOCKETS_A_TOKEN, type Furnished } from './realtime-world.js';

/**
 * The realtime gateway, beside bare `ws` that keeps nothing: sockets with 20 channels each, events recorded
 * at a steady rate; the time from an answer to its frame at each socket that listens (below 0: the frame was
 * first), processor time with and without them, and all of it again beside a reader
 * that takes nothing. `--sockets=1000`, `--rate=200` a second, `--seconds=20` for each phase.
 * `node dist/bench/realtime.js [--quick]`
 */
function option(name: string, otherwise: number): number {
  const given = process.argv.find(arg => arg.startsWith(`--${name}=`))?.slice(name.length + 3);
  return Number(given ?? otherwise);
}
const SOCKETS = option('sockets', quick ? 200 : 1_000);
const CHANNELS = 20;
const RATE = option('rate', 200);
const SECONDS = option('seconds', quick ? 5 : 20);
/** So that 40 sockets hear of each event. */
const WORKSPACES = Math.max(CHANNELS, SOCKETS / 2);
const SETTLED_MS = 1_500;

const wait = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));
const now = (): number => performance.timeOrigin + performance.now();

/** Records at a steady rate, whatever the answers take; of each event when it was answered. */
async function recorded(server: Server, { token, workspaces }: Furnished): Promise<Map<string, number>> {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const answered = new Map<string, number>();
  const one = async (n: number): Promise<void> => {
    const body = JSON.stringify({ key: 'bench', text: `Strike ${n}` });
    const headers = {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspaces[(n * 7) % WORKSPACES],
      'content-type': 'application/json',
      'content-length': body.length,
    };
    const sent = request({ agent, port: server.port, method: 'POST', path: '/v1/event/record', headers });
    sent.end(body);
    const [answer] = await once(sent, 'response');
    const text = ((await answer.toArray()) as Buffer[]).join('');
    const at = now();
    if (answer.statusCode !== 200) throw new Error(text);
    answered.set((JSON.parse(text) as { data: { event_id: string } }).data.event_id, at);
  };
  const all: Promise<void>[] = [];
  const start = performance.now();
  while (performance.now() - start < SECONDS * 1_000) {
    while (all.length < ((performance.now() - start) / 1_000) * RATE) all.push(one(all.length));
    await wait(1);
  }
  await Promise.all(all);
  agent.destroy();
  return answered;
}

async function ask(clients: ChildProcess, asked: Asked): Promise<Said> {
  clients.send(asked);
  const [said] = (await once(clients, 'message')) as [Said];
  return said;
}

async function measure(name: string, server: Server, world: Furnished): Promise<string[][]> {
  const clients = fork(join(thisBuild, 'bench/realtime-clients.js'), { serialization: 'advanced' });
  const { port } = server;
  const rows: string[][] = [];
  const phase = async (words: string) => {
    console.error(`${name}: ${words}`);
    await ask(clients, { type: 'collect' });
    const before = cpuOf(server);
    const answered = await recorded(server, world);
    const cpu = (cpuOf(server) - before) / SECONDS / 10_000;
    await wait(SETTLED_MS);
    const said = await ask(clients, { type: 'collect' });
    if (said.type !== 'heard') throw new Error('something else was said');
    const waits = [...answered].flatMap(([id, at]) => (said.times.get(id) ?? []).map(each => each - at));
    const sorted = Float64Array.from(waits).sort();
    const at = (share: number) => (sorted[Math.floor(share * sorted.length)] ?? NaN).toFixed(1);
    rows.push([
      ...[name, words, whole(answered.size / SECONDS), whole(said.frames / SECONDS), whole(sorted.length)],
      ...[at(0.5), at(0.99), at(0.999999), `${cpu.toFixed(0)}%`, String(said.closed)],
    ]);
  };
  await phase('nobody listens');
  await ask(clients, { type: 'connect', port, clients: clientsOf(world, SOCKETS) });
  await phase(`${whole(SOCKETS)} sockets`);
  const stuck = { token: world.tokens.at(-1)!, channels: clientsOf(world, 1)[0]!.channels };
  await ask(clients, { type: 'stick', port, client: stuck });
  await phase('and one stuck reader');
  clients.disconnect();
  await once(clients, 'exit');
  await server.stop();
  return rows;
}

const world = await furnished(WORKSPACES, SOCKETS / SOCKETS_A_TOKEN + 1);
const bare = await measure('bare ws', await startServer('bench/realtime-bare.js', []), world);
const presage = await measure('presage', await startPresage(world.path, 'api,projections,workers'), world);
console.log(
  `${whole(RATE)} events a second for ${SECONDS} s a phase; ms from the answer to the frame, at each socket`,
);
table(
  ['server', 'with', 'recorded/s', 'frames/s', 'heard', 'p50', 'p99', 'most', 'processor', 'closed'],
  [...bare, ...presage],
);
rmSync(world.path, { recursive: true });
