import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { item } from './inbox.js';
import { change, create, cycle, cycled, cycles, decide, inStatus, made, path } from './pipelines.js';
import { pending, pipeline, recipe, run, serving } from './pipelines.js';
import { connect } from './socket.js';
import { airline, custom, has, openTraining, training } from './training.js';
import { expected, forecast, refused, tokenOf, type World } from './world.js';

// A pipeline from its first cycle to a forecast of what it promoted, and to the next candidate (specification
// 2.11, 3, 4.9; open-parts 9, 11, 21, 22, 32.21, 32.22).

suite('acceptance: cycles of pipelines', test => {
  let world: World;
  let segment = '';
  let [naive, drift, ets] = ['', '', ''];
  let id = '';
  test.before(async () => {
    world = await openTraining();
    segment = (await airline(world.api)).segment_id;
    naive = await custom(world.api, 'naive');
    drift = await custom(world.api, 'drift');
    ets = await custom(world.api, 'ets', { hyperparameters: { period: 12 } });
  });
  test.after(() => world.close());

  test('without a schedule it trains once, at its creation, and the best is a candidate', async () => {
    const { token } = await tokenOf(world.api, ['workspaces.read', 'trainings.read']);
    const socket = await connect(world.running.base, token);
    await socket.subscribe(`workspace:${world.running.installed.workspaceId}`);
    const { data } = expected(
      await create(world.api, recipe(segment, [{ model: naive }, { model: drift }])),
      201,
    );
    id = data.pipeline_id;
    const mine = (frame: Json) => frame.data.pipeline_id === id;
    const { training_id } = (await socket.heard('training.updated', mine)).data;
    assert.is((await training(world.api, training_id)).pipeline_id, id);
    const first = await cycled(world.api, id);
    has(first, 'cycle_id started_at finished_at status trigger results');
    assert.is(first.trigger, 'created');
    assert.is(first.results.length, 2);
    const refs = JSON.stringify((await pipeline(world.api, id)).models.map((entry: Json) => entry.ref));
    for (const result of first.results) {
      has(result, 'model_ref training_id score');
      assert.ok(refs.includes(result.model_ref), `${result.model_ref} of ${refs}`);
      const record = await training(world.api, result.training_id);
      assert.equal([record.pipeline_id, record.cycle_id, record.status], [id, first.cycle_id, 'completed']);
      assert.equal([record.horizon, record.segment_id, record.trigger], [12, segment, 'created']);
      assert.ok(Math.abs(record.report.score - result.score) < 1e-9);
    }
    const candidate = await pending(world.api, id);
    has(candidate, 'candidate_id training_id model_ref score serving_score metric improvement interval');
    has(candidate, 'coverage created_at expires_at status');
    const best = first.results.toSorted((a: Json, b: Json) => a.score - b.score)[0];
    assert.equal(
      [candidate.training_id, candidate.model_ref, candidate.score],
      [best.training_id, best.model_ref, best.score],
    );
    assert.equal([candidate.serving_score, candidate.metric, candidate.status], [null, 'mase', 'pending']);
    const days = (Date.parse(candidate.expires_at) - Date.parse(candidate.created_at)) / 86_400_000;
    assert.is(days, 14);
    await socket.heard('pipeline.decision_needed', mine);
    socket.close();
    await item(world.api, 'pipeline.decision_needed', each => each.data.pipeline_id === id);
    assert.is((await pipeline(world.api, id)).serving, null, 'nobody has decided');
  });

  test('approved it is deployed, serves, and answers forecasts of the pipeline', async () => {
    const candidate = await pending(world.api, id);
    const asked = { decision: 'approve', candidate_id: candidate.candidate_id, reason: 'good enough' };
    const { data } = expected(await decide(world.api, id, asked));
    has(data, 'pipeline_id candidate_id decision decided_by decided_at promotion_id retired_promotion_id');
    assert.equal([data.pipeline_id, data.candidate_id], [id, candidate.candidate_id]);
    assert.equal([data.decision, data.retired_promotion_id], ['approve', null]);
    assert.is(JSON.stringify(data.decided_by).includes(world.running.installed.uid), true);
    const found = await serving(world.api, id);
    has(found, 'promotion_id training_id version score since');
    assert.equal([found.promotion_id, found.training_id], [data.promotion_id, candidate.training_id]);
    assert.is(found.score, candidate.score);
    const { data: deployment } = expected(await world.api.get<Json>(`/v1/deployments/${found.promotion_id}`));
    assert.equal([deployment.deployment_type, deployment.pipeline_id], ['trained', id]);
    assert.is(deployment.training_id, candidate.training_id);
    const answer = await forecast(world.api, { pipeline_id: id, key: 'air', horizon: 12 });
    assert.is(answer.promotion_id, found.promotion_id);
    assert.is(answer.forecasts[0].points.length, 12);
    assert.is(answer.metadata.provenance.training_id, candidate.training_id);
    const after = await inStatus(world.api, id, 'idle');
    assert.is(after.candidate === null || after.candidate.status === 'promoted', true);
    refused(await decide(world.api, id, { decision: 'approve' }), 409, 'no_pending_decision');
    const { promotions } = expected(await world.api.get<Json>(path(id, '/promotions'))).data;
    assert.ok(promotions.some((each: Json) => each.candidate_id === candidate.candidate_id));
    assert.match(JSON.stringify(promotions), 'good enough');
  });

  test('the same models on the same data are no better, and nothing is proposed', async () => {
    const before = await pipeline(world.api, id);
    const second = await run(world.api, id);
    assert.is(second.trigger, 'manual');
    const after = await inStatus(world.api, id, 'idle');
    assert.equal(after.serving, before.serving);
    assert.ok(after.candidate === null || after.candidate.status !== 'pending');
    assert.equal(after.last_cycle.cycle_id, second.cycle_id);
    const known = (await cycles(world.api, id)).map(each => each.cycle_id);
    assert.ok(known.includes(second.cycle_id) && known.length === 2);
    assert.equal((await cycle(world.api, id, second.cycle_id)).results, second.results);
    refused(await world.api.get<Json>(path(id, '/cycles/cyc_nobodys')), 404);
  });

  test('a better model is the next candidate, with both scores, and takes the place of the old', async () => {
    const { serving: old } = await pipeline(world.api, id);
    expected(await change(world.api, id, { models: [{ model: naive }, { model: ets }] }));
    await run(world.api, id);
    const candidate = await pending(world.api, id);
    assert.ok(candidate.score < candidate.serving_score, JSON.stringify(candidate));
    assert.ok(Math.abs(candidate.improvement - (1 - candidate.score / candidate.serving_score)) < 0.02);
    const [low, high] = candidate.interval;
    assert.ok(low > 0 && low <= candidate.improvement && candidate.improvement <= high);
    const told = await item(
      world.api,
      'pipeline.new_best',
      each => each.data.candidate_id === candidate.candidate_id,
    );
    assert.equal(told.data, {
      pipeline_id: id,
      pipeline_name: 'Passengers',
      candidate_id: candidate.candidate_id,
      training_id: candidate.training_id,
      score: candidate.score,
      serving_score: candidate.serving_score,
      metric: 'mase',
      mode: 'manual',
      deployed: false,
    });
    const { data } = expected(await decide(world.api, id, { decision: 'approve' }));
    assert.is(data.retired_promotion_id, old.promotion_id);
    const now = await serving(world.api, id, old.promotion_id);
    assert.is(now.promotion_id, data.promotion_id);
    await until(async () => {
      const answer = expected(await world.api.get<Json>(`/v1/deployments/${old.promotion_id}`));
      return ['retiring', 'retired'].includes(answer.data.status);
    }, 'the old version leaving');
    const answer = await forecast(world.api, { pipeline_id: id, key: 'air', horizon: 12 });
    assert.is(answer.promotion_id, data.promotion_id);
    assert.is(expected(await world.api.get<Json>(path(id, '/promotions'))).data.total, 2);
  });

  test('while a cycle runs another is refused, and a pipeline that is gone is 404', async () => {
    const other = await made(world.api, recipe(segment, [{ model: ets }, { model: drift }]));
    await cycled(world.api, other);
    const [one, two] = await Promise.all([1, 2].map(() => world.api.post<Json>(path(other, '/run'), {})));
    const answers = [one!, two!].toSorted((a, b) => a.status - b.status);
    expected(answers[0]!, 202);
    refused(answers[1]!, 409, 'cycle_running');
    await cycled(world.api, other, 2);
    assert.is(expected(await world.api.delete<Json>(path(other))).status, 'deleted');
    for (const below of ['', '/cycles', '/promotions'])
      refused(await world.api.get<Json>(path(other, below)), 404);
    refused(await world.api.post<Json>(path(other, '/run'), {}), 404);
    refused(await decide(world.api, other, { decision: 'approve' }), 404);
  });
});
