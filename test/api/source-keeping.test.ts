import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { FAILING_AFTER } from '../../domain/ingestion/health.js';
import type { Json } from '../json.js';
import { temporaryFolder, until } from '../platform.js';
import { suite } from '../suite.js';
import { ingestionApi, type IngestionApi, type Made } from './ingestion-world.js';

const SOURCES = '/v1/ingestion/sources';
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

suite('looking after sources', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi();
  });
  test.after(() => world.close());

  const shown = (made: Made): Promise<Json> => world.read(`${SOURCES}/${made.source_id}`);
  const deliveries = (made: Made): Promise<Json> => world.read(`${SOURCES}/${made.source_id}/deliveries`);
  const times = async (count: number, work: () => Promise<unknown>): Promise<void> => {
    for (let i = 0; i < count; i++) await work();
  };

  test('twenty deliveries that fail in a row make one failing, and its operators are told', async () => {
    const made = await world.source({ stream: 'failing' });
    const path = `${SOURCES}/${made.source_id}`;
    const before = (await world.client.get(path)).headers.etag!;
    await times(FAILING_AFTER - 1, () => world.deliver(made, 'no json'));
    await world.deliver(made, { text: 'one success' });
    await times(FAILING_AFTER - 1, () => world.deliver(made, 'no json'));
    // What is wrongly signed, or comes while it is paused, counts for nothing
    await times(3, () => world.deliver(made, 'x', { headers: { 'x-signature': '0' } }));
    await world.client.post(`${SOURCES}/${made.source_id}/test`, {});
    const { status, last_error } = await shown(made);
    assert.equal([status, last_error.code], ['active', 'invalid_signature']);
    await world.deliver(made, 'no json');
    assert.is((await shown(made)).status, 'failing', 'at once');
    const seen = (await world.client.get(path)).headers.etag!;
    assert.is.not(seen, before, 'what is shown is another');
    const renamed = await world.client.patch(path, { name: 'Mine' }, { 'if-match': before });
    assert.is(renamed.status, 200, 'what happens by itself refuses nobody');
    assert.is((await world.client.patch(path, { name: 'Late' }, { 'if-match': seen })).status, 409);
    const told = await until(async () => {
      const { notifications } = await world.read('/v1/notifications?kind=ingestion.source_failing');
      return notifications.length > 0 && notifications[0];
    }, 'a notification');
    assert.equal([told.data.source_id, told.data.failures], [made.source_id, FAILING_AFTER]);
    assert.is((await world.deliver(made, { text: 'well again' })).status, 200);
    assert.is((await shown(made)).status, 'active', 'at once');
  });

  test('the day is counted, also what was sent twice', async () => {
    const made = await world.source({ stream: 'counted' });
    const body = [{ text: 'a', occurred_at: 1 }, { text: '' }];
    await world.deliver(made, body);
    world.clock.now += 5 * 60_000;
    await world.deliver(made, body);
    await world.deliver(made, 'no json');
    const bytes = 2 * JSON.stringify(body).length + 'no json'.length;
    await deliveries(made);
    assert.equal((await shown(made)).counters_24h, {
      ...{ deliveries: 3, accepted: 2, duplicates: 0, rejected: 2, bytes, suspected_replays: 1 },
    });
    world.clock.now += 11 * 60_000;
    await world.deliver(made, body);
    await deliveries(made);
    assert.is((await shown(made)).counters_24h.suspected_replays, 1);
    world.clock.now += 25 * HOUR;
    assert.is((await shown(made)).counters_24h.deliveries, 0);
    const last = Date.parse((await shown(made)).last_delivery_at);
    assert.is(last, world.clock.now - 25 * HOUR);
  });

  test('deliveries are shown for seven days, newest first, and forgotten after', async () => {
    const made = await world.source({ stream: 'shown' });
    const first = (await world.deliver(made, { text: 'first' })).body.data.delivery_id;
    world.clock.now += 6 * DAY;
    const second = (await world.deliver(made, { text: 'second' })).body.data.delivery_id;
    const ids = async (): Promise<unknown> =>
      (await deliveries(made)).deliveries.map((each: Json) => each.delivery_id);
    assert.equal(await ids(), [second, first]);
    world.clock.now += DAY + 1;
    assert.equal(await ids(), [second]);
    const path = `${SOURCES}/${made.source_id}/deliveries/${first}/replay`;
    assert.is((await world.client.post(path)).status, 404);
    world.clock.now += DAY;
    await until(
      async () => (await world.api.platform.areas.ingestion.queries.delivery(made.source_id, first)) === null,
      'the first delivery to be forgotten',
    );
    assert.equal(await ids(), [second]);
  });

  test('a delivery is replayed as the source is set up today, and nothing comes in twice', async () => {
    const made = await world.source({ stream: 'replayed', text_path: 'wrong', id_path: 'id' });
    const items = [
      { id: 1, title: 'One', occurred_at: 1 },
      { id: 2, title: 'Two', occurred_at: 2 },
    ];
    const sent = (await world.deliver(made, items)).body.data;
    assert.equal([sent.accepted, sent.rejected], [0, 2]);
    await world.client.patch(`${SOURCES}/${made.source_id}`, { event_config: { text_path: 'title' } });
    const path = `${SOURCES}/${made.source_id}/deliveries/${sent.delivery_id}/replay`;
    const again = await world.client.post<Json>(path);
    assert.equal([again.status, again.body.data.accepted, again.body.data.kind], [200, 2, 'events']);
    assert.is((await world.client.post<Json>(path)).body.data.duplicates, 2);
    assert.equal(
      (await world.events('replayed')).map(({ text }) => text),
      ['One', 'Two'],
    );
    const [newest] = (await deliveries(made)).deliveries;
    assert.is(newest.replay_of, sent.delivery_id);
    const other = await world.source({ stream: 'other' });
    const foreign = `${SOURCES}/${other.source_id}/deliveries/${sent.delivery_id}/replay`;
    assert.is((await world.client.post(foreign)).status, 404);
  });

  test('a body over 1 MB is taken, but not kept for a replay', async () => {
    const made = await world.source({ stream: 'large' });
    const body = [{ text: 'small', padding: 'x'.repeat(1_000_000) }];
    const { status, body: said } = await world.deliver(made, body);
    assert.is(status, 200);
    const path = `${SOURCES}/${made.source_id}/deliveries/${said.data.delivery_id}/replay`;
    const refused = await world.client.post(path);
    assert.equal([refused.status, refused.body.error.code], [409, 'body_not_kept']);
    const over = await world.deliver(made, 'x'.repeat(5_000_001));
    assert.is(over.status, 413);
  });
});

