import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Answer, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { create, hours, isoOf, push, recipe, settled, START_S, HOUR_S } from './segments-world.js';

const lag = (name: string, column: string, steps: number) => ({
  ...{ name, kind: 'lag', params: { column, steps } },
});
const refused = ({ status, json }: Answer, expected: number, code: string): void =>
  assert.equal([status, json.error.code], [expected, code]);
const placeOf = ({ status, json }: Answer): string => {
  assert.is(status, 422);
  return json.detail[0].loc.join('.');
};

suite('parts of segments over HTTP', test => {
  const folder = temporaryFolder();
  let running: Running;
  test.before(async () => {
    running = await startPlatform(folder.path);
    await push(
      running,
      'orders',
      hours(400, i => ((i % 24) - 12) ** 2 + ((i * 7_919) % 13) / 13),
    );
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  const made = async (over: object = {}): Promise<string> =>
    (await create(running, recipe({ target: 'orders', ...over }))).segment_id;
  const versionsOf = async (id: string): Promise<Json[]> =>
    (await call('GET', `/v1/segment/${id}/versions`)).json.data.versions;

  test('features are added, changed and removed, each time as another version', async () => {
    const id = await made({ features: [lag('before', 'orders', 1)] });
    const path = `/v1/segment/${id}/features`;
    const added = await call('POST', path, { body: lag('twice', 'before', 1) });
    assert.is(added.status, 201);
    const { feature_id: second } = added.json.data;
    const listed = (await call('GET', path)).json.data;
    assert.equal([listed.total, listed.features.map(({ name }: Json) => name)], [2, ['before', 'twice']]);
    const [{ feature_id: first }] = listed.features;
    const changed = await call('PATCH', `${path}/${second}`, { body: { enabled: false } });
    assert.match(changed.headers.get('etag')!, /^"3-/, 'of the segment');
    assert.equal(changed.json.data, { feature_id: second, ...lag('twice', 'before', 1), enabled: false });
    assert.is((await call('PATCH', `${path}/${second}`, { body: { enabled: false } })).status, 200);
    assert.match(placeOf(await call('DELETE', `${path}/${first}`)), /column/);
    assert.match(placeOf(await call('POST', path, { body: lag('before', 'orders', 2) })), /name/);
    assert.match(placeOf(await call('POST', path, { body: lag('x', 'orders', 0) })), /steps/);
    assert.match(placeOf(await call('PATCH', `${path}/${second}`, { body: { kind: 'ewm' } })), /params/);
    refused(await call('PATCH', `${path}/ftr_none`, { body: {} }), 404, 'not_found');
    assert.equal((await call('DELETE', `${path}/${second}`)).json, { status: 'deleted' });
    refused(await call('DELETE', `${path}/${second}`), 404, 'not_found');
    const ready = await settled(running, id, 'ready');
    assert.equal([ready.version, ready.built_version], [4, 4]);
    assert.equal(
      (await versionsOf(id)).map(({ version, features }) => [version, features.length]),
      [
        [4, 1],
        [3, 2],
        [2, 2],
        [1, 1],
      ],
    );
  });

  test('what is meant for an older revision is refused; a build that ends refuses nobody', async () => {
    const id = await made();
    const first = await call('GET', `/v1/segment/${id}`);
    const etag = first.headers.get('etag')!;
    await settled(running, id, 'ready');
    const put = (headers: Record<string, string>, name: string) =>
      call('PUT', `/v1/segment/${id}`, { headers, body: recipe({ target: 'orders', name }) });
    const renamed = await put({ 'if-match': etag }, 'By the hour');
    assert.equal([renamed.status, renamed.json.data.version, renamed.json.data.status], [200, 1, 'ready']);
    const late = await put({ 'if-match': etag }, 'Too late');
    refused(late, 409, 'version_conflict');
    assert.is(late.json.error.details.version, 2);
    refused(
      await call('DELETE', `/v1/segment/${id}`, { headers: { 'if-match': etag } }),
      409,
      'version_conflict',
    );
    assert.is((await call('GET', `/v1/segment/${id}`)).json.data.name, 'By the hour');
  });

  test('normalisation is set, and what was fitted is told once it is built', async () => {
    const split = { folds: 2, horizon: 10, gap: 5 };
    const id = await made({ split });
    const path = `/v1/segment/${id}/normalization`;
    const seen = (await call('GET', path)).headers.get('etag')!;
    const put = () => call('PUT', path, { body: { method: 'zscore' }, headers: { 'if-match': seen } });
    const set = await put();
    assert.match(set.headers.get('etag')!, /^"2-/);
    refused(await put(), 409, 'version_conflict');
    assert.equal(set.json.data, {
      ...{ as_of: null, method: 'zscore', scope: 'global', fitted_on: null, params: null, folds: null },
    });
    assert.is((await settled(running, id, 'ready')).version, 2);
    const { data } = (await call('GET', path)).json;
    assert.equal(
      data.folds.map(({ fitted_on }: Json) => fitted_on),
      [375, 385].map(end => ({ from: isoOf(START_S), to: isoOf(START_S + end * HOUR_S) })),
    );
    assert.equal([data.fitted_on, data.params], [data.folds[1].fitted_on, data.folds[1].params]);
    assert.equal(Object.keys(data.params.orders), ['mean', 'std']);
    assert.is((await call('PUT', path, { body: { method: 'zscore' } })).status, 200);
    assert.is((await versionsOf(id)).length, 2, 'the same again makes no version');
    assert.match(placeOf(await call('PUT', path, { body: { method: 'guess' } })), /method/);
  });

  test('features are suggested by what they take off the error, and can be taken', async () => {
    const id = await made();
    const path = `/v1/segment/${id}/features`;
    const suggested = await call('POST', `${path}/suggest`);
    assert.is(suggested.status, 200);
    assert.match(suggested.headers.get('ratelimit-policy')!, /heavy/);
    const { suggestions, message } = suggested.json.data;
    assert.is(message, null);
    const [best, ...others] = suggestions;
    assert.ok(best.lift > 0.3, JSON.stringify(best));
    assert.ok(others.every(({ lift }: Json) => lift <= best.lift));
    const { kind, params } = best;
    assert.is((await call('POST', path, { body: { name: 'best', kind, params } })).status, 201);
    const ready = await settled(running, id, 'ready', ({ version }) => version === 2);
    assert.ok(ready.column_count > 1);
    await push(
      running,
      'level',
      hours(400, () => 7),
    );
    const nothing = await call('POST', `/v1/segment/${await made({ target: 'level' })}/features/suggest`);
    assert.equal(nothing.json.data.suggestions, []);
    assert.match(nothing.json.data.message, /^None of \d+ features/);
  });

  test('a past moment shows segments, features and normalisation as they were', async () => {
    const id = await made({ name: 'First', features: [lag('before', 'orders', 1)] });
    const first = await settled(running, id, 'ready');
    const then = new Date(running.platform.clock()).toISOString();
    await until(async () => running.platform.clock() > Date.parse(then), 'a moment later');
    const later = await made({ name: 'Later' });
    await call('POST', `/v1/segment/${id}/features`, { body: lag('twice', 'before', 1) });
    await call('PUT', `/v1/segment/${id}/normalization`, { body: { method: 'zscore' } });
    await settled(running, id, 'ready', ({ version }) => version === 3);
    const at = async (path: string): Promise<Json> => {
      const { status, text, headers, json } = await call('GET', `/v1/segment${path}?as_of=${then}`);
      assert.is(status, 200, text);
      assert.equal([headers.get('x-as-of'), json.data.as_of], [then, then], path);
      return json.data;
    };
    const { segments, total } = await at('');
    assert.is(total, segments.length);
    assert.not.ok(segments.some(({ segment_id }: Json) => segment_id === later));
    assert.equal([segments[0].segment_id, segments[0].version, segments[0].status], [id, 1, 'ready']);
    assert.equal((await at(`/${id}`)).table_hash, first.table_hash);
    assert.is((await at(`/${id}/features`)).total, 1);
    assert.is((await at(`/${id}/normalization`)).method, 'none');
    assert.is((await at(`/${id}/rows`)).table_hash, first.table_hash);
    refused(await call('GET', `/v1/segment/${later}?as_of=${then}`), 404, 'not_found');
  });

  test('a deleted segment is gone, with its versions and its table', async () => {
    const id = await made();
    await settled(running, id, 'ready');
    assert.equal((await call('DELETE', `/v1/segment/${id}`)).json, { status: 'deleted' });
    for (const path of ['', '/versions', '/versions/1', '/rows', '/features', '/normalization'])
      refused(await call('GET', `/v1/segment/${id}${path}`), 404, 'not_found');
    for (const path of ['/preview', '/features/suggest', '/rebuild'])
      refused(await call('POST', `/v1/segment/${id}${path}`, { body: {} }), 404, 'not_found');
    refused(await call('DELETE', `/v1/segment/${id}`), 404, 'not_found');
  });

  test('signals in use are deleted with force alone: the table stays, and is stale', async () => {
    await push(
      running,
      'short.lived',
      hours(40, i => i),
    );
    const id = await made({ target: 'short.lived' });
    const ready = await settled(running, id, 'ready');
    const deletion = { keys: ['short.lived'] };
    const used = await call('POST', '/v1/signal/delete', { body: deletion });
    refused(used, 409, 'IN_USE');
    const [user] = used.json.error.details.users;
    assert.equal([user.kind, user.id], ['segment', id]);
    await call('POST', '/v1/signal/delete', { body: { ...deletion, force: true } });
    const stale = await settled(running, id, 'stale');
    assert.equal([stale.table_hash, stale.changed_rows], [ready.table_hash, 40]);
    assert.is((await call('GET', `/v1/segment/${id}/rows`)).json.data.total, 40);
    await call('POST', `/v1/segment/${id}/rebuild`);
    const failed = await settled(running, id, 'failed');
    assert.equal([typeof failed.error.code, failed.table_hash], ['string', ready.table_hash]);
  });
});
