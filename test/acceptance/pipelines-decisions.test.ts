import * as assert from 'uvu/assert';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { feedOf, item } from './inbox.js';
import {
  change,
  cycled,
  decide,
  inStatus,
  made,
  path,
  pending,
  pipeline,
  promoted,
  recipe,
  run,
} from './pipelines.js';
import { serving } from './pipelines.js';
import { airline, custom, openTraining } from './training.js';
import { at, DAY, expected, forecast, places, refused, type World } from './world.js';

// What may be decided about a candidate, and what follows (specification 3, 6.2; open-parts 9, 21, 32.22).

suite('acceptance: decisions about candidates', test => {
  let world: World;
  let segment = '';
  let [naive, drift, ets] = ['', '', ''];
  test.before(async () => {
    world = await openTraining();
    segment = (await airline(world.api)).segment_id;
    naive = await custom(world.api, 'naive');
    drift = await custom(world.api, 'drift');
    ets = await custom(world.api, 'ets', { hyperparameters: { period: 12 } });
  });
  test.after(() => world.close());

  /** A pipeline of the worst model, with a candidate. */
  const proposed = async (more: object = {}): Promise<string> => {
    const id = await made(world.api, recipe(segment, [{ model: naive }], more));
    await pending(world.api, id);
    return id;
  };
  /** A pipeline that serves the worst model, and has just trained a better one. */
  const improved = async (more: object = {}): Promise<{ id: string; old: Json; cycle: Json }> => {
    const id = await proposed();
    const old = await promoted(world.api, id);
    expected(await change(world.api, id, { models: [{ model: ets }], ...more }));
    return { id, old, cycle: await run(world.api, id) };
  };
  const status = async (promotion: string, api: Client = world.api): Promise<string> =>
    expected(await api.get<Json>(`/v1/deployments/${promotion}`)).data.status;

  test('what is no decision is named, and one about nothing is refused', async () => {
    const id = await proposed();
    assert.equal(places(await decide(world.api, id, {})), ['body.decision']);
    assert.equal(places(await decide(world.api, id, { decision: 'perhaps' })), ['body.decision']);
    assert.equal(places(await decide(world.api, id, { decision: 'defer' })), ['body.until']);
    const later = { decision: 'defer', until: at(world.now() + 31 * DAY) };
    assert.equal(places(await decide(world.api, id, later)), ['body.until']);
    assert.equal(places(await decide(world.api, id, { ...later, until: 'some day' })), ['body.until']);
    const wrong = await decide(world.api, id, { decision: 'approve', candidate_id: 'cnd_nobodys' });
    const { details } = refused(wrong, 409, 'candidate_changed');
    assert.match(JSON.stringify(details), (await pending(world.api, id)).candidate_id);
    const { version } = await pipeline(world.api, id);
    const old = await decide(world.api, id, { decision: 'approve', expected_version: version + 1 });
    refused(old, 409, 'version_conflict');
    assert.is((await pending(world.api, id)).status, 'pending', 'nothing has changed');
    expected(await decide(world.api, id, { decision: 'approve', expected_version: version }));
    await serving(world.api, id);
    refused(await decide(world.api, id, { decision: 'approve' }), 409, 'no_pending_decision');
    refused(await decide(world.api, 'pip_nobodys', { decision: 'approve' }), 404);
  });

  test('rejected it is never deployed, and the reason is kept', async () => {
    const id = await proposed();
    const { candidate_id } = await pending(world.api, id);
    const { data } = expected(await decide(world.api, id, { decision: 'reject', reason: 'not yet' }));
    assert.equal(
      [data.decision, data.candidate_id, data.promotion_id ?? null],
      ['reject', candidate_id, null],
    );
    const after = await inStatus(world.api, id, 'idle');
    assert.is(after.serving, null);
    refused(await decide(world.api, id, { decision: 'approve' }), 409, 'no_pending_decision');
    const { promotions } = expected(await world.api.get<Json>(path(id, '/promotions'))).data;
    assert.match(JSON.stringify(promotions), 'not yet');
    await run(world.api, id);
    assert.is.not(
      (await pending(world.api, id)).candidate_id,
      candidate_id,
      'the next cycle may propose again',
    );
  });

  test('deferred it waits until its date, and is pending again', async () => {
    const id = await proposed();
    const { candidate_id } = await pending(world.api, id);
    const { data } = expected(
      await decide(world.api, id, { decision: 'defer', until: at(world.now() + 2 * DAY) }),
    );
    assert.is(data.decision, 'defer');
    const waiting = await pipeline(world.api, id);
    assert.equal([waiting.candidate.candidate_id, waiting.candidate.status], [candidate_id, 'deferred']);
    world.later(2 * DAY + 60_000);
    assert.is((await pending(world.api, id)).candidate_id, candidate_id);
  });

  test('a candidate that nobody decides about ends after 14 days', async () => {
    const id = await proposed();
    const { expires_at } = await pending(world.api, id);
    world.later(Date.parse(expires_at) - world.now() + 60_000);
    await until(async () => {
      const { candidate } = await pipeline(world.api, id);
      return candidate === null || candidate.status === 'expired';
    }, 'its end');
    refused(await decide(world.api, id, { decision: 'approve' }), 409, 'no_pending_decision');
  });

  test('a later and better one takes the place of one that waits, a worse one does not', async () => {
    const seasonal = await custom(world.api, 'seasonal_naive', { hyperparameters: { period: 12 } });
    const { id } = await improved({ models: [{ model: seasonal }] });
    const first = await pending(world.api, id);
    expected(await change(world.api, id, { models: [{ model: drift }] }));
    await run(world.api, id);
    assert.is((await pending(world.api, id)).candidate_id, first.candidate_id);
    expected(await change(world.api, id, { models: [{ model: ets }] }));
    await run(world.api, id);
    const second = await until(async () => {
      const found = await pending(world.api, id);
      return found.candidate_id !== first.candidate_id && found;
    }, 'the better one');
    assert.ok(second.score < first.score);
    const late = await decide(world.api, id, { decision: 'approve', candidate_id: first.candidate_id });
    assert.match(JSON.stringify(refused(late, 409, 'candidate_changed').details), second.candidate_id);
    expected(await decide(world.api, id, { decision: 'approve', candidate_id: second.candidate_id }));
  });

  test('mode auto deploys what is better by itself, retires the old, and tells both scores', async () => {
    const { id, old } = await improved({ promotion_policy: { mode: 'auto' } });
    const now = await serving(world.api, id, old.promotion_id);
    await until(async () => (await status(old.promotion_id)).startsWith('retir'), 'the old version leaving');
    // the first version of this pipeline told of itself as well
    const told = await item(
      world.api,
      'pipeline.new_best',
      each => each.data.training_id === now.training_id,
    );
    assert.equal([told.data.mode, told.data.deployed, told.data.pipeline_id], ['auto', true, id]);
    assert.ok(told.data.score < told.data.serving_score);
    assert.equal([told.data.score, told.data.serving_score], [now.score, old.score]);
    refused(await decide(world.api, id, { decision: 'approve' }), 409, 'no_pending_decision');
    assert.is((await inStatus(world.api, id, 'idle')).candidate?.status ?? 'promoted', 'promoted');
  });

  test('with demote_previous false the old version goes on', async () => {
    const { id, old } = await improved({ promotion_policy: { mode: 'auto', demote_previous: false } });
    await serving(world.api, id, old.promotion_id);
    assert.is(await status(old.promotion_id), 'deployed');
    assert.is(
      (await forecast(world.api, { promotion_id: old.promotion_id, key: 'air', horizon: 3 })).promotion_id,
      old.promotion_id,
    );
    const other = await improved();
    await pending(world.api, other.id);
    const kept = { decision: 'approve', demote_previous: false };
    const { data } = expected(await decide(world.api, other.id, kept));
    assert.is(data.retired_promotion_id, null);
    await serving(world.api, other.id, other.old.promotion_id);
    assert.is(await status(other.old.promotion_id), 'deployed');
  });

  test('mode off trains, and proposes nothing', async () => {
    const id = await made(
      world.api,
      recipe(segment, [{ model: ets }], { promotion_policy: { mode: 'off' } }),
    );
    const cycle = await cycled(world.api, id);
    assert.is(cycle.results.length, 1);
    const after = await inStatus(world.api, id, 'idle');
    assert.equal([after.candidate, after.serving], [null, null]);
    const { notifications } = await feedOf(world.api, '?kind=pipeline.new_best&per_page=100');
    assert.ok(notifications.every((each: Json) => each.data.pipeline_id !== id));
  });

  test('what is better by less than min_improvement is not proposed', async () => {
    const { id, old, cycle } = await improved({ promotion_policy: { mode: 'auto', min_improvement: 0.99 } });
    assert.ok(cycle.results[0].score < old.score);
    const after = await inStatus(world.api, id, 'idle');
    assert.equal([after.candidate, after.serving.promotion_id], [null, old.promotion_id]);
  });
});
