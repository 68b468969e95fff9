import { Agent, request } from 'node:http';
import * as assert from 'uvu/assert';
import { accountOf, dataFolder, serve, type Account } from './cli/presage.js';
import { inspect } from './crash/inspect.js';
import { openPlatform } from '../main.js';
import { readConfig } from '../config.js';
import { silent } from './platform.js';
import { suite } from './suite.js';
import { pagesOf } from './crash/audit.js';

type Call = { readonly method: string; readonly path: string; readonly body?: object };
/** `refused`: the connection was, so that nothing was asked. */
type Outcome = { readonly kind: 'whole'; readonly status: number; readonly text: string } | { readonly kind: 'refused' } | { readonly kind: 'cut'; readonly why: string };

const CLIENTS = 16;
let tag = 0;
const event = (client: number) => ({ key: `k${client % 4}`, text: `Event ${tag++}`, occurred_at: 1_750_000_000_000 + tag });

const calls: readonly ((client: number) => Call)[] = [
  client => ({ method: 'POST', path: '/v1/event/record', body: event(client) }),
  client => ({ method: 'POST', path: '/v1/event/record', body: { ...event(client), raw: 'x'.repeat(200_000) } }),
  client => ({ method: 'POST', path: '/v1/event/record-batch', body: { events: Array.from({ length: 40 }, () => event(client)) } }),
  () => ({ method: 'GET', path: '/v1/event/streams' }),
  client => ({ method: 'GET', path: `/v1/event/streams/k${client % 4}/events?limit=500` }),
];

function ask(agent: Agent, base: string, { token, workspace }: Account, { method, path, body }: Call): Promise<Outcome> {
  return new Promise(resolve => {
    const text = body ? JSON.stringify(body) : '';
    const req = request(base + path, {
      agent, method, headers: { authorization: `Bearer ${token}`, 'x-workspace-id': workspace, 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    });
    req.on('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'ECONNREFUSED' ? { kind: 'refused' } : { kind: 'cut', why: `${req.reusedSocket ? 'used' : 'new'} connection: ${String(error)}` }));
    req.on('response', res => {
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', error => resolve({ kind: 'cut', why: String(error) }));
      res.on('end', () => resolve(res.complete ? { kind: 'whole', status: res.statusCode!, text: Buffer.concat(chunks).toString() } : { kind: 'cut', why: 'half an answer' }));
    });
    req.end(text);
  });
}

/** Ids of the events that an answer says are recorded. */
function acknowledged(text: string): string[] {
  const { data } = JSON.parse(text) as { data: { event_id?: string; events?: { event_id: string }[] } };
  return [...data.event_id === undefined ? [] : [data.event_id], ...(data.events ?? []).map(({ event_id }) => event_id)];
}

suite('the end under load', test => {
  for (const [name, wait] of [['at once', 300], ['after a while', 2_500]] as const) test(`SIGTERM ${name}: no request is cut off, what was acknowledged is kept, exit code 0`, async () => {
    const DATA_DIR = dataFolder();
    const running = await serve({ DATA_DIR, RATE_DEFAULT: '1000000', RATE_PUSH: '1000000', RATE_PUSH_POINTS: '100000000', LOG_LEVEL: 'warn' });
    const account = await accountOf(running), kept = new Set<string>(), cut: Outcome[] = [];
    let whole = 0, refused = 0;
    const client = async (number: number): Promise<void> => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let n = number; ; n++) {
        const call = calls[n % calls.length]!(number), outcome = await ask(agent, running.base, account, call);
        if (outcome.kind === 'whole') {
          assert.ok(outcome.status < 300, `${call.path}: ${outcome.text}`);
          if (call.method === 'POST') for (const id of acknowledged(outcome.text)) kept.add(id);
          else JSON.parse(outcome.text);
          whole++;
          continue;
        }
        if (outcome.kind === 'cut') cut.push(outcome); else refused++;
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

    const platform = await openPlatform({ config: readConfig({ DATA_DIR }), log: silent, running: [], owner: 'a test' });
    const there = new Set<string>();
    for await (const { type, data } of pagesOf(platform.stores.events)) if (type === 'EventRecorded') there.add((data as { eventId: string }).eventId);
    await platform.stop();
    assert.equal([...kept].filter(id => !there.has(id)), []);
    // Events may wait for a score; nothing else may be left undone
    assert.equal((await inspect(DATA_DIR)).faults.filter(fault => !fault.endsWith('has no score')), []);
  });
});
