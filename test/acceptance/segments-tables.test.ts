import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { built, column, create, csvOf, daily, day, FROM, inStatus, iso, near } from './tables.js';
import { previewed, pushDays, rowsOf, segment, sha256 } from './tables.js';
import { expected, openWorld, places, push, refused, type World } from './world.js';

// What stands in the rows of a table: steps, aggregates, fills, days of zones, events, entities and what is
// known ahead (open-parts 7, 32.9, 32.12, 32.13).

const HOUR = 3_600_000;

suite('acceptance: rows of tables', test => {
  let world: World;
  const input = (key: string, more: object = {}) => ({ inputs: [{ key, role: 'past', ...more }] });
  test.before(async () => {
    world = await openWorld();
    await pushDays(world.api, 'y', [1, 2, 3, 4, 5, 6, 7, 8]);
  });
  test.after(() => world.close());

  test('finer data is put together by the step that it falls into', async () => {
    const at = (hours: number) => FROM + hours * HOUR;
    const points: [number, number][] = [
      [at(0), 4],
      [at(6), 1],
      [at(23.99), 7],
      [at(24), 10],
      [at(72), -2],
      [at(80), -4],
    ];
    expected(await world.api.post<Json>('/v1/signal/push', { key: 'fine', values: points }));
    const by: Record<string, (number | null)[]> = {
      mean: [4, 10, null, -3],
      sum: [12, 10, null, -6],
      last: [7, 10, null, -4],
      min: [1, 10, null, -4],
      max: [7, 10, null, -2],
    };
    for (const [aggregate, values] of Object.entries(by)) {
      near(column(await previewed(world.api, daily('fine', { aggregate })), 'fine'), values, aggregate);
    }
    const made = await built(world.api, daily('fine'));
    assert.equal([made.row_count, made.column_count], [4, made.columns.length]);
    const span = await previewed(world.api, daily('y', { from: iso(day(1)), to: iso(day(3)) }));
    assert.equal(
      span.map(({ ts }: Json) => ts),
      [iso(day(1)), iso(day(2))],
      'the end is not in it',
    );
  });

  test('each way to fill a gap fills as much as it may, and never the target', async () => {
    const holes = [null, 1, null, 3, null, null, null, 7];
    await pushDays(world.api, 'holes', holes);
    const filled = async (method: string, max_gap_steps: number) =>
      column(
        await previewed(world.api, daily('y', { ...input('holes'), fill: { method, max_gap_steps } })),
        'holes',
      );
    near(await filled('none', 2), holes, 'none');
    near(await filled('ffill', 2), [null, 1, 1, 3, 3, 3, null, 7], 'ffill');
    near(await filled('ffill', 3), [null, 1, 1, 3, 3, 3, 3, 7], 'ffill');
    near(await filled('linear', 2), [null, 1, 2, 3, null, null, null, 7], 'linear');
    near(await filled('linear', 3), [null, 1, 2, 3, 4, 5, 6, 7], 'linear');
    near(await filled('zero', 1), [0, 1, 0, 3, null, null, null, 7], 'zero');
    near(await filled('zero', 3), [0, 1, 0, 3, 0, 0, 0, 7], 'zero');
    const made = await built(
      world.api,
      daily('y', { ...input('holes'), fill: { method: 'linear', max_gap_steps: 3 } }),
    );
    const found = made.columns.find(({ name }: Json) => name === 'holes');
    assert.equal([found.role, found.missing_ratio], ['past', 0.625], 'from before filling');
    assert.is(made.columns.find(({ name }: Json) => name === 'y').role, 'target');
    const target = daily('holes', { fill: { method: 'zero', max_gap_steps: 9 } });
    near(column(await previewed(world.api, target), 'holes'), holes.slice(1), 'the target');
  });

  test('days are those of the zone, of 23 and 25 hours, and weeks begin on Monday', async () => {
    const hours = (from: string, days: number) => {
      const start = Date.parse(from);
      return Array.from({ length: days * 24 }, (_, i) => start + i * HOUR);
    };
    for (const [key, from, count, totals, ends] of [
      [
        'spring',
        '2026-03-27T23:00:00Z',
        3,
        [24, 23, 24],
        ['2026-03-27T23', '2026-03-28T23', '2026-03-29T22'],
      ],
      [
        'autumn',
        '2026-10-23T22:00:00Z',
        3,
        [24, 25, 23],
        ['2026-10-23T22', '2026-10-24T22', '2026-10-25T23'],
      ],
    ] as const) {
      const times = hours(from, count);
      await push(
        world.api,
        key,
        times.map(() => 1),
        { from: times[0]!, step: HOUR },
      );
      const rows = await previewed(world.api, daily(key, { timezone: 'Europe/Berlin', aggregate: 'sum' }));
      near(column(rows, key).slice(0, 3), totals, key);
      assert.equal(
        rows.slice(0, 3).map(({ ts }) => ts.slice(0, 13)),
        ends,
      );
    }
    const utc = await previewed(world.api, daily('spring', { aggregate: 'sum' }));
    near(column(utc, 'spring'), [1, 24, 24, 23], 'and of UTC otherwise');
    const weeks = Date.parse('2026-03-18T23:00:00Z');
    await push(world.api, 'weeks', Array(21 * 24).fill(1), { from: weeks, step: HOUR });
    const rows = await previewed(
      world.api,
      daily('weeks', { step_s: 604_800, timezone: 'Europe/Berlin', aggregate: 'sum' }),
    );
    assert.equal(
      rows.map(({ ts }) => ts.slice(0, 13)),
      ['2026-03-15T23', '2026-03-22T23', '2026-03-29T22', '2026-04-05T22'],
    );
    near(column(rows, 'weeks'), [96, 167, 168, 73]);
    const fixed = daily('spring', { step_s: 21_600, timezone: 'Europe/Berlin', aggregate: 'sum' });
    const quarters = await previewed(world.api, fixed);
    const gaps = quarters.slice(1).map(({ ts }, i) => Date.parse(ts) - Date.parse(quarters[i].ts));
    assert.ok(
      gaps.every(gap => gap === 6 * HOUR),
      'shorter steps are fixed',
    );
    const tokyo = daily('y', {
      step_s: 86_400,
      features: [{ name: 'h', kind: 'calendar', params: { part: 'day' }, enabled: true }],
    });
    near(
      column(await previewed(world.api, { ...tokyo, timezone: 'Asia/Tokyo' }), 'h'),
      [1, 2, 3, 4, 5, 6, 7, 8],
    );
  });

  test('events are counted, decay and add up by their step', async () => {
    const record = async (text: string, occurred_at: number, value?: number) =>
      expected(await world.api.post<Json>('/v1/event/record', { key: 'promo', text, occurred_at, value }));
    await record('a', day(0), 2);
    await record('b', day(0) + 12 * HOUR, 3);
    await record('c', day(2), -1);
    await record('d', day(3) - 1);
    const event_streams = [
      { stream: 'promo', encoding: 'count' },
      { stream: 'promo', encoding: 'decay', half_life_s: 86_400 },
      { stream: 'promo', encoding: 'value' },
    ];
    const rows = await previewed(world.api, daily('y', { event_streams, to: iso(day(5)) }));
    near(column(rows, 'promo:count'), [2, 0, 2, 0, 0]);
    near(column(rows, 'promo:value'), [5, 0, -1, 0, 0]);
    const first = 2 ** -1 + 2 ** -0.5;
    const third = first / 4 + 2 ** -1 + 2 ** (-1 / 86_400_000);
    const decay = column(rows, 'promo:decay');
    near(
      decay.map(value => Number(value!.toFixed(9))),
      [first, first / 2, third, third / 2, third / 4].map(each => Number(each.toFixed(9))),
    );
    const curve = await create(
      world.api,
      daily('y', { event_streams: [{ stream: 'promo', encoding: 'response_curve' }] }),
    );
    assert.match(places(curve)[0]!, /event_streams.0/);
    assert.match(curve.text, /edge/);
  });

  test('an input may lag, and is then as it was so much before', async () => {
    await pushDays(world.api, 'x', [10, 20, 30, 40, 50, 60, 70, 80]);
    const rows = await previewed(world.api, daily('y', input('x', { lag_s: 2 * 86_400 })));
    near(column(rows, 'x'), [null, null, 10, 20, 30, 40, 50, 60]);
  });

  test('one table of all entities of a target', async () => {
    for (const [entity, values] of Object.entries({ berlin: [1, 2, 3], 'são paulo': [10, 20, 30] }))
      for (const [i, value] of values.entries()) {
        const point = { key: 'sales', entity, value, timestamp: iso(day(i)) };
        expected(await world.api.post<Json>('/v1/signal/push', point));
        const cost = { key: 'costs', entity, value: value * 2, timestamp: iso(day(i)) };
        expected(await world.api.post<Json>('/v1/signal/push', cost));
      }
    const features = [{ name: 'before', kind: 'lag', params: { column: 'sales', steps: 1 }, enabled: true }];
    const inputs = [
      { key: 'costs', role: 'past' },
      { key: 'y', role: 'past' },
    ];
    const recipe = daily('sales', { entity_mode: 'per_entity', inputs, features });
    const made = await built(world.api, recipe);
    const rows = await rowsOf(world.api, made.segment_id);
    assert.is(made.row_count, 6);
    const of = (entity: string) => rows.filter(row => row.entity === entity);
    near(column(of('berlin'), 'sales'), [1, 2, 3]);
    near(column(of('são paulo'), 'costs'), [20, 40, 60]);
    near(column(of('são paulo'), 'y'), [1, 2, 3], 'what has no entities is the same for all');
    for (const entity of ['berlin', 'são paulo'])
      assert.is(column(of(entity), 'before')[0], null, 'nothing is taken from another entity');
    near(column(of('são paulo'), 'before'), [null, 10, 20]);
    const csv = await csvOf(world, made.segment_id);
    assert.is(sha256(csv), made.table_hash);
    assert.match(csv.split(/\r?\n/)[0]!, 'entity');
  });

  test('with inputs that are known ahead the rows go on as far as the shortest of them', async () => {
    await pushDays(world.api, 'price', [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2]);
    await pushDays(world.api, 'plan', Array(13).fill(5));
    const inputs = ['price', 'plan'].map(key => ({ key, role: 'known_future' }));
    const made = await built(world.api, daily('y', { inputs }));
    const rows = await rowsOf(world.api, made.segment_id);
    near(column(rows, 'y'), [1, 2, 3, 4, 5, 6, 7, 8, null, null, null]);
    near(column(rows, 'price'), [1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2]);
    await push(world.api, 'price', [3], { from: day(11) });
    expected(await world.api.post<Json>(`/v1/segment/${made.segment_id}/rebuild`, {}), 202);
    const after = await inStatus(world.api, made.segment_id, 'ready');
    assert.is((await rowsOf(world.api, made.segment_id)).length, 12);
    assert.is(after.table_hash, made.table_hash, 'what is ahead is not in the hash of the past');
    assert.is(sha256(await csvOf(world, made.segment_id, '&ahead=false')), made.table_hash);
    const past = await built(
      world.api,
      daily('y', { inputs: inputs.map(each => ({ ...each, role: 'past' })), to: iso(day(8)) }),
    );
    assert.is(past.table_hash, made.table_hash);
  });

  test('gaps, duplicates and constant columns are told', async () => {
    await pushDays(world.api, 'flat', Array(8).fill(3));
    await pushDays(world.api, 'gappy', [1, null, null, 4, null, 6, 7, 8]);
    const inputs = ['flat', 'gappy'].map(key => ({ key, role: 'past' }));
    const { quality, data_cutoff } = await built(world.api, daily('y', { inputs }));
    assert.equal(quality.constant_columns, ['flat']);
    assert.type(quality.gaps, 'number');
    assert.ok(quality.gaps > 0);
    assert.is(quality.duplicates, 0);
    assert.equal(quality.leakage_warnings, []);
    assert.match(data_cutoff, /Z$/);
  });

  test('a million rows are the most, and steps and zones are checked', async () => {
    const fault = async (more: object) => places(await create(world.api, daily('y', more)))[0]!;
    await pushDays(world.api, 'twelve', [1, ...Array<null>(11).fill(null), 2]);
    const large = await create(world.api, daily('twelve', { step_s: 1 }));
    assert.is(refused(large, 422, 'segment_too_large').details.limit, 1_000_000);
    assert.is(await fault({ step_s: 0 }), 'body.step_s');
    assert.is(await fault({ step_s: 1.5 }), 'body.step_s');
    assert.is(await fault({ timezone: 'Mars/Phobos' }), 'body.timezone');
    assert.match(await fault({ from: iso(day(3)), to: iso(day(3)) }), /^body\.(to|from)$/);
    assert.is(await fault({ aggregate: 'median' }), 'body.aggregate');
    assert.is(await fault({ fill: { method: 'guess' } }), 'body.fill.method');
    assert.is(await fault({ target: 'nobody' }), 'body.target');
    assert.is(await fault({ inputs: [{ key: 'nobody', role: 'past' }] }), 'body.inputs.0.key');
    assert.is(await fault({ inputs: [{ key: 'x', role: 'psychic' }] }), 'body.inputs.0.role');
    assert.match(await fault({ inputs: [{ key: 'y', role: 'past' }] }), /inputs/, 'names are unique');
    assert.is(await fault({ entity_mode: 'each' }), 'body.entity_mode');
    assert.is(
      await fault({ split: { method: 'rolling_origin', folds: 21, horizon: 1, gap: 0 } }),
      'body.split.folds',
    );
    assert.is(
      await fault({ split: { method: 'random', folds: 2, horizon: 1, gap: 0 } }),
      'body.split.method',
    );
    assert.is(
      await fault({ event_streams: [{ stream: 'promo', encoding: 'decay', half_life_s: 0 }] }),
      'body.event_streams.0.half_life_s',
    );
    const split = { method: 'rolling_origin', folds: 5, horizon: 10, gap: 0 };
    const short = expected(await create(world.api, daily('y', { split })), 201).data;
    const failed = await inStatus(world.api, short.segment_id, 'failed');
    assert.match(JSON.stringify(failed.error), /fold|short|row/i);
    assert.is((await segment(world.api, short.segment_id)).table_hash, null);
  });
});
