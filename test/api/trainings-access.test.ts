import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { send, startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { modelOf, over, queued, segmentOf } from './trainings-world.js';

const folder = temporaryFolder();

suite('trainings of another workspace', test => {
  let running: Running;
  let other: Pick<Running, 'call'>;
  let id = '';
  let mine: { readonly segment_id: string; readonly model: string };
  test.before(async () => {
    running = await startPlatform(folder.path);
    mine = {
      segment_id: await segmentOf(running),
      model: await modelOf(running, 'drift'),
    };
    id = await queued(running, mine);
    await over(running, id);
    const made = await running.call('POST', '/v1/workspace', { body: { name: 'Other' } });
    assert.is(made.status, 201, made.text);
    const login = { ...running.installed, workspaceId: made.json.data.workspace_id as string };
    other = {
      call: (method, path, sent) => send(running.base, method, path, login, sent),
    };
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  test('are nowhere', async () => {
    for (const [method, below] of [
      ...['', '/report', '/logs', '/download'].map(path => ['GET', path] as const),
      ...['/cancel', '/retry'].map(path => ['POST', path] as const),
    ]) {
      const { status, json } = await other.call(method, `/v1/training/${id}${below}`);
      assert.equal([status, json.error.code], [404, 'not_found'], `${method} ${below}`);
    }
    assert.is((await other.call('GET', '/v1/training')).json.data.total, 0);
    const { status } = await other.call('POST', '/v1/deployments', { body: { training_id: id } });
    assert.is(status, 404);
  });

  test('and neither its segments nor its private models are trained', async () => {
    const theirs = await segmentOf(other, 'theirs');
    const ask = async (body: object): Promise<Json> => {
      const { status, json } = await other.call('POST', '/v1/training', { body });
      return [status, json.error?.details.field];
    };
    assert.equal(await ask({ ...mine }), [404, 'segment_id']);
    assert.equal(await ask({ ...mine, segment_id: theirs }), [404, 'model']);
  });

  test('a public model is trained by whoever likes', async () => {
    const body = { kind: 'custom', algorithm: 'drift', visibility: 'public' };
    const { uid } = (await running.call('POST', '/v1/models', { body })).json.data;
    const segment_id = await segmentOf(other, 'theirs.too');
    const ended = await over(other, await queued(other, { segment_id, model: uid }));
    assert.is(ended.status, 'completed', JSON.stringify(ended.error));
  });

  test('an owner is told of the end', async () => {
    const item = await until(async () => {
      const { notifications } = (await running.call('GET', '/v1/notifications')).json.data;
      return notifications.find(
        ({ kind, data }: Json) => kind === 'training.completed' && data.training_id === id,
      );
    }, 'the notification');
    assert.is(item.workspace_id, running.installed.workspaceId);
  });
});
