import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { send, startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';

const HOUR = 3_600_000;

suite('when members were last active', test => {
  const folder = temporaryFolder();
  let now = Date.parse('2026-05-01T08:00:00Z');
  let api: Running;
  let other: Installed;
  test.before(async () => {
    api = await startPlatform(folder.path, { running: ['api', 'projections'], clock: () => now });
    const { identity } = api.platform.areas;
    const context = {
      workspace: null,
      actor: 'operator',
      request: null,
      correlation: 'c',
      causation: null,
      at: now,
    };
    const theirs = { organization: 'Theirs', workspace: 'Theirs', domainTerms: [], cell: 'local' };
    other = await identity.install({ ...theirs, email: 'b@example.org', name: 'B' }, context);
    const { workspaceId } = api.installed;
    const added = await identity.groups.addMember(
      ...(['workspace', workspaceId, null, other.uid, 'viewer'] as const),
      context,
    );
    await api.platform.visible(added.position);
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  /** Of the other member, as the first one's workspace shows it. */
  async function active(): Promise<unknown> {
    const { json } = await api.call('GET', `/v1/workspace/${api.installed.workspaceId}/members`);
    const { members } = (json as { data: { members: { uid: string; last_active_at: unknown }[] } }).data;
    return members.find(({ uid }) => uid === other.uid)?.last_active_at;
  }

  test('it is the last use of a token that reaches the group; null before', async () => {
    assert.is(await active(), null);
    const body = { name: 'Only there', workspace_ids: [other.workspaceId] };
    const made = await send(api.base, 'POST', '/v1/user/api-tokens', other, { body });
    assert.is(made.status, 200, made.text);
    assert.is(await active(), '2026-05-01T08:00:00.000Z');

    now += HOUR;
    const { token } = (made.json as { data: { token: string } }).data;
    const elsewhere = await send(api.base, 'GET', '/v1/workspace', { ...other, token });
    assert.is(elsewhere.status, 200, elsewhere.text);
    assert.is(await active(), '2026-05-01T08:00:00.000Z');

    now += HOUR;
    await send(api.base, 'GET', '/v1/event/streams', other);
    assert.is(await active(), '2026-05-01T10:00:00.000Z');
  });
});
