import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';
import { textOf } from './data.js';
import type { LoadCounts, LoadName, Loud } from './neighbours-loads.js';

// The loud workspace of `bench/neighbours.ts`, in a thread of its own so that what it does takes nothing from
// the measuring of the quiet one. It asks at a steady pace, whether the answers come or not.

const { port, workspaceId, tokens } = workerData as Loud;
const agent = new Agent({ keepAlive: true });
/** Nobody waits for more answers than this at once. */
const MOST_UNDER_WAY = 100;
const POINTS = 5_000;
const BATCH = 500;
/** A user may have 256 under way: with these its other calls are still let in. */
const SLOW = 200;
const MINUTE = 60_000;
const START = Date.parse('2026-02-01');
const run = Date.now() % 1e9;

type Asked = { readonly method: string; readonly path: string; readonly body?: string };
type Steady = { readonly aSecond: number; readonly next: (n: number) => Asked };
const get = (path: string): Asked => ({ method: 'GET', path });
const post = (path: string, body: string): Asked => ({ method: 'POST', path, body });

/** Numbers are scored at once, other texts wait in line for that. */
const numberItem = (n: number): string => `{"key":"loud-numbers-${n % 50}","text":"${n}"}`;
const textItem = (n: number): string => `{"key":"loud-${n % 50}","text":"${run} ${textOf(n).slice(0, 100)}"}`;

const steady: Readonly<Record<Exclude<LoadName, 'slow bodies'>, Steady>> = {
  streams: { aSecond: 10, next: () => get('/v1/event/streams') },
  glances: {
    aSecond: 10,
    next: n =>
      get(n % 2 === 0 ? '/v1/signal?limit=100' : `/v1/signal/overview?max_points=${200 + (n % 100)}`),
  },
  analyses: {
    aSecond: 0.5,
    // Never the same twice: answers are kept
    next: n =>
      get(
        n % 2 === 0
          ? `/v1/signal/correlation?max_lag=${n % 50}&method=spearman`
          : `/v1/signal/causality?windows=${1 + (n % 20)}&max_lag=${1 + (n % 15)}`,
      ),
  },
  texts: { aSecond: 10, next: n => post('/v1/event/record', textItem(n)) },
  batches: {
    aSecond: 4,
    next(n) {
      const item = n % 2 === 0 ? textItem : numberItem;
      const items = Array.from({ length: BATCH }, (_, i) => item(1e6 + n * BATCH + i));
      return post('/v1/event/record-batch', `{"events":[${items}]}`);
    },
  },
  pushes: {
    aSecond: 10,
    next(n) {
      const points = Array.from({ length: POINTS }, (_, i) => {
        const at = START + (n * 5 + Math.floor(i / 1_000)) * MINUTE;
        return `{"key":"g${i % 40}.sensor-${i % 1_000}","value":${(i * 7) % 1_000},"timestamp":${at}}`;
      });
      return post('/v1/signal/push', `{"points":[${points}]}`);
    },
  },
};

const headersOf = (name: LoadName) => ({
  authorization: `Bearer ${tokens[name]}`,
  'x-workspace-id': workspaceId,
  'content-type': 'application/json',
});

let counts: Record<string, LoadCounts> = {};
let stops: (() => void)[] = [];
const asked: Record<string, number> = {};

function begin(name: LoadName): void {
  const count: LoadCounts = { ok: 0, refused: 0, unanswered: 0, why: '' };
  counts[name] = count;
  stops.push(name === 'slow bodies' ? slowBodies(count) : atPace(name, steady[name], count));
}

function atPace(name: LoadName, { aSecond, next }: Steady, count: LoadCounts): () => void {
  const ask = (): void => {
    if (count.unanswered >= MOST_UNDER_WAY) return;
    asked[name] = (asked[name] ?? 0) + 1;
    const { method, path, body = '' } = next(asked[name]);
    count.unanswered++;
    const sent = request(
      {
        port,
        host: '127.0.0.1',
        agent,
        method,
        path,
        headers: { ...headersOf(name), 'content-length': Buffer.byteLength(body) },
      },
      answer => {
        answer.resume();
        // A connection that the server ends, as it does at its own end
        answer.on('error', () => undefined);
        answer.on('end', () => {
          count.unanswered--;
          if (answer.statusCode! < 300) count.ok++;
          else {
            count.refused++;
            count.why = String(answer.statusCode);
          }
        });
      },
    );
    sent.on('error', () => undefined);
    sent.end(body);
  };
  const timer = setInterval(ask, 1_000 / aSecond);
  return () => clearInterval(timer);
}

/** So many bodies of which half was sent, each begun anew when the server has cut it off. */
function slowBodies(count: LoadCounts): () => void {
  let stopped = false;
  const half = `POST /v1/signal/push HTTP/1.1\r\nhost: localhost\r\n${Object.entries(headersOf('slow bodies'))
    .map(([header, value]) => `${header}: ${value}\r\n`)
    .join('')}content-length: 200000\r\n\r\n{"points":[${'1,'.repeat(50_000)}`;
  const open = new Set<ReturnType<typeof connect>>();
  const hold = async (): Promise<void> => {
    while (!stopped) {
      const socket = connect({ port, host: '127.0.0.1' });
      open.add(socket);
      socket.on('error', () => undefined);
      socket.once('data', (answer: Buffer) => {
        count.refused++;
        count.why = answer.toString('latin1', 9, 12);
        socket.destroy();
      });
      socket.write(half);
      await new Promise(resolve => socket.once('close', resolve));
      open.delete(socket);
      await new Promise(resolve => setTimeout(resolve, 1_000));
    }
  };
  for (let i = 0; i < SLOW; i++) void hold();
  return () => {
    stopped = true;
    for (const socket of open) socket.destroy();
  };
}

parentPort!.on('message', (names: readonly LoadName[] | 'end') => {
  if (names === 'end') {
    for (const stop of stops) stop();
    parentPort!.postMessage({ name: 'counted', value: counts });
    const ended = Object.values(counts);
    stops = [];
    counts = {};
    const drained = setInterval(() => {
      if (ended.some(({ unanswered }) => unanswered > 0)) return;
      clearInterval(drained);
      parentPort!.postMessage({ name: 'drained' });
    }, 100);
  } else names.forEach(begin);
});
