import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { connect } from './socket.js';
import { built, column, create, csvOf, daily, day, FROM, inStatus, iso, near } from './tables.js';
import { pushDays, rowsOf, segment, sha256 } from './tables.js';
import { expected, openWorld, places, push, refused, tokenOf, type World } from './world.js';

// The life of a segment: made, looked at, built, versions of it, stale and built anew, in use, deleted
// (open-parts 0.2, 7, 22, 29.5, 32.8, 32.11, 32.13). Readings: a table as text has a line for each row, with
// what is missing left empty.

suite('acceptance: segments', test => {
  let world: World;
  const y = [1, 2, null, 4, 5, 6, 7, 8.5];
  const x = [10, 20, 30, 40, 50, 60, 70, 80];
  const inputs = [{ key: 'x', role: 'past' }];
  const path = (id: string, below = '') => `/v1/segment/${id}${below}`;
  const rebuild = async (id: string) => expected(await world.api.post<Json>(path(id, '/rebuild'), {}), 202);
  const stale = (id: string) => inStatus(world.api, id, 'stale');
  test.before(async () => {
    world = await openWorld();
    await pushDays(world.api, 'y', y);
    await pushDays(world.api, 'x', x);
  });
  test.after(() => world.close());

  test('it is made, built and told, and listeners hear of it', async () => {
    const { token } = await tokenOf(world.api, ['workspaces.read', 'segments.read']);
    const socket = await connect(world.running.base, token);
    await socket.subscribe(`workspace:${world.running.installed.workspaceId}`);
    const recipe = daily('y', { name: 'Sales', description: 'of the shop', inputs });
    const { data } = expected(await create(world.api, recipe), 201);
    assert.ok(['building', 'ready'].includes(data.status));
    const made = await inStatus(world.api, data.segment_id, 'ready');
    assert.equal([made.name, made.description, made.target], ['Sales', 'of the shop', 'y']);
    assert.equal([made.step_s, made.timezone, made.aggregate], [86_400, 'UTC', 'last']);
    assert.equal([made.version, made.row_count, made.from, made.to], [1, 8, null, null]);
    assert.equal(
      made.columns.map(({ name, role, missing_ratio }: Json) => ({ name, role, missing_ratio })),
      [
        { name: 'y', role: 'target', missing_ratio: 0.125 },
        { name: 'x', role: 'past', missing_ratio: 0 },
      ],
    );
    for (const name of ['created_at', 'updated_at', 'built_at', 'data_cutoff'])
      assert.match(made[name], /Z$/);
    const heard = await socket.heard(
      'segment.updated',
      frame => frame.data.segment_id === made.segment_id && frame.data.status === 'ready',
    );
    assert.is(heard.data.version, 1);
    socket.close();
    const list = expected(await world.api.get<Json>('/v1/segment?per_page=1')).data;
    assert.equal([list.segments[0].segment_id, list.total, list.page], [made.segment_id, 1, 1]);
    const row = expected(await world.api.get<Json>('/v1/signal?type=signal&search=x')).data.signals[0];
    assert.is(row.in_use_by.segments, 1);
  });

  test('the table as text has the hash that is told, and says what the rows say', async () => {
    const made = await built(world.api, daily('y', { inputs }));
    const text = await csvOf(world, made.segment_id);
    assert.is(sha256(text), made.table_hash);
    const [head, ...lines] = text.trim().split(/\r?\n/);
    assert.is(head, 'ts,y,x');
    assert.is(lines.length, 8);
    const rows = await rowsOf(world.api, made.segment_id);
    for (const [i, line] of lines.entries()) {
      const [ts, a, b] = line.split(',');
      assert.is(Date.parse(/^\d+$/.test(ts!) ? iso(Number(ts)) : ts!), day(i));
      assert.equal([a === '' ? null : Number(a), Number(b)], [rows[i].y, rows[i].x]);
    }
    const page = expected(await world.api.get<Json>(path(made.segment_id, '/rows?limit=3&offset=6'))).data;
    assert.equal([page.rows.length, page.total, page.limit], [2, 8, 3]);
    assert.equal([page.offset, page.has_more], [6, false]);
    assert.equal(places(await world.api.get<Json>(path(made.segment_id, '/rows?format=xml'))), [
      'query.format',
    ]);
  });

  test('the same table has the same hash, whatever the segment is called and however it came', async () => {
    const one = await built(world.api, daily('y', { name: 'One', inputs }));
    const two = await built(world.api, daily('y', { name: 'Two', description: 'Other words', inputs }));
    assert.is(two.table_hash, one.table_hash);
    assert.is.not(two.segment_id, one.segment_id);
    const other = await built(world.api, daily('y', { inputs: [{ key: 'x', role: 'past', lag_s: 86_400 }] }));
    assert.is.not(other.table_hash, one.table_hash);
    const tenant = await world.tenant();
    await pushDays(tenant, 'y', y);
    await pushDays(tenant, 'x', x);
    assert.is((await built(tenant, daily('y', { inputs }))).table_hash, one.table_hash);
    await rebuild(one.segment_id);
    await until(
      async () => (await segment(world.api, one.segment_id)).built_at !== one.built_at,
      'the rebuild',
    );
    const again = await inStatus(world.api, one.segment_id, 'ready');
    assert.equal([again.table_hash, again.version], [one.table_hash, 1]);
  });

  test('a preview shows what would be built, and keeps nothing', async () => {
    const recipe = daily('y', { inputs });
    const total = async () => expected(await world.api.get<Json>('/v1/segment')).data.total;
    const before = await total();
    const { data } = expected(await world.api.post<Json>('/v1/segment/preview', recipe));
    assert.equal([data.row_count, data.rows.length], [8, 8]);
    assert.equal(
      data.columns.map(({ name }: Json) => name),
      ['y', 'x'],
    );
    assert.ok('y' in data.plot || Array.isArray(data.plot));
    assert.is(await total(), before);
    const made = await built(world.api, recipe);
    assert.equal(data.rows, await rowsOf(world.api, made.segment_id));
    assert.equal(data.quality, made.quality);
    const over = { step_s: 172_800, aggregate: 'sum' };
    const saved = expected(await world.api.post<Json>(path(made.segment_id, '/preview'), over)).data;
    assert.is(saved.row_count, 4);
    assert.is((await segment(world.api, made.segment_id)).step_s, 86_400, 'what is saved stays');
    await push(
      world.api,
      'long',
      Array.from({ length: 250 }, (_, i) => i),
      { from: FROM },
    );
    const long = expected(await world.api.post<Json>('/v1/segment/preview', daily('long'))).data;
    assert.equal([long.row_count, long.rows.length], [250, 100]);
    assert.equal([long.rows[49].long, long.rows[50].long, long.rows[99].long], [49, 200, 249]);
    assert.equal(places(await world.api.post<Json>('/v1/segment/preview', daily('nobody'))), ['body.target']);
  });

  test('a changed recipe is a new version, the old table stays, and the same recipe makes none', async () => {
    const recipe = daily('y', { inputs });
    const made = await built(world.api, recipe);
    const before = await rowsOf(world.api, made.segment_id);
    const { etag } = (await world.api.get<Json>(path(made.segment_id))).headers;
    const put = (body: object, headers = {}) => world.api.put<Json>(path(made.segment_id), body, headers);
    const same = await put(recipe);
    assert.ok([200, 202].includes(same.status), same.text);
    assert.is((await inStatus(world.api, made.segment_id, 'ready')).version, 1);
    const changed = await put(daily('y', { aggregate: 'sum' }), { 'if-match': etag });
    assert.ok([200, 202].includes(changed.status), changed.text);
    const after = await inStatus(world.api, made.segment_id, 'ready', 2);
    assert.is.not(after.table_hash, made.table_hash);
    assert.equal(Object.keys((await rowsOf(world.api, made.segment_id))[0]), ['ts', 'y']);
    refused(await put(recipe, { 'if-match': etag }), 409, 'version_conflict');
    assert.equal(await rowsOf(world.api, made.segment_id, '&version=1'), before);
    assert.is(sha256(await csvOf(world, made.segment_id, '&version=1')), made.table_hash);
    const { versions } = expected(await world.api.get<Json>(path(made.segment_id, '/versions'))).data;
    assert.equal(versions.map(({ version }: Json) => version).toSorted(), [1, 2]);
    const first = expected(await world.api.get<Json>(path(made.segment_id, '/versions/1'))).data;
    assert.equal([first.version, first.table_hash], [1, made.table_hash]);
    assert.equal(
      (first.recipe ?? first).inputs.map(({ key }: Json) => key),
      ['x'],
    );
    refused(await world.api.get<Json>(path(made.segment_id, '/versions/3')), 404);
    refused(await world.api.get<Json>(path(made.segment_id, '/rows?version=3')), 404);
  });

  test('new points inside the window make it stale, and a rebuild takes them in', async () => {
    await push(world.api, 'grows', [1, 2, 3, 4], { from: FROM });
    const made = await built(world.api, daily('grows'));
    await push(world.api, 'grows', [4], { from: day(3) });
    await push(world.api, 'grows', [5, 6], { from: day(4) });
    const found = await stale(made.segment_id);
    assert.is(found.table_hash, made.table_hash, 'it is still usable');
    assert.match(JSON.stringify(found), /changed/);
    near(column(await rowsOf(world.api, made.segment_id), 'grows'), [1, 2, 3, 4]);
    await rebuild(made.segment_id);
    const after = await inStatus(world.api, made.segment_id, 'ready');
    assert.is.not(after.table_hash, made.table_hash);
    assert.equal([after.version, after.row_count], [1, 6], 'the recipe is as it was');
    await push(world.api, 'grows', [20], { from: day(1) });
    await stale(made.segment_id);
    await rebuild(made.segment_id);
    const revised = await inStatus(world.api, made.segment_id, 'ready');
    const fresh = await built(world.api, daily('grows'));
    assert.is(revised.table_hash, fresh.table_hash, 'as one that was built from nothing');
    assert.is(sha256(await csvOf(world, made.segment_id)), revised.table_hash);
    near(column(await rowsOf(world.api, made.segment_id), 'grows'), [1, 20, 3, 4, 5, 6]);
  });

  test('as of a past moment a table is made of what was known then', async () => {
    await push(world.api, 'revised', [1, 2, 3, 4], { from: FROM });
    const made = await built(world.api, daily('revised'));
    world.later(60_000);
    const then = iso(world.now());
    world.later(60_000);
    await push(world.api, 'revised', [20], { from: day(1) });
    await push(world.api, 'revised', [5], { from: day(4) });
    await stale(made.segment_id);
    const look = async (query: string) => {
      const answer = await world.api.post<Json>(`/v1/segment/preview${query}`, daily('revised'));
      return column(expected(answer).data.rows, 'revised');
    };
    near(await look(`?as_of=${then}`), [1, 2, 3, 4]);
    near(await look(''), [1, 20, 3, 4, 5]);
    const past = await world.api.get<Json>(path(made.segment_id, `?as_of=${then}`));
    assert.equal([past.body.data.status, past.body.data.as_of], ['ready', then]);
    assert.is(past.headers['x-as-of'], then);
    refused(await world.api.get<Json>(path(made.segment_id, `?as_of=${iso(FROM)}`)), 404);
    const list = async (moment: string): Promise<string[]> => {
      const answer = await world.api.get<Json>(`/v1/segment?per_page=100&as_of=${moment}`);
      return expected(answer).data.segments.map(({ segment_id }: Json) => segment_id);
    };
    assert.ok((await list(then)).includes(made.segment_id));
    assert.equal(await list(iso(FROM)), []);
    assert.equal(places(await world.api.get<Json>(path(made.segment_id, `?asof=${then}`))), ['query.asof']);
  });

  test('what is outside of the window, or is not new, changes nothing; events do where used', async () => {
    await push(world.api, 'window', [1, 2, 3, 4, 5, 6], { from: FROM });
    const event_streams = [{ stream: 'fairs', encoding: 'count' }];
    const made = await built(
      world.api,
      daily('window', { event_streams, from: iso(day(1)), to: iso(day(4)) }),
    );
    const other = await built(world.api, daily('window'));
    await push(world.api, 'window', [1, 2, 3], { from: FROM });
    await push(world.api, 'window', [9], { from: FROM });
    await push(world.api, 'window', [9], { from: day(4) });
    await stale(other.segment_id);
    assert.is((await segment(world.api, made.segment_id)).status, 'ready');
    const record = async (text: string, at: number) =>
      expected(await world.api.post<Json>('/v1/event/record', { key: 'fairs', text, occurred_at: at }));
    await record('before', day(0));
    await record('inside', day(2));
    await stale(made.segment_id);
    await rebuild(made.segment_id);
    await inStatus(world.api, made.segment_id, 'ready');
    near(column(await rowsOf(world.api, made.segment_id), 'fairs:count'), [0, 1, 0]);
    expected(await world.api.delete<Json>('/v1/event/streams/fairs'));
    await stale(made.segment_id);
  });

  test('a signal in use is deleted with force alone; the table stays, and is stale', async () => {
    await push(world.api, 'used', [1, 2, 3], { from: FROM });
    const made = await built(world.api, daily('used'));
    const remove = (force: boolean) => world.api.post<Json>('/v1/signal/delete', { keys: ['used'], force });
    const conflict = await remove(false);
    assert.is(refused(conflict, 409).code, 'IN_USE');
    assert.match(conflict.text, made.segment_id);
    expected(await remove(true));
    await stale(made.segment_id);
    near(column(await rowsOf(world.api, made.segment_id), 'used'), [1, 2, 3]);
    assert.is(sha256(await csvOf(world, made.segment_id)), made.table_hash);
  });

  test('a deleted segment is gone, and frees what it used', async () => {
    await push(world.api, 'freed', [1, 2, 3], { from: FROM });
    const made = await built(world.api, daily('freed'));
    assert.is(expected(await world.api.delete<Json>(path(made.segment_id))).status, 'deleted');
    for (const below of ['', '/rows', '/versions', '/features', '/normalization'])
      refused(await world.api.get<Json>(path(made.segment_id, below)), 404);
    refused(await world.api.post<Json>(path(made.segment_id, '/rebuild'), {}), 404);
    expected(await world.api.post<Json>('/v1/signal/delete', { keys: ['freed'] }));
  });

  test('everything is there after a restart, and a build that was under way is done', async () => {
    const made = await built(world.api, daily('y', { inputs }));
    const rows = await rowsOf(world.api, made.segment_id);
    const late = expected(await create(world.api, daily('x')), 201).data;
    await world.restart();
    assert.equal(await segment(world.api, made.segment_id), made);
    assert.equal(await rowsOf(world.api, made.segment_id), rows);
    near(
      column(await rowsOf(world.api, (await inStatus(world.api, late.segment_id, 'ready')).segment_id), 'x'),
      x,
    );
  });
});
