import * as assert from 'uvu/assert';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { feedOf, item, person } from './inbox.js';
import { operator, organizationOf } from './money.js';
import { deploy, expected, openWorld, places, refused, type World } from './world.js';

// The feed: what is told to whom, marks, merging, and what the deployment of a model, an invitation, a role,
// a token and credits tell (specification 6.2; open-parts 21, 25, 32.33, 32.36).
// Readings: a change of role is told to the one whose role changed; an archived item leaves the feed; whoever
// deployed a model is told when it is ready.

suite('acceptance: the feed of notifications', test => {
  let world: World;
  let member: Client;
  let uid = '';
  const path = '/v1/notifications';
  const change = async (role: string) =>
    expected(
      await world.api.patch<Json>(`/v1/workspace/${world.running.installed.workspaceId}/members/${uid}`, {
        role,
      }),
    );
  const changed = (role: string) =>
    item(member, 'workspace.role_changed', each => each.data.role === role && each.read_at === null);
  const mark = async (id: string, as: string, api = member) =>
    expected(await api.post<Json>(`${path}/${id}/${as}`));
  test.before(async () => {
    world = await openWorld();
    member = await world.member('viewer');
    uid = expected(await member.get<Json>('/v1/user/me')).data.uid;
  });
  test.after(() => world.close());

  test('a change of role reaches the one whose role it is, and nobody else', async () => {
    await change('editor');
    const found = await changed('editor');
    assert.match(found.notification_id, /./);
    for (const name of ['title', 'body', 'link']) assert.ok(found[name].length > 0, name);
    assert.ok(['info', 'warning', 'critical'].includes(found.severity));
    assert.is(found.workspace_id, world.running.installed.workspaceId);
    assert.is(found.data.workspace_id, found.workspace_id);
    const { name } = expected(await world.api.get<Json>(`/v1/workspace/${found.workspace_id}`)).data;
    assert.is(found.body, `In the workspace ${name}.`);
    assert.is(found.link, `/v1/workspace/${found.workspace_id}`);
    assert.equal([found.goal_id, found.read_at, found.archived_at, found.count], [null, null, null, 1]);
    assert.match(found.created_at, /Z$/);
    assert.type(found.group_key, 'string');
    const owners = await feedOf(world.api);
    assert.ok(owners.notifications.every((each: Json) => each.kind !== 'workspace.role_changed'));
  });

  test('a repeat within the hour is merged while it is unread', async () => {
    const before = await changed('editor');
    const { total } = await feedOf(member);
    await change('analyst');
    const after = await changed('analyst');
    assert.equal([after.notification_id, after.count], [before.notification_id, 2]);
    assert.is((await feedOf(member)).total, total);
    await mark(after.notification_id, 'read');
    await change('operator');
    const next = await changed('operator');
    assert.is.not(next.notification_id, before.notification_id, 'what is read is not merged into');
    assert.is(next.count, 1);
    world.later(3_700_000);
    await change('viewer');
    const late = await changed('viewer');
    assert.is.not(late.notification_id, next.notification_id, 'nor what is older than an hour');
  });

  test('items are read, unread and archived, and the count follows', async () => {
    const count = async () => expected(await member.get<Json>(`${path}/unread-count`)).data.unread_count;
    const [newest] = (await feedOf(member, '?unread=true')).notifications;
    const before = await count();
    assert.is((await feedOf(member)).unread_count, before);
    assert.is((await mark(newest.notification_id, 'read')).status, 'ok');
    assert.is(await count(), before - 1);
    const one = async () =>
      (await feedOf(member)).notifications.find(
        (each: Json) => each.notification_id === newest.notification_id,
      );
    const { read_at } = await one();
    assert.match(read_at, /Z$/);
    await mark(newest.notification_id, 'read');
    assert.is((await one()).read_at, read_at, 'once more changes nothing');
    assert.is(await count(), before - 1);
    await mark(newest.notification_id, 'unread');
    assert.equal([await count(), (await one()).read_at], [before, null]);
    await mark(newest.notification_id, 'archive');
    assert.equal([await count(), await one()], [before - 1, undefined]);
    refused(await member.post<Json>(`${path}/ntf_nobodys/read`), 404);
  });

  test('all are read at once, up to a moment where one is named', async () => {
    await change('editor');
    const early = await changed('editor');
    world.later(3_700_000);
    await change('analyst');
    const late = await changed('analyst');
    const moment = new Date((Date.parse(early.created_at) + Date.parse(late.created_at)) / 2);
    expected(await member.post<Json>(`${path}/read-all`, { before: moment.toISOString() }));
    const unread = await feedOf(member, '?unread=true');
    assert.equal(
      unread.notifications.map((each: Json) => each.notification_id),
      [late.notification_id],
    );
    expected(await member.post<Json>(`${path}/read-all`, {}));
    assert.equal([(await feedOf(member)).unread_count, (await feedOf(member, '?unread=true')).total], [0, 0]);
    assert.equal(places(await member.post<Json>(`${path}/read-all`, { before: 'soon' })), ['body.before']);
  });

  test('the feed is newest first, in pages, and by kind', async () => {
    const all = await feedOf(member, '?per_page=100');
    const times = all.notifications.map((each: Json) => each.created_at);
    assert.equal(times, times.toSorted().reverse());
    const first = await feedOf(member, '?per_page=1');
    assert.equal([first.notifications.length, first.page, first.per_page], [1, 1, 1]);
    assert.equal([first.total, first.total_pages], [all.total, all.total]);
    assert.is((await feedOf(member, '?kind=deployment.failed')).total, 0);
    assert.is((await feedOf(member, '?goal_id=goa_nobodys')).total, 0);
    assert.equal(places(await member.get<Json>(`${path}?unread=perhaps`)), ['query.unread']);
    assert.equal(places(await member.get<Json>(`${path}?kind=gossip`)), ['query.kind']);
    assert.is((await feedOf(member, '?kind=workspace.role_changed&per_page=100')).total, all.total);
  });

  test('an invitation reaches somebody of another organization in their own workspace', async () => {
    const guest = await world.tenant();
    const { email } = expected(await guest.get<Json>('/v1/user/me')).data;
    const { workspaceId } = world.running.installed;
    const invite = `/v1/workspace/${workspaceId}/invitations`;
    const invited = expected(await world.api.post<Json>(invite, { email, role: 'analyst' }), 201);
    const found = await item(guest, 'workspace.invitation');
    const { token, invitation_id } = invited.data;
    assert.equal(
      [found.data.workspace_id, found.data.kind, found.data.role, found.data.invitation_id],
      [workspaceId, undefined, 'analyst', invitation_id],
    );
    assert.type(token, 'string');
    assert.is(JSON.stringify(found).includes(token), false, 'the token is in the answer to create alone');
    assert.ok((await feedOf(member)).notifications.every((each: Json) => each.kind !== found.kind));
    expected(await guest.post<Json>(`/v1/workspace/invitations/${token}/accept`));
    const inside = await guest.get<Json>(path, { 'x-workspace-id': workspaceId });
    const seen = expected(inside).data.notifications;
    assert.ok(seen.some((each: Json) => each.notification_id === found.notification_id));
    const organization = await organizationOf(world.api);
    const above = `/v1/organization/${organization}/invitations`;
    expected(await world.api.post<Json>(above, { email, role: 'admin' }), 201);
    const second = await item(guest, 'workspace.invitation', each => each.data.role === 'admin');
    assert.equal([second.data.organization_id, second.data.workspace_id], [organization, undefined]);
    assert.match(second.title, `the organization ${second.data.organization_name}`);
  });

  test('a deployment that becomes ready is told to whoever deployed it', async () => {
    const id = await deploy(world.api);
    const found = await item(world.api, 'deployment.ready', each => each.data.promotion_id === id);
    assert.is(found.workspace_id, world.running.installed.workspaceId);
    assert.is(found.title, 'Deployment of presage/nano is ready');
    assert.equal(found.data, { promotion_id: id, name: null, model: 'presage/nano' });
    assert.match(found.link, id);
  });

  test('a token that ends soon is told to its owner alone', async () => {
    const body = { name: 'soon gone', scopes: ['workspaces.read'], expires_in_days: 8 };
    const { token_id, token } = expected(await member.post<Json>('/v1/user/api-tokens', body)).data;
    world.later(2 * 86_400_000);
    const found = await item(member, 'token.expiring', each => each.data.token_id === token_id);
    assert.match(`${found.title} ${found.body}`, 'soon gone');
    assert.is(JSON.stringify(found).includes(token), false);
    assert.ok((await feedOf(world.api)).notifications.every((each: Json) => each.data.token_id !== token_id));
  });
});

