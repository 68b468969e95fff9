import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
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
    const trainingId = await queued(running, { segment_id, horizon: 2, ...body });
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
  const again = async (id: string): Promise<[number, Json]> => {
    const { status, json } = await running.call('POST', `/v1/training/${id}/retry`);
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
