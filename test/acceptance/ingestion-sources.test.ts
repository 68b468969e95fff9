import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { feedOf, item } from './inbox.js';
import { act, changeSource, counts, hmac, hookPath, names, pushSource, rawOf } from './sources.js';
import { senderTo, source, taken, webhook, type Made, type Sender } from './sources.js';
import { DAY, expected, openWorld, places, refused, type World } from './world.js';

// The life of a webhook source: shown, changed, paused, its deliveries kept, replayed and counted, its secret
// rotated, failing and well again (open-parts 0.2, 6.1, 6.2, 21, 32.1, 32.5, 32.7).

const HOUR = 3_600_000;

suite('acceptance: sources', test => {
  let world: World;
  let sender: Sender;
  test.before(async () => {
    world = await openWorld();
    sender = senderTo(world);
  });
  test.after(() => world.close());

  const list = async (query = ''): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/ingestion/sources${query}`)).data;

  test('a source is shown alone and in pages, without its secret', async () => {
    const event_config = { stream: 'shown', text_path: 'message' };
    const made = await pushSource(world.api, event_config, { name: 'Shown' });
    const found = await source(world.api, made);
    assert.equal([found.source_id, found.name, found.connector_id], [made.source_id, 'Shown', 'webhook']);
    assert.equal([found.mode, found.stream, found.status], ['push', 'shown', 'active']);
    assert.ok(['event', 'mixed'].includes(found.kind), found.kind);
    assert.is(found.event_config.text_path, 'message');
    assert.equal(
      [found.webhook_url_events, found.webhook_url_signal, found.webhook_url],
      [made.webhook_url_events, made.webhook_url_signal, made.webhook_url],
    );
    assert.equal([found.has_secret, found.previous_secret_expires_at, found.job_ids], [true, null, []]);
    for (const name of ['created_at', 'updated_at']) assert.match(found[name], /Z$/);
    assert.equal([found.last_delivery_at, found.last_error], [null, null]);
    const none = { deliveries: 0, accepted: 0, duplicates: 0, rejected: 0, bytes: 0 };
    for (const [name, value] of Object.entries(none)) assert.is(found.counters_24h[name], value, name);
    for (let i = 0; i < 2; i++) await pushSource(world.api, {}, { name: `Source ${i}` });
    const page = await list('?page=2&per_page=2');
    assert.equal([page.sources.length, page.total, page.page], [1, 3, 2]);
    assert.equal([page.per_page, page.total_pages], [2, 2]);
    const text = JSON.stringify([await list(), found]);
    assert.is(text.includes(made.webhook_secret), false);
    assert.equal(
      (await list()).sources.find((each: Json) => each.source_id === made.source_id),
      found,
    );
  });

  test('its name and configuration change, and what is wrong is named', async () => {
    const made = await pushSource(world.api, { stream: 'changed' });
    await changeSource(world.api, made, {
      name: 'Renamed',
      event_config: { stream: 'after', text_path: 'm' },
    });
    const found = await source(world.api, made);
    assert.equal([found.name, found.stream, found.event_config.text_path], ['Renamed', 'after', 'm']);
    assert.equal(counts(await sender.events(made, { m: 'Under the new name' })), taken(1));
    assert.equal(await names(world.api, 'after'), ['Under the new name']);
    const path = `/v1/ingestion/sources/${made.source_id}`;
    assert.equal(places(await world.api.patch<Json>(path, { name: '' })), ['body.name']);
    assert.equal(places(await world.api.patch<Json>(path, { event_config: { id_path: 'a..b' } })), [
      'body.event_config.id_path',
    ]);
    const create = (body: object) => world.api.post<Json>('/v1/ingestion/sources', body);
    assert.equal(places(await create({ connector_id: 'telepathy', name: 'x' })), ['body.connector_id']);
    assert.ok(places(await create({ name: 'x' })).includes('body.connector_id'));
    const config = { allow_unsigned: 'perhaps' };
    assert.equal(places(await create({ connector_id: 'webhook', name: 'x', config })), [
      'body.config.allow_unsigned',
    ]);
    refused(await world.api.patch<Json>('/v1/ingestion/sources/src_nobodys', { name: 'x' }), 404);
  });

  test('a change made meanwhile is not overwritten', async () => {
    const made = await pushSource(world.api);
    const path = `/v1/ingestion/sources/${made.source_id}`;
    const { etag } = (await world.api.get<Json>(path)).headers;
    expected(await world.api.patch<Json>(path, { name: 'A' }, { 'if-match': etag }));
    refused(await world.api.patch<Json>(path, { name: 'B' }, { 'if-match': etag }), 409, 'version_conflict');
    refused(await world.api.delete<Json>(path, { 'if-match': etag }), 409, 'version_conflict');
    assert.is((await source(world.api, made)).name, 'A');
  });

  test('a paused source says come later, to whoever signs rightly, and resumes', async () => {
    const made = await pushSource(world.api, { stream: 'paused' });
    expected(await act(world.api, made, 'pause'));
    assert.is((await source(world.api, made)).status, 'paused');
    const answer = await sender.events(made, { text: 'Too early' });
    refused(answer, 409, 'source_paused');
    assert.ok(Number(answer.headers['retry-after']) >= 1);
    refused(await sender.raw(hookPath(made), '{}'), 401, 'invalid_signature');
    expected(await act(world.api, made, 'resume'));
    assert.is((await source(world.api, made)).status, 'active');
    assert.equal(counts(await sender.events(made, { text: 'Now' })), taken(1));
    assert.equal(await names(world.api, 'paused'), ['Now']);
    refused(await act(world.api, { source_id: 'src_nobodys' }, 'pause'), 404);
  });

  test('a secret is rotated, and the old one is good until its grace ends', async () => {
    const made = await pushSource(world.api, { stream: 'rotated' });
    const rotate = async (body?: object): Promise<Made> => {
      const { data } = expected(await act(world.api, made, 'rotate-secret', body));
      return { ...made, webhook_secret: data.webhook_secret };
    };
    const works = async (by: Made) => {
      const { status } = await sender.events(by, { text: 'a', occurred_at: 1_790_000_000 });
      assert.ok(status === 200 || status === 401, String(status));
      return status === 200;
    };
    const second = await rotate({ grace_seconds: 3_600 });
    assert.is.not(second.webhook_secret, made.webhook_secret);
    const until1 = Date.parse((await source(world.api, made)).previous_secret_expires_at);
    assert.ok(Math.abs(until1 - world.now() - HOUR) < 60_000);
    const third = await rotate({ grace_seconds: 7_200 });
    for (const each of [made, second, third]) assert.ok(await works(each as Made));
    world.later(HOUR + 60_000);
    assert.equal([await works(made as Made), await works(second), await works(third)], [false, true, true]);
    world.later(HOUR + 60_000);
    assert.equal([await works(second), await works(third)], [false, true]);
    const fourth = await rotate();
    world.later(DAY - 60_000);
    assert.ok(await works(third), 'a day of grace where none is said');
    world.later(120_000);
    assert.not(await works(third));
    const fifth = await rotate({ grace_seconds: 0 });
    assert.equal([await works(fourth), await works(fifth)], [false, true]);
    await world.restart();
    assert.equal([await works(fourth), await works(fifth)], [false, true]);
    assert.is((await source(world.api, made)).previous_secret_expires_at, null);
    for (const grace_seconds of [-1, 604_801, 1.5, 'long'])
      assert.equal(places(await act(world.api, made, 'rotate-secret', { grace_seconds })), [
        'body.grace_seconds',
      ]);
  });

  test('a signature over the time and the body, where the source asks for it', async () => {
    const made = await webhook(world.api, { require_timestamp: true }, { stream: 'timed' });
    const send = (seconds: number | string | undefined, body: object, over = `${seconds}.${rawOf(body)}`) =>
      sender.raw(hookPath(made), body, {
        ...(seconds !== undefined && { 'x-webhook-timestamp': String(seconds) }),
        'x-signature': hmac(made.webhook_secret, over),
      });
    const now = Math.floor(world.now() / 1_000);
    for (const [i, off] of [0, -290, 290].entries())
      assert.equal(counts(await send(now + off, { text: `in time ${i}` })), taken(1));
    const late = { text: 'never' };
    for (const seconds of [now - 320, now + 320, now * 1_000, 'now', '', undefined])
      assert.is(refused(await send(seconds, late), 401).message, 'Invalid signature', String(seconds));
    refused(await send(now, late, rawOf(late) as string), 401, 'invalid_signature');
    assert.is((await names(world.api, 'timed')).length, 3);
  });
});

suite('acceptance: deliveries that are kept', test => {
  let world: World;
  let sender: Sender;
  test.before(async () => {
    world = await openWorld();
    sender = senderTo(world);
  });
  test.after(() => world.close());
  const deliveries = async (made: Made, query = ''): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/ingestion/sources/${made.source_id}/deliveries${query}`)).data;
  const replay = (made: Made, id: string) => act(world.api, made, `deliveries/${id}/replay`);

  test('seven days of them are told, with what became of each', async () => {
    const made = await pushSource(world.api, { stream: 'told', id_path: 'id' });
    const body = [
      { id: 1, text: 'a' },
      { id: 2, text: '' },
      { id: 1, text: 'a' },
    ];
    const { data } = expected(await sender.events(made, body));
    const raw = rawOf({ load: 1 });
    const headers = { 'x-hub-signature-256': `sha256=${hmac(made.webhook_secret, raw)}` };
    expected(await sender.raw(hookPath(made, 'signal'), raw, headers));
    refused(await sender.events(made, '{'), 400);
    const found = await until(async () => {
      const all = await deliveries(made);
      return all.total >= 3 && all.deliveries;
    }, 'the deliveries being told');
    const [broken, signal, events] = found;
    assert.equal(
      [broken.status_code, signal.status_code, events.status_code],
      [400, 200, 200],
      'newest first',
    );
    assert.is(events.delivery_id, data.delivery_id);
    assert.equal(
      [events.kind, events.accepted, events.duplicates, events.rejected, events.bytes],
      ['events', 1, 1, 1, rawOf(body).length],
    );
    assert.equal(
      events.errors.map(({ index }: Json) => index),
      [1],
    );
    assert.equal([signal.kind, signal.accepted, signal.bytes], ['signal', 1, raw.length]);
    assert.match(signal.signature_header, /^x-hub-signature-256$/i);
    for (const { received_at } of found) assert.match(received_at, /Z$/);
    const counted = (await source(world.api, made)).counters_24h;
    assert.equal([counted.accepted, counted.duplicates, counted.rejected], [2, 1, 1]);
    assert.ok(counted.deliveries >= 2);
    assert.ok(counted.bytes >= rawOf(body).length + raw.length);
    assert.ok(Date.parse((await source(world.api, made)).last_delivery_at) <= world.now());
    assert.is((await deliveries(made, '?per_page=1')).deliveries.length, 1);
    world.later(25 * HOUR);
    assert.is((await source(world.api, made)).counters_24h.accepted, 0);
    assert.ok((await deliveries(made)).total >= 3);
    world.later(6 * DAY);
    assert.is((await deliveries(made)).total, 0);
    refused(await replay(made, data.delivery_id), 404);
  });

  test('a delivery is replayed by the configuration of today, and redeliveries are dropped', async () => {
    const made = await pushSource(world.api, { stream: 'replayed', id_path: 'id', text_path: 'txt' });
    const body = [
      { id: 1, text: 'First' },
      { id: 2, text: 'Second' },
    ];
    const first = await sender.events(made, body);
    assert.equal(counts(first), taken(0, 0, 2));
    const id = first.body.data.delivery_id;
    await until(async () => (await deliveries(made)).total === 1, 'the delivery being told');
    await changeSource(world.api, made, {
      event_config: { stream: 'replayed', id_path: 'id', text_path: 'text' },
    });
    assert.equal(counts(await replay(made, id)), taken(2));
    assert.equal(await names(world.api, 'replayed'), ['First', 'Second']);
    await world.restart();
    assert.equal(counts(await replay(made, id)), taken(0, 2));
    const other = await pushSource(world.api);
    refused(await replay(other, id), 404);
    refused(await replay(made, 'whd_nobodys'), 404);
  });

  test('a body above 1 MB is not kept whole, and says so when it is replayed', async () => {
    const made = await pushSource(world.api, { stream: 'big', array_path: 'items' });
    const sent = await sender.events(made, { items: [{ text: 'a' }], padding: 'x'.repeat(2_000_000) });
    assert.equal(counts(sent), taken(1));
    await until(async () => (await deliveries(made)).total === 1, 'the delivery being told');
    const answer = await replay(made, sent.body.data.delivery_id);
    if (answer.status !== 200) refused(answer, 409);
    assert.equal(await names(world.api, 'big'), ['a']);
  });

  test('twenty failures in a row make it failing, one success makes it well, strangers neither', async () => {
    const made = await pushSource(world.api, { stream: 'failing' });
    const status = async () => (await source(world.api, made)).status;
    const inStatus = (name: string) => until(async () => (await status()) === name, `being ${name}`);
    for (let i = 0; i < 19; i++) refused(await sender.events(made, '{'), 400);
    for (let i = 0; i < 5; i++) refused(await sender.raw(hookPath(made), '{}', { 'x-signature': 'f' }), 401);
    expected(await sender.events(made, { text: 'in between' }));
    for (let i = 0; i < 19; i++) refused(await sender.events(made, '{'), 400);
    await until(async () => (await source(world.api, made)).last_error, 'the last error');
    assert.is(await status(), 'active');
    refused(await sender.events(made, '{'), 400);
    await inStatus('failing');
    const found = await source(world.api, made);
    assert.is(found.last_error.code, 'invalid_json');
    assert.match(found.last_error.at, /Z$/);
    const told = await item(
      world.api,
      'ingestion.source_failing',
      each => each.data.source_id === made.source_id,
    );
    assert.is(told.count, 1);
    expected(await sender.events(made, { text: 'still tried' }));
    await inStatus('active');
    assert.is((await feedOf(world.api, '?kind=ingestion.source_failing')).total, 1);
  });
});
