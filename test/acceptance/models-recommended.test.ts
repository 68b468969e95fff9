import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { cycled, made, recipe } from './pipelines.js';
import { airline, custom, openTraining } from './training.js';
import { expected, type World } from './world.js';

// The one blueprint that did best in a workspace (specification 4.5; open-parts 8; docs/models.md).

suite('acceptance: the recommended model', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining();
  });
  test.after(() => world.close());

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
