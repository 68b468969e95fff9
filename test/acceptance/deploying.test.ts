import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { daily } from './series.js';
import { deploy, expected, forecast, inState, openWorld, places, refused, type World } from './world.js';

// Deployments (specification 2.4, 3, 4.5; open-parts 11, 31, 32).
// Readings: a blueprint_uid that is not hosted is 404 like a family and slug that are not; a retired
// deployment stays readable; events say who in a way that names the user.

suite('acceptance: deployments', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  const ask = (body: object, api = world.api) => api.post<Json>('/v1/models/deploy-foundation', body);
  const one = async (id: string): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/deployments/${id}`)).data;
  const list = async (query = ''): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/deployments${query}`));
  /** As the audit names who did something: by the user, or by the token. */
  const me = () => new RegExp(`${world.running.installed.uid}|${world.running.installed.tokenId}`);
  const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];

  test('what cannot be deployed is refused, and says why', async () => {
    for (const body of [{}, { family: 'presage' }, { slug: 'nano' }, { horizon: 12 }]) {
      const { message } = refused(await ask(body), 400, 'model_reference_required');
      assert.match(message, 'blueprint_uid');
      assert.match(message, /family/);
    }
    for (const [family, slug] of [
      ['presage', 'colossus'],
      ['nobodys', 'nano'],
    ]) {
      const { message } = refused(await ask({ family, slug }), 404, 'model_not_available');
      assert.match(message, `${family}/${slug}`);
      assert.match(message, 'not available');
    }
    refused(await ask({ blueprint_uid: 'presage__colossus' }), 404);
    const cap = refused(
      await ask({ family: 'presage', slug: 'nano', horizon: 721 }),
      400,
      'horizon_above_cap',
    );
    for (const part of [/horizon/, /presage/, /720/]) assert.match(cap.message, part);
    for (const horizon of [0, -1, 1.5, 'far'])
      assert.equal(places(await ask({ family: 'presage', slug: 'nano', horizon })), ['body.horizon']);
    assert.is((await list()).total, 0, 'nothing that was refused left a record');
  });

  let id = '';
  test('a model is deployed, and ready when it says so', async () => {
    const { data } = expected(
      await ask({ family: 'presage', slug: 'nano', horizon: 24, reason: 'for the shop' }),
      201,
    );
    id = data.promotion_id;
    assert.is(data.deployment_type, 'foundation');
    assert.type(data.message, 'string');
    assert.ok(['deployed', 'deploying'].includes(data.status), data.status);
    assert.is(data.ready, data.status === 'deployed');
    const status = await inState(world.api, id, 'deployed');
    assert.is(status.promotion_id, id);
    assert.is(status.ready, true);
    assert.is(status.health.state, 'healthy');
    assert.is(status.health.last_probe.ok, true, 'a forward pass has just worked');
    const conditions = Object.fromEntries(status.conditions.map((each: Json) => [each.type, each.status]));
    for (const type of ['artifact_loaded', 'runtime_ready', 'probe_passed', 'serving'])
      assert.is(String(conditions[type]), 'true', type);
    const answer = await forecast(world.api, { promotion_id: id, series });
    assert.is(answer.horizon, 24, 'the default horizon is that of the deployment');
  });

  test('its record says what was asked for, by whom, and for what', async () => {
    const record = await one(id);
    assert.equal([record.promotion_id, record.status, record.ready], [id, 'deployed', true]);
    assert.equal([record.family, record.slug, record.blueprint_uid], ['presage', 'nano', 'presage__nano']);
    assert.equal([record.horizon, record.reason], [24, 'for the shop']);
    assert.is(record.deployment_type, 'foundation');
    assert.is(record.cell, 'local');
    assert.match(JSON.stringify(record.created_by), me());
    assert.ok(Date.parse(record.created_at) <= Date.parse(record.deployed_at));
    assert.equal([record.retired_at, record.error, record.training_id], [null, null, null]);
    assert.equal(record.goal_ids, []);
    assert.is(record.model.slug, 'nano');
    assert.ok(record.replicas.ready >= 1);
    assert.ok(record.lookback <= 2048);
    assert.match(await until(async () => (await one(id)).last_inference_at, 'its last use'), /Z$/);
    refused(await world.api.get<Json>('/v1/deployments/prm_nobodys'), 404);
    refused(await world.api.get<Json>('/v1/deployments/prm_nobodys/status'), 404);
  });

  test('the same model again is 409 with the one that there is, however it is named', async () => {
    for (const body of [
      { family: 'presage', slug: 'nano' },
      { blueprint_uid: 'presage__nano', horizon: 12 },
    ])
      assert.is(refused(await ask(body), 409, 'ALREADY_DEPLOYED').details.promotion_id, id);
    assert.is((await list()).total, 1);
    const other = await world.tenant();
    assert.is.not(await deploy(other), id, 'another workspace has its own');
  });

  test('of two that deploy at once one wins, and the other is told which', async () => {
    const body = { blueprint_uid: 'presage__mini' };
    const answers = await Promise.all([ask(body), ask(body), ask(body)]);
    assert.equal(answers.map(answer => answer.status).sort(), [201, 409, 409]);
    const made = answers.find(answer => answer.status === 201)!.body.data;
    for (const answer of answers)
      if (answer.status === 409)
        assert.is(refused(answer, 409, 'ALREADY_DEPLOYED').details.promotion_id, made.promotion_id);
    await inState(world.api, made.promotion_id, 'deployed');
    assert.is((await one(made.promotion_id)).horizon, 128, 'the default');
  });

  test('the list is at the top level, in pages, and chosen by status and type', async () => {
    const { deployments, total, limit, offset, has_more } = await list();
    assert.equal([total, offset, has_more], [2, 0, false]);
    assert.ok(limit >= 2);
    assert.equal(deployments.map((each: Json) => each.slug).sort(), ['mini', 'nano']);
    const first = await list('?limit=1');
    assert.equal([first.deployments.length, first.has_more, first.total], [1, true, 2]);
    const second = await list('?limit=1&offset=1');
    assert.equal([second.deployments.length, second.has_more], [1, false]);
    assert.is.not(first.deployments[0].promotion_id, second.deployments[0].promotion_id);
    assert.is((await list('?status=deployed&deployment_type=foundation')).total, 2);
    assert.is((await list('?status=retired')).total, 0);
    assert.is((await list('?deployment_type=byom')).total, 0);
    assert.equal(places(await world.api.get<Json>('/v1/deployments?status=asleep')), ['query.status']);
  });

  test('it is scaled while it serves', async () => {
    const scale = (body: object) => world.api.post<Json>(`/v1/deployments/${id}/scale`, body);
    assert.match(places(await scale({ min: 3, max: 2 })).join(), /body\.(min|max)/);
    assert.match(places(await scale({ min: -1, max: 2 })).join(), 'body.min');
    expected(await scale({ min: 1, max: 2, scale_to_zero_after_s: 86_400 }), 202);
    await forecast(world.api, { promotion_id: id, series });
    await inState(world.api, id, 'deployed');
    const { replicas, scale_to_zero_after_s } = await one(id);
    assert.equal([replicas.min, replicas.max, scale_to_zero_after_s], [1, 2, 86_400]);
    assert.ok(replicas.ready >= 1 && replicas.ready === replicas.desired);
  });

  test('only what failed is retried', async () => {
    refused(await world.api.post<Json>(`/v1/deployments/${id}/retry`, {}), 409, 'not_retryable');
    refused(await world.api.post<Json>('/v1/deployments/prm_nobodys/retry', {}), 404);
  });

  test('a retired deployment is 410, and the model may be deployed anew', async () => {
    const path = `/v1/deployments/${id}`;
    const answered = await forecast(world.api, { promotion_id: id, series });
    const { status } = expected(
      await world.api.post<Json>(`${path}/unpromote`, { reason: 'a better one came' }),
    );
    assert.is(status, 'ok');
    await inState(world.api, id, 'retired');
    const record = await one(id);
    assert.equal([record.status, record.ready], ['retired', false]);
    assert.match(record.retired_at, /Z$/);
    const gone = refused(
      await world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, series }),
      410,
      'deployment_retired',
    );
    assert.ok('replacement' in gone.details);
    const replay = await world.api.post<Json>(`/v1/inference/${answered.inference_id}/replay`);
    assert.equal(expected(replay), { identical: true, diff: [] });
    refused(await world.api.post<Json>(`${path}/scale`, { min: 1, max: 1 }), 409);
    refused(await world.api.post<Json>(`${path}/retry`, {}), 409, 'not_retryable');
    const again = await deploy(world.api);
    assert.is.not(again, id);
    assert.is((await list('?status=retired')).total, 1);
    assert.is((await list()).total, 3);
    await forecast(world.api, { promotion_id: again, series });
    refused(await world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, series }), 410);
  });

  test('a deployment that is replaced says by which one', async () => {
    const { deployments } = await list('?status=deployed');
    const [nano, mini] = ['nano', 'mini'].map(
      slug => deployments.find((each: Json) => each.slug === slug).promotion_id,
    );
    expected(await world.api.post<Json>(`/v1/deployments/${mini}/unpromote`, { replacement: nano }));
    const gone = refused(
      await world.api.post<Json>('/v1/inference/forecast', { promotion_id: mini, series }),
      410,
      'deployment_retired',
    );
    assert.match(JSON.stringify(gone.details.replacement), nano);
  });

  test('its events tell what happened, why, and who did it', async () => {
    const { events } = expected(await world.api.get<Json>(`/v1/deployments/${id}/events`)).data;
    assert.ok(events.length >= 3, 'made, deployed, retired at the least');
    const text = JSON.stringify(events);
    for (const part of ['for the shop', 'a better one came', 'retired', me()]) assert.match(text, part);
    refused(await world.api.get<Json>('/v1/deployments/prm_nobodys/events'), 404);
  });

  test('under an Idempotency-Key a deployment is made once', async () => {
    const api = await world.tenant();
    const send = (body: object) =>
      api.post<Json>('/v1/models/deploy-foundation', body, { 'idempotency-key': 'first' });
    const body = { family: 'presage', slug: 'mini' };
    const first = expected(await send(body), 201);
    const again = await send(body);
    assert.equal(expected(again, 201), first);
    assert.is(again.headers['idempotency-replayed'], 'true');
    refused(await send({ ...body, horizon: 5 }), 409, 'idempotency_conflict');
  });
});

suite('acceptance: where nothing is served', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld({ SERVING: 'false' });
  });
  test.after(() => world.close());

  test('deploying is 503, and leaves no record', async () => {
    const answer = await world.api.post<Json>('/v1/models/deploy-foundation', {
      family: 'presage',
      slug: 'nano',
    });
    refused(answer, 503, 'SERVING_UNAVAILABLE');
    assert.is(expected(await world.api.get<Json>('/v1/deployments')).total, 0);
    const { models } = expected(await world.api.get<Json>('/v1/models/foundation')).data;
    assert.ok(models.every((row: Json) => row.serving.available === false));
  });
});
