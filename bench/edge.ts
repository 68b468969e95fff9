// The HTTP edge against bare Koa, at 64 connections: `node dist/bench/edge.js [rounds] [seconds]`. Each
// server is a process of its own; rounds alternate, and the ratio is of medians. The processor time of a
// request is the server's own and hardly changes with what else the machine does.
import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { tokenValue } from '../domain/tokens/value.js';
import { servers, WORKSPACE, type ServerName } from './edge-servers.js';

const self = fileURLToPath(import.meta.url);
const names = Object.keys(servers) as ServerName[];
const CONNECTIONS = 64;
const WARM_UP_S = 2;
const event = {
  key: 'outages',
  text: 'Storm cuts power to 40,000 homes along the coast. '.repeat(6),
  occurred_at: 1_772_366_400_000,
  source: 'wire',
};

type Started = { readonly name: ServerName; readonly child: ChildProcess; readonly port: number };
type Round = { readonly rate: number; readonly cpu: number };

if (process.send) await serve(process.argv[2] as ServerName, process.argv[3]!);
else await compare(Number(process.argv[2] ?? 5), Number(process.argv[3] ?? 4));

async function serve(name: ServerName, token: string): Promise<void> {
  process.on('message', () => process.send!(Object.values(process.cpuUsage()).reduce((sum, µs) => sum + µs)));
  process.send!(await servers[name](token));
}

async function compare(rounds: number, seconds: number): Promise<void> {
  const token = tokenValue('here', randomBytes(32));
  const started = await Promise.all(names.map(name => start(name, token)));
  const rates = new Map(names.map(name => [name, [] as Round[]]));
  try {
    for (const server of started) await load(server, token, WARM_UP_S);
    for (let round = 0; round < rounds; round++) {
      for (const server of started) rates.get(server.name)!.push(await load(server, token, seconds));
    }
  } finally {
    for (const { child } of started) child.kill();
  }
  report(rates);
}

async function start(name: ServerName, token: string): Promise<Started> {
  const child = fork(self, [name, token]);
  const [port] = (await once(child, 'message')) as [number];
  return { name, child, port };
}

async function load({ name, child, port }: Started, token: string, seconds: number): Promise<Round> {
  const before = await cpuOf(child);
  const result = await autocannon({
    url: `http://127.0.0.1:${port}/v1/event/record`,
    method: 'POST',
    connections: CONNECTIONS,
    duration: seconds,
    body: JSON.stringify(event),
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'x-workspace-id': WORKSPACE,
    },
  });
  const { non2xx, errors } = result;
  if (non2xx > 0 || errors > 0) throw new Error(`${name}: ${non2xx} answers were refused, ${errors} failed`);
  return { rate: result.requests.average, cpu: ((await cpuOf(child)) - before) / result.requests.total };
}

/** Processor time of the process so far, µs. */
async function cpuOf(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[number]>;
  child.send('cpu');
  return (await answer)[0];
}

function report(rates: ReadonlyMap<ServerName, readonly Round[]>): void {
  const bare = median(rates.get('bare')!, 'rate');
  console.table(
    Object.fromEntries(
      [...rates].map(([name, all]) => {
        const rate = median(all, 'rate');
        return [
          name,
          {
            'requests/s': Math.round(rate),
            'of bare': Number((rate / bare).toFixed(2)),
            'cpu µs': Number(median(all, 'cpu').toFixed(1)),
            rounds: all.map(round => Math.round(round.rate)).join(' '),
          },
        ];
      }),
    ),
  );
}

function median(rounds: readonly Round[], of: keyof Round): number {
  const values = rounds.map(round => round[of]);
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1]!;
}
