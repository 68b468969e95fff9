import * as assert from 'uvu/assert';
import { DAY } from '../../domain/time.js';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';
import type { Client } from './client.js';

suite('archived workspaces and organizations', test => {
  let world: AccountWorld;
  let owner: Client;
  test.before(async () => {
    world = await accountWorld();
    owner = world.as(world.api.installed.token);
  });
  test.after(() => world.close());

  const archive = (path: string, confirm: string) =>
    owner.send({ method: 'DELETE', path, body: { confirm } });
  const archived = async (kind: 'workspace' | 'organization'): Promise<string> => {
    const { data } = (await owner.post(`/v1/${kind}`, { name: 'Nord' })).body;
    const path = `/v1/${kind}/${String(data[`${kind}_id`])}`;
    assert.is((await archive(path, 'Nord')).status, 200);
    return path;
  };

  test('the name that confirms it is named where it is another one', async () => {
    const { body } = await archive(`/v1/workspace/${world.api.installed.workspaceId}`, 'first');
    assert.is(body.error.code, 'validation_error');
    assert.equal(
      body.detail.map(({ loc }) => loc),
      [['body', 'confirm']],
    );
  });

  test('a workspace shows itself and nothing else, not its audit either', async () => {
    const path = await archived('workspace');
    assert.is((await owner.get(path)).status, 200);
    for (const more of ['audit', 'members', 'invitations']) {
      const { status, body } = await owner.get(`${path}/${more}`);
      assert.equal([status, body.error.code], [403, 'workspace_archived'], more);
    }
    assert.is((await owner.post(`${path}/restore`)).status, 200);
    assert.is((await owner.get(`${path}/audit`)).status, 200);
  });

  test('of an organization the audit stays', async () => {
    const path = await archived('organization');
    assert.is((await owner.get(`${path}/audit`)).status, 200);
  });

  test('after 30 days there is no way back, and the answer says why', async () => {
    const paths = [await archived('workspace'), await archived('organization')];
    world.later(30 * DAY + 1_000);
    for (const path of paths) {
      const { status, body } = await owner.post(`${path}/restore`);
      assert.equal([status, body.error.code], [410, 'restore_expired'], path);
    }
  });
});
