import * as assert from 'uvu/assert';
import { connect } from '../realtime/client.js';
import { send } from '../platform.js';
import { suite } from '../suite.js';
import { data, notificationsApi, type NotificationsApi } from './notifications-world.js';

suite('notifications of no workspace, and tokens that are limited to some', test => {
  let world: NotificationsApi;
  test.before(async () => {
    world = await notificationsApi();
  });
  test.after(() => world.close());

  test('they are in no feed, mark, stream or channel of such a token', async () => {
    const { api, people, bob, workspace } = world;
    const { uid, workspaceId } = world.other;
    const token = await people.token(uid, { workspaceIds: [workspaceId] });
    const limited = world.clientFor({ token, workspaceId });
    const streams = await Promise.all(
      [true, false].map(chosen => textOf(api.base, token, chosen && workspaceId)),
    );
    const [unlimitedChannel, channel] = [world.other.token, token].map(each =>
      connect(api.base, { token: each }),
    );
    for (const each of [unlimitedChannel!, channel!]) await (await each).subscribe(`user:${uid}`);

    const body = { email: 'other@example.org', role: 'editor' };
    const invited = await world.ann.post(`/v1/workspace/${workspace}/invitations`, body);
    assert.is(invited.status, 201);
    const [invitation] = (await world.told(1, '', bob)).notifications;
    await world.degrade('prm_1', workspaceId);
    await world.told(2, '', bob);
    const kinds = async (query: string) =>
      (await world.feed(query, limited)).notifications.map(({ kind }) => kind);
    assert.equal(await kinds(''), ['deployment.degraded']);
    assert.equal(await kinds('?unread=true'), ['deployment.degraded']);
    assert.is((await world.feed('', limited)).unread_count, 1);
    const count = await limited.get('/v1/notifications/unread-count');
    assert.equal(count.body.data, { unread_count: 1 });
    for (const verb of ['read', 'unread', 'archive'])
      assert.is(
        (await limited.post(`/v1/notifications/${invitation!.notification_id}/${verb}`)).status,
        404,
        verb,
      );

    for (const stream of streams) {
      const text = await stream.until('deployment.degraded');
      assert.not(text.includes('workspace.invitation'), text);
    }
    const kindTold = (kind: string) => (told: { data: Record<string, unknown> }) =>
      told.data['kind'] === kind;
    await (await unlimitedChannel!).event(kindTold('workspace.invitation'));
    const counts = await Promise.all(
      [unlimitedChannel!, channel!].map(async each => {
        const told = await (await each).event(kindTold('deployment.degraded'));
        return told.data['unread_count'];
      }),
    );
    assert.equal(counts, [2, 1]);
    assert.not((await channel!).told().some(kindTold('workspace.invitation')));
    for (const each of [unlimitedChannel!, channel!]) await (await each).end();

    // Reading all of such a feed leaves them unread, and they can be read all the same up to that time
    const before = world.clock.now;
    assert.is((await limited.post('/v1/notifications/read-all', { before })).status, 200);
    assert.is((await world.feed('', limited)).unread_count, 0);
    assert.is((await world.feed('', bob)).unread_count, 1);
    const who = { token: world.other.token, workspaceId };
    const all = await send(api.base, 'POST', '/v1/notifications/read-all', who, { body: { before } });
    assert.is(all.status, 200);
    const unread = await bob.get('/v1/notifications/unread-count');
    assert.equal(data<object>(unread), { unread_count: 0 });
    limited.close();
  });
});

/** A stream of Server-Sent Events as text. */
async function textOf(base: string, token: string, workspace: string | false) {
  const ending = new AbortController();
  const headers = { authorization: `Bearer ${token}`, ...(workspace && { 'x-workspace-id': workspace }) };
  const answer = await fetch(`${base}/v1/notifications/stream`, { headers, signal: ending.signal });
  assert.is(answer.status, 200);
  return {
    /** All of it up to where something stands; then it is closed. */
    async until(wanted: string): Promise<string> {
      let text = '';
      const decoder = new TextDecoder();
      for await (const part of answer.body!) {
        text += decoder.decode(part as Uint8Array, { stream: true });
        if (text.includes(wanted)) break;
      }
      ending.abort();
      return text;
    },
  };
}