suite('acceptance: low credits', test => {
  let world: World;
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('credits that run low are told once a crossing to owners and admins of the organization', async () => {
    const organization = await organizationOf(world.api);
    const [ada, bob] = [await person(world), await person(world)];
    const { email } = expected(await ada.api.get<Json>('/v1/user/me')).data;
    const invitations = `/v1/organization/${organization}/invitations`;
    const { data } = expected(await world.api.post<Json>(invitations, { email, role: 'admin' }), 201);
    expected(await ada.api.post<Json>(`/v1/organization/invitations/${data.token}/accept`));
    const adjust = (amount: string) => operator(world, 'credits', 'adjust', organization, '--', amount);
    await adjust('-80');
    await adjust('-15');
    for (const api of [world.api, ada.api]) {
      const { count, title, body } = await item(api, 'billing.low_balance');
      assert.is(count, 1);
      assert.match(`${title} ${body}`, /5/);
    }
    assert.is((await feedOf(bob.api, '?kind=billing.low_balance')).total, 0);
    await adjust('-1');
    await adjust('50');
    await adjust('-50');
    const second = await until(async () => {
      const { notifications } = await feedOf(world.api, '?kind=billing.low_balance');
      const count = notifications.reduce((total: number, each: Json) => total + each.count, 0);
      return count >= 2 && count;
    }, 'the second crossing');
    assert.is(second, 2);
  });
});
