import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { made, promoted } from './pipelines.js';
import { month, passengers } from './series.js';
import { built, column, create, iso, previewed, rowsOf } from './tables.js';
import { custom, openTraining, report, trained } from './training.js';
import { expected, forecast, inState, quantile, type World } from './world.js';

// A monthly series on calendar months, from the table to what serves (open-parts 7, 9, 10, 12).

const MONTH = 2_629_746;
const split = { method: 'rolling_origin', folds: 3, horizon: 12, gap: 0 };
const recipe = { name: 'Passengers by month', target: 'air', step_s: MONTH, timezone: 'UTC', split };
const months = passengers.map((_, i) => iso(month(i)));
const ahead = months.slice(0, 12).map((_, i) => iso(month(144 + i)));

suite('acceptance: tables, trainings and pipelines on calendar months', test => {
  let world: World;
  let segment: Json;
  test.before(async () => {
    world = await openTraining();
    const values = passengers.map((value, i) => [month(i), value]);
    expected(await world.api.post<Json>('/v1/signal/push', { key: 'air', values }));
    segment = await built(world.api, recipe);
  });
  test.after(() => world.close());

  test('a table has a row for each month, none merged and none missing', async () => {
    const rows = await rowsOf(world.api, segment.segment_id);
    assert.equal(
      rows.map(({ ts }) => ts),
      months,
    );
    assert.equal(column(rows, 'air'), passengers);
    const { gaps, duplicates, warnings } = segment.quality;
    assert.equal(
      [gaps, duplicates, warnings, segment.step_s, segment.step_months],
      [0, 0, undefined, MONTH, 1],
    );
    const path = `/v1/segment/${segment.segment_id}/preview`;
    const quarters = { step_s: 3 * MONTH, aggregate: 'sum' };
    const { data } = expected(await world.api.post<Json>(path, quarters));
    assert.equal(
      [data.row_count, data.rows[1].ts, data.rows[1].air],
      [48, months[3], passengers[3]! + passengers[4]! + passengers[5]!],
    );
    const same = expected(await world.api.post<Json>(path, {})).data;
    assert.equal([same.row_count, same.rows[1].ts], [144, months[1]]);
    assert.is((await previewed(world.api, { ...recipe, step_s: 12 * MONTH, split: {} })).length, 12);
  });

  test('steps of 30 days are warned of', async () => {
    const { data } = expected(await create(world.api, { ...recipe, step_s: 30 * 86_400 }), 201);
    assert.is(data.step_months, null);
    const { quality } = await built(world.api, { ...recipe, step_s: 30 * 86_400 });
    assert.is(quality.warnings[0].code, 'calendar_months');
    assert.match(quality.warnings[0].message, `A step_s of ${MONTH}`);
    assert.ok(quality.gaps > 0);
  });

  test('models are judged on true months and forecast them', async () => {
    for (const [algorithm, hyperparameters] of [
      ['seasonal_naive', { period: 12 }],
      ['ridge', { calendar: true }],
    ] as const) {
      const model = await custom(world.api, algorithm, { hyperparameters });
      const record = await trained(world.api, { segment_id: segment.segment_id, model, horizon: 12 });
      const { points } = (await report(world.api, record.training_id)).backtest;
      assert.equal(
        points.map(({ ts }: Json) => ts),
        months.slice(-36),
      );
      const body = { training_id: record.training_id };
      const { promotion_id } = expected(await world.api.post<Json>('/v1/deployments', body), 201).data;
      await inState(world.api, promotion_id, 'deployed');
      const [served] = (await forecast(world.api, { promotion_id, key: 'air', horizon: 12 })).forecasts;
      assert.equal(
        served.points.map(({ ts }: Json) => ts),
        ahead,
      );
      for (const [i, value] of quantile(served.points, 0.5).entries())
        assert.ok(Math.abs(value / passengers[132 + i]! - 1) < 0.25, `${algorithm} ${i}: ${value}`);
    }
  });

  test('a pipeline trains on them, and what it promotes serves them', async () => {
    const naive = await custom(world.api, 'seasonal_naive', { hyperparameters: { period: 12 } });
    const id = await made(world.api, {
      ...{ name: 'Months', segment: segment.segment_id, models: [{ model: naive }], forecast_horizon: 12 },
    });
    await promoted(world.api, id);
    const answer = await forecast(world.api, { pipeline_id: id, key: 'air', horizon: 12 });
    const [{ points, step_s }] = answer.forecasts;
    assert.is(step_s ?? answer.step_s, MONTH);
    assert.equal(
      points.map(({ ts }: Json) => ts),
      ahead,
    );
    assert.equal(quantile(points, 0.5).map(Math.round), passengers.slice(-12));
  });

  test('another recipe of the same length makes no version', async () => {
    const path = `/v1/segment/${segment.segment_id}`;
    assert.is(expected(await world.api.put<Json>(path, recipe)).data.version, 1);
    const other = { ...recipe, step_s: 3 * MONTH, split: {} };
    const { data } = expected(await world.api.put<Json>(path, other));
    assert.equal([data.version, data.step_months], [2, 3]);
  });
});
