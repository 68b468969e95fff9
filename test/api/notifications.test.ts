import * as assert from 'uvu/assert';
import { HOUR, iso } from '../../domain/time.js';
import { suite } from '../suite.js';
import { data, notificationsApi, type Item, type NotificationsApi } from './notifications-world.js';

suite('the feed of notifications', test => {
  let world: NotificationsApi;
  test.before(async () => {
    world = await notificationsApi();
  });
  test.after(() => world.close());
  const kindsOf = ({ notifications }: { notifications: Item[] }) => notifications.map(({ kind }) => kind);

  test('tells of what happened in the workspace, and nobody of another', async () => {
    await world.degrade('prm_1');
    const { notifications, unread_count } = await world.told(1);
    const { notification_id, created_at, last_at, ...item } = notifications[0]!;
    assert.match(notification_id, /^ntf_/);
    assert.equal([created_at, last_at], [iso(world.clock.now), iso(world.clock.now)]);
    assert.equal(item, {
      kind: 'deployment.degraded',
      title: 'Deployment prm_1 is degraded',
      body: 'too many errors',
      severity: 'warning',
      data: { promotion_id: 'prm_1', message: 'too many errors' },
      workspace_id: world.workspace,
      goal_id: null,
      link: '/v1/deployments/prm_1',
      read_at: null,
      archived_at: null,
      group_key: 'deployment.degraded/prm_1',
      count: 1,
    });
    assert.is(unread_count, 1);
    assert.equal((await world.feed('', world.bob)).notifications, []);
    const hers = await world.bob.post(`/v1/notifications/${notification_id}/read`, {});
    assert.is(hers.status, 404);
  });

  test('merges what repeats within an hour while it is unread', async () => {
    world.clock.now += HOUR - 1;
    await world.degrade('prm_1');
    await world.degrade('prm_2');
    const { notifications } = await world.told(2);
    assert.equal(
      notifications.map(({ group_key, count }) => [group_key, count]),
      [
        ['deployment.degraded/prm_2', 1],
        ['deployment.degraded/prm_1', 2],
      ],
    );
    const { notification_id, created_at, last_at } = notifications[1]!;
    assert.equal([created_at, last_at], [iso(world.clock.now - HOUR + 1), iso(world.clock.now)]);
    assert.is((await world.ann.post(`/v1/notifications/${notification_id}/read`, {})).status, 200);
    await world.degrade('prm_1');
    const after = await world.told(3);
    assert.equal(after.notifications.map(({ count }) => count).sort(), [1, 1, 2]);
  });

  test('counts what is unread, and shows it alone', async () => {
    assert.equal(data(await world.ann.get('/v1/notifications/unread-count')), { unread_count: 2 });
    const unread = await world.feed('?unread=true&per_page=1');
    assert.is(unread.total, 2);
    assert.is(unread.notifications.length, 1);
    assert.is((await world.feed('?kind=deployment.ready')).total, 0);
    assert.is((await world.feed('?kind=deployment.degraded&page=2&per_page=2')).notifications.length, 1);
    assert.is((await world.feed('?goal_id=goa_1')).total, 0);
    const answer = await world.ann.get('/v1/notifications?kind=gossip');
    assert.equal([answer.status, answer.body.detail[0]?.loc], [422, ['query', 'kind']]);
  });

  test('an item is read, unread, and put away', async () => {
    const [item] = (await world.feed()).notifications;
    const mark = async (verb: string): Promise<Item> =>
      data(await world.ann.post(`/v1/notifications/${item!.notification_id}/${verb}`, {}));
    const at = iso(world.clock.now);
    assert.is((await mark('read')).read_at, at);
    world.clock.now += 1000;
    assert.is((await mark('read')).read_at, at);
    assert.is((await mark('unread')).read_at, null);
    const archived = await mark('archive');
    assert.is(archived.archived_at, iso(world.clock.now));
    assert.is((await world.feed()).total, 2);
    assert.equal(
      (await world.feed('?archived=true')).notifications.map(each => each.notification_id),
      [item!.notification_id],
    );
    assert.is((await mark('unread')).archived_at, null);
    assert.is((await world.feed()).total, 3);
    const missing = await world.ann.post('/v1/notifications/ntf_none/read', {});
    assert.is(missing.status, 404);
    assert.is(missing.body.error.message, 'Notification not found');
  });

  test('all are read at once, or all up to a time', async () => {
    const { notifications } = await world.feed('?unread=true');
    const oldest = notifications.at(-1)!;
    const upTo = await world.ann.post('/v1/notifications/read-all', { before: oldest.created_at });
    assert.is((upTo.body as unknown as { unread_count: number }).unread_count, 1);
    const all = await world.ann.post('/v1/notifications/read-all', {});
    assert.is((all.body as unknown as { unread_count: number }).unread_count, 0);
    assert.equal((await world.feed('?unread=true')).notifications, []);
    const [newest] = (await world.feed()).notifications;
    assert.is(newest!.read_at, iso(world.clock.now));
    world.clock.now += 1000;
    await world.ann.post('/v1/notifications/read-all', {});
    assert.is((await world.feed()).notifications[0]!.read_at, newest!.read_at);
    const wrong = await world.ann.post('/v1/notifications/read-all', { before: 'soon' });
    assert.is(wrong.status, 422);
    assert.equal(wrong.body.detail?.[0]?.loc, ['body', 'before']);
  });

  test('who is invited, and whose role changes, is told', async () => {
    const path = `/v1/workspace/${world.workspace}`;
    const body = { email: 'Other@example.org', role: 'editor' };
    const invited = await world.ann.post(`${path}/invitations`, body);
    assert.is(invited.status, 201);
    const theirs = await world.told(1, '', world.bob);
    assert.equal(kindsOf(theirs), ['workspace.invitation']);
    assert.is(theirs.notifications[0]!.workspace_id, null);
    const { invitation_id } = invited.body.data;
    const { data: told } = theirs.notifications[0]!;
    const named = { workspace_id: world.workspace, workspace_name: 'First' };
    assert.equal(told, { ...named, role: 'editor', invitation_id });
    assert.is(JSON.stringify(theirs).toLowerCase().includes('other@'), false);

    await world.people.join('workspace', world.workspace, world.other.uid, 'operator');
    const inOurs = world.clientFor({ token: world.other.token, workspaceId: world.workspace });
    assert.equal(kindsOf(await world.feed('', inOurs)), ['workspace.invitation']);
    await world.ann.patch(`${path}/members/${world.other.uid}`, { role: 'viewer' });
    const both = await world.told(2, '', inOurs);
    assert.equal(kindsOf(both).sort(), ['workspace.invitation', 'workspace.role_changed']);
    const changed = both.notifications.find(({ kind }) => kind === 'workspace.role_changed');
    assert.equal(changed!.data, { ...named, role: 'viewer' });
    assert.is(
      data<{ unread_count: number }>(await inOurs.get('/v1/notifications/unread-count')).unread_count,
      2,
    );
    assert.is((await world.feed('?unread=true', inOurs)).total, 2);
    assert.is((await world.feed('?unread=true&page=2&per_page=1', inOurs)).notifications.length, 1);
    // A viewer can do nothing about a deployment, and is not told
    await world.degrade('prm_9');
    await world.told(4);
    assert.is((await world.feed('', inOurs)).total, 2);
  });

  test('who leaves a workspace has nothing of it any more, and is told anew once they are back', async () => {
    const path = `/v1/workspace/${world.workspace}/members/${world.other.uid}`;
    assert.is((await world.ann.delete(path)).status, 200);
    const inOurs = world.clientFor({ token: world.other.token, workspaceId: world.workspace });
    assert.is((await inOurs.get('/v1/notifications')).status, 403);
    await world.people.join('workspace', world.workspace, world.other.uid, 'operator');
    await world.told(1, '', inOurs);
    await world.degrade('prm_9');
    const back = await world.told(2, '', inOurs);
    assert.is(back.notifications.find(({ kind }) => kind === 'deployment.degraded')!.count, 1);
  });
});
