import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { ingestionApi, signatureOf, type IngestionApi } from './ingestion-world.js';
import type { Json } from '../json.js';

const SOURCES = '/v1/ingestion/sources';

suite('sources', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi();
  });
  test.after(() => world.close());

  test('create-event answers as specified, with a secret that is shown this once', async () => {
    const answer = await world.client.post<Json>('/v1/ingestion/connect/create-event', {
      mode: 'push',
      name: 'Status page',
      event_config: { stream: 'status' },
    });
    assert.is(answer.status, 200);
    const { data } = answer.body;
    const base = `${world.api.base}/v1/ingestion/webhooks/${data.source_id}`;
    assert.equal(
      [data.status, data.kind, data.mode, data.stream, data.job_ids],
      ['created', 'event', 'push', 'status', []],
    );
    assert.equal(
      [data.webhook_url_events, data.webhook_url_signal, data.webhook_url],
      [`${base}/events`, `${base}/signal`, `${base}/events`],
    );
    assert.match(data.webhook_secret, /^[0-9a-f]{64}$/);
    const shown = await world.client.get<Json>(`${SOURCES}/${data.source_id}`);
    assert.not.match(shown.text, new RegExp(data.webhook_secret));
    const { status, has_secret, name, connector_id, event_config } = shown.body.data;
    assert.equal([status, has_secret, name, connector_id], ['active', true, 'Status page', 'webhook']);
    assert.equal(event_config, {
      ...{ stream: 'status', array_path: null, text_path: 'text', occurred_at_path: 'occurred_at' },
      id_path: null,
    });
  });

  test('a repeat under an idempotency key is the same source, without its secret', async () => {
    const headers = { 'idempotency-key': 'once' };
    const first = await world.source({ stream: 'kept' }, headers);
    const again = await world.source({ stream: 'kept' }, headers);
    assert.is(again.source_id, first.source_id);
    assert.is(again.webhook_secret, null);
  });

  for (const [what, body, at] of [
    ['no mode', {}, 'body.mode'],
    ['an unknown mode', { mode: 'pull' }, 'body.mode'],
    ['a wrong path', { mode: 'push', event_config: { array_path: 'a..b' } }, 'body.event_config.array_path'],
    ['no text as a path', { mode: 'push', event_config: { id_path: 5 } }, 'body.event_config.id_path'],
    ['a reserved stream', { mode: 'push', event_config: { stream: 'mkt:x' } }, 'body.event_config.stream'],
  ] as const)
    test(`create-event with ${what} is 422 that names it`, async () => {
      const { status, body: said } = await world.client.post('/v1/ingestion/connect/create-event', body);
      assert.equal([status, said.detail[0]!.loc.join('.')], [422, at]);
    });

  test('connectors are listed, and one is read', async () => {
    const { connectors, total } = await world.read('/v1/ingestion/connectors');
    assert.ok(total >= 1);
    const webhook = connectors.find((each: Json) => each.connector_id === 'webhook');
    assert.equal(
      [webhook.kind, webhook.produces, webhook.status],
      ['push', ['events', 'signals'], 'available'],
    );
    assert.equal(await world.read('/v1/ingestion/connectors/webhook'), webhook);
    assert.is((await world.client.get('/v1/ingestion/connectors/fax')).status, 404);
  });

  test('are made by connector and config, listed newest first, changed and deleted', async () => {
    world.clock.now += 1_000;
    const answer = await world.client.post<Json>(SOURCES, {
      connector_id: 'webhook',
      name: 'Meters',
      config: { require_timestamp: true },
      event_config: { stream: 'meters', id_path: 'meter' },
    });
    assert.is(answer.status, 201);
    const { source_id: id, webhook_secret: secret, kind } = answer.body.data;
    assert.match(secret, /^[0-9a-f]{64}$/);
    assert.is(kind, 'mixed');
    const { sources } = await world.read(`${SOURCES}?per_page=1`);
    assert.equal(
      sources.map((each: Json) => each.source_id),
      [id],
    );

    const before = await world.client.get<Json>(`${SOURCES}/${id}`);
    const changed = await world.client.patch<Json>(
      `${SOURCES}/${id}`,
      { name: 'Meters 2', config: { require_timestamp: false }, event_config: { id_path: null } },
      { 'if-match': before.headers.etag },
    );
    assert.is(changed.status, 200, changed.text);
    const { name, config, event_config } = changed.body.data;
    assert.equal(
      [name, config.require_timestamp, event_config.stream, event_config.id_path],
      [...['Meters 2', false, 'meters', null]],
    );
    const late = await world.client.patch(
      `${SOURCES}/${id}`,
      { name: 'x' },
      { 'if-match': before.headers.etag },
    );
    const { code, details } = late.body.error;
    assert.equal([late.status, code, details.version], [409, 'version_conflict', 2]);

    assert.equal((await world.client.delete<Json>(`${SOURCES}/${id}`)).body, { status: 'deleted' });
    assert.is((await world.client.get(`${SOURCES}/${id}`)).status, 404);
    assert.is((await world.client.delete(`${SOURCES}/${id}`)).status, 404);
    const gone = await world.deliver(answer.body.data, { text: 'late' });
    assert.equal([gone.status, gone.body.error.message], [404, 'Unknown webhook source']);
  });

  test('of an unknown connector, or with a config that it does not know, are 422', async () => {
    const unknown = await world.client.post(SOURCES, { connector_id: 'fax' });
    assert.equal([unknown.status, unknown.body.detail[0]!.loc], [422, ['body', 'connector_id']]);
    const wrong = await world.client.post(SOURCES, { connector_id: 'webhook', config: { signed: 'yes' } });
    assert.equal([wrong.status, wrong.body.detail[0]!.loc], [422, ['body', 'config', 'signed']]);
  });

  test('keep of a config what their connector knows, and name the rest', async () => {
    const make = (connector_id: string, config: object) =>
      world.client.post<Json>(SOURCES, { connector_id, config });
    const hook = await make('webhook', { require_timestamp: true, webhook_secret: 'TOPSECRET' });
    assert.equal([hook.status, hook.headers['x-ignored-fields']], [201, 'config.webhook_secret']);
    const poll = await make('s3', { bucket: 'numbers', session_token: 'TOPSECRET' });
    assert.equal([poll.status, poll.headers['x-ignored-fields']], [201, 'config.session_token']);
    const path = `${SOURCES}/${hook.body.data.source_id}`;
    const patched = await world.client.patch<Json>(path, { config: { bucket: 'b', extra: 'TOPSECRET' } });
    assert.equal([patched.status, patched.headers['x-ignored-fields']], [200, 'config.bucket, config.extra']);
    assert.is(patched.body.data.config.require_timestamp, true);
    const audit = await world.client.get(`/v1/workspace/${world.api.installed.workspaceId}/audit`);
    for (const { text } of [hook, poll, patched, await world.client.get(SOURCES), audit])
      assert.not.match(text, /TOPSECRET/);
  });

  test('do not say again what was to be a secret', async () => {
    for (const [connector_id, config] of [
      ['rest_poll', { url: 'https://example.org', auth: { type: 'bearer', token: 'TOP\nSECRET' } }],
      ['rest_poll', { url: 'https://example.org', auth: 'TOPSECRET' }],
      ['rest_poll', { url: 'https://example.org', headers: { 'x-key': 'TOP\r\nSECRET' } }],
      ['postgres', { host: 'h', database: 'd', user: 'u', query: 'SELECT 1', password: 7_353_232 }],
      ['s3', { bucket: 'numbers', access_key_id: 'a', secret_access_key: 7_353_232 }],
    ] as const) {
      const { status, text } = await world.client.post(SOURCES, { connector_id, config });
      assert.is(status, 422, text);
      assert.not.match(text, /SECRET|7353232/);
    }
  });

  test('that are paused answer 409 to a right signature alone, until they go on', async () => {
    const made = await world.source({ stream: 'paused' });
    const pause = await world.client.post<Json>(`${SOURCES}/${made.source_id}/pause`);
    assert.is(pause.body.data.status, 'paused');
    const refused = await world.deliver(made, { text: 'now' });
    assert.equal([refused.status, refused.body.error.code], [409, 'source_paused']);
    assert.ok(Number(refused.headers['retry-after']) > 0);
    const wrong = await world.deliver(made, { text: 'now' }, { headers: { 'x-signature': '0' } });
    assert.is(wrong.status, 401);
    const resume = await world.client.post<Json>(`${SOURCES}/${made.source_id}/resume`);
    assert.is(resume.body.data.status, 'active');
    assert.is((await world.deliver(made, { text: 'now' })).status, 200);
  });

  test('get another secret; all whose grace runs count until it ends', async () => {
    const made = await world.source({ stream: 'rotated' });
    const rotate = async (grace_seconds: number): Promise<Json> =>
      (await world.client.post<Json>(`${SOURCES}/${made.source_id}/rotate-secret`, { grace_seconds })).body
        .data;
    const send = async (secret: string): Promise<number> =>
      (await world.deliver({ ...made, webhook_secret: secret }, { text: `by ${secret}` })).status;
    const second = await rotate(3_600);
    assert.is(second.previous_secret_expires_at, new Date(world.clock.now + 3_600_000).toISOString());
    const third = await rotate(7_200);
    for (const secret of [made.webhook_secret, second.webhook_secret, third.webhook_secret])
      assert.is(await send(secret), 200);
    world.clock.now += 3_600_000;
    assert.equal(
      [await send(made.webhook_secret), await send(second.webhook_secret), await send(third.webhook_secret)],
      [401, 200, 200],
    );
    const last = await rotate(0);
    assert.equal([await send(third.webhook_secret), await send(last.webhook_secret)], [401, 200]);
    const { previous_secret_expires_at, has_secret } = await world.read(`${SOURCES}/${made.source_id}`);
    assert.equal([previous_secret_expires_at, has_secret], [null, true]);
  });

  test('survive a restart with their secrets, and belong to their workspace alone', async () => {
    const made = await world.source({ stream: 'restarted' });
    await world.restart();
    assert.is((await world.deliver(made, { text: 'still here' })).status, 200);
    const other = world.clientFor(await world.people.tenant('else@example.org'));
    for (const path of ['', '/deliveries']) {
      const { status, body } = await other.get(`${SOURCES}/${made.source_id}${path}`);
      assert.equal([status, body.error.code], [404, 'not_found']);
    }
    assert.is((await other.post(`${SOURCES}/${made.source_id}/pause`)).status, 404);
    assert.is((await other.get<Json>(SOURCES)).body.data.total, 0);
  });

  test('of an archived workspace answer 403 to a right signature alone, until it is restored', async () => {
    const { workspaceId } = world.api.installed;
    const made = await world.source({ stream: 'archived' });
    const workspace = `/v1/workspace/${workspaceId}`;
    const { name } = await world.read(workspace);
    const archiving = { method: 'DELETE', path: workspace, body: { confirm: name } };
    assert.is((await world.client.send(archiving)).status, 200);
    const refused = await world.deliver(made, { text: 'now' });
    assert.equal([refused.status, refused.body.error.code], [403, 'workspace_archived']);
    const wrong = await world.deliver(made, { text: 'now' }, { headers: { 'x-signature': '0' } });
    assert.is(wrong.status, 401);
    assert.is((await world.client.post(`${workspace}/restore`)).status, 200);
    assert.is((await world.deliver(made, { text: 'now' })).body.data.accepted, 1);
  });

  test('are tried with a body, and nothing is stored', async () => {
    const made = await world.source({ stream: 'tried', array_path: 'items' });
    const path = `${SOURCES}/${made.source_id}/test`;
    const nothing = await world.client.post<Json>(path, {});
    assert.equal([nothing.body.data.ok, nothing.body.data.sample], [false, []]);
    const items = [{ text: 'One', occurred_at: 1_767_225_600 }, { text: '' }, { text: 'Two' }];
    const { ok, sample, warnings } = (await world.client.post<Json>(path, { body: { items } })).body.data;
    assert.equal([ok, warnings.length], [false, 2]);
    assert.equal(sample[0], { key: 'tried', text: 'One', occurred_at: 1_767_225_600_000, id: null });
    const rows = await world.client.post<Json>(path, { body: { items: [{ kwh: 4 }] }, kind: 'signal' });
    assert.equal([rows.body.data.ok, rows.body.data.sample[0].key], [true, 'tried.kwh']);
    assert.equal(await world.events('tried'), []);
    const body = JSON.stringify({ items: [{ text: 'Delivered' }] });
    await world.deliver(made, body, { headers: { 'x-signature': signatureOf(made.webhook_secret, body) } });
    assert.is((await world.client.post<Json>(path, {})).body.data.sample[0].text, 'Delivered');
    await world.deliver(made, '{"items"');
    const broken = await world.client.post<Json>(path, {});
    assert.equal([broken.status, broken.body.data.ok, broken.body.data.sample], [200, false, []]);
    assert.match(broken.body.data.warnings[0], /delivered last: .*JSON/);
  });
});

suite('sources where read models are late', test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi({ env: { VISIBLE_WITHIN_MS: '0' } });
  });
  test.after(() => world.close());

  test('are answered as they were made', async () => {
    const made = await world.client.post<Json>(SOURCES, { connector_id: 'webhook', name: 'At once' });
    const { name, status, has_secret, mode } = made.body.data;
    assert.equal([made.status, name, status, has_secret, mode], [201, 'At once', 'active', true, 'push']);
  });
});
