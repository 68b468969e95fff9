import { Ajv2020 } from 'ajv/dist/2020.js';
import { Webhook } from 'standardwebhooks';
import * as assert from 'uvu/assert';
import type { Role } from '../../domain/groups/roles.js';
import { scopes } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { feedServer, poll, ran, type Feed } from './feeds.js';
import { form, parsed, upload } from './imports.js';
import { LOCAL } from './receivers.js';
import { counts, hmac, hookPath, pushSource, senderTo, taken, webhook, type Sender } from './sources.js';
import { expected, openWorld, refused, type World } from './world.js';

// Who may what in ingestion, whose it is, what kinds of sources there are, and doing a thing once
// (open-parts 6.1, 6.3, 24, 25, 29.4, 30.6, 31.8, 32.5, 32.7).

const CSV = 'time,x\n2026-03-01T00:00:00Z,1\n';
const mapping = { time: 'time', layout: 'wide' };

suite('acceptance: rights and tenants of ingestion', test => {
  let world: World;
  let sender: Sender;
  let other: Client;
  let feed: Feed;
  let made: Json;
  const ids = { source: '', polled: '', job: '', execution: '', delivery: '', file: '' };
  test.before(async () => {
    world = await openWorld({ ...LOCAL, RATE_UPLOAD: '100000' });
    sender = senderTo(world);
    other = await world.tenant();
    feed = await feedServer();
    made = await pushSource(world.api, { stream: 'mine' }, { name: 'Nobody else reads this' });
    ids.source = made.source_id;
    const polled = await poll(world.api, { url: feed.url, interval_seconds: 86_400 });
    [ids.polled, ids.job] = [polled.source_id, polled.job];
    ids.execution = (await ran(world.api, ids.job)).execution_id;
    ids.delivery = expected(await sender.events(made, { text: 'a' })).data.delivery_id;
    ids.file = (await parsed(world.api, CSV, { mapping })).import_id;
  });
  test.after(async () => {
    feed.close();
    await world.close();
  });

  type Call = readonly [method: string, path: string, body?: object];
  const reads = (of = ids): Call[] =>
    [
      'connectors',
      'connectors/webhook',
      'sources',
      `sources/${of.source}`,
      `sources/${of.source}/deliveries`,
      'jobs',
      `jobs/${of.job}`,
      'executions',
      `executions/${of.execution}`,
      `files/${of.file}`,
    ].map(path => ['GET', `/v1/ingestion/${path}`]);
  const operators = (of = ids): Call[] => [
    ['POST', '/v1/ingestion/connect/create-event', { mode: 'push' }],
    ['POST', '/v1/ingestion/sources', { connector_id: 'webhook', name: 'x' }],
    ['PATCH', `/v1/ingestion/sources/${of.source}`, { name: 'Nobody else reads this' }],
    ['POST', `/v1/ingestion/sources/${of.polled}/test`, {}],
    ['POST', `/v1/ingestion/sources/${of.source}/pause`, {}],
    ['POST', `/v1/ingestion/sources/${of.source}/resume`, {}],
    ['POST', `/v1/ingestion/sources/${of.source}/rotate-secret`, {}],
    ['POST', `/v1/ingestion/sources/${of.source}/deliveries/${of.delivery}/replay`, {}],
    [
      'POST',
      '/v1/ingestion/jobs',
      { source_id: of.polled, schedule: { interval_seconds: 900 }, enabled: false },
    ],
    ['PATCH', `/v1/ingestion/jobs/${of.job}`, { enabled: true }],
    ['POST', `/v1/ingestion/jobs/${of.job}/run`, {}],
    ['POST', `/v1/ingestion/executions/${of.execution}/cancel`, {}],
  ];
  const editors = (of = ids): Call[] => [
    ['POST', `/v1/ingestion/files/${of.file}/preview`, {}],
    ['POST', `/v1/ingestion/files/${of.file}/commit`, {}],
  ];
  const gone = (of = ids): Call[] => [
    ['DELETE', `/v1/ingestion/jobs/${of.job}`],
    ['DELETE', `/v1/ingestion/sources/${of.source}`],
  ];
  const send = (api: Client, [method, path, body]: Call) =>
    api.send<Json>({ method, path, ...(body && { body }) });

  test('reads take data.read, everything else data.write, and nothing else opens it', async () => {
    for (const [scope, calls] of [
      ['data.read', reads()],
      ['data.write', [...operators(), ...editors(), ...gone()]],
    ] as const) {
      const lacking = await world.withScopes(scopes.filter(each => each !== scope));
      for (const call of calls) {
        const { details } = refused(await send(lacking, call), 403, 'insufficient_scope');
        assert.equal(details.required, [scope], call[1]);
      }
      if (scope === 'data.write') refused(await upload(lacking, CSV, { mapping }), 403, 'insufficient_scope');
    }
    const reading = await world.withScopes(['data.read']);
    for (const call of reads()) assert.is((await send(reading, call)).status, 200, call[1]);
  });

  test('a viewer reads, an editor imports files, an operator makes sources and jobs', async () => {
    const may: Record<string, readonly Call[]> = {
      viewer: [],
      analyst: [],
      editor: editors(),
      operator: [...editors(), ...operators()],
    };
    for (const [role, allowed] of Object.entries(may)) {
      const api = await world.member(role as Role);
      for (const call of reads()) assert.is((await send(api, call)).status, 200, `${role} ${call[1]}`);
      for (const call of [...operators(), ...editors(), ...gone()]) {
        const own = allowed.some(([method, path]) => method === call[0] && path === call[1]);
        if (own || (role === 'operator' && call[0] === 'DELETE')) continue;
        refused(await send(api, call), 403, 'role_forbidden');
      }
      for (const call of allowed) {
        const { status, text } = await send(api, call);
        assert.ok(status < 300 || status === 409, `${role} ${call[1]}: ${text}`);
      }
      const sent = await upload(api, CSV, { mapping });
      if (role === 'editor' || role === 'operator') expected(sent, 202);
      else refused(sent, 403, 'role_forbidden');
    }
  });

  test("another's things are 404, word for word like things that there are not", async () => {
    const nobodys = Object.fromEntries(
      Object.entries(ids).map(([name, id]) => [name, `${id.slice(0, 4)}nobodys`]),
    );
    const words = (text: string, of: object) =>
      Object.values(of)
        .reduce((left: string, name) => left.replaceAll(name as string, 'X'), text)
        .replace(/"request_id":"[^"]*"/g, '');
    const all = (of: typeof ids) => [...reads(of), ...operators(of), ...editors(of), ...gone(of)];
    const mine = all(ids);
    for (const [i, call] of all(nobodys as typeof ids).entries()) {
      const [, path, body] = call;
      if (path === mine[i]![1] && JSON.stringify(body) === JSON.stringify(mine[i]![2])) continue;
      const [theirs, none] = [await send(other, mine[i]!), await send(other, call)];
      assert.is(theirs.status, none.status, `${call[0]} ${mine[i]![1]}`);
      assert.ok([404, 422].includes(theirs.status), `${call[0]} ${mine[i]![1]}: ${theirs.text}`);
      assert.is(words(theirs.text, ids), words(none.text, nobodys));
    }
    for (const path of ['sources', 'jobs', 'executions']) {
      const { data, text } = { ...(await other.get<Json>(`/v1/ingestion/${path}`)).body, text: '' };
      assert.equal([data[path], data.total, text], [[], 0, '']);
    }
    assert.is(
      expected(await world.api.get<Json>(`/v1/ingestion/sources/${ids.source}`)).data.status,
      'active',
    );
  });

  test('without a token it is 401, without a workspace 400, with another 403', async () => {
    for (const [method, path, body] of [...reads(), ...operators(), ...editors(), ...gone()]) {
      const ask = (headers: Record<string, string | undefined>) =>
        world.api.send<Json>({ method, path, headers, ...(body && { body }) });
      refused(await ask({ authorization: undefined }), 401, 'authorization_required');
      assert.is(refused(await ask({ 'x-workspace-id': undefined }), 400).message, 'Workspace ID required');
      const theirs = { method, path, headers: { 'x-workspace-id': world.running.installed.workspaceId } };
      refused(await other.send<Json>({ ...theirs, ...(body && { body }) }), 403, 'workspace_forbidden');
    }
  });

  test('the audit tells who made and changed what', async () => {
    const path = `/v1/workspace/${world.running.installed.workspaceId}/audit?per_page=100`;
    const { text } = await world.api.get<Json>(path);
    assert.match(text, ids.source);
    assert.match(text, ids.job);
  });
});

