import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { change, create, dormant, made, path, pipeline, recipe } from './pipelines.js';
import { airline, custom, openTraining } from './training.js';
import { expected, openWorld, places, refused, type World } from './world.js';

// Pipelines that are refused, and how many a plan allows (specification 2.11, 4.9, 7, 8; open-parts 0.3, 9,
// 26, 27, 32.16).

suite('acceptance: pipelines that are refused', test => {
  let world: World;
  let [segment, model] = ['', ''];
  test.before(async () => {
    world = await openTraining();
    segment = (await airline(world.api)).segment_id;
    model = await custom(world.api, 'drift');
  });
  test.after(() => world.close());

  const ask = (more: object, models: readonly object[] = [{ model }]) =>
    create(world.api, recipe(segment, models, { ...dormant(world.now()), ...more }));
  const named = async (more: object, place: string, models?: readonly object[]) => {
    const found = places(await ask(more, models));
    assert.ok(
      found.some(each => each.startsWith(place)),
      `${found} instead of ${place}`,
    );
  };

  test('a body lacks what it needs, or has it in another form', async () => {
    await named({ segment: undefined }, 'body.segment');
    await named({ segment: 5 }, 'body.segment');
    await named({ models: undefined }, 'body.models');
    await named({ models: model }, 'body.models');
    await named({}, 'body.models', []);
    for (const forecast_horizon of [0, -1, 2.5, 'long'])
      await named({ forecast_horizon }, 'body.forecast_horizon');
    await named({ name: 7 }, 'body.name');
  });

  test('policy, triggers and budget say which knob is wrong', async () => {
    await named({ promotion_policy: { mode: 'perhaps' } }, 'body.promotion_policy.mode');
    await named({ promotion_policy: { demote_previous: 'yes' } }, 'body.promotion_policy.demote_previous');
    await named({ promotion_policy: { min_improvement: 'much' } }, 'body.promotion_policy.min_improvement');
    for (const knob of ['min_rows', 'quiet_seconds', 'max_wait_seconds', 'cooldown_seconds'])
      for (const value of [-1, 'some'])
        await named(
          { retrain_triggers: { on_new_data: { [knob]: value } } },
          `body.retrain_triggers.on_new_data.${knob}`,
        );
    for (const cap of [-1, 'all'])
      await named({ budget: { monthly_credit_cap: cap } }, 'body.budget.monthly_credit_cap');
    for (const cap of [null, 0]) {
      const { data } = expected(await ask({ budget: { monthly_credit_cap: cap } }), 201);
      assert.is((await pipeline(world.api, data.pipeline_id)).spend.cap, null, 'null or 0 is no cap');
    }
  });

  test('a horizon is the pipeline’s, never an entry’s', async () => {
    await named({}, 'body.models.0.forecast_horizon', [{ model, forecast_horizon: 3 }]);
    await named({}, 'body.models.1.forecast_horizon', [
      { model },
      { family: 'presage', slug: 'nano', forecast_horizon: 3 },
    ]);
  });

  test('an entry names one model, that there is', async () => {
    for (const entry of [{}, { model: 5 }, { family: 5, slug: 'nano' }]) {
      const answer = await ask({}, [entry]);
      assert.ok([400, 422].includes(answer.status), answer.text);
      assert.match(answer.text, 'model');
    }
    await named({}, 'body.models.0.intensity', [{ family: 'presage', slug: 'nano', intensity: 'mild' }]);
    await named({}, 'body.models.0.lookback', [{ family: 'presage', slug: 'nano', lookback: 0 }]);
    const unknown = await ask({}, [{ model }, { model: 'mdl_nobodys' }]);
    assert.ok([404, 422].includes(unknown.status), unknown.text);
    assert.match(unknown.text, /mdl_nobodys|models\.1|"models",1/);
    const slug = refused(
      await ask({}, [{ family: 'presage', slug: 'colossus' }]),
      404,
      'model_not_available',
    );
    assert.match(slug.message, 'presage/colossus');
    refused(await ask({}, [{ family: 'nobodys', slug: 'x' }]), 400, 'family_unavailable');
  });

  test('caps of a family hold for entries and for the horizon', async () => {
    const nano = { family: 'presage', slug: 'nano' };
    const lookback = refused(await ask({}, [{ ...nano, lookback: 5_000 }]), 400, 'lookback_above_cap');
    for (const part of ['lookback', 'presage', '2048']) assert.match(lookback.message, part);
    const horizon = refused(await ask({ forecast_horizon: 721 }, [nano]), 400, 'horizon_above_cap');
    for (const part of ['horizon', 'presage', '720']) assert.match(horizon.message, part);
  });

  test('a segment or a model of somebody else is not there', async () => {
    const tenant = await world.tenant();
    const theirs = await custom(tenant, 'drift');
    assert.ok([404, 422].includes((await ask({}, [{ model: theirs }])).status));
    const answer = await create(tenant, recipe(segment, [{ model: theirs }]));
    assert.ok([404, 422].includes(answer.status), answer.text);
    assert.ok([404, 422].includes((await ask({ segment: 'seg_nobodys' })).status));
    const open = await custom(tenant, 'drift', { visibility: 'public', name: 'Shared drift' });
    const { data } = expected(await ask({}, [{ model: open }]), 201);
    assert.is((await pipeline(world.api, data.pipeline_id)).models[0].name, 'Shared drift');
  });

  test('a refused change leaves all as it was', async () => {
    const id = await made(world.api, recipe(segment, [{ model }], dormant(world.now())));
    const before = await pipeline(world.api, id);
    for (const body of [
      { models: [] },
      { forecast_horizon: 0 },
      { promotion_policy: { mode: 'perhaps' } },
      { models: [{ model: 'mdl_nobodys' }] },
    ])
      assert.ok([404, 422].includes((await change(world.api, id, body)).status));
    assert.equal(await pipeline(world.api, id), before);
  });
});

suite('acceptance: how many pipelines a plan allows', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('one more than the plan has is 403, paused ones counted, until one is deleted', async () => {
    const segment = (await airline(world.api)).segment_id;
    const models = [{ model: await custom(world.api, 'drift') }];
    const body = () => recipe(segment, models, dormant(world.now()));
    const ids = [await made(world.api, body()), await made(world.api, body()), await made(world.api, body())];
    expected(await world.api.post<Json>(path(ids[0]!, '/pause'), {}));
    const { details } = refused(await create(world.api, body()), 403, 'pipeline_limit_reached');
    assert.equal([details.limit, details.used, details.plan], [3, 3, 'free']);
    const { quotas } = expected(await world.api.get<Json>('/v1/billing/quota')).data;
    const [quota] = quotas.filter((each: Json) => each.name === 'pipelines');
    assert.equal([quota.used, quota.limit], [3, 3]);
    expected(await world.api.delete<Json>(path(ids[1]!)));
    const again = await made(world.api, body());
    const racing = await Promise.all([again, ids[2]!].map(id => world.api.delete<Json>(path(id))));
    for (const answer of racing) expected(answer);
    const answers = await Promise.all(Array.from({ length: 5 }, () => create(world.api, body())));
    assert.is(answers.filter(answer => answer.status === 201).length, 2, 'races do not pass the cap');
  });
});
