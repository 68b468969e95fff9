import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { built, column, create, daily, FROM, inStatus, near, pushDays, rowsOf, tableOf } from './tables.js';
import { expected, openWorld, places, push, refused, type World } from './world.js';

// Each kind of feature by numbers that were worked out by hand (open-parts 7, 32.8, 32.9, 32.12).
// Readings: of the days of the week Monday has the smallest number.

suite('acceptance: features', test => {
  let world: World;
  const y = [10, 12, 11, 15, 14, 18, 17, 20];
  const x = [1, 2, 4, 8, 16, 0, 64, -128];
  const table = (...features: object[]) =>
    tableOf(world.api, daily('y', { inputs: [{ key: 'x', role: 'past' }], features }));
  const of = (kind: string, params: object, name = 'f') => ({ name, kind, params, enabled: true });
  /** One table with all of these features; the columns by what stands before them. */
  const columns = async (features: Readonly<Record<string, readonly [kind: string, params: object]>>) => {
    const entries = Object.entries(features);
    const rows = await table(...entries.map(([name, [kind, params]]) => of(kind, params, name)));
    return Object.fromEntries(entries.map(([name]) => [name, column(rows, name)]));
  };
  test.before(async () => {
    world = await openWorld();
    await pushDays(world.api, 'y', y);
    await pushDays(world.api, 'x', x);
    await pushDays(world.api, 'holes', [1, 2, null, 4, 5, 6, 7, 8]);
    await pushDays(world.api, 'odd key, (1)', x);
  });
  test.after(() => world.close());

  test('a row has a time, the target, the inputs and the features by their names', async () => {
    const rows = await table(of('lag', { column: 'x', steps: 1 }, 'x before'));
    assert.equal(Object.keys(rows[0]), ['ts', 'y', 'x', 'x before']);
    assert.equal(
      rows.map(({ ts }) => ts),
      y.map((_, i) => new Date(FROM + i * 86_400_000).toISOString()),
    );
    near(column(rows, 'y'), y);
    near(column(rows, 'x'), x);
    near(column(rows, 'x before'), [null, ...x.slice(0, -1)]);
  });

  test('lag and diff', async () => {
    const { lag, one, three } = await columns({
      lag: ['lag', { column: 'y', steps: 2 }],
      one: ['diff', { column: 'y', steps: 1 }],
      three: ['diff', { column: 'y', steps: 3 }],
    });
    near(lag!, [null, null, 10, 12, 11, 15, 14, 18]);
    near(one!, [null, 2, -1, 4, -1, 4, -1, 3]);
    near(three!, [null, null, null, 5, 2, 7, 2, 6]);
  });

  test('rolling windows are full, hold the step itself, and have the deviation of a sample', async () => {
    const [a, b] = [Math.sqrt(13 / 3), Math.sqrt(7 / 3)];
    const by = {
      mean: [null, null, 11, 38 / 3, 40 / 3, 47 / 3, 49 / 3, 55 / 3],
      sum: [null, null, 33, 38, 40, 47, 49, 55],
      min: [null, null, 10, 11, 11, 14, 14, 17],
      max: [null, null, 12, 15, 15, 18, 18, 20],
      std: [null, null, 1, a, a, a, a, b],
    };
    const params = { column: 'y', window: 3 };
    const found = await columns({
      ...Object.fromEntries(Object.keys(by).map(fn => [fn, ['rolling', { ...params, fn }] as const])),
      itself: ['rolling', { ...params, window: 1, fn: 'mean' }],
    });
    for (const [fn, values] of Object.entries({ ...by, itself: y })) near(found[fn]!, values, fn);
  });

  test('ewm goes on from itself', async () => {
    const { half, whole } = await columns({
      half: ['ewm', { column: 'y', alpha: 0.5 }],
      whole: ['ewm', { column: 'y', alpha: 1 }],
    });
    near(half!, [10, 11, 11, 13, 13.5, 15.75, 16.375, 18.1875]);
    near(whole!, y);
  });

  test('parts of the calendar', async () => {
    const parts = ['hour', 'day_of_week', 'day', 'month', 'is_weekend'];
    const rows = await table(...parts.map(part => of('calendar', { part }, part)));
    near(column(rows, 'hour'), Array(8).fill(0));
    near(column(rows, 'day'), [1, 2, 3, 4, 5, 6, 7, 8]);
    near(column(rows, 'month'), Array(8).fill(1));
    near(column(rows, 'is_weekend').map(Number), [0, 0, 1, 1, 0, 0, 0, 0]);
    const [monday] = [column(rows, 'day_of_week')[4]!];
    near(
      column(rows, 'day_of_week').map(each => each! - monday),
      [3, 4, 5, 6, 0, 1, 2, 3],
    );
  });

  test('a Fourier pair turns by its period', async () => {
    const rows = await table(of('fourier', { period_s: 4 * 86_400, order: 2 }, 'w'));
    const [s1, c1, s2, c2] = ['w_sin1', 'w_cos1', 'w_sin2', 'w_cos2'].map(name =>
      column(rows, name),
    ) as number[][];
    const close = (a: number, b: number) => assert.ok(Math.abs(a - b) < 1e-9, `${a} ${b}`);
    for (let i = 0; i < 8; i++) {
      close(s1![i]! ** 2 + c1![i]! ** 2, 1);
      close(s2![i]!, 2 * s1![i]! * c1![i]!);
      close(c2![i]!, c1![i]! ** 2 - s1![i]! ** 2);
      if (i < 7) [close(s1![i + 1]!, c1![i]!), close(c1![i + 1]!, -s1![i]!)];
      if (i < 4) close(s1![i]!, s1![i + 4]!);
    }
    assert.not('w_sin3' in rows[0]);
  });

  test('holidays of a country', async () => {
    const { holiday } = await columns({ holiday: ['holiday', { country: 'DE' }] });
    near(holiday!.map(Number), [1, 0, 0, 0, 0, 0, 0, 0]);
    const fault = await create(world.api, daily('y', { features: [of('holiday', { country: 'XX' })] }));
    assert.match(places(fault)[0]!, /features.0.*country/);
  });

  test('ratio and interaction; what is not finite is null', async () => {
    const { ratio, product } = await columns({
      ratio: ['ratio', { numerator: 'y', denominator: 'x' }],
      product: ['interaction', { columns: ['y', 'x'] }],
    });
    near(ratio!, [10, 6, 2.75, 1.875, 0.875, null, 17 / 64, -20 / 128]);
    near(product!, [10, 24, 44, 120, 224, 0, 1_088, -2_560]);
  });

  test('expressions', async () => {
    const eight = (value: number) => Array<number>(8).fill(value);
    const by: [expression: string, values: (number | null)[]][] = [
      ['y + x * 2 - 1', [11, 15, 18, 30, 45, 17, 144, -237]],
      ['(y + x) / 2', [5.5, 7, 7.5, 11.5, 15, 9, 40.5, -54]],
      ['-y - -x', y.map((each, i) => x[i]! - each)],
      ['2 - 3 - 4 / 2 / 2', eight(-2)],
      ['lag(y, 1) + y', [null, 22, 23, 26, 29, 32, 35, 37]],
      ['lag(x, 2) / y', [null, null, 1 / 11, 2 / 15, 4 / 14, 8 / 18, 16 / 17, 0]],
      ['min(x, 4) + max(x, 4, 8)', [9, 10, 12, 12, 20, 8, 68, -120]],
      ['abs(x)', x.map(Math.abs)],
      ['log(x)', x.map(each => (each > 0 ? Math.log(each) : null))],
      ['1 / (x - 8)', x.map(each => (each === 8 ? null : 1 / (each - 8)))],
      ['1e2 + 0.5 + y * 0', eight(100.5)],
      ['`odd key, (1)` * 2', x.map(each => each * 2)],
    ];
    const inputs = ['x', 'odd key, (1)'].map(key => ({ key, role: 'past' }));
    const features = by.map(([expression], i) => of('expression', { expression }, `e${i}`));
    const rows = await tableOf(world.api, daily('y', { inputs, features }));
    for (const [i, [expression, values]] of by.entries()) near(column(rows, `e${i}`), values, expression);
  });

  test('an expression that is none is refused, and the place is named', async () => {
    const { segment_id } = await built(world.api, daily('y', { inputs: [{ key: 'x', role: 'past' }] }));
    const nested = `${'('.repeat(101)}y${')'.repeat(101)}`;
    for (const [expression, place] of [
      ['', /empty|end|\d/],
      ['y +', /end|\d/],
      ['y + + ', /end|\d/],
      ['(y', /end|\d/],
      ['y)', /2/],
      ['y ** 2', /[34]/],
      ['y; x', /2/],
      ['y.constructor', /y\.constructor/],
      ['nobody + 1', /nobody/],
      ['process.exit(1)', /process|\d/],
      ['eval("1")', /eval|\d/],
      ['sqrt(y)', /sqrt/],
      ['lag(y)', /6/],
      ['lag(y, 0)', /8/],
      ['lag(y, -1)', /8/],
      ['lag(y, 1.5)', /8/],
      ['lag(y, x)', /8/],
      ['log(y, x)', /6/],
      ['min()', /5/],
      ['`y', /\d/],
      ['y = x', /3/],
      [nested, /100/],
      [`y${' + y'.repeat(1_400)}`, /4,?000/],
    ] as const) {
      const params = { expression };
      const answer = await world.api.post<Json>(
        `/v1/segment/${segment_id}/features`,
        of('expression', params, 'g'),
      );
      const what = expression.slice(0, 40);
      assert.match(places(answer)[0]!, /expression/, what);
      const { msg } = answer.body.detail[0];
      assert.match(msg, place, `${what}: ${msg}`);
    }
    assert.equal((await rowsOf(world.api, segment_id)).length, 8);
  });

  test('a hole gives null wherever it is looked into', async () => {
    const features = [
      of('lag', { column: 'holes', steps: 1 }, 'lag'),
      of('diff', { column: 'holes', steps: 1 }, 'diff'),
      of('rolling', { column: 'holes', window: 2, fn: 'sum' }, 'sum'),
      of('expression', { expression: 'holes + lag(holes, 1)' }, 'both'),
    ];
    const rows = await tableOf(world.api, daily('y', { inputs: [{ key: 'holes', role: 'past' }], features }));
    near(column(rows, 'holes'), [1, 2, null, 4, 5, 6, 7, 8]);
    near(column(rows, 'lag'), [null, 1, 2, null, 4, 5, 6, 7]);
    near(column(rows, 'diff'), [null, 1, null, null, 1, 1, 1, 1]);
    for (const name of ['sum', 'both']) near(column(rows, name), [null, 3, null, null, 9, 11, 13, 15]);
  });

  test('features are added, changed, switched off and taken away, each a version that is built', async () => {
    const made = await built(world.api, daily('y'));
    const path = `/v1/segment/${made.segment_id}/features`;
    const lag = of('lag', { column: 'y', steps: 1 }, 'before');
    const added = expected(await world.api.post<Json>(path, lag), 201).data;
    assert.match(added.feature_id, /./);
    await inStatus(world.api, made.segment_id, 'ready', 2);
    near(column(await rowsOf(world.api, made.segment_id), 'before'), [null, ...y.slice(0, -1)]);
    const listed = expected(await world.api.get<Json>(path)).data.features;
    assert.equal(
      listed.map(({ name, kind, params, enabled }: Json) => ({ name, kind, params, enabled })),
      [lag],
    );
    const change = (body: object) => world.api.patch<Json>(`${path}/${added.feature_id}`, body);
    expected(await change({ params: { column: 'y', steps: 2 } }));
    await inStatus(world.api, made.segment_id, 'ready', 3);
    near(column(await rowsOf(world.api, made.segment_id), 'before'), [null, null, ...y.slice(0, -2)]);
    expected(await change({ enabled: false }));
    await inStatus(world.api, made.segment_id, 'ready', 4);
    assert.equal(Object.keys((await rowsOf(world.api, made.segment_id))[0]), ['ts', 'y']);
    const twice = await world.api.post<Json>(path, { ...lag, name: 'y' });
    assert.match(places(twice)[0]!, /name/, 'names are unique');
    for (const body of [
      of('lag', { column: 'nobody', steps: 1 }),
      of('lag', { column: 'y', steps: 0 }),
      of('rolling', { column: 'y', window: 0, fn: 'mean' }),
      of('rolling', { column: 'y', window: 2, fn: 'magic' }),
      of('ewm', { column: 'y', alpha: 1.5 }),
      of('calendar', { part: 'eon' }),
      of('fourier', { period_s: 0, order: 1 }),
      of('magic', {}),
      of('interaction', { columns: ['y', 'nobody'] }),
    ])
      assert.match(places(await world.api.post<Json>(path, body))[0]!, /params|kind/, JSON.stringify(body));
    expected(await world.api.delete<Json>(`${path}/${added.feature_id}`));
    assert.equal(expected(await world.api.get<Json>(path)).data.features, []);
    refused(await change({ enabled: true }), 404);
    refused(await world.api.delete<Json>(`${path}/ftr_nobodys`), 404);
  });

  test('suggestions are ranked by what they help on rows that were not learned from', async () => {
    const week = [5, 9, 1, 7, 3, 8, 2];
    const values = Array.from({ length: 140 }, (_, i) => week[i % 7]! * 10 + ((i * 7_919) % 13) / 13);
    await push(world.api, 'weekly', values, { from: FROM });
    const { segment_id } = await built(world.api, daily('weekly'));
    const answer = await world.api.post<Json>(`/v1/segment/${segment_id}/features/suggest`, {});
    const { suggestions } = expected(answer).data;
    assert.match(String(answer.headers['ratelimit-policy']), '"heavy"');
    assert.ok(suggestions.length > 0);
    const lifts = suggestions.map(({ lift }: Json) => lift);
    assert.equal(
      lifts,
      lifts.toSorted((a: number, b: number) => b - a),
    );
    assert.ok(lifts[0] > 0.1, `the week is found: ${JSON.stringify(suggestions[0])}`);
    const [best] = suggestions;
    expected(
      await world.api.post<Json>(`/v1/segment/${segment_id}/features`, {
        name: 'best',
        enabled: true,
        kind: best.kind,
        params: best.params,
      }),
      201,
    );
    assert.is((await inStatus(world.api, segment_id, 'ready', 2)).version, 2, 'a suggestion can be taken');
  });
});
