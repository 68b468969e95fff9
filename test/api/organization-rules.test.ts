import * as assert from 'uvu/assert';
import { DAY } from '../../domain/time.js';
import type { Person } from '../people.js';
import { suite } from '../suite.js';
import { accountWorld, codeAt, type AccountWorld } from './account-world.js';
import type { Answered, Client } from './client.js';
import type { Json } from '../json.js';

type Made = { data: { token: string; token_id: string; expires_at: string | null; created_at: string } };
const refused = ({ status, body }: Answered<Json>, expected: number, code: string) =>
  assert.equal([status, body.error.code], [expected, code]);
const tokens = '/v1/user/api-tokens';

suite('what an organization asks of its members', test => {
  let world: AccountWorld;
  let owner: Client;
  let organization: string;
  let workspace: string;
  let member: Person;
  let inside: Client;
  /** The installation's user with an organization and a workspace, and a member in both. */
  test.before.each(async () => {
    world = await accountWorld();
    ({ organizationId: organization, workspaceId: workspace } = world.api.installed);
    owner = world.as(world.api.installed.token, workspace);
    member = await world.people.person('Member@Example.org');
    for (const [kind, id] of [
      ['workspace', workspace],
      ['organization', organization],
    ] as const)
      await world.people.join(kind, id, member.uid, 'admin');
    inside = world.as(member.token, workspace);
  });
  test.after.each(() => world.close());

  const ask = (settings: object, by = owner) => by.patch(`/v1/organization/${organization}`, { settings });
  const enrol = async (by: Client): Promise<string> => {
    const secret = (await by.post('/v1/user/totp/enroll')).body.data['secret'] as string;
    assert.is((await by.post('/v1/user/totp/confirm', { code: codeAt(secret, world.now()) })).status, 200);
    return secret;
  };
  const streams = (by: Client) => by.get('/v1/event/streams');
  const invite = (email: string, path = `/v1/workspace/${workspace}`) =>
    owner.post(`${path}/invitations`, { email, role: 'viewer' });

  test('a second factor is asked for by who has one', async () => {
    refused(await ask({ require_2fa: true }), 409, 'totp_not_enabled');
    refused(
      await owner.post('/v1/organization', { name: 'Own', settings: { require_2fa: true } }),
      409,
      'totp_not_enabled',
    );
    assert.is((await streams(owner)).status, 200);
    await enrol(owner);
    assert.is((await ask({ require_2fa: true })).status, 200);
    assert.is((await streams(owner)).status, 200);
  });

  test('who has none is refused until they enrol, and their own account stays open', async () => {
    assert.is((await streams(inside)).status, 200);
    await enrol(owner);
    await ask({ require_2fa: true });
    const answer = await streams(inside);
    refused(answer, 403, 'second_factor_required');
    assert.match(answer.body.error.message, /POST \/v1\/user\/totp\/enroll/);
    for (const path of [
      `/v1/workspace/${workspace}`,
      `/v1/workspace/${workspace}/members`,
      `/v1/organization/${organization}`,
    ])
      refused(await inside.get(path), 403, 'second_factor_required');
    refused(await ask({ require_2fa: false }, inside), 403, 'second_factor_required');
    refused(
      await inside.post('/v1/workspace', { name: 'Around it', organization_id: organization }),
      403,
      'second_factor_required',
    );
    for (const path of ['/v1/user/me', tokens, '/v1/workspace', '/v1/organization'])
      assert.is((await inside.get(path)).status, 200);
    const listed = (
      await owner.get<{ data: { members: { uid: string; totp_enabled: boolean }[] } }>(
        `/v1/workspace/${workspace}/members`,
      )
    ).body.data.members;
    assert.is(listed.find(({ uid }) => uid === member.uid)!.totp_enabled, false);

    const secret = await enrol(inside);
    assert.is((await streams(inside)).status, 200);
    world.later(60_000);
    assert.is(
      (await inside.post('/v1/user/totp/disable', { code: codeAt(secret, world.now()) })).status,
      200,
    );
    refused(await streams(inside), 403, 'second_factor_required');
    await ask({ require_2fa: false });
    assert.is((await streams(inside)).status, 200);
  });

  test('the other organizations of a member go on as they were', async () => {
    const own = await world.people.tenant('own@example.org');
    await world.people.join('workspace', workspace, own.uid, 'viewer');
    await enrol(owner);
    await ask({ require_2fa: true });
    refused(await streams(world.as(own.token, workspace)), 403, 'second_factor_required');
    assert.is((await streams(world.as(own.token, own.workspaceId))).status, 200);
  });

  test('only addresses of its domains are invited, to it and to its workspaces', async () => {
    await ask({ allowed_email_domains: ['Example.org'] });
    for (const path of [`/v1/workspace/${workspace}`, `/v1/organization/${organization}`]) {
      assert.is((await invite('new@EXAMPLE.org', path)).status, 201);
      for (const email of ['new@example.com', 'new@sub.example.org', 'example.org@example.com']) {
        const answer = await invite(email, path);
        refused(answer, 403, 'email_domain_not_allowed');
        assert.equal(answer.body.error.details['allowed_email_domains'], ['Example.org']);
        assert.not.match(answer.text, /example\.com/);
      }
    }
    assert.is((await streams(inside)).status, 200, 'who is in stays in');
  });

  test('an invitation from before takes nobody in whose domain is not allowed any more', async () => {
    const guest = await world.people.person('guest@elsewhere.net');
    const by = world.as(guest.token);
    const { token, invitation_id } = (await invite('guest@elsewhere.net')).body.data as {
      token: string;
      invitation_id: string;
    };
    await ask({ allowed_email_domains: ['example.org'] });
    const path = `/v1/workspace/invitations/${token}`;
    const answer = await by.post(`${path}/accept`);
    refused(answer, 403, 'email_domain_not_allowed');
    assert.is(answer.body.error.details['allowed_email_domains'], undefined);
    refused(
      await owner.post(`/v1/workspace/${workspace}/invitations/${invitation_id}/resend`),
      403,
      'email_domain_not_allowed',
    );
    await ask({ allowed_email_domains: [] });
    assert.is((await by.post(`${path}/accept`)).status, 200);
    await ask({ allowed_email_domains: ['example.org'] });
    assert.is((await world.as(guest.token, workspace).get('/v1/event/streams')).status, 200);
  });

  test('tokens that are too old are refused in it, and nowhere else', async () => {
    const other = await world.people.tenant('other@example.org');
    await world.people.join('workspace', workspace, other.uid, 'viewer');
    await ask({ token_max_age_days: 30 });
    world.later(30 * DAY - 60_000);
    assert.is((await streams(owner)).status, 200);
    world.later(60_000);
    for (const answer of [
      await streams(owner),
      await owner.get(`/v1/workspace/${workspace}`),
      await ask({ token_max_age_days: null }),
    ])
      refused(answer, 403, 'token_too_old');
    assert.is((await streams(owner)).body.error.details['max_days'], 30);
    refused(await streams(world.as(other.token, workspace)), 403, 'token_too_old');
    assert.is((await streams(world.as(other.token, other.workspaceId))).status, 200);

    const { token } = (await owner.post<Made>(`${tokens}/${world.api.installed.tokenId}/regenerate`)).body
      .data;
    const renewed = world.as(token, workspace);
    assert.is((await streams(renewed)).status, 200);
    assert.is((await ask({ token_max_age_days: null }, renewed)).status, 200);
    assert.is((await streams(world.as(other.token, workspace))).status, 200);
  });

  test('new tokens live no longer than the strictest of the organizations they are for allows', async () => {
    const make = (body: object) => owner.post<Made>(tokens, { name: 'n', ...body });
    const lives = ({ data: { created_at, expires_at } }: Made) =>
      expires_at === null ? null : (Date.parse(expires_at) - Date.parse(created_at)) / DAY;
    const own = (await owner.post('/v1/organization', { name: 'Own', settings: { token_max_age_days: 90 } }))
      .body.data['organization_id'];
    const other = (await owner.post('/v1/workspace', { name: 'Other', organization_id: own })).body.data[
      'workspace_id'
    ];
    await ask({ token_max_age_days: 30 });
    for (const [wanted, days] of [
      [{}, 30],
      [{ workspace_ids: [workspace] }, 30],
      [{ workspace_ids: [other] }, 90],
      [{ workspace_ids: [other, workspace] }, 30],
      [{ expires_in_days: 30 }, 30],
      [{ expires_in_days: 7 }, 7],
      [{ expires_in_days: 90, workspace_ids: [other] }, 90],
    ] as const)
      assert.is(lives((await make(wanted)).body), days, JSON.stringify(wanted));
    for (const wanted of [
      { expires_in_days: 31 },
      { expires_in_days: null },
      { expires_in_days: 91, workspace_ids: [other] },
    ])
      refused(await make(wanted), 403, 'token_lifetime_limited');

    await ask({ token_max_age_days: null });
    const long = (await make({ workspace_ids: [workspace] })).body;
    assert.is(lives(long), null);
    await ask({ token_max_age_days: 30 });
    assert.is(lives((await owner.post<Made>(`${tokens}/${long.data.token_id}/regenerate`)).body), 30);
  });
});
