import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';

suite('workspaces and organizations while nobody projects', test => {
  const folder = temporaryFolder();
  let api: Running;
  test.before(async () => {
    const installed = await firstStart(folder.path);
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
});

/** Makes who calls, with read models that know them. */
async function firstStart(dataDir: string): Promise<Installed> {
  const first = await startPlatform(dataDir, { running: ['api', 'projections'] });
  await first.stop();
  return first.installed;
}
