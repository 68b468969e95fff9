import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';

suite('workspaces, organizations and users while nobody projects', test => {
  const folder = temporaryFolder();
  let api: Running;
  let archived: string;
  test.before(async () => {
    const { installed, workspaceId } = await firstStart(folder.path);
    archived = workspaceId;
    api = await startPlatform(folder.path, { installed, running: ['api'], env: { VISIBLE_WITHIN_MS: '0' } });
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('a new workspace is answered as it was decided', async () => {
    const retention = { events_days: 30 };
    const made = await api.call('POST', '/v1/workspace', { body: { name: 'Held back', retention } });
    const { data } = made.json as { data: Record<string, unknown> };
    assert.is(made.status, 201, made.text);
    assert.equal([data['name'], data['role'], data['member_count']], ['Held back', 'owner', 1]);
    assert.equal(data['retention'], { signals_days: null, events_days: 30, raw_days: null });
    assert.is((await api.call('GET', `/v1/workspace/${String(data['workspace_id'])}`)).status, 404);
  });

  test('so is a new organization', async () => {
    const made = await api.call('POST', '/v1/organization', { body: { name: 'Held back' } });
    const { data } = made.json as { data: Record<string, unknown> };
    assert.is(made.status, 201, made.text);
    assert.equal(
      [data['name'], data['member_count'], data['workspace_count'], data['owner_uid']],
      ['Held back', 1, 0, api.installed.uid],
    );
  });

  for (const kind of ['workspace', 'organization'] as const)
    test(`a changed ${kind} is answered as it was decided`, async () => {
      const { organizationId, workspaceId } = api.installed;
      const path = `/v1/${kind}/${kind === 'workspace' ? workspaceId : organizationId}`;
      const changed = await api.call('PATCH', path, { body: { name: 'Renamed' } });
      assert.equal([changed.status, changed.json.data.name], [200, 'Renamed'], changed.text);
      assert.is((await api.call('GET', path)).json.data.name, kind === 'workspace' ? 'First' : 'Org');
    });

  test('so is one that was restored', async () => {
    const path = `/v1/workspace/${archived}`;
    assert.not.equal((await api.call('GET', path)).json.data.archived_at, null);
    const restored = await api.call('POST', `${path}/restore`);
    assert.equal([restored.status, restored.json.data.archived_at], [200, null], restored.text);
  });

  test('so is a profile', async () => {
    const body = { name: 'Ada', locale: 'de-CH', avatar_url: 'https://example.org/a.png' };
    const { json } = await api.call('POST', '/v1/user/update-profile', { body });
    const { name, locale, avatar_url } = json.data;
    assert.equal({ name, locale, avatar_url }, body);
    assert.is((await api.call('GET', '/v1/user/me')).json.data.name, 'A');
  });
});

/** Makes who calls, and an archived workspace, with read models that know them. */
async function firstStart(dataDir: string): Promise<{ installed: Installed; workspaceId: string }> {
  const first = await startPlatform(dataDir, { running: ['api', 'projections'] });
  const made = await first.call('POST', '/v1/workspace', { body: { name: 'Archived' } });
  const workspaceId: string = made.json.data.workspace_id;
  await first.call('DELETE', `/v1/workspace/${workspaceId}`, { body: { confirm: 'Archived' } });
  await first.stop();
  return { installed: first.installed, workspaceId };
}
