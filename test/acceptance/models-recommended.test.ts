import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { cycled, made, recipe } from './pipelines.js';
import { airline, custom, openTraining, shop } from './training.js';
import { expected, type World } from './world.js';

// The one blueprint that did best in a workspace (specification 4.5; open-parts 8; docs/models.md).

suite('acceptance: the recommended model', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining();
  });
  test.after(() => world.close());

  test('where none beats the seasonal naive forecast, it says so', async () => {
    const tenant = await world.tenant();
    const recommended = async () => expected(await tenant.get<Json>('/v1/models/recommended')).data;
    assert.match((await recommended()).reason, /^No training and no tournament/);
    const { segment_id } = await shop(tenant, 150);
    const models = ['naive', 'seasonal_naive'].map(name => ({ model: `blueprint__${name}` }));
    const { results } = await cycled(tenant, await made(tenant, recipe(segment_id, models)));
    const { blueprint, reason, evidence } = await until(async () => {
      const data = await recommended();
      return !data.reason.startsWith('No training') && data;
    }, 'another reason');
    assert.equal([blueprint, evidence], [null, null]);
    assert.match(reason, /^The best of 2 models .* is no better than the seasonal naive forecast: mase /);
    const one = expected(await tenant.get<Json>(`/v1/training/${results[0].training_id}`)).data;
    assert.equal(one.blueprint.owner, { user_id: 'presage', name: 'Presage' });
  });

  test('once trainings have compared some, it is the best of them, with evidence', async () => {
    const { segment_id } = await airline(world.api);
    const [naive, ets] = [
      await custom(world.api, 'naive'),
      await custom(world.api, 'ets', { hyperparameters: { period: 12 } }),
    ];
    const before = expected(await world.api.get<Json>('/v1/models/recommended')).data;
    assert.is(before.blueprint, null);
    const id = await made(world.api, recipe(segment_id, [{ model: naive }, { model: ets }]));
    const { results } = await cycled(world.api, id);
    const best = Math.min(...results.map((each: Json) => each.score));
    const viewer = await world.member('viewer');
    const found = await until(async () => {
      const { data } = expected(await viewer.get<Json>('/v1/models/recommended'));
      return data.blueprint && data;
    }, 'a recommendation');
    assert.is(found.blueprint.uid, ets);
    assert.type(found.reason, 'string');
    assert.ok(Math.abs(found.evidence.score - best) < 1e-9);
    assert.type(found.evidence.baseline_score, 'number');
    assert.match(found.computed_at, /Z$/);
    const tenant = await world.tenant();
    assert.is(expected(await tenant.get<Json>('/v1/models/recommended')).data.blueprint, null);
  });
});
