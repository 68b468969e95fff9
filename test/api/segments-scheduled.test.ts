import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { create, HOUR_S, hours, isoOf, push, recipe, settled, START_S } from './segments-world.js';

const MINUTE = 60_000;
const COUNT = 100;
const encodings = ['count', 'value', 'decay'];
const names = encodings.map(encoding => `plans:${encoding}`);

suite('scheduled events in tables', test => {
  const folder = temporaryFolder();
  // Within the step of the last point
  let now = (START_S + (COUNT - 1) * HOUR_S) * 1_000 + 30 * MINUTE;
  let running: Running;
  let id: string;
  let watch: string;
  let quiet: Json;
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  const done = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, text, json } = await call(method, path, body && { body });
    assert.is(status, 200, text);
    return json.data;
  };
  const record = async (key: string, text: string, at: number, value = 1): Promise<string> =>
    (await done('POST', '/v1/event/record', { key, text, occurred_at: at, value })).event_id;
  const change = (event: string, to: object) => done('PATCH', `/v1/event/${event}`, to);
  const segment = (): Promise<Json> => done('GET', `/v1/segment/${id}`);
  const rebuilt = async (of = id): Promise<Json> => {
    now += 1_000;
    const { built_at } = await done('GET', `/v1/segment/${of}`);
    assert.is((await call('POST', `/v1/segment/${of}/rebuild`)).status, 202);
    return settled(running, of, 'ready', ({ built_at: at }) => at !== built_at);
  };
  const last = async (): Promise<Json> =>
    (await done('GET', `/v1/segment/${id}/rows?limit=1&offset=${COUNT - 1}`)).rows[0];
  /** Nothing came of what was done: what happened after it has made another table stale. */
  async function nothingCame(): Promise<void> {
    await record('others', `At ${now}`, now - MINUTE);
    await settled(running, watch, 'stale');
    assert.is((await segment()).status, 'ready');
    await rebuilt(watch);
    assert.is((await rebuilt()).table_hash, quiet.table_hash);
    for (const name of names) assert.is((await last())[name], 0, name);
  }

  test.before(async () => {
    running = await startPlatform(folder.path, { clock: () => now });
    await push(
      running,
      'shop.orders',
      hours(COUNT, i => i % 24),
    );
    const of = (stream: string): object =>
      recipe({ event_streams: encodings.map(encoding => ({ stream, encoding, half_life_s: HOUR_S })) });
    ({ segment_id: id } = await create(running, of('plans')));
    ({ segment_id: watch } = await create(running, of('others')));
    quiet = await settled(running, id, 'ready');
    await settled(running, watch, 'ready');
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  let planned: string;
  test('change nothing before their time, nor does what is changed in them', async () => {
    planned = await record('plans', 'Sale', now + 10 * MINUTE);
    await nothingCame();
    await change(planned, { value: 5 });
    await change(planned, { occurred_at: now + 15 * MINUTE });
    await nothingCame();
    const gone = await record('plans', 'Another sale', now + 15 * MINUTE);
    await done('DELETE', `/v1/event/${gone}`);
    await nothingCame();
  });

  test('make the table stale when they come due, and count from then on', async () => {
    const before = now;
    now += 20 * MINUTE;
    assert.is((await settled(running, id, 'stale')).changed_rows, 1);
    const ready = await rebuilt();
    assert.is.not(ready.table_hash, quiet.table_hash);
    const { 'plans:count': count, 'plans:value': value, 'plans:decay': decay } = await last();
    assert.equal([count, value], [1, 5]);
    assert.ok(decay > 0.5 && decay < 1, `${decay}`);
    const then = `?as_of=${isoOf(before / 1_000)}`;
    const seen = await done('POST', `/v1/segment/${id}/preview${then}`, {});
    assert.is(seen.rows.at(-1)['plans:count'], 0, 'as it was known then');
  });

  test('are taken out again where they are put off', async () => {
    await change(planned, { occurred_at: now + 3 * MINUTE });
    await settled(running, id, 'stale');
    assert.is((await rebuilt()).table_hash, quiet.table_hash);
    await nothingCame();
    await change(planned, { occurred_at: now - MINUTE });
    assert.is((await settled(running, id, 'stale')).changed_rows, 1);
    assert.is.not((await rebuilt()).table_hash, quiet.table_hash);
  });
});