suite('acceptance: kinds of sources, and doing a thing once', test => {
  let world: World;
  let sender: Sender;
  test.before(async () => {
    world = await openWorld({ RATE_UPLOAD: '100000', RATE_WEBHOOK: '20' });
    sender = senderTo(world);
  });
  test.after(() => world.close());

  test('connectors are listed, with the schema of their configuration', async () => {
    const { connectors } = expected(await world.api.get<Json>('/v1/ingestion/connectors')).data;
    const all = new Map<string, Json>(connectors.map((each: Json) => [each.connector_id, each]));
    const ajv = new Ajv2020({ strict: false });
    const kinds = {
      webhook: 'push',
      rest_poll: 'poll',
      csv_file: 'file',
      ndjson_file: 'file',
      postgres: 'poll',
      s3: 'poll',
    };
    for (const [id, kind] of Object.entries(kinds)) {
      const found = all.get(id);
      assert.ok(found, id);
      assert.is(found.kind, kind, id);
      assert.match(found.name, /./);
      assert.ok(['available', 'beta', 'disabled'].includes(found.status));
      const produces: string[] = [found.produces].flat();
      assert.ok(produces.length > 0 && produces.every(each => ['events', 'signals'].includes(each)), id);
      ajv.compile(found.config_schema);
      const one = expected(await world.api.get<Json>(`/v1/ingestion/connectors/${id}`)).data;
      assert.equal(one, found);
    }
    refused(await world.api.get<Json>('/v1/ingestion/connectors/telepathy'), 404);
  });

  test('Standard Webhooks are a further scheme, where a source asks for it', async () => {
    const { data } = expected(await world.api.get<Json>('/v1/ingestion/connectors/webhook'));
    const [name] = Object.keys(data.config_schema.properties).filter(each => /standard/i.test(each));
    assert.type(name, 'string', 'a setting for it');
    const made = await webhook(world.api, { [name!]: true }, { stream: 'standard' });
    const plain = await webhook(world.api, {}, { stream: 'plain' });
    const body = '{"text":"By the standard"}';
    const headers = (secret: string, ms = world.now(), raw = body) => ({
      'webhook-id': 'msg_1',
      'webhook-timestamp': String(Math.floor(ms / 1_000)),
      'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('msg_1', new Date(ms), raw)}`,
    });
    assert.equal(counts(await sender.raw(hookPath(made), body, headers(made.webhook_secret))), taken(1));
    assert.equal(counts(await sender.events(made, '{"text":"As ever"}')), taken(1));
    for (const wrong of [
      headers(made.webhook_secret, world.now() - 400_000),
      headers(made.webhook_secret, world.now(), '{}'),
      { ...headers(made.webhook_secret), 'webhook-id': 'msg_2' },
    ])
      refused(await sender.raw(hookPath(made), body, wrong), 401, 'invalid_signature');
    refused(await sender.raw(hookPath(plain), body, headers(plain.webhook_secret)), 401, 'invalid_signature');
  });

  test('a repeat under an idempotency key makes nothing twice', async () => {
    const calls = [
      ['/v1/ingestion/connect/create-event', { mode: 'push', name: 'Once' }, 200],
      ['/v1/ingestion/sources', { connector_id: 'webhook', name: 'Once' }, 201],
    ] as const;
    for (const [path, body, status] of calls) {
      const sent = { method: 'POST', path, body, headers: { 'idempotency-key': 'once' } };
      const first = expected(await world.api.send<Json>(sent), status).data;
      const again = await world.api.send<Json>(sent);
      assert.is(again.headers['idempotency-replayed'], 'true');
      const { data } = expected(again, status);
      assert.is(data.source_id, first.source_id);
      assert.is(data.webhook_secret ?? null, null, 'but without the secret');
      const others = { ...sent, body: { ...body, name: 'Another' } };
      refused(await world.api.send<Json>(others), 409, 'idempotency_conflict');
    }
    const { sources } = expected(await world.api.get<Json>('/v1/ingestion/sources?per_page=100')).data;
    assert.is(sources.filter(({ name }: Json) => name === 'Once').length, 2);
    const boundary = 'a-boundary-that-is-in-no-file';
    const sent = {
      method: 'POST',
      path: '/v1/ingestion/files',
      body: form({ format: 'csv', mapping: JSON.stringify(mapping) }, 'a.csv', CSV),
      headers: { 'idempotency-key': 'file', 'content-type': `multipart/form-data; boundary=${boundary}` },
    };
    const first = expected(await world.api.send<Json>(sent), 202).data;
    const again = expected(await world.api.send<Json>(sent), 202).data;
    assert.is(again.import_id, first.import_id);
  });

  test('a source takes so many deliveries a minute, and other sources keep their own', async () => {
    const [made, other] = [await pushSource(world.api, { stream: 'fast' }), await pushSource(world.api)];
    const raw = '{"text":"fast","occurred_at":1790000000}';
    const headers = { 'x-signature': hmac(made.webhook_secret, raw) };
    const some = Array.from({ length: 40 }, () => sender.raw(hookPath(made), raw, headers));
    const answers = await Promise.all(some);
    assert.ok(answers.filter(({ status }) => status === 200).length >= 20);
    const refusals = answers.filter(({ status }) => status !== 200);
    assert.ok(refusals.length > 0, 'and then no more');
    for (const answer of refusals) {
      assert.is(refused(answer, 429, 'rate_limited').details.policy, 'webhook');
      assert.ok(Number(answer.headers['retry-after']) > 0);
    }
    assert.equal(counts(await sender.events(other, { text: 'elsewhere' })), taken(1));
  });
});
