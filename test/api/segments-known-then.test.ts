import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { HOUR_S, hours, isoOf, push, START_S } from './segments-world.js';

const SPAN = 60;

suite('previews as of a moment', test => {
  const folder = temporaryFolder();
  const clock = { now: (START_S + 1_000 * HOUR_S) * 1_000 };
  let running: Running;
  test.before(async () => {
    running = await startPlatform(folder.path, { clock: () => clock.now });
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  const event = async (text: string, hour: number, value: number): Promise<void> => {
    const body = { key: 'then-news', text, occurred_at: isoOf(START_S + hour * HOUR_S), value };
    const { status, text: answer } = await running.call('POST', '/v1/event/record', { body });
    assert.is(status, 200, answer);
  };
  const encodings = ['count', 'value', 'decay'];
  const body = {
    target: 'then.orders',
    step_s: HOUR_S,
    inputs: [{ key: 'then.visitors' }],
    fill: { method: 'linear', max_gap_steps: 3 },
    event_streams: encodings.map(encoding => ({ stream: 'then-news', encoding, half_life_s: 9_000 })),
    features: [
      ...encodings.map(encoding => ({
        name: `mean ${encoding}`,
        kind: 'rolling',
        params: { column: `then-news:${encoding}`, window: 4, fn: 'mean' },
      })),
      { name: 'before', kind: 'lag', params: { column: 'then.orders', steps: 1 } },
    ],
  };
  const preview = async (query = ''): Promise<Json> => {
    const { status, text, json } = await running.call('POST', `/v1/segment/preview${query}`, { body });
    assert.is(status, 200, text);
    return json.data;
  };
  /** What stands in the table. */
  const table = ({ rows, row_count, quality, plot, columns }: Json): Json => ({
    ...{ rows, row_count, quality, plot, columns },
  });

  test('no point and no event that was recorded later is in a row', async () => {
    await push(
      running,
      'then.orders',
      hours(SPAN, i => i % 7),
    );
    await push(
      running,
      'then.visitors',
      hours(SPAN, i => i * 3).filter((_, i) => i % 9 !== 4),
    );
    for (const hour of [2, 3, 20, 41]) await event(`said in time ${hour}`, hour, hour);
    const moment = new Date(clock.now).toISOString();
    const before = await preview();
    assert.is(before.row_count, SPAN);
    clock.now += 1_000;
    await push(
      running,
      'then.orders',
      hours(SPAN + 5, i => 100 + i),
    );
    await push(
      running,
      'then.visitors',
      hours(SPAN + 5, i => 1_000 - i),
    );
    for (const hour of [0, 20, 21, 59]) await event(`said too late ${hour}`, hour, 1_000);
    const then = await preview(`?as_of=${moment}`);
    assert.equal(table(then), table(before));
    assert.is(then.as_of, moment);
    const now = await preview();
    assert.is(now.row_count, SPAN + 5);
    assert.is(now.rows[1]['then-news:count'], 0);
    assert.equal(
      [20, 21].map(hour => [before.rows[hour]['then-news:count'], now.rows[hour]['then-news:count']]),
      [
        [1, 2],
        [0, 1],
      ],
    );
  });
});
