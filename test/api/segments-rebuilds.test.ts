import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
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

/** Rows of a block; the table has two of them and a part of a third. */
const BLOCK = 4_096;
const SPAN = 9_000;

suite('rebuilds go on from where something changed', test => {
  const folder = temporaryFolder();
  let running: Running;
  let id: string;
  let newest: string;
  const encodings = ['count', 'value', 'decay'];
  const body = recipe({
    target: 'again.orders',
    inputs: [
      { key: 'again.visitors', lag_s: 7_200 },
      { key: 'again.size', role: 'static' },
    ],
    fill: { method: 'linear', max_gap_steps: 3 },
    normalization: { method: 'zscore', scope: 'global' },
    event_streams: encodings.map(encoding => ({ stream: 'again-news', encoding, half_life_s: 9_000 })),
    features: [
      { name: 'week', kind: 'rolling', params: { column: 'again.orders', window: 168, fn: 'std' } },
      { name: 'smooth', kind: 'ewm', params: { column: 'again.visitors', alpha: 0.1 } },
      { name: 'wave', kind: 'fourier', params: { period_s: 86_400, order: 2 } },
      { name: 'free', kind: 'holiday', params: { country: 'DE' } },
    ],
  });
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  const event = async (hour: number, text: string, value: number): Promise<string> => {
    const given = { key: 'again-news', text, occurred_at: isoOf(START_S + hour * HOUR_S), value };
    const { status, text: answer, json } = await call('POST', '/v1/event/record', { body: given });
    assert.is(status, 200, answer);
    return json.event_id ?? json.data.event_id;
  };
  const fitted = async (segmentId: string): Promise<Json> =>
    (await call('GET', `/v1/segment/${segmentId}/normalization`)).json.data.params;

  test.before(async () => {
    // All that the tests tell of has happened
    running = await startPlatform(folder.path, { clock: () => Date.now() + 10 * SPAN * HOUR_S * 1_000 });
    const wave = (i: number): number => 50 + Math.round(100 * Math.sin(i / 9)) / 7;
    await push(running, 'again.orders', hours(SPAN, wave));
    await push(
      running,
      'again.visitors',
      hours(SPAN, i => wave(i * 3)).filter((_, i) => i % 11 !== 5),
    );
    await push(running, 'again.size', [[START_S, 3]]);
    for (const hour of [100, 5_000]) await event(hour, `At ${hour}`, hour);
    newest = await event(8_900, 'The newest', 4);
    ({ segment_id: id } = await create(running, body));
    const first = await settled(running, id, 'ready');
    assert.equal([first.row_count, first.rebuilt_rows], [SPAN, SPAN]);
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  /** The segment once it was built again; it must be as one that was built from nothing. */
  async function rebuilt(): Promise<Json> {
    const { built_at } = (await call('GET', `/v1/segment/${id}`)).json.data;
    assert.is((await call('POST', `/v1/segment/${id}/rebuild`)).status, 202);
    const again = await settled(running, id, 'ready', segment => segment.built_at !== built_at);
    const { segment_id: other } = await create(running, body);
    const fresh = await settled(running, other, 'ready');
    assert.is(fresh.rebuilt_rows, fresh.row_count);
    const members = ({ row_count, columns, data_cutoff, table_hash, quality }: Json): Json => ({
      ...{ row_count, columns, data_cutoff, table_hash, quality },
    });
    assert.equal(members(again), members(fresh));
    assert.is(sha256((await csvOf(running, id)).text), again.table_hash);
    assert.equal(await fitted(id), await fitted(other));
    await call('DELETE', `/v1/segment/${other}`);
    return again;
  }
  const madeAgain = async (): Promise<number> => (await rebuilt()).rebuilt_rows;

  test('a new day', async () => {
    await push(
      running,
      'again.orders',
      hours(24, i => i, SPAN),
    );
    await settled(running, id, 'stale');
    assert.is(await madeAgain(), SPAN + 24 - 2 * BLOCK);
  });

  test('nothing', async () => assert.is(await madeAgain(), SPAN + 24 - 2 * BLOCK));

  test('a late event, one that is withdrawn, and a new value of one', async () => {
    const late = await event(6_000, 'It was not known', 7);
    await settled(running, id, 'stale');
    assert.is(await madeAgain(), SPAN + 24 - BLOCK);
    const { status } = await call('PATCH', `/v1/event/${late}`, { body: { value: 9 } });
    assert.is(status, 200);
    assert.is(await madeAgain(), SPAN + 24 - BLOCK);
    assert.is((await call('DELETE', `/v1/event/${newest}`)).status, 200);
    assert.is(await madeAgain(), SPAN + 24 - 2 * BLOCK);
    assert.is((await call('DELETE', `/v1/event/${late}`)).status, 200);
    assert.is(await madeAgain(), SPAN + 24 - BLOCK);
  });

  test('a revision of the far past, a hole that is filled, a static value', async () => {
    await push(running, 'again.visitors', [[START_S + 4_200 * HOUR_S, 1]]);
    assert.is(await madeAgain(), SPAN + 24 - BLOCK);
    await push(running, 'again.orders', [[START_S, 1]]);
    assert.is(await madeAgain(), SPAN + 24);
    await push(running, 'again.visitors', [[START_S + (BLOCK + 5) * HOUR_S, 1]]);
    assert.is(await madeAgain(), SPAN + 24 - BLOCK);
    await push(running, 'again.size', [[START_S, 4]]);
    assert.is(await madeAgain(), SPAN + 24);
  });

  test('a signal that is deleted and comes back with fewer points', async () => {
    const gone = { keys: ['again.visitors'], force: true };
    const { status, text } = await call('POST', '/v1/signal/delete', { body: gone });
    assert.is(status, 200, text);
    await push(
      running,
      'again.visitors',
      hours(SPAN - 10, i => i % 10),
    );
    assert.is(await madeAgain(), SPAN + 24);
    assert.is(await madeAgain(), SPAN + 24 - 2 * BLOCK);
  });

  test('another normalisation, and back: rows stay, and are taken over', async () => {
    const path = `/v1/segment/${id}/normalization`;
    const other = { method: 'none', scope: 'global' };
    assert.is((await call('PUT', path, { body: other })).status, 200);
    assert.is((await settled(running, id, 'ready')).rebuilt_rows, SPAN + 24 - 2 * BLOCK);
    assert.is((await call('PUT', path, { body: { method: 'zscore', scope: 'global' } })).status, 200);
    assert.is((await settled(running, id, 'ready')).rebuilt_rows, SPAN + 24 - 2 * BLOCK);
    assert.is(await madeAgain(), SPAN + 24 - 2 * BLOCK);
  });

  test('another feature, and back: what was made of another recipe is not taken over', async () => {
    const path = `/v1/segment/${id}/features`;
    const lag = { kind: 'lag', name: 'earlier', params: { column: 'again.orders', steps: 3 } };
    const added = await call('POST', path, { body: lag });
    assert.ok(added.status < 300, added.text);
    assert.is((await settled(running, id, 'ready')).rebuilt_rows, SPAN + 24);
    const feature = added.json.data.feature_id as string;
    assert.is((await call('DELETE', `${path}/${feature}`)).status, 200);
    assert.is((await settled(running, id, 'ready')).rebuilt_rows, SPAN + 24);
    assert.is(await madeAgain(), SPAN + 24 - 2 * BLOCK);
  });

  test('files that are damaged or gone are made again', async () => {
    const shelf = `${running.platform.config.DATA_DIR}/tables/${id}`;
    const names = readdirSync(shelf);
    for (const [i, name] of names.entries()) if (i % 2 === 0) rmSync(`${shelf}/${name}`);
    await madeAgain();
    for (const [i, name] of names.entries()) if (i % 2 === 1) writeFileSync(`${shelf}/${name}`, 'damaged');
    await madeAgain();
    assert.is(await madeAgain(), SPAN + 24 - 2 * BLOCK);
  });
});
