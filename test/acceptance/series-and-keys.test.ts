import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { daily, noise } from './series.js';
import { at, DAY, deploy, forecast, openWorld, places, push, refused, type World } from './world.js';

// Forecasts of signals that the workspace has (specification 2.10, 4.10; open-parts 12, 32.25).
// Readings: a base key that has entities forecasts each `<base>__<entity>`, by its whole key, in the order of
// keys; a key that is a signal itself forecasts that signal.

const FROM = Date.UTC(2026, 0, 1);

suite('acceptance: forecasts of signals', test => {
  let world: World;
  let id = '';
  const orders = daily(150);
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api, 'nano', { horizon: 7 });
    await push(world.api, 'shop.orders', orders, { from: FROM });
  });
  test.after(() => world.close());

  const ask = (more: object) => world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, ...more });
  const answerTo = (more: object): Promise<Json> => forecast(world.api, { promotion_id: id, ...more });
  const inline = (values: readonly number[], name: string, from = FROM, step_s = 86_400) => ({
    series: [{ id: name, start: at(from), step_s, values }],
  });

  test('a signal is forecast as the same values in the request are', async () => {
    const answer = await answerTo({ key: 'shop.orders' });
    assert.equal([answer.step_s, answer.horizon, answer.usage.input_points], [86_400, 7, 150]);
    assert.is(answer.metadata.data_cutoff, at(FROM + 149 * DAY));
    assert.is(answer.forecasts[0].points[0].ts, at(FROM + 150 * DAY));
    const same = await answerTo(inline(orders, 'shop.orders'));
    assert.equal(answer.forecasts, same.forecasts);
    assert.ok(answer.metadata.provenance.event_log_position !== null);
  });

  test('points pushed late and out of order stand where they belong; a revised value counts', async () => {
    const values = noise(60);
    for (const [from, to] of [
      [40, 60],
      [0, 20],
      [20, 40],
    ] as const)
      await push(world.api, 'late', values.slice(from, to), { from: FROM + from * DAY });
    assert.equal(
      (await answerTo({ key: 'late' })).forecasts,
      (await answerTo(inline(values, 'late'))).forecasts,
    );
    await push(world.api, 'late', [90], { from: FROM + 59 * DAY });
    const revised = [...values.slice(0, 59), 90];
    assert.equal(
      (await answerTo({ key: 'late' })).forecasts,
      (await answerTo(inline(revised, 'late'))).forecasts,
    );
  });

  test('only the newest that the model can read are read of a long signal', async () => {
    const values = noise(3_000, 5);
    await push(world.api, 'long', values, { from: FROM, step: 3_600_000 });
    const { metadata, usage, forecasts, step_s } = await answerTo({ key: 'long' });
    assert.is(step_s, 3_600);
    assert.is(metadata.lookback_used, 2048);
    assert.is(usage.input_points, 2048);
    const newest = inline(values.slice(-2048), 'long', FROM + (3_000 - 2048) * 3_600_000, 3_600);
    assert.equal(forecasts, (await answerTo(newest)).forecasts);
  });

  test('steps that a signal lacks are filled and counted', async () => {
    const values = noise(80, 6);
    await push(world.api, 'holes', values.slice(0, 30), { from: FROM });
    await push(world.api, 'holes', values.slice(33), { from: FROM + 33 * DAY });
    const { metadata, forecasts } = await answerTo({ key: 'holes' });
    assert.is(metadata.filled_points, 3);
    const holes = values.map((value, i) => (i >= 30 && i < 33 ? null : value));
    const same = await answerTo({
      series: [{ id: 'holes', start: at(FROM), step_s: 86_400, values: holes }],
    });
    assert.equal(forecasts, same.forecasts);
  });

  test('a base key forecasts each of its entities', async () => {
    const cities = ['berlin', 'hamburg', 'münchen'];
    for (const [i, entity] of cities.entries()) {
      const points = daily(100, { seed: 20 + i }).map((value, day) => ({
        key: 'branch.orders',
        entity,
        value,
        timestamp: at(FROM + day * DAY),
      }));
      assert.is((await world.api.post<Json>('/v1/signal/push', { points })).body.data.accepted, 100);
    }
    await push(world.api, 'branch.ordersmore', noise(50), { from: FROM });
    const all = await answerTo({ key: 'branch.orders' });
    assert.equal(
      all.forecasts.map((each: Json) => each.id),
      cities.map(city => `branch.orders__${city}`),
    );
    assert.is(all.usage.series, 3);
    for (const [i, city] of cities.entries()) {
      const alone = await answerTo({ key: `branch.orders__${city}` });
      assert.equal(alone.forecasts, [all.forecasts[i]]);
    }
  });

  test('a key that there is not is 404 and named; a deleted one, too', async () => {
    assert.match(refused(await ask({ key: 'shop.nothing' }), 404).message, 'shop.nothing');
    await push(world.api, 'gone', noise(40), { from: FROM });
    await answerTo({ key: 'gone' });
    await world.api.post('/v1/signal/delete', { keys: ['gone'] });
    assert.match(refused(await ask({ key: 'gone' }), 404).message, 'gone');
  });

  test('odd keys are keys', async () => {
    for (const key of ['a/b c,d', '__proto__', 'ключ 🔑', 'constructor', "it's 100%"]) {
      await push(world.api, key, noise(30), { from: FROM });
      const { forecasts } = await answerTo({ key });
      assert.equal([forecasts[0].id, forecasts[0].points.length], [key, 7]);
    }
  });

  test('a signal and numbers that cannot be forecast are refused, not answered with rubbish', async () => {
    const key = '';
    assert.match(places(await ask({ key })).join(), 'body.key');
    assert.match(places(await ask({ key: 7 })).join(), 'body.key');
    await push(world.api, 'huge', [1e300, -1e300, 1e300, 1e300], { from: FROM });
    const huge = await ask({ key: 'huge' });
    assert.ok(huge.status === 422 || huge.status === 200, huge.text);
    if (huge.status === 200) assert.is(/null|NaN|Infinity/.test(JSON.stringify(huge.body.forecasts)), false);
  });
});
