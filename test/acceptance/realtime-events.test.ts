import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { daily } from './series.js';
import { connect, type Socket } from './socket.js';
import { deploy, expected, forecast, openWorld, push, type World } from './world.js';

// The frames of what happens (specification 6.3; open-parts 22, 32.35).
// Readings: whoever reads by REST when a frame comes finds what it tells of; `seq` grows by one.

suite('acceptance: realtime events', test => {
  let world: World;
  let socket: Socket;
  let [workspace, user] = ['', ''];
  test.before(async () => {
    world = await openWorld();
    workspace = `workspace:${world.running.installed.workspaceId}`;
    user = `user:${world.running.installed.uid}`;
    socket = await connect(world.running.base, world.running.installed.token);
    await socket.subscribe(workspace, user);
  });
  test.after(async () => {
    socket.close();
    await world.close();
  });

  const record = async (body: object): Promise<string> =>
    expected(await world.api.post<Json>('/v1/event/record', body)).data.event_id;
  const of =
    (id: string) =>
    (frame: Json): boolean =>
      frame.data.event_id === id;

  test('an event is told when it is recorded and when it is scored, and can be read then', async () => {
    const id = await record({ key: 'shipping', text: 'Strike closes the port of Hamburg' });
    const recorded = await socket.heard('event.recorded', of(id));
    assert.equal([recorded.type, recorded.channel], ['event', workspace]);
    assert.match(recorded.at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    assert.equal([recorded.data.key, recorded.data.scheduled], ['shipping', false]);
    const scored = await socket.heard('event.scored', of(id));
    const { data } = expected(await world.api.get<Json>(`/v1/event/${id}`));
    assert.equal([data.status, scored.data.status], ['scored', 'scored']);
    assert.is(scored.data.rank, data.scores.rank);
    assert.ok(scored.seq > recorded.seq);
  });

  test('a scheduled event is told as such, and again when it comes due', async () => {
    const occurred = world.now() + 3_600_000;
    const id = await record({ key: 'shipping', text: 'Workers vote on the offer', occurred_at: occurred });
    assert.is((await socket.heard('event.recorded', of(id))).data.scheduled, true);
    assert.ok(!socket.events('event.due').some(of(id)));
    world.later(3_700_000);
    socket.send({ type: 'ping', ref: 'still here' });
    const { data } = await socket.heard('event.due', of(id));
    assert.equal(data, { event_id: id, key: 'shipping', occurred_at: occurred });
  });

  test('pushed signals are told, at most 100 keys a frame', async () => {
    await push(world.api, 'orders', [1, 2, 3], { from: Date.UTC(2026, 0, 1) });
    const { data } = await socket.heard('signal.updated', frame => frame.data.keys.includes('orders'));
    assert.equal([data.keys, data.count], [['orders'], 3]);
    assert.is(data.last_at, '2026-01-03T00:00:00.000Z');
    const points = Array.from({ length: 150 }, (_, i) => ({ key: `many.k${i}`, value: i }));
    expected(await world.api.post<Json>('/v1/signal/push', { points }));
    const told = () => [...new Set(socket.events('signal.updated').flatMap(frame => frame.data.keys))];
    await until(async () => told().filter(key => String(key).startsWith('many.')).length === 150, '150 keys');
    assert.ok(socket.events('signal.updated').every(frame => frame.data.keys.length <= 100));
  });

  test('of a key that is pushed again and again at most one frame comes a second', async () => {
    const started = process.hrtime.bigint();
    for (let i = 0; i < 50; i++)
      expected(await world.api.post<Json>('/v1/signal/push', { key: 'busy', value: i, timestamp: 1e9 + i }));
    const points = () =>
      socket
        .events('signal.updated')
        .filter(frame => frame.data.keys.includes('busy'))
        .reduce((total, frame) => total + frame.data.count, 0);
    await until(async () => points() >= 50, 'all points being told');
    const seconds = Number(process.hrtime.bigint() - started) / 1e9;
    const frames = socket.events('signal.updated').filter(frame => frame.data.keys.includes('busy'));
    assert.ok(frames.length <= Math.ceil(seconds) + 1, `${frames.length} in ${seconds} s`);
    assert.is(points(), 50);
  });

  test('a deployment is told from state to state', async () => {
    const id = await deploy(world.api);
    const ready = await socket.heard(
      'deployment.updated',
      ({ data }) => data.promotion_id === id && data.status === 'deployed',
    );
    assert.equal([ready.channel, ready.data.ready], [workspace, true]);
    assert.is(ready.data.previous_status, 'deploying');
    const message = async (): Promise<string> =>
      expected(await world.api.get<Json>(`/v1/deployments/${id}/status`)).data.message;
    assert.is(ready.data.message, await message());
    for (const { data } of socket.events('deployment.updated')) assert.match(data.message, /./);
    const reason = 'Another model took its place';
    expected(await world.api.post<Json>(`/v1/deployments/${id}/unpromote`, { reason }));
    const retired = await socket.heard('deployment.updated', ({ data }) => data.status === 'retired');
    assert.equal([retired.data.promotion_id, retired.data.ready], [id, false]);
    assert.is(retired.data.message, await message());
    assert.ok(['deployed', 'retiring'].includes(retired.data.previous_status));
  });

  test('a notification is told to its user, with how many are unread', async () => {
    const { channel, data } = await socket.heard('notification.created');
    assert.is(channel, user);
    assert.equal(Object.keys(data).sort(), ['kind', 'notification_id', 'unread_count']);
    const feed = expected(await world.api.get<Json>('/v1/notifications')).data;
    assert.ok(feed.notifications.some((each: Json) => each.notification_id === data.notification_id));
  });

  test('what a forecast costs is told to the workspace', async () => {
    const id = await deploy(world.api, 'mini');
    const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];
    await forecast(world.api, { promotion_id: id, series, horizon: 100 });
    const { data } = expected(await world.api.get<Json>('/v1/billing/balance'));
    const frame = await socket.heard(
      'billing.balance_changed',
      each => String(each.data.balance) === String(data.credits) || each.data.balance === data.available,
    );
    assert.is(frame.channel, workspace);
    assert.type(frame.data.reason, 'string');
  });

  test('members who come and change are told to the workspace', async () => {
    const api = await world.member('viewer');
    const { uid } = expected(await api.get<Json>('/v1/user/me')).data;
    const path = `/v1/workspace/${world.running.installed.workspaceId}/members/${uid}`;
    expected(await world.api.patch<Json>(path, { role: 'editor' }));
    const { data, channel } = await socket.heard('member.changed', frame => frame.data.role === 'editor');
    assert.is(channel, workspace);
    assert.equal(data, { workspace_id: world.running.installed.workspaceId, uid, role: 'editor' });
  });

  test('every channel counts its frames without a gap, and no frame holds a secret', async () => {
    for (const channel of [workspace, user]) {
      const seqs = socket
        .events()
        .filter(frame => frame.channel === channel)
        .map(frame => frame.seq);
      assert.ok(seqs.length > 0);
      assert.equal(
        seqs,
        seqs.map((_, i) => seqs[0] + i),
      );
    }
    const text = JSON.stringify(socket.frames);
    assert.is(text.includes(world.running.installed.token), false);
    assert.is(/psg_live_/.test(text), false);
  });

  test('who unsubscribes hears nothing more, and begins anew later', async () => {
    const other = await connect(world.running.base, world.running.installed.token);
    await other.subscribe(workspace, user);
    const ack = await other.ask({ type: 'unsubscribe', channels: [workspace] });
    assert.is(ack.type, 'ack');
    const id = await record({ key: 'shipping', text: 'Nothing to hear' });
    await socket.heard('event.scored', of(id));
    await other.settled();
    assert.ok(!other.events().some(of(id)));
    await other.subscribe(workspace);
    const next = await record({ key: 'shipping', text: 'Something to hear' });
    await other.heard('event.recorded', of(next));
    other.close();
  });
});
