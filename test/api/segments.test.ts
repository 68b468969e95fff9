import { readdirSync } from 'node:fs';
import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import {
  create,
  csvOf,
  HOUR_S,
  hours,
  isoOf,
  push,
  recipe,
  settled,
  sha256,
  START_S,
} from './segments-world.js';

suite('segments over HTTP', test => {
  const folder = temporaryFolder();
  let running: Running;
  test.before(async () => {
    running = await startPlatform(folder.path);
    await push(
      running,
      'shop.orders',
      hours(200, i => i % 24),
    );
    await push(
      running,
      'shop.visitors',
      hours(200, i => i * 2),
    );
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);

  test('a segment is made, built, and its rows are what the hash is of', async () => {
    const features = [
      { name: 'orders_before', kind: 'lag', params: { column: 'shop.orders', steps: 1 } },
      { name: 'hour', kind: 'calendar', params: { part: 'hour' } },
    ];
    const made = await create(running, recipe({ inputs: [{ key: 'shop.visitors' }], features }));
    assert.is(made.status, 'building');
    assert.is(made.table_hash, null);
    const ready = await settled(running, made.segment_id, 'ready');
    assert.equal([ready.row_count, ready.column_count, ready.version], [200, 4, 1]);
    assert.equal(
      ready.columns.map(({ name }: { name: string }) => name),
      ['shop.orders', 'shop.visitors', 'hour', 'orders_before'],
    );
    assert.is(ready.data_cutoff, isoOf(START_S + 199 * HOUR_S));
    const csv = await csvOf(running, made.segment_id);
    assert.is(csv.headers.get('content-type'), 'text/csv; charset=utf-8');
    assert.is(sha256(csv.text), ready.table_hash);
    const lines = csv.text.split('\n');
    assert.is(lines[0], 'ts,shop.orders,shop.visitors,hour,orders_before');
    assert.is(lines[1], '2026-01-05T00:00:00.000Z,0,0,0,');
    assert.is(lines[30], '2026-01-06T05:00:00.000Z,5,58,5,4');
    const page = await call('GET', `/v1/segment/${made.segment_id}/rows?limit=2&offset=29`);
    assert.equal(page.json.data.rows[0], {
      ts: '2026-01-06T05:00:00.000Z',
      'shop.orders': 5,
      'shop.visitors': 58,
      hour: 5,
      orders_before: 4,
    });
    const { total, limit, offset, has_more } = page.json.data;
    assert.equal([total, limit, offset, has_more], [200, 2, 29, true]);
  });

  test('new points make it stale, and a rebuild is as a build from nothing', async () => {
    const features = [
      { name: 'mean_day', kind: 'rolling', params: { column: 'stale.orders', window: 24, fn: 'mean' } },
    ];
    await push(
      running,
      'stale.orders',
      hours(9_000, i => i % 7),
    );
    const body = recipe({ target: 'stale.orders', features });
    const { segment_id: id } = await create(running, body);
    const first = await settled(running, id, 'ready');
    const folder = `${running.platform.config.DATA_DIR}/tables/${id}`;
    const before = new Set(readdirSync(folder));
    await push(
      running,
      'stale.orders',
      hours(5, i => i % 7, 9_000),
    );
    const stale = await settled(running, id, 'stale');
    assert.equal([stale.changed_rows, stale.table_hash], [5, first.table_hash]);
    await push(running, 'stale.orders', [[START_S + 8_990 * HOUR_S, 77]]);
    const more = await settled(running, id, 'stale', ({ changed_rows }) => changed_rows > 5);
    assert.is(more.changed_rows, 15, 'from the revised one to the last of the new ones');
    const queued = await call('POST', `/v1/segment/${id}/rebuild`);
    assert.equal([queued.status, queued.json.status], [202, 'queued']);
    const again = await settled(running, id, 'ready');
    assert.equal([again.row_count, again.changed_rows, again.version], [9_005, null, 1]);
    const { segment_id: other } = await create(running, { ...body, name: 'Another' });
    const fresh = await settled(running, other, 'ready');
    assert.is(again.table_hash, fresh.table_hash);
    assert.is.not(again.table_hash, first.table_hash);
    const after = readdirSync(folder);
    assert.is(
      after.filter(name => before.has(name)).length,
      6,
      'two of three blocks with their checkpoints, and what is fitted, stay',
    );
    assert.is(after.length, 8, 'what no table consists of any more is gone');
  });

  test('points outside of the window, and signals that nobody named, change nothing', async () => {
    const window = { from: isoOf(START_S), to: isoOf(START_S + 48 * HOUR_S) };
    const { segment_id: id } = await create(running, recipe(window));
    const ready = await settled(running, id, 'ready');
    assert.is(ready.row_count, 48);
    await push(running, 'shop.orders', [[START_S + 48 * HOUR_S, 1_000]]);
    await push(running, 'shop.others', [[START_S, 1]]);
    await push(running, 'shop.orders', [[START_S + 47 * HOUR_S + 1, 5]]);
    const stale = await settled(running, id, 'stale');
    assert.is(stale.changed_rows, 1);
  });
});
