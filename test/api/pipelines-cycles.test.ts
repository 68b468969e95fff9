import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { custom, make, once, pipeline, waves } from './pipelines-world.js';

suite('a pipeline from its first cycle to a promotion', test => {
  const folder = temporaryFolder();
  let running: Running;
  let segment = '';
  let naive = '';
  let seasonal = '';
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  test.before(async () => {
    running = await startPlatform(folder.path);
    segment = await waves(running);
    [naive, seasonal] = [await custom(running, 'naive'), await custom(running, 'seasonal_naive')];
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });
  const idle = (of: Json): boolean => of.status !== 'training' && of.last_cycle?.finished_at !== null;
  const notices = async (kind: string): Promise<Json[]> =>
    (await call('GET', `/v1/notifications?kind=${kind}`)).json.data.notifications;

  test('manual: trained at creation, proposed, approved, deployed, asked by its id', async () => {
    const made = await make(running, { segment, models: [{ model: naive }, { model: seasonal }] });
    const id = made.pipeline_id;
    const path = `/v1/pipelines/${id}`;
    const waiting = await once(running, id, of => of.candidate !== null, 'there is a candidate');
    assert.is(waiting.status, 'awaiting_decision');
    assert.is(waiting.last_cycle.trigger, 'created');
    assert.equal(
      waiting.last_cycle.results.map(({ status, credits }: Json) => [status, credits]),
      [
        ['completed', 1],
        ['completed', 1],
      ],
    );
    assert.is(waiting.candidate.model_ref, seasonal);
    assert.equal([waiting.candidate.serving_score, waiting.candidate.status], [null, 'pending']);
    assert.is(waiting.spend.credits, 2);
    const [best] = await until(async () => {
      const found = await notices('pipeline.new_best');
      return found.length > 0 && found;
    }, 'people are told');
    const { candidate } = waiting;
    assert.is(best.title, 'Pipeline Orders by hour found a model');
    assert.match(best.body, /^Its mase is [\d.]+; nothing served before\. It is not deployed\.$/);
    assert.equal(best.data, {
      ...{ pipeline_name: 'Orders by hour', pipeline_id: id },
      ...{ candidate_id: candidate.candidate_id, training_id: candidate.training_id },
      ...{ score: candidate.score, serving_score: null, metric: 'mase', mode: 'manual', deployed: false },
    });
    await until(async () => (await notices('pipeline.decision_needed')).length === 1, 'who decides is told');

    // One for each training, not one for both
    const trained = await until(async () => {
      const found = await notices('training.completed');
      return found.length === 2 && found;
    }, 'each training is told of');
    assert.equal(
      trained.map(({ count, data }) => [count, data.training_id]).sort(),
      waiting.last_cycle.results.map(({ training_id }: Json) => [1, training_id]).sort(),
    );
    const asked = { body: { pipeline_id: id, key: 'shop.orders', horizon: 12 } };
    const early = await call('POST', '/v1/inference/forecast', asked);
    assert.equal([early.status, early.json.error.code], [409, 'deployment_not_ready']);
    assert.match(early.json.error.message, /: candidate cnd_\w+ waits for a decision$/);
    assert.is(early.headers.get('retry-after'), '3600');

    const other = { decision: 'approve', candidate_id: 'cnd_other' };
    const changed = await call('POST', `${path}/promotion-decision`, { body: other });
    assert.equal([changed.status, changed.json.error.code], [409, 'candidate_changed']);
    assert.is(changed.json.error.details.candidate_id, candidate.candidate_id);
    const stale = { decision: 'approve', expected_version: 7 };
    const conflict = await call('POST', `${path}/promotion-decision`, { body: stale });
    assert.is(conflict.json.error.code, 'version_conflict');
    const decided = await call('POST', `${path}/promotion-decision`, {
      body: { decision: 'approve', candidate_id: candidate.candidate_id, reason: 'good enough' },
    });
    assert.is(decided.status, 200, decided.text);
    const { promotion_id } = decided.json.data;
    const serving = await once(running, id, of => of.serving !== null, 'it serves');
    assert.equal([serving.serving.promotion_id, serving.serving.version], [promotion_id, 1]);
    assert.equal([serving.status, serving.candidate], ['idle', null]);
    const deployment = (await call('GET', `/v1/deployments/${promotion_id}`)).json.data;
    assert.equal(
      [deployment.deployment_type, deployment.status, deployment.pipeline_id],
      ['trained', 'deployed', id],
    );
    const forecast = await call('POST', '/v1/inference/forecast', asked);
    assert.is(forecast.status, 200, forecast.text);
    assert.is(forecast.json.forecasts[0].points.length, 12);

    const ran = await call('POST', `${path}/run`, { body: {} });
    assert.is(ran.status, 202, ran.text);
    const again = await once(running, id, of => idle(of) && of.last_cycle.number === 2, 'it ran again');
    assert.equal([again.last_cycle.outcome, again.candidate], ['not_better', null]);
    assert.is(again.last_cycle.against, promotion_id);
    const cycles = (await call('GET', `${path}/cycles`)).json.data;
    assert.equal([cycles.total, cycles.cycles[0].number], [2, 2]);
    const { promotions } = (await call('GET', `${path}/promotions`)).json.data;
    assert.equal(
      promotions.map(({ status, decision, reason }: Json) => [status, decision, reason]),
      [['promoted', 'approve', 'good enough']],
    );
    const would = (await call('DELETE', `${path}?dry_run=true`)).json.data;
    assert.is(would.serving_promotion_id, promotion_id);
    await call('DELETE', path);
    assert.is((await call('GET', `/v1/deployments/${promotion_id}`)).json.data.status, 'deployed');
  });

  test('auto: a better one takes its place, and what served goes only then', async () => {
    const policy = { mode: 'auto' };
    const made = await make(running, { segment, models: [{ model: naive }], promotion_policy: policy });
    const id = made.pipeline_id;
    const first = await once(running, id, of => of.serving !== null, 'the first serves');
    await call('PATCH', `/v1/pipelines/${id}`, { body: { models: [{ model: seasonal }] } });
    await call('POST', `/v1/pipelines/${id}/run`, { body: {} });
    const next = await once(running, id, of => of.serving?.version === 2, 'the second serves');
    const before = first.serving.promotion_id;
    assert.is.not(next.serving.promotion_id, before);
    await until(async () => {
      const { status } = (await call('GET', `/v1/deployments/${before}`)).json.data;
      return status === 'retired' || status === 'retiring';
    }, 'what served is retired');
    assert.equal((await pipeline(running, id)).serving.promotion_id, next.serving.promotion_id);
    const told = await until(async () => {
      const found = (await notices('pipeline.new_best')).filter(({ data }) => data.pipeline_id === id);
      return found.length > 1 && found;
    }, 'people are told of both');
    assert.equal(
      told.map(({ data }) => [data.deployed, data.training_id]),
      [next, first].map(({ serving }) => [true, serving.training_id]),
    );
    assert.match(told[0]!.title, / found a better model$/);
    assert.ok(told[0]!.data.serving_score > told[0]!.data.score);

    // Back to an earlier one: deployed by itself, and asked by its own id
    const earlier = await call('POST', '/v1/deployments', {
      body: { training_id: first.serving.training_id },
    });
    const back = earlier.json.data.promotion_id as string;
    assert.is.not(back, before);
    const { promotion_id: now } = next.serving;
    await until(async () => (await call('GET', `/v1/deployments/${back}`)).json.data.ready, 'it is ready');
    const left = await call('POST', `/v1/deployments/${now}/unpromote`, { body: { replacement: back } });
    assert.is(left.status, 200, left.text);
    await once(running, id, of => of.serving === null, 'nothing serves it');
    const asked = (of: object) =>
      call('POST', '/v1/inference/forecast', { body: { ...of, key: 'shop.orders', horizon: 12 } });
    assert.is((await asked({ promotion_id: back })).status, 200);
    const none = await asked({ pipeline_id: id });
    assert.equal([none.status, none.headers.get('retry-after')], [409, '3600'], none.text);
    assert.match(none.json.error.message, `it takes a cycle: begin one by POST /v1/pipelines/${id}/run`);
    await call('DELETE', `/v1/pipelines/${id}`);
  });
});