suite('deliveries beyond what the plan allows', test => {
  const files = temporaryFolder();
  let world: IngestionApi;
  test.before(async () => {
    const plan = { id: 'small', name: 'Small', credits: '100', limits: { streaming_rows: 5 } };
    const file = join(files.path, 'plans.json');
    writeFileSync(file, JSON.stringify({ version: 'a', plans: [plan] }));
    world = await ingestionApi({ env: { PLANS_FILE: file, DEFAULT_PLAN: 'small' } });
  });
  test.after(async () => {
    await world.close();
    files.remove();
  });

  test('are 429 with Retry-After, and nothing of them is written', async () => {
    const made = await world.source({ stream: 'quota' });
    const items = [1, 2, 3, 4, 5].map(i => ({ text: `Item ${i}`, occurred_at: i }));
    assert.is((await world.deliver(made, items)).body.data.accepted, 5);
    const refused = await world.deliver(made, { text: 'one too many', occurred_at: 9 });
    assert.equal([refused.status, refused.body.error.code], [429, 'quota_exceeded']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    world.clock.now += 2_000;
    assert.is((await world.deliver(made, { text: 'and later', occurred_at: 9 })).status, 429);
    assert.is((await world.events('quota')).length, 5);
    world.clock.now = Date.UTC(2026, 5, 1);
    assert.is((await world.deliver(made, { text: 'next month', occurred_at: 9 })).status, 200);
  });
});
