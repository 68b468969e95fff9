import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { daily, distance, month, noise, passengers } from './series.js';
import { at, DAY, deploy, forecast, openWorld, places, quantile, refused } from './world.js';
import type { World } from './world.js';

// Forecasts of series in the request (specification 4.10; open-parts 12, 32.20, 32.25).
// Readings: `ts` is ISO; a series by the calendar (months) goes on by the calendar; `output_points` counts
// steps; without `quantiles` the seven of open-parts 12.

const START = '2026-01-01T00:00:00.000Z';
const LEVELS = [0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95];

suite('acceptance: forecasts of inline series', test => {
  let world: World;
  let id = '';
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api, 'nano', { horizon: 14 });
  });
  test.after(() => world.close());

  const even = (values: readonly (number | null)[], name = 'orders', step_s = 86_400) => ({
    id: name,
    start: START,
    step_s,
    values,
  });
  const ask = (more: object) => world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, ...more });
  const answerTo = (more: object): Promise<Json> => forecast(world.api, { promotion_id: id, ...more });
  const orders = daily(120);

  test('an answer has every field that it should', async () => {
    const answer = await answerTo({ series: [even(orders)] });
    assert.type(answer.inference_id, 'string');
    assert.equal([answer.status, answer.promotion_id, answer.goal_id], ['completed', id, null]);
    assert.equal([answer.model.family, answer.model.slug], ['presage', 'nano']);
    assert.type(answer.model.name, 'string');
    assert.type(answer.model.version, 'string');
    assert.match(answer.issued_at, /^\d{4}-\d\d-\d\dT.*\.\d{3}Z$/);
    assert.equal([answer.horizon, answer.step_s], [14, 86_400]);
    assert.equal(answer.warnings, []);
    const [only] = answer.forecasts;
    assert.equal([answer.forecasts.length, only.id, only.points.length], [1, 'orders', 14]);
    for (const [i, point] of only.points.entries()) {
      assert.is(point.ts, at(Date.parse(START) + (orders.length + i) * DAY));
      assert.equal(Object.keys(point.quantiles).map(Number).sort(), LEVELS);
      assert.is(point.mean, point.quantiles['0.5'], 'the mean is the median');
    }
    const { usage, metadata } = answer;
    assert.equal([usage.series, usage.input_points, usage.output_points], [1, 120, 14]);
    assert.type(usage.latency_ms, 'number');
    assert.type(usage.cached, 'boolean');
    assert.ok(usage.credits !== undefined);
    assert.is(metadata.data_cutoff, at(Date.parse(START) + 119 * DAY));
    assert.equal([metadata.lookback_used, metadata.filled_points], [120, 0]);
    const { method, level, n, coverage_recent, widened_by } = metadata.calibration;
    assert.ok(['conformal', 'model'].includes(method), method);
    assert.ok(Number.isInteger(n) && n >= 0 && level > 0 && level < 1);
    assert.ok(coverage_recent === null || (coverage_recent >= 0 && coverage_recent <= 1));
    if (method === 'conformal') assert.ok(n > 0 && widened_by > 0);
    assert.equal(metadata.applied_events, []);
    const { provenance } = metadata;
    for (const name of ['seed', 'inputs_hash', 'code_version', 'event_log_position'])
      assert.ok(provenance[name] !== undefined && provenance[name] !== null, name);
  });

  test('any levels may be asked for, and quantiles never cross', async () => {
    const quantiles = [0.999, 0.001, 0.333, 0.5, 0.05, 0.975, 0.1];
    const sorted = quantiles.toSorted((a, b) => a - b);
    for (const values of [
      orders,
      noise(80),
      passengers,
      [1, 2],
      Array(40).fill(7),
      daily(30, { noise: 60 }),
    ]) {
      const { forecasts } = await answerTo({ series: [even(values)], quantiles, horizon: 60 });
      for (const point of forecasts[0].points) {
        assert.is(Object.keys(point.quantiles).length, quantiles.length);
        const found = sorted.map(level => quantile([point], level)[0]!);
        assert.equal(
          found,
          found.toSorted((a, b) => a - b),
        );
        assert.ok(found.every(Number.isFinite));
      }
    }
    for (const wrong of [[0], [1], [-0.1], [0.5, 1.5], ['0.5'], 0.5])
      assert.match(places(await ask({ series: [even(orders)], quantiles: wrong })).join(), 'body.quantiles');
  });

  test('the same levels say the same, whichever others are asked for', async () => {
    const some = await answerTo({ series: [even(orders)], quantiles: [0.1, 0.9] });
    const all = await answerTo({ series: [even(orders)], quantiles: [0.05, 0.1, 0.42, 0.9] });
    for (const level of [0.1, 0.9])
      assert.equal(quantile(some.forecasts[0].points, level), quantile(all.forecasts[0].points, level));
  });

  test('months go on as months, and the forecast beats the season before', async () => {
    const points = passengers.slice(0, 120).map((value, i) => [at(month(i)), value]);
    const answer = await answerTo({ series: [{ id: 'air', points }], horizon: 24 });
    const found = answer.forecasts[0].points;
    assert.equal(
      found.map((point: Json) => point.ts),
      Array.from({ length: 24 }, (_, i) => at(month(120 + i))),
    );
    const truth = passengers.slice(120);
    const before = truth.map((_, i) => passengers[108 + (i % 12)]!);
    assert.ok(distance(quantile(found, 0.5), truth) < distance(before, truth));
    const held = truth.filter((value, i) => {
      const { quantiles } = found[i];
      return value >= quantiles['0.05'] && value <= quantiles['0.95'];
    });
    assert.ok(held.length >= 16, `the 90% band holds ${held.length} of 24`);
  });

  test('an hour, a week and times in any form are understood', async () => {
    for (const step of [3_600, 7 * 86_400]) {
      const { step_s, forecasts } = await answerTo({ series: [even(orders, 'x', step)], horizon: 2 });
      assert.is(step_s, step);
      const end = Date.parse(START) + orders.length * step * 1000;
      assert.equal(
        forecasts[0].points.map((point: Json) => point.ts),
        [at(end), at(end + step * 1000)],
      );
    }
    const timed = (form: (ms: number) => unknown) =>
      answerTo({
        series: [{ id: 'x', points: orders.map((v, i) => [form(Date.parse(START) + i * DAY), v]) }],
      });
    const first = (await timed(at)).forecasts;
    assert.equal((await timed(ms => ms)).forecasts, first);
    assert.equal((await timed(ms => ms / 1000)).forecasts, first);
    assert.equal((await answerTo({ series: [even(orders, 'x')] })).forecasts, first);
  });

  test('gaps are filled, and counted', async () => {
    const holes = [10, 11, 40, 77];
    const gappy = orders.map((value, i) => (holes.includes(i) ? null : value));
    for (const fill of ['linear', 'ffill', 'seasonal']) {
      const { metadata, forecasts } = await answerTo({ series: [even(gappy)], fill });
      assert.is(metadata.filled_points, 4, fill);
      assert.ok(forecasts[0].points.every((point: Json) => Number.isFinite(point.mean)));
    }
    assert.is((await answerTo({ series: [even(gappy)] })).metadata.filled_points, 4, 'linear unless asked');
    assert.is((await answerTo({ series: [even(gappy)], fill: 'none' })).metadata.filled_points, 0);
    const straight = orders.map((value, i) => (i === 40 ? (orders[39]! + orders[41]!) / 2 : value));
    const one = orders.map((value, i) => (i === 40 ? null : value));
    const middle = async (asked: Json) => quantile((await answerTo(asked)).forecasts[0].points, 0.5);
    assert.equal(
      await middle({ series: [even(one)], fill: 'linear' }),
      await middle({ series: [even(straight)] }),
      'a line through a gap of one is the mean of its neighbours; bands are set right by what was known',
    );
    const missing = orders
      .map((value, i) => [Date.parse(START) + i * DAY, value])
      .filter((_, i) => !holes.includes(i));
    const fromPoints = await answerTo({ series: [{ id: 'orders', points: missing }] });
    assert.is(fromPoints.metadata.filled_points, 4, 'a step without a point is a gap');
    const several = await answerTo({ series: [even(gappy, 'a'), even(one, 'b'), even(orders, 'c')] });
    assert.is(several.metadata.filled_points, 5, 'in all');
    assert.equal(places(await ask({ series: [even(gappy)], fill: 'guess' })), ['body.fill']);
  });

  test('values that are missing at the end are forecast, not held at the last one', async () => {
    const all = daily(140);
    const values = all.map((value, i) => (i < 110 ? value : null)).slice(0, 120);
    const { forecasts } = await answerTo({ series: [even(values)] });
    const found = forecasts[0].points;
    assert.is(found[0].ts, at(Date.parse(START) + 120 * DAY), 'the next step of the series');
    assert.ok(distance(quantile(found, 0.5), all.slice(120, 134)) < 6);
  });

  test('twice the values give a forecast twice as high, and a thousand more a thousand more', async () => {
    const medians = async (values: readonly number[]) =>
      quantile((await answerTo({ series: [even(values)] })).forecasts[0].points, 0.9);
    for (const values of [orders, passengers]) {
      const plain = await medians(values);
      const spread = Math.max(...values) - Math.min(...values);
      const [twice, higher] = [
        await medians(values.map(v => 2 * v)),
        await medians(values.map(v => v + 1000)),
      ];
      for (const [i, value] of plain.entries()) {
        assert.ok(Math.abs(twice[i]! - 2 * value) < spread * 2e-3, `step ${i}: ${twice[i]} for ${value}`);
        assert.ok(
          Math.abs(higher[i]! - value - 1000) < spread * 0.02,
          `step ${i}: ${higher[i]} for ${value}`,
        );
      }
    }
  });

  test('equal inputs give equal bits, alone and in company', async () => {
    const alone = await answerTo({ series: [even(orders)] });
    const again = await answerTo({ series: [even(orders)] });
    assert.is.not(again.inference_id, alone.inference_id);
    assert.equal(again.forecasts, alone.forecasts);
    const seed = alone.metadata.provenance.seed;
    assert.is(again.metadata.provenance.seed, seed);
    const others = [noise(300), passengers, daily(64, { seed: 9 })].map((values, i) => even(values, `o${i}`));
    const company = await answerTo({ series: [others[0], even(orders), others[1], others[2]] });
    assert.equal(
      company.forecasts.map((each: Json) => each.id),
      ['o0', 'orders', 'o1', 'o2'],
    );
    assert.equal(company.forecasts[1], alone.forecasts[0]);
    const seeded = await answerTo({ series: [even(orders)], seed: 7 });
    assert.is(seeded.metadata.provenance.seed, 7);
    assert.equal((await answerTo({ series: [even(orders)], seed: 7 })).forecasts, seeded.forecasts);
    const longer = await answerTo({ series: [even(orders)], horizon: 40 });
    assert.equal(longer.forecasts[0].points.slice(0, 14), alone.forecasts[0].points);
  });

  test('what is asked wrongly is refused, and named', async () => {
    const cap = refused(
      await ask({ series: [even(orders)], horizon: 721 }),
      400,
      'horizon_above_cap',
    ).message;
    for (const part of [/horizon/, /720/]) assert.match(cap, part);
    assert.equal(places(await ask({ series: [even(orders)], horizon: 0 })), ['body.horizon']);
    const nothing = await world.api.post<Json>('/v1/inference/forecast', { series: [even(orders)] });
    assert.match(places(nothing).join(), 'promotion_id');
    assert.match(refused(await ask({}), 422).message + (await ask({})).text, /key|series/);
    refused(
      await world.api.post<Json>('/v1/inference/forecast', {
        promotion_id: 'prm_nobodys',
        series: [even(orders)],
      }),
      404,
    );
    for (const values of [[1, 'two', 3], [1, {}, 3], 5])
      assert.match(places(await ask({ series: [even(values as number[])] })).join(), 'body.series');
    for (const step_s of [0, -5, 1.5])
      assert.match(places(await ask({ series: [even(orders, 'x', step_s)] })).join(), 'step_s');
    assert.match(
      places(await ask({ series: [even(orders), even(orders)] })).join(),
      'series',
      'two of one id',
    );
    const many = Array.from({ length: 101 }, (_, i) => even([1, 2, 3], `s${i}`));
    assert.match(places(await ask({ series: many })).join(), 'body.series');
    const large = Array.from({ length: 51 }, (_, i) => even(Array(10_000).fill(1), `s${i}`));
    assert.match(places(await ask({ series: large })).join(), 'body.series', 'over 500,000 numbers');
    assert.equal(places(await ask({ series: [even(orders)], asof: START })), ['body.asof']);
    const { details } = refused(await ask({ series: [even([null, null])] }), 422, 'insufficient_history');
    assert.ok(details.needed >= 1);
    assert.is(details.got, 0);
    refused(await ask({ series: [even([])] }), 422);
  });
});
