import { Agent, request } from 'node:http';
import * as assert from 'uvu/assert';
import { accountOf, dataFolder, serve, type Account, type Started } from './cli/presage.js';
import { inspect } from './crash/inspect.js';
import { openPlatform } from '../main.js';
import { readConfig } from '../config.js';
import { silent } from './platform.js';
import { suite } from './suite.js';
import { pagesOf } from './crash/audit.js';

type Call = { readonly method: string; readonly path: string; readonly body?: object };
/** `refused`: the connection was, so that nothing was asked. */
type Outcome =
  | { readonly kind: 'whole'; readonly status: number; readonly text: string }
  | { readonly kind: 'refused' }
  | { readonly kind: 'cut'; readonly why: string };

const CLIENTS = 16;
const NO_LIMITS = { RATE_DEFAULT: '1000000', RATE_PUSH: '1000000', RATE_PUSH_POINTS: '100000000' };
let tag = 0;
const event = (client: number) => ({
  key: `k${client % 4}`,
  text: `Event ${tag++}`,
  occurred_at: 1_750_000_000_000 + tag,
});

const calls: readonly ((client: number) => Call)[] = [
  client => ({ method: 'POST', path: '/v1/event/record', body: event(client) }),
  client => ({
    method: 'POST',
    path: '/v1/event/record',
    body: { ...event(client), raw: 'x'.repeat(200_000) },
  }),
  client => {
    const events = Array.from({ length: 40 }, () => event(client));
    return { method: 'POST', path: '/v1/event/record-batch', body: { events } };
  },
  client => {
    const values = Array.from({ length: 50 }, () => [1_750_000_000_000 + 1_000 * ++tag, tag % 7]);
    return { method: 'POST', path: '/v1/signal/push', body: { key: `s${client % 4}`, values } };
  },
  () => ({ method: 'GET', path: '/v1/event/streams' }),
  client => ({ method: 'GET', path: `/v1/event/streams/k${client % 4}/events?limit=500` }),
];

function ask(
  agent: Agent,
  base: string,
  { token, workspace }: Account,
  { method, path, body }: Call,
): Promise<Outcome> {
  return new Promise(resolve => {
    const text = body ? JSON.stringify(body) : '';
    const req = request(base + path, {
      agent,
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'x-workspace-id': workspace,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(text),
      },
    });
    const cut = (error: unknown) =>
      resolve({ kind: 'cut', why: `${req.reusedSocket ? 'used' : 'new'} connection: ${String(error)}` });
    req.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNREFUSED' ? resolve({ kind: 'refused' }) : cut(error),
    );
    req.on('response', res => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', cut);
      res.on('end', () => {
        if (!res.complete) return cut('half an answer');
        resolve({ kind: 'whole', status: res.statusCode!, text: Buffer.concat(chunks).toString() });
      });
    });
    req.end(text);
  });
}

/** Ids of the events that an answer says are recorded. */
function acknowledged(text: string): string[] {
  const { data } = JSON.parse(text) as { data: { event_id?: string; events?: { event_id: string }[] } };
  return [
    ...(data.event_id === undefined ? [] : [data.event_id]),
    ...(data.events ?? []).map(({ event_id }) => event_id),
  ];
}

suite('the end under load', test => {
  let current: Started | null = null;
  // Whatever failed: nothing is left running
  test.after.each(() => {
    current?.child.kill('SIGKILL');
  });

  for (const wait of [300, 2_500])
    test(`SIGTERM after ${wait} ms: nothing cut off, nothing lost, exit code 0`, async () => {
      const DATA_DIR = dataFolder();
      const running = await serve({ DATA_DIR, LOG_LEVEL: 'warn', ...NO_LIMITS });
      current = running;
      const account = await accountOf(running);
      const kept = new Set<string>();
      const cut: Outcome[] = [];
      let whole = 0;
      let refused = 0;
      const client = async (number: number): Promise<void> => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        for (let n = number; ; n++) {
          const call = calls[n % calls.length]!(number);
          const outcome = await ask(agent, running.base, account, call);
          if (outcome.kind === 'whole') {
            assert.ok(outcome.status < 300, `${call.path}: ${outcome.text}`);
            if (call.method === 'POST') for (const id of acknowledged(outcome.text)) kept.add(id);
            else JSON.parse(outcome.text);
            whole++;
            continue;
          }
          if (outcome.kind === 'cut') cut.push(outcome);
          else refused++;
          return agent.destroy();
        }
      };
      const clients = Array.from({ length: CLIENTS }, (_, number) => client(number));
      await new Promise(resolve => setTimeout(resolve, wait));
      const { code, stderr } = await running.stop('SIGTERM');
      await Promise.all(clients);
      assert.equal(cut, []);
      assert.is(code, 0, stderr);
      assert.is(stderr, '');
      assert.is(refused, CLIENTS);
      assert.ok(whole > CLIENTS && kept.size > CLIENTS, `${whole} answers, ${kept.size} events`);

      const platform = await openPlatform({
        config: readConfig({ DATA_DIR }),
        log: silent,
        running: [],
        owner: 'a test',
      });
      const there = new Set<string>();
      for await (const { type, data } of pagesOf(platform.stores.events)) {
        if (type === 'EventRecorded') there.add((data as { eventId: string }).eventId);
      }
      await platform.stop();
      assert.equal(
        [...kept].filter(id => !there.has(id)),
        [],
      );
      // Events may wait for a score; nothing else may be left undone
      assert.equal(
        (await inspect(DATA_DIR)).faults.filter(fault => !fault.endsWith('has no score')),
        [],
      );
    });
});
