import * as assert from 'uvu/assert';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';
import type { Json } from '../json.js';

// Nobody works on what is queued here: no process has the role `workers`.

suite('what one workspace may have queued', test => {
  const folder = temporaryFolder();
  let api: Running;
  let ann: Client;
  let bob: Client;
  test.before(async () => {
    api = await startPlatform(folder.path, {
      running: ['api', 'projections', 'serving'],
      env: { INFERENCE_QUEUED: '3', SERVING_THREADS: '1' },
    });
    const described = (await api.call('GET', '/openapi/v1.json')).json;
    const other = await peopleOf(api.platform).tenant('bob@example.org');
    const client = (token: string, workspace: string) => clientOf(api.base, described, { token, workspace });
    ann = client(api.installed.token, api.installed.workspaceId);
    bob = client(other.token, other.workspaceId);
  });
  test.after(async () => {
    ann.close();
    bob.close();
    await api.stop();
    folder.remove();
  });
  const deployed = (who: Client): Promise<string> =>
    until(async () => {
      const { body } = await who.post<Json>('/v1/models/deploy-foundation', {
        blueprint_uid: 'presage__nano',
      });
      if (body.data.ready) return body.data.promotion_id;
      await who.post(`/v1/deployments/${body.data.promotion_id}/unpromote`, {});
      return null;
    }, 'a worker that has the model loaded');
  const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 60, values: [1, 2, 3, 4] }];

  test('is bound; a further one is told to wait, other workspaces are not', async () => {
    const ask = (who: Client, id: string) =>
      who.post<Json>('/v1/inference/forecast', { promotion_id: id, series, async: true });
    const [mine, theirs] = [await deployed(ann), await deployed(bob)];
    const queued = [await ask(ann, mine), await ask(ann, mine), await ask(ann, mine)];
    assert.equal(
      queued.map(({ status }) => status),
      [202, 202, 202],
    );
    const refused = await ask(ann, mine);
    assert.equal([refused.status, refused.body.error.code], [429, 'rate_limited']);
    assert.match(refused.body.error.message, 'has 3 inferences queued');
    assert.is(refused.headers['retry-after'], '10');
    assert.is((await ask(bob, theirs)).status, 202);
    const direct = await ann.post('/v1/inference/forecast', { promotion_id: mine, series });
    assert.is(direct.status, 200, 'what is answered at once waits in no queue');
    const cancelled = await ann.post(`/v1/inference/${queued[0]!.body.inference_id}/cancel`, {});
    assert.is(cancelled.status, 200);
    assert.is((await ask(ann, mine)).status, 202);
  });
});
