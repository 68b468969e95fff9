import * as assert from 'uvu/assert';
import { METHODS } from '../../domain/fleets/settings.js';
import type { Json } from '../json.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';
import { FleetsWorld } from './fleets-world.js';

type Points = {
  mean: number;
  quantiles: Record<string, number>;
  own_quantiles: Record<string, number> | null;
};

/** Sums of points of some, from the left and from the right: they must not differ by a bit. */
function addsUp(whole: Json, parts: Json[]): void {
  whole.points.forEach((point: Points, h: number) => {
    for (const of of [
      (one: Points) => one.mean,
      ...Object.keys(point.quantiles).map(level => (one: Points) => one.quantiles[level]!),
    ]) {
      const values = parts.map(part => of(part.points[h]));
      assert.is(
        values.reduce((sum, x) => sum + x, 0),
        of(point),
      );
      assert.is(
        values.reduceRight((sum, x) => sum + x, 0),
        of(point),
      );
    }
  });
}

suite('forecasts of fleets', test => {
  const folder = temporaryFolder();
  const world = new FleetsWorld();
  const stores = ['north-a', 'north-b', 'south-a', 'south-b'];
  let id: string;

  test.before(async () => {
    await world.open(folder.path);
    await world.have('sales', stores);
    const levels = [
      { name: 'region', group_by: { separator: '-', part: 1 } },
      { name: 'kind', group_by: { separator: '-', part: 2 } },
    ];
    id = await world.begin({
      ...{ name: 'Stores', base_key: 'sales', skip_discovery: true },
      template: {
        horizon: 6,
        step_s: 3_600,
        options: { auto_tournament: 'off', quantiles: [0.1, 0.5, 0.9] },
      },
      reconciliation: { levels },
    });
    await world.forecastOf(id, 4);
  });
  test.after(async () => {
    await world.close();
    folder.remove();
  });

  test('by each method but none all levels add up to the last bit', async () => {
    const apart = await world.forecast(id, 'entity');
    for (const method of METHODS.filter(one => one !== 'none')) {
      await world.client.patch(`/v1/goals/fleets/${id}`, { reconciliation: { method } });
      const [entities, regions, kinds, total] = await Promise.all(
        ['entity', 'region', 'kind', 'total'].map(level => world.forecast(id, level)),
      );
      assert.equal([total.method, total.left_out, total.warnings], [method, [], []]);
      assert.equal(
        entities.forecasts.map((one: Json) => one.id),
        stores,
      );
      assert.equal(
        regions.forecasts.map((one: Json) => [one.id, one.entities]),
        [
          ['north', 2],
          ['south', 2],
        ],
      );
      assert.equal(
        kinds.forecasts.map((one: Json) => one.id),
        ['a', 'b'],
      );
      const [whole] = total.forecasts;
      for (const { forecasts } of [entities, regions, kinds]) addsUp(whole, forecasts);
      addsUp(regions.forecasts[0], entities.forecasts.slice(0, 2));
      const isMoved = JSON.stringify(entities.forecasts) !== JSON.stringify(apart.forecasts);
      if (method !== 'bottom_up') assert.ok(isMoved, method);
      assert.is(whole.points[0].own_quantiles === null, method === 'bottom_up');
      assert.is(total.model === null, method === 'bottom_up');
      assert.is(total.shrinkage === null, method !== 'mint_shrink');
      entities.forecasts.forEach(({ points }: Json, i: number) =>
        points.forEach(({ mean, quantiles }: Points, h: number) => {
          const own: Points = apart.forecasts[i].points[h];
          for (const level of ['0.1', '0.5', '0.9'])
            assert.ok(Math.abs(quantiles[level]! - mean - (own.quantiles[level]! - own.mean)) < 1e-9);
        }),
      );
    }
  });

  test('what is not reconciled is as each was forecast by itself', async () => {
    await world.client.patch(`/v1/goals/fleets/${id}`, { reconciliation: { method: 'none' } });
    const { forecasts } = await world.forecast(id, 'entity');
    for (const { goal_id, points } of forecasts) {
      const { json } = await world.running.call('GET', `/v1/goals/${goal_id}/forecasts/latest`);
      const own = json.data.points;
      assert.equal(
        points.map(({ ts, mean, quantiles }: Json) => ({ ts, mean, quantiles })),
        own.map(({ ts, mean, quantiles }: Json) => ({ ts, mean, quantiles })),
      );
    }
    const total = await world.forecast(id, 'total');
    assert.equal([total.method, total.total, total.forecasts[0].entities], ['none', 1, 4]);
    assert.equal(total.forecasts[0].points[0].own_quantiles, total.forecasts[0].points[0].quantiles);
  });

  test('levels that there are not, and others’ fleets, are not found', async () => {
    const level = await world.running.call('GET', `/v1/goals/fleets/${id}/forecast?level=city`);
    assert.equal([level.status, level.json.detail[0].loc], [422, ['query', 'level']]);
    const paged = (
      await world.client.get<Json>(`/v1/goals/fleets/${id}/forecast?level=entity&per_page=3&page=2`)
    ).body.data;
    assert.equal([paged.total, paged.forecasts.length, paged.forecasts[0].id], [4, 1, 'south-b']);
    const made = await world.running.call('POST', '/v1/workspace', { body: { name: 'Another' } });
    const workspace = made.json.data.workspace_id;
    const other = world.client.as({ token: world.running.installed.token, workspace });
    for (const path of ['', '/goals', '/leaderboard', '/forecast'])
      assert.is((await other.get(`/v1/goals/fleets/${id}${path}`)).status, 404, path);
    for (const path of ['/sync', '/pause', '/resume'])
      assert.is((await other.post(`/v1/goals/fleets/${id}${path}`, {})).status, 404, path);
    assert.is((await other.patch(`/v1/goals/fleets/${id}`, { name: 'X' })).status, 404);
    assert.is((await other.delete(`/v1/goals/fleets/${id}`)).status, 404);
    assert.is((await other.get<Json>('/v1/goals/fleets')).body.data.total, 0);
  });
});
