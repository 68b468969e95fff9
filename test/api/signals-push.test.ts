import * as assert from 'uvu/assert';
import { EARLIEST, LATEST } from '../../domain/time.js';
import { suite } from '../suite.js';
import { at, HOUR, signalsApi, T0, type SignalsApi } from './signals-world.js';
import type { Json } from '../json.js';
import { pushing } from './pushing.js';

suite('pushing points', test => {
  let world: SignalsApi;
  test.before(async () => {
    world = await signalsApi();
  });
  test.after(() => world.close());

  const { fresh, pushed, pointsOf, numbers, refused } = pushing(() => world);

  test('one point is recorded at the time given, or now', async () => {
    const key = fresh();
    assert.equal(numbers(await pushed({ key, value: 1.5, timestamp: at(T0) })), {
      accepted: 1,
      revised: 0,
      duplicates: 0,
      rejected: 0,
    });
    await pushed({ key, value: 2 });
    await pushed({ key, value: 3, timestamp: null, entity: null, unit: null });
    assert.equal(await pointsOf(key), [
      [T0, 1.5],
      [world.now, 3],
    ]);
  });

  test('times are understood in each form', async () => {
    const key = fresh();
    const seconds = T0 / 1000;
    const forms = [
      seconds,
      String(seconds + 1),
      T0 + 2_000,
      at(T0 + 3_000),
      seconds + 4.5,
      '2026-01-05',
      '2026-01-05T01:00:05+01:00',
    ];
    await pushed({ key, values: forms.map((time, i) => [time, i]) });
    assert.equal(
      (await pointsOf(key)).map(([time]: [number]) => time - T0),
      [0, 1_000, 2_000, 3_000, 4_500, 5_000],
    );
  });

  test('the ends of time hold points, what lies beyond them does not', async () => {
    const key = fresh();
    assert.is(
      (
        await pushed({
          key,
          values: [
            [EARLIEST, 1],
            [LATEST, 2],
            [0, 3],
            [-1, 4],
          ],
        })
      ).accepted,
      4,
    );
    assert.equal(await pointsOf(key), [
      [EARLIEST, 1],
      [-1_000, 4],
      [0, 3],
      [LATEST, 2],
    ]);
    for (const time of [
      EARLIEST - 1,
      LATEST + 1,
      1e300,
      -1e300,
      '0000-01-01T00:00:00Z',
      '10000-01-01',
      'now',
      '',
      '2026-02-30',
    ]) {
      await refused({ key, values: [[time, 1]] }, ['body', 'values', 0, 0]);
    }
  });

  test('the same again is a duplicate, another value a revision, in one push or several', async () => {
    const key = fresh();
    const values = Array.from({ length: 10 }, (_, i) => [T0 + i, i]);
    assert.equal(numbers(await pushed({ key, values })), {
      accepted: 10,
      revised: 0,
      duplicates: 0,
      rejected: 0,
    });
    assert.equal(numbers(await pushed({ key, values })), {
      accepted: 0,
      revised: 0,
      duplicates: 10,
      rejected: 0,
    });
    assert.equal(
      numbers(await pushed({ key, values: [...values, [T0, 5], [T0 + 20, 1], [T0 + 20, 2], [T0 + 20, 2]] })),
      { accepted: 3, revised: 2, duplicates: 11, rejected: 0 },
    );
    assert.equal(
      (await pointsOf(key)).filter(([time]: [number]) => time === T0 || time === T0 + 20),
      [
        [T0, 5],
        [T0 + 20, 2],
      ],
    );
  });

  test('points of many signals, with entities, each its own', async () => {
    const key = fresh();
    const { accepted } = await pushed({
      points: [
        { key, value: 1, timestamp: T0 },
        { key, entity: 'berlin', value: 2, timestamp: T0 },
        { key, entity: 'a__b', value: 3, timestamp: T0 },
        { key: `${key}__berlin`, value: 4, timestamp: T0 + 1 },
      ],
    });
    assert.is(accepted, 4);
    assert.equal(await pointsOf(`${key}__berlin`), [
      [T0, 2],
      [T0 + 1, 4],
    ]);
    assert.equal(await pointsOf(`${key}__a__b`), [[T0, 3]]);
  });

  test('5,000 points at one time, or of 5,000 signals, are recorded', async () => {
    const key = '"嵐'.repeat(100);
    const values = Array.from({ length: 5_000 }, (_, i) => [EARLIEST, (-1 / (i + 3)) * 1e-300]);
    assert.is((await pushed({ key, values, unit: '嵐'.repeat(40) })).accepted, 5_000);
    const points = Array.from({ length: 5_000 }, (_, i) => ({ key: `many.${i}`, value: i, timestamp: T0 }));
    assert.is((await pushed({ points })).accepted, 5_000);
  });

  test('a value at once in what is read, and again after a restart', async () => {
    const key = fresh();
    for (let i = 0; i < 20; i++) {
      await pushed({ key, value: i, timestamp: T0 + i * HOUR });
      assert.equal((await pointsOf(key)).at(-1), [T0 + i * HOUR, i]);
    }
    const before = await pointsOf(key);
    await world.restart();
    assert.equal(await pointsOf(key), before);
    assert.equal((await pushed({ key, values: before })).duplicates, 20);
  });

  test('another tenant has none of it', async () => {
    const stranger = await world.stranger();
    const key = fresh();
    await pushed({ key, value: 1, timestamp: T0 });
    assert.equal((await stranger.get<Json>('/v1/signal/has-data')).body, {
      has_data: false,
      signal_count: 0,
    });
    assert.is((await stranger.get(`/v1/signal/points?key=${key}`)).status, 404);
    assert.is(
      (await stranger.post<Json>('/v1/signal/push', { key, value: 1, timestamp: T0 })).body.data.accepted,
      1,
    );
    stranger.close();
  });
});
