import { setTimeout as pause } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { signatureOf } from '../api/ingestion-world.js';
import { operate } from '../cli/operate.js';
import { accountOf, dataFolder, endAll, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';
import { connectionTo, type Connection } from './clients.js';
import { inspect } from './inspect.js';

/** So many deliveries are acknowledged between kills: `KILL_DELIVERIES=1000` for a long run. */
const DELIVERIES = Number(process.env['KILL_DELIVERIES'] ?? 100);
const SENDERS = 8;
const FROM = Date.UTC(2026, 0, 1);
const MANY = '1000000000';

type Sent = { readonly kind: 'events' | 'signal'; readonly items: readonly Json[] };
type Source = { readonly source_id: string; readonly webhook_secret: string };

/** Several senders deliver, and send again what got no 200, as senders of webhooks do. */
suite('the process killed while others deliver to it', test => {
  test.after(endAll);

  test('every item of every 200 is there, each exactly once', async () => {
    const random = randomOf(seedFrom('INGESTION_SEED'));
    const env = { DATA_DIR: dataFolder(), RATE_DEFAULT: MANY, RATE_WEBHOOK: MANY, LOG_LEVEL: 'warn' };
    let running = await serve(env);
    const account = await accountOf(running);
    const source = await made(running, account);
    const acknowledged: Sent[] = [];
    const waiting = new Map<number, Sent>();
    let again = 0;
    let kills = 0;
    let items = 0;

    /** One of a few shared events, its own events, or a row for each of a few entities. */
    const delivery = (): Sent => {
      const at = FROM + items++ * 1_000;
      if (random.chance(0.3)) {
        const row = (entity: string) => ({ id: entity, occurred_at: at, load: items, up: true });
        return { kind: 'signal', items: ['a', 'b'].map(row) };
      }
      const own = Array.from({ length: 1 + random.below(4) }, () => `own ${items++}`);
      const shared = random.chance(0.3) ? [`shared ${Math.floor(acknowledged.length / 20)}`] : [];
      const event = (id: string) => ({ id, text: id, occurred_at: at });
      return { kind: 'events', items: [...own, ...shared].map(event) };
    };
    const sender = async (number: number, { base }: Listening): Promise<void> => {
      for (;;) {
        const sent = waiting.get(number) ?? delivery();
        if (waiting.has(number)) again++;
        waiting.set(number, sent);
        const status = await delivered(base, source, sent).catch(() => null);
        if (status === null) return;
        assert.is(status, 200);
        waiting.delete(number);
        acknowledged.push(sent);
      }
    };

    for (; acknowledged.length < DELIVERIES || again < SENDERS; kills++) {
      const senders = Array.from({ length: SENDERS }, (_, number) => sender(number, running));
      await Promise.race([pause(100 + random.below(500)), Promise.all(senders)]);
      assert.is(running.child.exitCode, null, 'it runs until it is killed');
      const { stderr } = await running.stop('SIGKILL');
      assert.not.match(stderr, /"level":"(error|fatal)"/);
      await Promise.all(senders);
      running = await serve(env);
    }
    for (const sent of waiting.values()) {
      assert.is(await delivered(running.base, source, sent), 200);
      acknowledged.push(sent);
    }

    const connection = connectionTo(running.base, account);
    const texts = await textsOf(connection);
    const ids = acknowledged.flatMap(({ kind, items: all }) => (kind === 'events' ? all : []));
    assert.equal(texts.sort(), [...new Set(ids.map(({ id }) => id as string))].sort());
    for (const entity of ['a', 'b'])
      assert.equal(
        await pointsOf(connection, `ports.load__${entity}`),
        acknowledged
          .flatMap(({ kind, items: all }) => (kind === 'signal' ? all : []))
          .filter(({ id }) => id === entity)
          .map(({ occurred_at, load }): [number, number] => [occurred_at, load])
          .sort(([a], [b]) => a - b),
      );
    const backlog = async () => (await connection.call('GET', '/ready')).json.scoring_backlog as number;
    await until(async () => (await backlog()) === 0, 'all scores');
    connection.close();
    console.log(JSON.stringify({ kills, acknowledged: acknowledged.length, again, events: texts.length }));

    for (const output of await operate(env.DATA_DIR, 'replay', { projection: null, verify: true }))
      assert.ok(output.kind === 'progress' || output.kind === 'result', JSON.stringify(output));
    assert.is((await running.stop()).code, 0);
    const { faults } = await inspect(env.DATA_DIR);
    assert.equal(faults, []);
  });
});

async function made({ base }: Listening, account: Account): Promise<Source> {
  const connection = connectionTo(base, account);
  const { status, text, json } = await connection.call('POST', '/v1/ingestion/connect/create-event', {
    mode: 'push',
    event_config: { stream: 'ports', id_path: 'id' },
  });
  connection.close();
  assert.is(status, 200, text);
  return json.data as Source;
}

/** The status; rejects when the connection breaks before there is one. */
async function delivered(base: string, source: Source, { kind, items }: Sent): Promise<number> {
  const body = JSON.stringify(items);
  const response = await fetch(`${base}/v1/ingestion/webhooks/${source.source_id}/${kind}`, {
    method: 'POST',
    headers: { 'x-signature': signatureOf(source.webhook_secret, body) },
    body,
  });
  await response.text();
  return response.status;
}

/** The texts of all events, which are their ids. */
async function textsOf({ call }: Connection): Promise<string[]> {
  const texts: string[] = [];
  for (let more = ''; ; ) {
    const { status, text, json } = await call('GET', `/v1/event/streams/ports/events?limit=500${more}`);
    assert.is(status, 200, text);
    texts.push(...json.data.events.map(({ name }: Json) => name as string));
    if (!json.data.has_more) return texts;
    more = `&cursor=${json.data.next_cursor}`;
  }
}

async function pointsOf({ call }: Connection, key: string): Promise<[number, number][]> {
  const { status, text, json } = await call('GET', `/v1/signal/points?key=${key}&sort_order=asc&limit=10000`);
  assert.is(status, 200, text);
  return json.data.points;
}
