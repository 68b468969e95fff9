import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { make, once, pipeline } from './pipelines-world.js';
import { modelOf, queued, segmentOf, training } from './trainings-world.js';

const folder = temporaryFolder();

suite('a training that failed is tried again', test => {
  let running: Running;
  let segment_id = '';
  const context = (workspace: string | null) => ({
    ...{ workspace, actor: 'operator', request: null, correlation: 'c', causation: null },
    at: Date.now(),
  });
  /** One that failed for a reason that passes. */
  async function failed(body: object): Promise<string> {
    return fail(await queued(running, { segment_id, horizon: 2, ...body }));
  }
  async function fail(trainingId: string): Promise<string> {
    const { workspaceId: workspace } = running.installed;
    const { position } = await running.platform.areas.trainings.commands.fail(
      {
        ...{ workspace, trainingId, attempt: null, lines: [] },
        ...{ code: 'worker_lost', message: 'it was lost', retryable: true },
      },
      context(workspace),
    );
    await running.platform.visible(position);
    return trainingId;
  }
  const retry = (id: string, body?: object) =>
    running.call('POST', `/v1/training/${id}/retry`, body && { body });
  const again = async (id: string): Promise<[number, Json]> => {
    const { status, json } = await retry(id);
    return [status, json.error?.code ?? json.data];
  };

  test.before(async () => {
    // Nobody trains here: what is queued waits
    const roles = ['api', 'projections', 'workers'] as const;
    running = await startPlatform(folder.path, { running: roles, env: { DEFAULT_PLAN: 'team' } });
    segment_id = await segmentOf(running);
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  test('of the same model, as it is now', async () => {
    const model = await modelOf(running, 'drift');
    const id = await failed({ model, seed: 3 });
    const [status, data] = await again(id);
    assert.is(status, 202);
    const [before, now] = [await training(running, id), await training(running, data.training_id)];
    assert.is(now.trigger, 'retry');
    for (const same of ['model', 'blueprint', 'horizon', 'seed', 'segment_id', 'credits'])
      assert.equal(now[same], before[same], same);
  });

  test('for no more than the caller is ready to pay', async () => {
    const id = await failed({ model: await modelOf(running, 'drift') });
    const { status, json } = await retry(id, { max_credits: 0.5 });
    assert.equal([status, json.error.code], [402, 'price_above_max']);
    const { price, max_credits, rates_version } = json.error.details;
    assert.equal([price, max_credits, typeof rates_version], [1, 0.5, 'string']);
    assert.is((await retry(id, { max_credits: 1 })).status, 202);
  });

  test('of a pipeline within its monthly cap, and it counts to what that spent', async () => {
    const made = await make(running, {
      ...{ segment: segment_id, models: [{ model: await modelOf(running, 'drift') }] },
      ...{ forecast_horizon: 2, budget: { monthly_credit_cap: 1 } },
    });
    const id = made.pipeline_id;
    const spent = (credits: number) =>
      once(running, id, of => of.spend.credits === credits, `${credits} being spent`);
    const of = `/v1/training?pipeline_id=${id}`;
    const [first] = await until(async () => {
      const { trainings } = (await running.call('GET', of)).json.data;
      return trainings.length === 1 && trainings;
    }, 'the training of its first cycle');
    await spent(1);
    await fail(first.training_id);
    await spent(0);
    const [status, { training_id: second }] = await again(first.training_id);
    assert.is(status, 202);
    assert.is((await pipeline(running, id)).spend.credits, 1);
    assert.equal(await again(first.training_id), [409, 'budget_exhausted']);
    const run = await running.call('POST', `/v1/pipelines/${id}/run`, { body: {} });
    assert.equal([run.status, run.json.error.code], [409, 'budget_exhausted']);
    await fail(second);
    await spent(0);
    const [, { training_id: third }] = await again(second);
    assert.is((await pipeline(running, id)).spend.credits, 1);
    await running.call('DELETE', `/v1/pipelines/${id}`);
    await until(async () => (await training(running, third)).status === 'cancelled', 'it is called off');
    assert.is((await again(second))[0], 202, 'a pipeline that has gone has no cap');
  });

  test('and not of one that was deprecated meanwhile', async () => {
    const id = await failed({ family: 'presage', slug: 'nano', intensity: 'adapt' });
    assert.is((await again(id))[0], 202);
    const { models } = running.platform.areas;
    const nano = { family: 'presage', slug: 'nano' };
    const { position } = await models.operated.deprecate(nano, null, context(null));
    await running.platform.visible(position);
    assert.equal(await again(id), [409, 'MODEL_DEPRECATED']);
  });
});
