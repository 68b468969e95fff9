import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { change, create, cycled, dormant, made, path, pipeline, recipe } from './pipelines.js';
import { airline, custom, has, openTraining } from './training.js';
import { expected, places, refused, type World } from './world.js';

// The record of a pipeline: made, read, changed whole and in part, listed, deleted (specification 2.11, 4.9;
// open-parts 0.1, 0.2, 7, 9, 29.5, 32.19, 32.22).

suite('acceptance: records of pipelines', test => {
  let world: World;
  let segment = '';
  let [theta, drift] = ['', ''];
  test.before(async () => {
    world = await openTraining();
    segment = (await airline(world.api)).segment_id;
    theta = await custom(world.api, 'theta');
    drift = await custom(world.api, 'drift');
  });
  test.after(() => world.close());
  const asleep = (more: object = {}) =>
    recipe(segment, [{ model: theta }], { ...dormant(world.now()), ...more });

  test('it has every member, and what was not said has its default', async () => {
    const { data } = expected(await create(world.api, asleep()), 201);
    const found = await pipeline(world.api, data.pipeline_id);
    has(found, 'segment models forecast_horizon training_schedule promotion_policy retrain_triggers budget');
    has(found, 'pipeline_id name goal_id status created_at updated_at created_by serving candidate');
    has(found, 'last_cycle next_run_at spend version etag');
    assert.equal([found.segment, found.name, found.forecast_horizon], [segment, 'Passengers', 12]);
    assert.equal([found.goal_id, found.serving, found.candidate, found.last_cycle], [null, null, null, null]);
    assert.is(found.status, 'idle');
    assert.equal([found.promotion_policy.mode, found.promotion_policy.demote_previous], ['manual', true]);
    assert.ok(!found.budget?.monthly_credit_cap);
    assert.equal(found.training_schedule, dormant(world.now()).training_schedule);
    assert.is(found.spend.month, new Date(world.now()).toISOString().slice(0, 7));
    assert.equal([Number(found.spend.credits), found.spend.cap], [0, null]);
    const [entry] = found.models;
    has(entry, 'ref model_id family slug kind name intensity lookback status');
    assert.equal([entry.model_id, entry.kind, entry.name], [theta, 'custom', 'theta of ours']);
    assert.equal([entry.family, entry.slug, entry.intensity], [null, null, null]);
    assert.is(JSON.stringify(found.created_by).includes(world.running.installed.uid), true);
    assert.equal(data, found, 'and the answer to its creation is the same record');
  });

  test('the knobs of the trigger on new data have their defaults', async () => {
    const triggers = { retrain_triggers: { on_new_data: {} } };
    const found = await pipeline(world.api, await made(world.api, asleep(triggers)));
    assert.equal(found.retrain_triggers.on_new_data, {
      min_rows: 100,
      quiet_seconds: 300,
      max_wait_seconds: 3_600,
      cooldown_seconds: 3_600,
    });
    const own = { min_rows: 5, quiet_seconds: 1, max_wait_seconds: 60, cooldown_seconds: 10 };
    const other = await made(world.api, asleep({ retrain_triggers: { on_new_data: own } }));
    assert.equal((await pipeline(world.api, other)).retrain_triggers.on_new_data, own);
  });

  test('foundation entries take intensity and lookback, and have their defaults', async () => {
    const models = [
      { family: 'presage', slug: 'nano' },
      { family: 'presage', slug: 'mini', intensity: 'specialize', lookback: 256 },
    ];
    const found = await pipeline(world.api, await made(world.api, asleep({ models })));
    const resolved = found.models.map(({ family, slug, intensity, lookback }: Json) => [
      family,
      slug,
      intensity,
      lookback,
    ]);
    assert.equal(resolved, [
      ['presage', 'nano', 'adapt', 2048],
      ['presage', 'mini', 'specialize', 256],
    ]);
    assert.ok(found.models.every((entry: Json) => entry.kind.startsWith('foundation')));
  });

  test('entries that are the same when resolved are one', async () => {
    const models = [
      { model: theta },
      { model: drift },
      { model: theta },
      { family: 'presage', slug: 'nano' },
      { family: 'presage', slug: 'nano', intensity: 'adapt' },
      { family: 'presage', slug: 'nano', intensity: 'adapt', lookback: 2048 },
      { family: 'presage', slug: 'nano', intensity: 'adapt', lookback: 128 },
    ];
    const found = await pipeline(world.api, await made(world.api, asleep({ models })));
    assert.is(found.models.length, 4, JSON.stringify(found.models));
    assert.is(new Set(found.models.map((entry: Json) => JSON.stringify(entry.ref))).size, 4);
  });

  test('PUT replaces it whole, with defaults; PATCH changes what it names', async () => {
    const policy = { mode: 'off', demote_previous: false };
    const id = await made(
      world.api,
      asleep({ promotion_policy: policy, budget: { monthly_credit_cap: 40 }, name: 'First' }),
    );
    const before = await pipeline(world.api, id);
    assert.is(before.spend.cap, 40);
    assert.equal([before.promotion_policy.mode, before.promotion_policy.demote_previous], ['off', false]);
    const patched = expected(await change(world.api, id, { name: 'Second' })).data;
    assert.equal([patched.name, patched.promotion_policy], ['Second', before.promotion_policy]);
    assert.ok(patched.version > before.version);
    const cleared = expected(await change(world.api, id, { budget: { monthly_credit_cap: null } })).data;
    assert.ok(!cleared.budget?.monthly_credit_cap);
    const put = expected(
      await world.api.put<Json>(path(id), asleep({ name: 'Third', models: [{ model: drift }] })),
    ).data;
    assert.equal([put.name, put.promotion_policy.mode], ['Third', 'manual']);
    assert.equal(
      put.models.map((entry: Json) => entry.model_id),
      [drift],
    );
    assert.equal(await pipeline(world.api, id), put);
    assert.match(places(await world.api.put<Json>(path(id), { name: 'Half' })).join(), 'body.segment');
  });

  test('a change of what somebody else has changed meanwhile is refused', async () => {
    const id = await made(world.api, asleep());
    const { etag } = (await world.api.get<Json>(path(id))).headers;
    assert.ok(etag);
    expected(await change(world.api, id, { name: 'Mine' }, { 'if-match': etag }));
    const stale = { 'if-match': etag };
    refused(await change(world.api, id, { name: 'Theirs' }, stale), 409, 'version_conflict');
    refused(await world.api.put<Json>(path(id), asleep(), stale), 409, 'version_conflict');
    refused(
      await world.api.send<Json>({ method: 'DELETE', path: path(id), headers: stale }),
      409,
      'version_conflict',
    );
    assert.is((await pipeline(world.api, id)).name, 'Mine');
    assert.is(
      (
        await world.api.get<Json>(path(id), {
          'if-none-match': String((await world.api.get(path(id))).headers.etag),
        })
      ).status,
      304,
    );
  });

  test('the list has pages', async () => {
    const { data: whole } = expected(await world.api.get<Json>('/v1/pipelines?per_page=100'));
    assert.equal([whole.page, whole.per_page, whole.total_pages], [1, 100, 1]);
    assert.is(whole.pipelines.length, whole.total);
    const ids: string[] = [];
    for (let page = 1; page <= Math.ceil(whole.total / 2); page++) {
      const { data } = expected(await world.api.get<Json>(`/v1/pipelines?per_page=2&page=${page}`));
      assert.is(data.total, whole.total);
      ids.push(...data.pipelines.map((each: Json) => each.pipeline_id));
    }
    assert.equal(
      ids,
      whole.pipelines.map((each: Json) => each.pipeline_id),
    );
    assert.is(expected(await world.api.get<Json>('/v1/pipelines?per_page=500')).data.per_page, 100);
    assert.equal(places(await world.api.get<Json>('/v1/pipelines?page=0')), ['query.page']);
  });

  test('deleted it is gone, and its segment may go only then', async () => {
    const own = (await airline(world.api, {}, 'air.own')).segment_id;
    const id = await made(world.api, asleep({ segment: own }));
    refused(await world.api.delete<Json>(`/v1/segment/${own}`), 409, 'IN_USE');
    assert.is(expected(await world.api.delete<Json>(path(id))).status, 'deleted');
    refused(await world.api.get<Json>(path(id)), 404);
    refused(await change(world.api, id, { name: 'Ghost' }), 404);
    expected(await world.api.delete<Json>(`/v1/segment/${own}`));
  });

  test('it is there after a restart', async () => {
    const id = await made(world.api, asleep({ name: 'Kept' }));
    const before = await pipeline(world.api, id);
    await world.restart();
    assert.equal(await pipeline(world.api, id), before);
    const once = await made(world.api, recipe(segment, [{ model: drift }]));
    await cycled(world.api, once);
  });
});
