import * as assert from 'uvu/assert';
import type { Installed } from '../../commands/installation.js';
import { send, startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';

suite('workspaces and organizations over HTTP', test => {
  const folder = temporaryFolder();
  let api: Running;
  let other: Installed;
  test.before(async () => {
    api = await startPlatform(folder.path, { running: ['api', 'projections'] });
    other = await person('b@example.org');
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  /** Somebody with an organization, a workspace and a token of their own. */
  const person = async (email: string): Promise<Installed> => {
    const context = {
      workspace: null,
      actor: 'operator',
      request: null,
      correlation: 'c',
      causation: null,
      at: Date.now(),
    };
    const made = await api.platform.areas.identity.install(
      { organization: 'Theirs', workspace: 'Theirs', email, name: 'B', domainTerms: [], cell: 'local' },
      context,
    );
    await api.platform.visible(made.position);
    return made;
  };
  const as = (who: Installed) => async (method: string, path: string, body?: unknown) =>
    send(api.base, method, path, who, body === undefined ? {} : { body });
  const mine = (method: string, path: string, body?: unknown) => as(api.installed)(method, path, body);
  const theirs = (method: string, path: string, body?: unknown) => as(other)(method, path, body);
  const own = () => `/v1/workspace/${api.installed.workspaceId}`;
  const invite = async (role: string, email = 'b@example.org') =>
    mine('POST', `${own()}/invitations`, { email, role });

  test("the list needs no header and shows the caller's own", async () => {
    const response = await fetch(`${api.base}/v1/workspace`, {
      headers: { authorization: `Bearer ${api.installed.token}` },
    });
    const { data } = (await response.json()) as {
      data: { workspaces: { workspace_id: string; role: string }[]; total: number };
    };
    assert.is(data.total, 1);
    assert.equal(
      data.workspaces.map(w => [w.workspace_id, w.role]),
      [[api.installed.workspaceId, 'owner']],
    );
  });

  test('a workspace is made, changed, archived and restored', async () => {
    const made = await mine('POST', '/v1/workspace', {
      name: 'Söll Nord',
      timezone: 'Europe/Vienna',
      domain_terms: ['snow', 'snow', 'lifts'],
    });
    assert.is(made.status, 201);
    const { workspace_id, ...rest } = made.json.data;
    assert.is(rest.slug, 'soll-nord');
    assert.equal(rest.domain_terms, ['snow', 'lifts']);
    assert.is(rest.role, 'owner');
    const path = `/v1/workspace/${workspace_id}`;
    assert.is((await mine('PATCH', path, { timezone: 'Mars/Base' })).status, 422);
    await mine('PATCH', path, { retention: { signals_days: 90 } });
    const kept = await mine('PATCH', path, { retention: { events_days: 30 } });
    assert.equal(kept.json.data.retention, { signals_days: 90, events_days: 30, raw_days: null });
    assert.is((await mine('PATCH', path, { name: 'Nord' })).json.data.name, 'Nord');
    assert.is((await mine('DELETE', path, { confirm: 'nord' })).status, 422);
    assert.is((await mine('DELETE', path, { confirm: 'Nord' })).status, 200);
    assert.is((await mine('PATCH', path, { name: 'x' })).json.error.code, 'workspace_archived');
    assert.ok((await mine('GET', path)).json.data.archived_at);
    const inside = await send(api.base, 'GET', '/v1/event/streams', {
      token: api.installed.token,
      workspaceId: workspace_id,
    });
    assert.is(inside.json.error.code, 'workspace_archived');
    assert.is((await mine('POST', `${path}/restore`)).json.data.archived_at, null);
    assert.is(
      (
        await send(api.base, 'GET', '/v1/event/streams', {
          token: api.installed.token,
          workspaceId: workspace_id,
        })
      ).status,
      200,
    );
  });

  test("another's is not found, by whatever path, whether it exists or not", async () => {
    for (const id of [api.installed.workspaceId, 'wsp_nothing'])
      for (const [method, path, body] of [
        ['GET', ''],
        ['PATCH', '', { name: 'x' }],
        ['DELETE', '', { confirm: 'First' }],
        ['POST', '/restore'],
        ['GET', '/members'],
        ['GET', '/invitations'],
        ['POST', '/invitations', { email: 'c@example.org', role: 'owner' }],
        ['PATCH', `/members/${api.installed.uid}`, { role: 'viewer' }],
        ['DELETE', `/members/${api.installed.uid}`],
        ['DELETE', '/invitations/inv_1'],
        ['POST', '/invitations/inv_1/resend'],
      ] as const) {
        const answer = await theirs(method, `/v1/workspace/${id}${path}`, body);
        assert.is(answer.status, 404, `${method} ${path}`);
        assert.is(answer.json.error.message, 'Not found');
      }
  });

  test('an invitation is accepted by whoever it is for, once, and gives the role', async () => {
    const invited = await invite('analyst');
    assert.is(invited.status, 201);
    const { token, invitation_id } = invited.json.data;
    assert.is((await invite('viewer')).json.error.code, 'already_invited');
    const listed = await mine('GET', `${own()}/invitations`);
    assert.not.match(listed.text, new RegExp(token));
    assert.is(listed.json.data.invitations[0].email, 'b@example.org');
    assert.is((await mine('GET', `/v1/workspace/invitations/${token}`)).json.error.code, 'not_invited');
    assert.is((await theirs('GET', `/v1/workspace/invitations/${token}`)).json.data.role, 'analyst');
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => theirs('POST', `/v1/workspace/invitations/${token}/accept`)),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    const members = (await theirs('GET', `${own()}/members`)).json.data.members;
    assert.equal(
      members.map((m: { uid: string; role: string }) => [m.uid, m.role]),
      [
        [api.installed.uid, 'owner'],
        [other.uid, 'analyst'],
      ],
    );
    assert.is((await theirs('POST', `/v1/workspace/invitations/${token}/decline`)).status, 410);
    // Whose address it was for is nobody's business once it is closed; whoever accepted sees it yet
    assert.is((await mine('GET', `${own()}/invitations`)).json.data.invitations[0].email, null);
    assert.is((await theirs('GET', `/v1/workspace/invitations/${token}`)).json.data.status, 'accepted');
    assert.is(
      (await mine('GET', `/v1/workspace/invitations/${token}`)).json.error.code,
      'invitation_expired',
    );
    assert.is((await mine('POST', `${own()}/invitations/${invitation_id}/resend`)).status, 410);
  });

  test('an analyst reads, an editor writes, an admin invites, and none of them touches owners', async () => {
    const record = () =>
      send(
        api.base,
        'POST',
        '/v1/event/record',
        { token: other.token, workspaceId: api.installed.workspaceId },
        { body: { key: 'k', text: 't' } },
      );
    const become = (role: string) => mine('PATCH', `${own()}/members/${other.uid}`, { role });
    assert.is((await record()).json.error.code, 'role_forbidden');
    assert.is(
      (await theirs('POST', `${own()}/invitations`, { email: 'c@example.org', role: 'viewer' })).json.error
        .code,
      'role_forbidden',
    );
    assert.is((await become('editor')).status, 200);
    assert.is((await record()).status, 200);
    await become('admin');
    assert.is(
      (await theirs('POST', `${own()}/invitations`, { email: 'c@example.org', role: 'viewer' })).status,
      201,
    );
    assert.is(
      (await theirs('POST', `${own()}/invitations`, { email: 'd@example.org', role: 'owner' })).json.error
        .code,
      'role_forbidden',
    );
    assert.is(
      (await theirs('PATCH', `${own()}/members/${api.installed.uid}`, { role: 'viewer' })).json.error.code,
      'role_forbidden',
    );
    assert.is(
      (await theirs('PATCH', `${own()}/members/${other.uid}`, { role: 'owner' })).json.error.code,
      'role_forbidden',
    );
    assert.is((await theirs('DELETE', own(), { confirm: 'First' })).json.error.code, 'role_forbidden');
  });

  test('the last owner stays, however many try at once', async () => {
    const path = `${own()}/members/${api.installed.uid}`;
    assert.is((await mine('DELETE', path)).json.error.code, 'last_owner');
    assert.is((await mine('PATCH', path, { role: 'viewer' })).json.error.code, 'last_owner');
    await mine('PATCH', `${own()}/members/${other.uid}`, { role: 'owner' });
    const [a, b] = await Promise.all([
      mine('PATCH', path, { role: 'admin' }),
      theirs('PATCH', `${own()}/members/${other.uid}`, { role: 'admin' }),
    ]);
    assert.equal([a.status, b.status].sort(), [200, 409]);
    const [winner, loser] = a.status === 409 ? [mine, other.uid] : [theirs, api.installed.uid];
    assert.is((await winner('PATCH', `${own()}/members/${loser}`, { role: 'owner' })).status, 200);
  });

  test('who is removed is out at once', async () => {
    assert.is((await mine('DELETE', `${own()}/members/${other.uid}`)).status, 200);
    assert.is((await theirs('GET', own())).status, 404);
    const inside = await send(api.base, 'GET', '/v1/event/streams', {
      token: other.token,
      workspaceId: api.installed.workspaceId,
    });
    assert.is(inside.json.error.code, 'workspace_forbidden');
  });

  test('a repeat under the same key shows neither the token nor the address again', async () => {
    const headers = { 'idempotency-key': 'invited' };
    const body = { email: 'key@example.org', role: 'viewer' };
    const ask = () => send(api.base, 'POST', `${own()}/invitations`, api.installed, { headers, body });
    const first = await ask();
    const again = await ask();
    assert.equal([first.status, again.status, again.headers.get('idempotency-replayed')], [201, 201, 'true']);
    const { token, ...shown } = first.json.data;
    assert.ok(token && shown.email === 'key@example.org');
    assert.equal(again.json.data, { ...shown, email: null });
  });

  test('an invitation is declined, revoked, renewed', async () => {
    const first = (await invite('viewer')).json.data;
    assert.equal((await theirs('POST', `/v1/workspace/invitations/${first.token}/decline`)).json, {
      status: 'ok',
    });
    const second = (await invite('viewer')).json.data;
    const renewed = (await mine('POST', `${own()}/invitations/${second.invitation_id}/resend`)).json.data;
    assert.is((await theirs('GET', `/v1/workspace/invitations/${first.token}`)).status, 410);
    assert.is((await theirs('GET', `/v1/workspace/invitations/${second.token}`)).status, 404);
    assert.is((await mine('DELETE', `${own()}/invitations/${second.invitation_id}`)).status, 200);
    assert.is((await theirs('POST', `/v1/workspace/invitations/${renewed.token}/accept`)).status, 410);
    const statuses = (await mine('GET', `${own()}/invitations`)).json.data.invitations.map(
      (i: { status: string }) => i.status,
    );
    assert.equal(statuses.slice(0, 2), ['revoked', 'declined']);
  });

  test('the audit tells who did what, by filter and page, and nothing secret or personal', async () => {
    const { data } = (await mine('GET', `${own()}/audit?per_page=100`)).json;
    const actions = data.entries.map((e: { action: string }) => e.action);
    for (const action of [
      'WorkspaceCreated',
      'MemberAdded',
      'InvitationIssued',
      'InvitationAccepted',
      'MemberRoleChanged',
      'MemberRemoved',
    ])
      assert.ok(actions.includes(action), action);
    assert.not.match(JSON.stringify(data), /example\.org|tokenHash/);
    const removed = (await mine('GET', `${own()}/audit?action=MemberRemoved`)).json.data;
    assert.is(removed.total, 1);
    assert.equal(removed.entries[0].data.uid, other.uid);
    assert.is(removed.entries[0].actor, `token:${api.installed.tokenId}`);
    assert.is(
      (
        await mine(
          'GET',
          `${own()}/audit?from=${encodeURIComponent(new Date(Date.now() + 60_000).toISOString())}`,
        )
      ).json.data.total,
      0,
    );
    assert.is((await mine('GET', `${own()}/audit?from=soon`)).status, 422);
    assert.is((await theirs('GET', `${own()}/audit`)).status, 404);
  });

  test('organizations go the same way, and hold their workspaces', async () => {
    const { organization_id } = (
      await mine('POST', '/v1/organization', { name: 'Nordwind', settings: { token_max_age_days: 90 } })
    ).json.data;
    const path = `/v1/organization/${organization_id}`;
    const made = await mine('POST', '/v1/workspace', { name: 'W', organization_id });
    assert.is(made.json.data.organization_id, organization_id);
    const { data } = (await mine('GET', path)).json;
    assert.is(data.workspace_count, 1);
    assert.is(data.owner_uid, api.installed.uid);
    assert.equal(data.settings, { require_2fa: false, allowed_email_domains: [], token_max_age_days: 90 });
    assert.is((await theirs('GET', path)).status, 404);
    assert.is((await theirs('POST', '/v1/workspace', { name: 'W', organization_id })).status, 422);
    const listed = (await mine('GET', '/v1/organization?per_page=1')).json.data;
    assert.equal([listed.total, listed.total_pages, listed.organizations.length], [2, 2, 1]);
    assert.is((await mine('GET', '/v1/organization/roles')).json.data.roles.length, 6);
  });
});
