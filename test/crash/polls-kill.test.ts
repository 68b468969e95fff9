import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { polledServer, type PolledServer } from '../api/polled-server.js';
import { operate } from '../cli/operate.js';
import { accountOf, dataFolder, endAll, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';

const ROUNDS = Number(process.env['KILL_ROUNDS'] ?? 3);
const PAGES = 24;
const PAGE = 20;

suite('the process killed while it polls', test => {
  let server: PolledServer;
  // Pages are answered as they are let, so that the run is under way whenever the process is killed
  let [allowed, waiting] = [0, [] as (() => void)[]];
  const letMore = (count: number): void => {
    allowed = count;
    for (const answer of waiting.splice(0, count)) {
      allowed--;
      answer();
    }
  };
  test.before(async () => {
    server = await polledServer((response, url) => {
      const page = Number(url.searchParams.get('after') ?? 0);
      const items = Array.from({ length: PAGE }, (_, i) => ({
        ...{
          id: page * PAGE + i,
          text: `text ${page * PAGE + i}`,
          occurred_at: 1_760_000_000 + page * PAGE + i,
        },
      }));
      const next = page + 1 < PAGES ? page + 1 : null;
      const answer = (): unknown => response.end(JSON.stringify({ items, next }));
      if (allowed-- > 0) setTimeout(answer, 30);
      else waiting.push(answer);
    });
  });
  test.after(async () => {
    endAll();
    await server.close();
  });

  test('a run goes on behind its last page, and each item is there once', async () => {
    const random = randomOf(seedFrom('KILL_SEED'));
    const env = {
      DATA_DIR: dataFolder(),
      OUTGOING_ALLOW: '127.0.0.1',
      ...{ RATE_DEFAULT: '1000000', RATE_HEAVY: '1000000', LOG_LEVEL: 'warn' },
    };
    let running = await serve(env);
    const ann = await accountOf(running);
    const event_config = {
      ...{ url: server.url, stream: 'polled', array_path: 'items', id_path: 'id', max_pages: 50 },
      ...{ cursor_path: 'next', cursor_param: 'after', interval_seconds: 86_400 },
      auth: { type: 'bearer', token: 'hunter2' },
    };
    const body = { mode: 'poll', event_config };
    const made = await ask(running, ann, 'POST', '/v1/ingestion/connect/create-event', body);
    const [job] = made.data.job_ids as string[];
    const latest = async (): Promise<Json | undefined> =>
      (await ask(running, ann, 'GET', `/v1/ingestion/executions?job_id=${job}`)).data.executions[0];

    let said = '';
    for (let round = 0; round < ROUNDS; round++) {
      const before = server.asked.length;
      letMore(4);
      await until(async () => server.asked.length > before + random.below(3), 'a page that is asked for');
      await pause(random.below(60));
      const { stderr } = await running.stop('SIGKILL');
      said += stderr;
      waiting = [];
      running = await serve(env);
    }
    letMore(Infinity);
    const run = await until<Json>(async () => {
      const found = await latest();
      return found?.status === 'succeeded' && found;
    }, 'the end of the run');
    const { attempt, read, accepted, duplicates, rejected, cursor_after, bytes } = run;
    assert.equal([attempt, read, accepted + duplicates, rejected], [1, PAGES * PAGE, PAGES * PAGE, 0]);
    assert.is(cursor_after, PAGES - 1);
    assert.ok(bytes > PAGES * PAGE * 40);
    const { data } = await ask(running, ann, 'GET', '/v1/event/streams/polled/events?limit=500');
    const times = (data.events as Json[]).map(({ occurred_at }) => occurred_at as number);
    assert.is(times.length, PAGES * PAGE);
    assert.is(new Set(times).size, PAGES * PAGE);
    const again = server.asked.length - PAGES;
    assert.ok(again <= 2 * ROUNDS, `${again} pages were asked for again`);
    console.log(JSON.stringify({ rounds: ROUNDS, asked: server.asked.length, duplicates }));

    for (const output of await operate(env.DATA_DIR, 'replay', { projection: null, verify: true }))
      assert.ok(output.kind === 'progress' || output.kind === 'result', JSON.stringify(output));
    const ended = await running.stop();
    assert.is(ended.code, 0);
    assert.not.match(said + ended.stderr + ended.stdout, /"level":"(error|fatal)"|hunter2/);
  });
});

async function ask(
  { base }: Listening,
  { token, workspace }: Account,
  method: string,
  path: string,
  body?: unknown,
): Promise<Json> {
  const response = await fetch(base + path, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'x-workspace-id': workspace,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, `${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Json;
}
