import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import {
  fleet,
  fleetBody,
  fleetIn,
  fleetsPath,
  fleetThat,
  forecastAt,
  goalsIn,
  goalsOf,
  keyOf,
  makeFleet,
  open,
  running,
  SHOPS,
  sold,
  LENGTH,
  sales,
} from './fleets.js';
import { close, forecasts, goal, means, openGoals, rows } from './goals.js';
import { has } from './training.js';
import { expected, type World } from './world.js';

// A fleet: a goal for each entity of a key, in use by itself, forecast together, grown, paused, gone without
// loss (open-parts 20, 32.32). Readings: forecasts of a level are `{id, points}`, that of the whole one of
// them; means are what adds up; pause and resume reach every goal; a deleted fleet is 404 or `deleted`.

suite('acceptance: the life of fleets', test => {
  let world: World;
  let id = '';
  let shops = SHOPS;
  test.before(async () => {
    world = await openGoals();
    for (const shop of SHOPS) await open(world, shop);
    id = await running(world.api);
  });
  test.after(() => world.close());

  test('it has every member, and a goal in use for each shop', async () => {
    const found = await fleet(world.api, id);
    has(found, 'fleet_id name base_key entities template status goal_counts shock_count accuracy worst');
    has(found, 'reconciliation shared_pipeline max_goals created_at');
    assert.equal(
      [found.name, found.base_key, found.entities, found.status],
      ['Shops', 'shop.sales', 'all', 'active'],
    );
    assert.equal([found.goal_counts.active, found.shock_count, found.max_goals], [4, 0, 500]);
    assert.ok(found.worst.length <= 5);
    has(found.accuracy, 'median p10 p90');
    const goals = await goalsIn(world.api, id, 4);
    assert.equal(goals.map(each => each.target).sort(), SHOPS.map(keyOf));
    for (const each of goals) {
      assert.equal([each.fleet_id, each.horizon, each.step_s], [id, 3, 3_600]);
      assert.ok(each.name.length > 0);
    }
    assert.is(new Set(goals.map(each => each.name)).size, 4, 'each has a name of its own');
    assert.is((await goalsOf(world.api, id)).length, 4);
    const list = rows(expected(await world.api.get<Json>(fleetsPath())));
    assert.equal(
      list.map(each => each.fleet_id),
      [id],
    );
    assert.is(rows(expected(await world.api.get<Json>(fleetsPath(id, '/leaderboard')))).length, 4);
  });

  test('by every method the whole is the sum of its parts, to the last digit', async () => {
    const truth = (shop: string) => sales(shop, 3, LENGTH);
    for (const method of ['bottom_up', 'top_down', 'ols', 'wls_struct', 'mint_shrink']) {
      const reconciliation = { method, levels: [] };
      expected(await world.api.patch<Json>(fleetsPath(id), { reconciliation }));
      assert.is((await fleet(world.api, id)).reconciliation.method, method);
      const [whole, parts] = [
        await forecastAt(world.api, id, 'total'),
        await forecastAt(world.api, id, 'entity'),
      ];
      assert.equal([whole.level, whole.forecasts.length], ['total', 1], method);
      assert.equal([parts.level, parts.forecasts.length], ['entity', 4], method);
      const [sum] = whole.forecasts;
      for (const [i, { ts, mean }] of sum.points.entries()) {
        const each = parts.forecasts.map(({ points }: Json) => points[i]);
        for (const point of each) assert.is(point.ts, ts);
        const added = each.reduce((total: number, point: Json) => total + point.mean, 0);
        close(added, mean, `${method}, step ${i}`, 1e-11);
      }
      for (const shop of SHOPS) {
        const found = parts.forecasts.find((each: Json) => JSON.stringify(each.id).includes(shop));
        for (const [i, mean] of means(found).entries())
          assert.ok(Math.abs(mean - truth(shop)[i]!) < 15, `${method} of ${shop}: ${mean} ${truth(shop)[i]}`);
      }
    }
  });

  test('bottom up each shop is forecast as its goal says', async () => {
    const reconciliation = { method: 'bottom_up', levels: [] };
    expected(await world.api.patch<Json>(fleetsPath(id), { reconciliation }));
    const { forecasts: parts } = await forecastAt(world.api, id, 'entity');
    for (const each of await goalsIn(world.api, id, 4)) {
      const [own] = await forecasts(world.api, each.goal_id);
      const shop = each.target.split('__')[1];
      const found = parts.find((part: Json) => JSON.stringify(part.id).includes(shop));
      for (const [i, mean] of means(own!).entries()) close(means(found)[i]!, mean, `${shop} ${i}`, 1e-11);
    }
    const odd = await world.api.get<Json>(fleetsPath(id, '/forecast?level=nonsense'));
    assert.ok([404, 422].includes(odd.status), odd.text);
  });

  test('it goes on by itself, and says how good it is', async () => {
    const before = new Map<string, string>();
    for (const each of await goalsIn(world.api, id, 4))
      before.set(each.goal_id, each.latest_forecast.forecast_id);
    for (let i = 0; i < 2; i++) await sold(world, SHOPS, LENGTH + i);
    await until(async () => {
      const goals = await goalsIn(world.api, id, 4);
      return goals.every(each => each.latest_forecast.forecast_id !== before.get(each.goal_id)) || null;
    }, 'a newer forecast of each');
    const { accuracy, worst } = await fleetThat(
      world.api,
      id,
      found => typeof found.accuracy.median === 'number',
      'an accuracy',
    );
    assert.ok(accuracy.p10 <= accuracy.median && accuracy.median <= accuracy.p90);
    assert.ok(worst.length >= 1 && worst.length <= 5);
  });

  test('a new shop comes with `sync`, once', async () => {
    await open(world, 'vienna', LENGTH);
    const sync = async () => {
      const answer = await world.api.post<Json>(fleetsPath(id, '/sync'), {});
      assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    };
    await sync();
    shops = [...SHOPS, 'vienna'];
    const goals = await goalsIn(world.api, id, 5);
    assert.ok(goals.some(each => each.target === keyOf('vienna')));
    await fleetIn(world.api, id, 'active');
    await sync();
    await fleetIn(world.api, id, 'active');
    assert.is((await goalsIn(world.api, id, 5)).length, 5);
  });

  test('paused all of it rests, resumed all of it goes on', async () => {
    const turn = async (to: string) => {
      const answer = await world.api.post<Json>(fleetsPath(id, `/${to}`), {});
      assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    };
    await turn('pause');
    await goalsIn(world.api, id, 5, 'paused');
    const paused = await fleetIn(world.api, id, 'paused');
    assert.equal([paused.goal_counts.paused, paused.goal_counts.active ?? 0], [5, 0]);
    await world.restart();
    await goalsIn(world.api, id, 5, 'paused');
    await turn('resume');
    await goalsIn(world.api, id, 5);
    await fleetIn(world.api, id, 'active');
  });

  test('a stop in the midst of making it makes each goal once', async () => {
    const { data } = expected(
      await makeFleet(world.api, fleetBody({ name: 'Twice', entities: ['berlin', 'rome'] })),
      202,
    );
    await world.restart();
    const goals = await goalsIn(world.api, data.fleet_id, 2);
    assert.equal(goals.map(each => each.target).sort(), ['berlin', 'rome'].map(keyOf));
    await fleetIn(world.api, data.fleet_id, 'active');
  });

  test('deleted its goals are archived, and can be read', async () => {
    const goals = await goalsIn(world.api, id, shops.length);
    const answer = await world.api.delete<Json>(fleetsPath(id));
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    await until(async () => {
      const gone = await world.api.get<Json>(fleetsPath(id));
      return gone.status === 404 || gone.body.data.status === 'deleted' || null;
    }, 'the fleet being deleted');
    for (const { goal_id } of goals) {
      assert.is((await goal(world.api, goal_id)).status, 'archived');
      assert.ok((await forecasts(world.api, goal_id)).length >= 1, 'what it said is there');
    }
  });
});
