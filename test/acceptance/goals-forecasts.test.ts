import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import {
  active,
  body,
  close,
  forecastNow,
  forecasts,
  goal,
  hour,
  HOUR,
  hours,
  issued,
  latest,
  means,
  newer,
  openGoals,
  path,
  upToNow,
} from './goals.js';
import { has } from './training.js';
import { at, expected, refused, type World } from './world.js';

// The forecasts of a goal: on cadence and on demand, read, compared, explained, never changed (open-parts 12,
// 13.2, 13.4, 17, 31.1).

suite('acceptance: forecasts of goals', test => {
  let world: World;
  let id = '';
  let first: Json;
  test.before(async () => {
    world = await openGoals();
    await upToNow(world, 'demand', hours(200));
    id = await active(world.api, body('demand'));
    first = await latest(world.api, id);
  });
  test.after(() => world.close());

  test('it has every member, and a point for each step of the horizon', async () => {
    has(first, 'forecast_id goal_id issued_at as_of horizon step_s points metadata served_by shock_state');
    has(first, 'supersedes actuals grade');
    assert.equal([first.goal_id, first.horizon, first.step_s], [id, 3, 3_600]);
    assert.equal([first.shock_state, first.grade], ['normal', null]);
    assert.equal(
      first.points.map((point: Json) => point.ts),
      [1, 2, 3].map(step => at(hour(world) + step * HOUR)),
    );
    for (const { mean, quantiles } of first.points) {
      const levels = Object.entries(quantiles as Record<string, number>).sort(
        ([one], [other]) => Number(one) - Number(other),
      );
      for (const level of ['0.05', '0.1', '0.25', '0.5', '0.75', '0.9', '0.95'])
        assert.ok(
          levels.some(([name]) => name === level),
          `no ${level}`,
        );
      const ordered = levels.map(([, value]) => value);
      assert.equal(
        ordered,
        ordered.toSorted((one, other) => one - other),
      );
      assert.ok(mean >= ordered[0]! && mean <= ordered.at(-1)!);
    }
    has(
      first.metadata,
      'data_cutoff lookback_used filled_points calibration applied_events shock provenance',
    );
    assert.is(first.metadata.data_cutoff, at(hour(world)));
    has(first.metadata.calibration, 'method level coverage_recent n widened_by');
    assert.equal(first.metadata.applied_events, []);
    has(
      first.metadata.provenance,
      'segment_version table_hash event_log_position code_version seed inputs_hash',
    );
    assert.ok(first.served_by, 'it says what served it');
    assert.equal(first.metadata.served_by, first.served_by);
  });

  test('the values are near what the hours of the day are', () => {
    const truth = hours(3, { from: 200 });
    for (const [i, mean] of means(first).entries())
      assert.ok(Math.abs(mean - truth[i]!) < 8, `${mean} for ${truth[i]}`);
  });

  test('the next comes with the next cadence, by itself', async () => {
    const before = await forecasts(world.api, id);
    assert.equal(before, [await issued(world.api, id, first.forecast_id)]);
    world.later(HOUR / 2);
    assert.is((await forecasts(world.api, id)).length, 1, 'not before it is due');
    world.later(HOUR / 2);
    await upToNow(world, 'demand', hours(1, { from: 200 }));
    const second = await newer(world.api, id, first);
    assert.ok(Date.parse(second.issued_at) - Date.parse(first.issued_at) >= HOUR / 2);
    const all = await forecasts(world.api, id);
    assert.equal(
      all.map(each => each.forecast_id),
      [second.forecast_id, first.forecast_id],
      'the newest first',
    );
    assert.is((await goal(world.api, id)).latest_forecast.forecast_id, second.forecast_id);
  });

  test('one is issued now on demand, and once under one Idempotency-Key', async () => {
    world.later(60_000);
    const before = (await forecasts(world.api, id)).length;
    const now = await forecastNow(world.api, id);
    has(now, 'forecast_id goal_id issued_at as_of horizon step_s points metadata served_by');
    assert.equal(await issued(world.api, id, now.forecast_id), now);
    assert.equal(await latest(world.api, id), now);
    assert.ok(Math.abs(Date.parse(now.issued_at) - world.now()) < 10 * 60_000);
    const again = () =>
      world.api.post<Json>(path(id, '/forecasts'), {}, { 'idempotency-key': 'forecast-once' });
    assert.equal(expected(await again(), 201), expected(await again(), 201));
    assert.is((await forecasts(world.api, id)).length, before + 2);
  });

  test('the list has pages and a time', async () => {
    const all = await forecasts(world.api, id);
    const { data } = expected(await world.api.get<Json>(path(id, '/forecasts?per_page=2&page=2')));
    assert.equal([data.total, data.page, data.per_page], [all.length, 2, 2]);
    assert.is(data.forecasts[0].forecast_id, all[2]!.forecast_id);
    const early = await forecasts(world.api, id, `&to=${at(Date.parse(first.issued_at) + 1_000)}`);
    assert.equal(
      early.map(each => each.forecast_id),
      [first.forecast_id],
    );
    const late = await forecasts(world.api, id, `&from=${at(Date.parse(first.issued_at) + 1_000)}`);
    assert.is(late.length, all.length - 1);
    refused(await world.api.get<Json>(path(id, '/forecasts/fct_nobodys')), 404, 'not_found');
  });

  test('two are compared', async () => {
    const [b, a] = await forecasts(world.api, id);
    const query = (one: string, other: string) => path(id, `/forecasts/compare?a=${one}&b=${other}`);
    const { data } = expected(await world.api.get<Json>(query(a!.forecast_id, b!.forecast_id)));
    for (const each of [a, b]) assert.match(JSON.stringify(data), each!.forecast_id);
    refused(await world.api.get<Json>(query(a!.forecast_id, 'fct_nobodys')), 404, 'not_found');
    const half = await world.api.get<Json>(path(id, `/forecasts/compare?a=${a!.forecast_id}`));
    assert.is(half.status, 422);
    assert.match(half.text, '"b"');
    const { parameters } = world.api.description.paths['/v1/goals/{goal_id}/forecasts/compare']!.get!;
    const needed = (parameters as { name?: string; required?: boolean }[]).filter(each => each.required);
    assert.equal(
      needed.map(({ name }) => name),
      ['goal_id', 'a', 'b'],
    );
  });

  test('one is explained by parts that add up to its mean', async () => {
    const now = await latest(world.api, id);
    for (const of of [path(id, '/explain'), path(id, `/forecasts/${now.forecast_id}/explain`)]) {
      const { data } = expected(await world.api.get<Json>(of));
      const { components, drivers } = data.explanation ?? data;
      assert.ok(Array.isArray(drivers));
      for (const { name } of components)
        assert.ok(['level', 'trend', 'seasonality', 'covariate', 'events', 'shock'].includes(name), name);
      for (const [i, mean] of means(now).entries()) {
        const parts = components.map(({ points }: Json) => points[i]?.value ?? points[i]);
        close(
          parts.reduce((sum: number, part: number) => sum + part, 0),
          mean,
          `${of} step ${i}`,
        );
      }
    }
  });

  test('what was said stays as it was, whatever comes, and after a restart', async () => {
    const { actuals: _, grade: __, ...said } = await issued(world.api, id, first.forecast_id);
    const { actuals: ___, grade: ____, ...then } = first;
    assert.equal(said, then);
    await upToNow(world, 'demand', [400]);
    await forecastNow(world.api, id);
    const before = (await forecasts(world.api, id)).map(({ actuals: _a, grade: _g, ...each }) => each);
    await world.restart();
    const after = (await forecasts(world.api, id)).map(({ actuals: _a, grade: _g, ...each }) => each);
    assert.equal(after, before);
    const last = await latest(world.api, id);
    world.later(HOUR);
    await newer(world.api, id, last);
  });
});
