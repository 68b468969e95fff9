import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import {
  active,
  actualsOf,
  body,
  close,
  forecastNow,
  forecasts,
  goal,
  HOUR,
  hours,
  issued,
  latest,
  named,
  newer,
  openGoals,
  path,
  upToNow,
} from './goals.js';
import { mean } from './series.js';
import { expected, type World } from './world.js';

// Every forecast is graded as its actuals come, and the goal tells how good it is (open-parts 13.1, 13.2, 17,
// 29.6, 29.7).

suite('acceptance: grades of goals', test => {
  let world: World;
  let id = '';
  let first: Json;
  const truth = hours(60, { from: 200 });
  /** An hour goes by, and its value comes. */
  const tick = async (i: number) => {
    world.later(HOUR);
    await upToNow(world, 'demand', [truth[i]!]);
  };
  const graded = (forecastId: string, steps: number): Promise<Json> =>
    until(async () => {
      const found = await issued(world.api, id, forecastId);
      return found.grade?.graded_steps === steps && found;
    }, `${steps} graded steps of ${forecastId}`);
  test.before(async () => {
    world = await openGoals();
    await upToNow(world, 'demand', hours(200));
    id = await active(world.api, body('demand', { metric: 'mae' }));
    first = await latest(world.api, id);
  });
  test.after(() => world.close());

  test('without an actual there is no grade', async () => {
    assert.equal([actualsOf(first), first.grade], [[], null]);
  });

  test('an actual is there with its hour; with the last of them the grade is whole', async () => {
    await tick(0);
    const one = await until(async () => {
      const found = await issued(world.api, id, first.forecast_id);
      return actualsOf(found).length >= 1 && found;
    }, 'the first actual');
    assert.equal(actualsOf(one), truth.slice(0, 1));
    await tick(1);
    await tick(2);
    const { grade, actuals, points } = await graded(first.forecast_id, 3);
    assert.equal(actualsOf({ actuals }), truth.slice(0, 3));
    assert.is(grade.metric, 'mae');
    const medians = points.map((point: Json) => point.quantiles['0.5']);
    close(grade.value, mean(truth.slice(0, 3).map((value, i) => Math.abs(value - medians[i]))), 'mae');
    const inside = points.filter(
      ({ quantiles }: Json, i: number) => truth[i]! >= quantiles['0.1'] && truth[i]! <= quantiles['0.9'],
    ).length;
    close(grade.coverage, inside / 3, 'the share inside the 80% band');
    const { actuals: _, grade: __, ...said } = await issued(world.api, id, first.forecast_id);
    const { actuals: ___, grade: ____, ...then } = first;
    assert.equal(said, then, 'only actuals and grade have grown');
  });

  test('the goal says how good it is, and how much better than a naive forecast', async () => {
    for (let i = 3; i < 30; i++) {
      const before = await latest(world.api, id);
      await tick(i);
      await newer(world.api, id, before);
    }
    const found = await until(async () => {
      const { accuracy } = await goal(world.api, id);
      return typeof accuracy.value_7d === 'number' && accuracy.coverage_80_30d !== null && accuracy;
    }, 'the accuracy');
    assert.is(found.metric, 'mae');
    assert.ok(found.value_7d > 0 && found.value_7d < 6, `${found.value_7d}`);
    close(found.value_30d, found.value_7d, 'all of it is of the last 7 days');
    assert.ok(found.skill_vs_naive < 1);
    assert.type(found.skill_vs_naive, 'number');
    assert.ok(found.coverage_80_30d >= 0.4 && found.coverage_80_30d <= 1, `${found.coverage_80_30d}`);
    const { data } = expected(await world.api.get<Json>(path(id, '/accuracy')));
    assert.ok(named(data, 'skill_vs_naive').some(value => typeof value === 'number'));
  });

  test('bands are set right by what came true, and say what they were judged on', async () => {
    const { metadata } = await latest(world.api, id);
    const { method, level, coverage_recent, n, widened_by } = metadata.calibration;
    assert.is(method, 'conformal');
    assert.ok(level > 0 && level < 1);
    assert.ok(n > 0, `judged on ${n}`);
    assert.type(widened_by, 'number');
    assert.ok(coverage_recent === null || (coverage_recent >= 0 && coverage_recent <= 1));
  });

  test('a forecast on demand is graded as any other', async () => {
    const now = await forecastNow(world.api, id);
    for (let i = 30; i < 33; i++) await tick(i);
    const { grade } = await graded(now.forecast_id, 3);
    assert.ok(Number.isFinite(grade.value));
  });

  test('grades outlive a restart', async () => {
    const before = await graded(first.forecast_id, 3);
    await world.restart();
    assert.equal(await issued(world.api, id, first.forecast_id), before);
    assert.ok((await forecasts(world.api, id)).length > 25);
  });
});
