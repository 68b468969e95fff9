import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client, type Sent } from './client.js';
import { hours, namedSegment, push } from './segments-world.js';

/** Nothing works by itself here: what is appended was asked for. */
suite('dry runs', test => {
  const folder = temporaryFolder();
  let api: Running;
  let client: Client;
  test.before(async () => {
    api = await startPlatform(folder.path, { running: ['api', 'projections'] });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = api.installed;
    client = clientOf(api.base, description, { token, workspace });
    await push(
      api,
      'sales',
      hours(60, i => i % 24),
    );
  });
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });

  const head = () => api.platform.stores.events.head();
  const made = async (path: string, body: object): Promise<Json> => {
    const answer = await client.post<Json>(path, body);
    assert.ok(answer.status < 300, answer.text);
    return answer.body.data;
  };
  /** What it answers; nothing is appended. */
  const tried = async ({ path, ...sent }: Sent): Promise<Json> => {
    const before = await head();
    const { status, body, text } = await client.send<Json>({ path: `${path}?dry_run=true`, ...sent });
    assert.equal([status, body.data?.dry_run], [200, true], text);
    assert.is(await head(), before, `${path} wrote`);
    return body.data;
  };
  /** Says what would go, takes nothing, refuses what is not there; then it really goes. */
  const goes = async (path: string, would: object, body?: object): Promise<void> => {
    const sent = { method: 'DELETE', path, ...(body && { body }) };
    assert.equal(await tried(sent), { dry_run: true, ...would });
    const unknown = await client.send({ ...sent, path: `${path}x?dry_run=true` });
    assert.is(unknown.status, 404, unknown.text);
    const gone = await client.send(sent);
    assert.is(gone.status, 200, gone.text);
  };

  test('signals and streams: the same counts, the same refusals', async () => {
    await push(
      api,
      'gone',
      hours(30, i => i),
    );
    for (const text of ['one', 'two']) await made('/v1/event/record', { key: 'news', text });
    const body = { keys: ['gone', 'unknown'], event_streams: ['news'] };
    const sent = { method: 'POST', path: '/v1/signal/delete', body };
    const would = await tried(sent);
    assert.equal(would, {
      ...{ dry_run: true, deleted_keys: ['gone'], deleted_streams: ['news'] },
      ...{ deleted_points: 30, deleted_events: 2, skipped: [{ key: 'unknown', reason: 'not_found' }] },
    });
    const both = await Promise.all(
      [1, 2].map(() => client.post<Json>('/v1/signal/delete?dry_run=true', body)),
    );
    for (const each of both) assert.equal(each.body.data, would);
    const segment = (await namedSegment(api, 'used')).segmentId;
    const inUse = await client.post('/v1/signal/delete?dry_run=true', { keys: ['used'] });
    assert.equal([inUse.status, inUse.body.error.code], [409, 'IN_USE']);
    await client.delete(`/v1/segment/${segment}`);
    const done = (await client.post<Json>('/v1/signal/delete', body)).body.data;
    assert.equal({ dry_run: true, ...done }, would);
  });

  test('events and their streams', async () => {
    const { event_id: id } = await made('/v1/event/record', { key: 'outages', text: 'one' });
    await made('/v1/event/record', { key: 'outages', text: 'two' });
    await goes(`/v1/event/${id}`, { event_id: id });
    const path = '/v1/event/streams/outages';
    assert.equal(await tried({ method: 'DELETE', path }), { dry_run: true, stream: 'outages', deleted: 1 });
    assert.equal((await client.delete<Json>(path)).body.data, { stream: 'outages', deleted: 1 });
    const foreign = await client.delete('/v1/event/streams/mkt-evt:lst_1:a?dry_run=true');
    assert.equal([foreign.status, foreign.body.error.code], [403, 'stream_read_only']);
  });

  test('segments, sources and jobs, also held to a version', async () => {
    const { segmentId } = await namedSegment(api, 'visits');
    const segment = `/v1/segment/${segmentId}`;
    assert.is((await client.delete(`${segment}?dry_run=true`, { 'if-match': '"99"' })).status, 409);
    await goes(segment, { segment_id: segmentId });
    const config = { url: 'https://example.com/', interval_seconds: 3_600 };
    const poll = { connector_id: 'rest_poll', name: 'Poll', config, event_config: { stream: 'polled' } };
    const { source_id: sourceId } = await made('/v1/ingestion/sources', poll);
    const job = { source_id: sourceId, schedule: { interval_seconds: 3_600 } };
    const { job_id: jobId } = await made('/v1/ingestion/jobs', job);
    await goes(`/v1/ingestion/jobs/${jobId}`, { job_id: jobId });
    await goes(`/v1/ingestion/sources/${sourceId}`, { source_id: sourceId });
  });

  test('features, tokens, members and invitations', async () => {
    const { segmentId, featureId } = await namedSegment(api, 'parts');
    const feature = { segment_id: segmentId, feature_id: featureId };
    await goes(`/v1/segment/${segmentId}/features/${featureId}`, feature);
    const { token_id } = (await client.post<Json>('/v1/user/api-tokens', { name: 'n' })).body.data;
    await goes(`/v1/user/api-tokens/${token_id}`, { token_id });
    const { workspaceId, uid } = api.installed;
    const path = `/v1/workspace/${workspaceId}`;
    const invited = { email: 'bob@example.org', role: 'viewer' };
    const { invitation_id } = await made(`${path}/invitations`, invited);
    await goes(`${path}/invitations/${invitation_id}`, { invitation_id });
    const last = await client.delete(`${path}/members/${uid}?dry_run=true`);
    assert.equal([last.status, last.body.error.code], [409, 'last_owner']);
    const people = peopleOf(api.platform);
    const bob = await people.person('ben@example.org');
    await people.join('workspace', workspaceId, bob.uid, 'viewer');
    await goes(`${path}/members/${bob.uid}`, { uid: bob.uid });
  });

  test('of each deletion there is one', () => {
    const deletions = Object.values(client.description.paths).flatMap(path => path['delete'] ?? []);
    assert.ok(deletions.length > 15);
    for (const { operationId, parameters } of deletions)
      assert.ok(
        (parameters as Json[]).some(({ name }) => name === 'dry_run'),
        operationId,
      );
  });

  test('alerts', async () => {
    const rule = { name: 'Outages', kind: 'event', params: { stream: 'outages', min_importance: 0.5 } };
    const { alert_id: id } = await made('/v1/goals/alerts', rule);
    await goes(`/v1/goals/alerts/${id}`, { alert_id: id });
  });

  test('workspaces and organizations are archived with their name, or not at all', async () => {
    for (const kind of ['workspace', 'organization']) {
      const { [`${kind}_id`]: id } = await made(`/v1/${kind}`, { name: 'Old' });
      const path = `/v1/${kind}/${id}`;
      const wrong = await client.send({
        ...{ method: 'DELETE', path: `${path}?dry_run=true`, body: { confirm: 'New' } },
      });
      assert.is(wrong.status, 422);
      await goes(path, { [`${kind}_id`]: id }, { confirm: 'Old' });
    }
  });

  test('goals are moved as they would be', async () => {
    const { goal_id: id } = await made('/v1/goals', { name: 'Sales', target: 'sales', horizon: 6 });
    const path = `/v1/goals/${id}`;
    const move = (what: string) => tried({ method: 'POST', path: `${path}/${what}`, body: {} });
    assert.is((await tried({ method: 'PATCH', path, body: { name: 'Other' } })).name, 'Other');
    assert.equal(await move('activate'), { dry_run: true, goal_id: id, status: 'queued' });
    assert.is((await move('archive')).status, 'archived');
    const refused = await client.post(`${path}/resume?dry_run=true`);
    assert.equal([refused.status, refused.body.error.code], [409, 'invalid_state']);
    assert.is((await client.post(`${path}/archive`)).status, 200);
    assert.is((await move('restore')).status, 'paused');
    assert.is((await client.get<Json>(path)).body.data.status, 'archived');
  });

  test('pipelines rest and go on', async () => {
    const { segmentId } = await namedSegment(api, 'orders');
    const blueprint = (await client.get<Json>('/v1/models/public?search=theta')).body.data.models[0];
    const models = [{ model: blueprint.uid }];
    const { pipeline_id: id, status } = await made('/v1/pipelines', { segment: segmentId, models });
    const path = `/v1/pipelines/${id}`;
    assert.is((await tried({ method: 'POST', path: `${path}/pause` })).status, 'paused');
    assert.is((await client.get<Json>(path)).body.data.status, status);
    assert.is((await client.post(`${path}/pause`)).status, 200);
    assert.is.not((await tried({ method: 'POST', path: `${path}/resume` })).status, 'paused');
    assert.is((await client.get<Json>(path)).body.data.status, 'paused');
  });

  test('what knows of none does nothing where it is asked for one, however it is spelt', async () => {
    const before = await head();
    for (const query of [
      ...[
        'dry_run=true',
        'dry_run=1',
        'dry_run=TRUE',
        'dry_run',
        'dry_run=yes',
        'dry_run=false&dry_run=true',
      ],
      ...['dryRun=true', 'dry-run=true', 'DRYRUN=true', 'dry_run[]=true', 'dry.run=true', 'dry%5Frun=true'],
    ]) {
      const { status, body } = await client.post(`/v1/event/record?${query}`, { key: 'news', text: 'x' });
      const [fault] = body.detail;
      assert.equal([status, fault?.loc[0]], [422, 'query'], query);
      assert.is(fault!.msg, 'is not supported here; nothing was done');
    }
    for (const sent of [
      { method: 'PATCH', path: '/v1/user/api-tokens/none', body: {} },
      { method: 'PUT', path: '/v1/notifications/preferences', body: {} },
      { method: 'POST', path: '/v1/signal/push', body: { key: 'sales', values: [] } },
    ])
      assert.is((await client.send({ ...sent, path: `${sent.path}?dry_run=true` })).status, 422, sent.path);
    for (const word of [{ dry_run: true }, { dryRun: 'yes' }]) {
      const { status, body } = await client.post('/v1/signal/delete', { keys: ['sales'], ...word });
      assert.equal([status, body.detail[0]?.loc], [422, ['body', Object.keys(word)[0]]]);
    }
    assert.is(await head(), before);
    const plain = await client.post('/v1/event/record?dry_run=false', { key: 'news', text: 'x' });
    assert.equal([plain.status, plain.headers['x-ignored-fields']], [200, 'dry_run'], plain.text);
    const read = await client.get('/v1/goals?dry_run=true');
    assert.equal([read.status, read.headers['x-ignored-fields']], [200, 'dry_run']);
  });

  test('what knows of it takes it spelt as it is alone', async () => {
    const { goal_id: id } = await made('/v1/goals', { name: 'Sales', target: 'sales', horizon: 6 });
    for (const query of ['dryRun=true', 'dry-run=true']) {
      const { status, body } = await client.delete(`/v1/goals/${id}?${query}`);
      assert.equal([status, body.detail[0]!.msg], [422, 'is not known here; did you mean dry_run?']);
    }
    for (const query of ['dry_run=1', 'dry_run=yes', 'dry_run'])
      assert.is((await client.delete(`/v1/goals/${id}?${query}`)).status, 422);
    assert.is((await client.get(`/v1/goals/${id}`)).status, 200);
  });
});
