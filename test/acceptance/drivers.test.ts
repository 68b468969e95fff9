import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { daily, mean } from './series.js';
import { deploy, expected, forecast, openWorld, places, quantile, refused, type World } from './world.js';

// What moves a forecast: known covariates, and the parts that explain it (open-parts 12).
// Readings: `past` has one number for each value of the one series, `future` one for each step ahead; parts
// of an explanation give one number, or one point with `value`, for each step.

suite('acceptance: covariates and explanations', test => {
  let world: World;
  let id = '';
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api);
  });
  test.after(() => world.close());

  const HORIZON = 21;
  /** A promotion raises sales by 60 on irregular days, which nothing but the plan tells. */
  const promoted = (i: number): number => Number((i * 7919) % 11 < 3);
  const plan = Array.from({ length: 240 + HORIZON }, (_, i) => promoted(i));
  const sales = daily(240 + HORIZON).map((value, i) => value + 60 * plan[i]!);
  const series = [
    { id: 'sales', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: sales.slice(0, 240) },
  ];
  const past = { promotion: plan.slice(0, 240) };
  const future = { promotion: plan.slice(240) };
  const ask = (more: object) =>
    world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, series, horizon: HORIZON, ...more });

  test('a plan that is known ahead moves the forecast to where it says', async () => {
    const truth = sales.slice(240);
    const error = (answer: Json) =>
      mean(quantile(answer.forecasts[0].points, 0.5).map((value, i) => Math.abs(value - truth[i]!)));
    const without = expected(await ask({}));
    const having = expected(await ask({ past, future }));
    assert.ok(error(having) < 0.6 * error(without), `${error(having)} against ${error(without)}`);
    const medians = quantile(having.forecasts[0].points, 0.5);
    const days = (promotion: number) => medians.filter((_, i) => plan[240 + i] === promotion);
    assert.ok(mean(days(1)) - mean(days(0)) > 30);
    for (const { quantiles } of having.forecasts[0].points) {
      const found = Object.values(quantiles) as number[];
      assert.ok(found.every(Number.isFinite));
      assert.ok(quantiles['0.1'] <= quantiles['0.5'] && quantiles['0.5'] <= quantiles['0.9']);
    }
  });

  test('a plan that falls short of the horizon is refused with the steps that it lacks', async () => {
    const short = { promotion: future.promotion.slice(0, HORIZON - 5) };
    const error = refused(await ask({ past, future: short }), 422, 'insufficient_future_covariates');
    assert.match(error.message, /\b5\b/);
    assert.match(error.message, 'promotion');
    assert.match(JSON.stringify(error.details), /\b5\b/);
  });

  test('a past of another length, or with something else than numbers, is refused by name', async () => {
    const short = await ask({ past: { promotion: past.promotion.slice(3) }, future });
    assert.match(places(short).join(), 'body.past');
    const odd = await ask({ past: { promotion: past.promotion.map(String) }, future });
    assert.match(places(odd).join(), 'body.past');
  });

  test('the parts of an explanation add up to the mean', async () => {
    const names = ['level', 'trend', 'seasonality', 'covariate', 'events', 'shock'];
    for (const more of [{}, { past, future }]) {
      const answer = expected(await ask({ ...more, explain: true }));
      const explanation = answer.explanation ?? answer.forecasts[0].explanation;
      const parts: Json[] = explanation.components;
      assert.ok(parts.length >= 2);
      for (const { name } of parts) assert.ok(names.includes(name), name);
      const numberOf = (point: Json): number => (typeof point === 'number' ? point : point.value);
      for (const [i, point] of answer.forecasts[0].points.entries()) {
        const sum = parts.reduce((total, part) => total + numberOf(part.points[i]), 0);
        assert.ok(Math.abs(sum - point.mean) < 1e-6 * Math.max(1, Math.abs(point.mean)), `step ${i}`);
      }
      assert.ok(Array.isArray(explanation.drivers));
      if ('past' in more) {
        assert.ok(parts.some(part => part.name === 'covariate'));
        const [driver] = explanation.drivers;
        assert.is(driver.key, 'promotion');
        assert.type(driver.contribution, 'number');
      }
    }
    const plain = await forecast(world.api, { promotion_id: id, series, horizon: HORIZON });
    assert.is(plain.explanation ?? null, null, 'only when asked for');
  });

  test('explaining changes nothing about the forecast', async () => {
    const plain = expected(await ask({ past, future }));
    const explained = expected(await ask({ past, future, explain: true }));
    const points = (answer: Json) => answer.forecasts[0].points;
    assert.equal(points(explained), points(plain));
  });
});
