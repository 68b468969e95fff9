import { EventSource } from 'eventsource';
import * as assert from 'uvu/assert';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { listen, type Stream } from './sse.js';
import { DAY, expected, openWorld, tokenOf, type World } from './world.js';

// Notifications as server-sent events, loss-free (open-parts 21, 32.33).
// Readings: a change of role is a notification to the one whose role changed; without `Last-Event-ID` the
// stream begins with what comes next.

suite('acceptance: the stream of notifications', test => {
  let world: World;
  let member: Client;
  let [token, uid] = ['', ''];
  const streams: Stream[] = [];
  const open = async (asked = {}, by = token): Promise<Stream> => {
    const stream = await listen(world.running.base, by, asked);
    streams.push(stream);
    return stream;
  };
  /** The member's role becomes another: one notification. Answers when the feed has it. */
  const roles = ['editor', 'analyst', 'operator', 'viewer'] as const;
  let turns = 0;
  const change = async (): Promise<string> => {
    const role = roles[turns++ % 4]!;
    const path = `/v1/workspace/${world.running.installed.workspaceId}/members/${uid}`;
    expected(await world.api.patch<Json>(path, { role }));
    const newest = await until(async () => {
      const { data } = expected(await member.get<Json>('/v1/notifications'));
      return data.notifications.find((each: Json) => each.data?.role === role && each.read_at === null);
    }, `the notification of ${role}`);
    expected(await member.post<Json>(`/v1/notifications/${newest.notification_id}/read`));
    return role;
  };
  const renew = async () => {
    member = world.api.as({ token, workspace: world.running.installed.workspaceId });
  };
  test.before(async () => {
    world = await openWorld();
    const joined = await world.member('viewer');
    uid = expected(await joined.get<Json>('/v1/user/me')).data.uid;
    token = (await tokenOf(joined)).token;
    await renew();
  });
  test.after.each(() => {
    for (const stream of streams.splice(0)) stream.close();
  });
  test.after(() => world.close());

  const of = (role: string) => (message: { event: string; data: Json }) =>
    message.event === 'notification' && message.data.data?.role === role;

  test('it says when to come again, then each notification in one line, then that it lives', async () => {
    const stream = await open();
    assert.is(stream.status, 200);
    assert.match(String(stream.headers['content-type']), 'text/event-stream');
    assert.match(String(stream.headers['cache-control']), /no-(store|cache)/);
    await stream.says(/^retry: ?3000\n/);
    const role = await change();
    const message = await stream.message(of(role));
    assert.ok(message.id.length > 0);
    const { data } = expected(await member.get<Json>('/v1/notifications'));
    const item = data.notifications.find(
      (each: Json) => each.notification_id === message.data.notification_id,
    );
    assert.equal({ ...item, read_at: null }, { ...message.data, read_at: null });
    await stream.says(/^:/m);
    assert.is(/\r|\ndata: ?.*\ndata:/.test(stream.text()), false, 'one line of data for a message');
  });

  test('a real client of the browser kind hears them, and comes again by itself after a stop', async () => {
    const heard: string[] = [];
    const source = new EventSource(`${world.running.base}/v1/notifications/stream`, {
      fetch: (input, init) =>
        fetch(String(input).replace(/^http:..[^/]*/, world.running.base), {
          ...init,
          headers: { ...init.headers, authorization: `Bearer ${token}` },
        }),
    });
    source.addEventListener('notification', message => {
      heard.push(JSON.parse(message.data).data.role);
    });
    await until(async () => source.readyState === EventSource.OPEN, 'the client being connected');
    const first = await change();
    await until(async () => heard.includes(first), first);
    await world.restart();
    await renew();
    const missed = await change();
    await until(async () => heard.includes(missed), `${missed}, which came while the client was away`);
    const next = await change();
    await until(async () => heard.includes(next), next);
    source.close();
    assert.equal(heard, [first, missed, next], 'each once, in order');
  });

  test('who comes with the last id gets what was missed, by header and by query', async () => {
    const stream = await open();
    const before = await change();
    const { id } = await stream.message(of(before));
    stream.close();
    const missed = [await change(), await change()];
    for (const asked of [
      { headers: { 'last-event-id': id } },
      { query: `?last_event_id=${encodeURIComponent(id)}` },
    ]) {
      const again = await open(asked);
      await again.message(of(missed[1]!));
      const told = again.messages().map(message => message.data.data?.role ?? message.event);
      assert.equal(told, missed);
      assert.match(again.text(), /^retry: ?3000\n/);
      const ids = again.messages().map(message => message.id);
      assert.is(new Set([id, ...ids]).size, 3);
    }
  });

  test('a restart loses nothing, and ids stay good', async () => {
    const stream = await open();
    const { id } = await stream.message(of(await change()));
    const before = await change();
    await world.restart();
    await stream.ended();
    await renew();
    const after = await change();
    const again = await open({ headers: { 'last-event-id': id } });
    await again.message(of(after));
    assert.equal(
      again.messages().map(message => message.data.data?.role),
      [before, after],
    );
  });

  test('an id that there never was is told by a reset, and then it goes on', async () => {
    for (const query of ['?last_event_id=nonsense', '?last_event_id=999999999999']) {
      const stream = await open({ query });
      await stream.message(({ event }) => event === 'reset');
      const role = await change();
      await stream.message(of(role));
      assert.is(stream.messages()[0]!.event, 'reset');
    }
  });

  test('after more than a day away the client is told to read anew', async () => {
    const stream = await open();
    const { id } = await stream.message(of(await change()));
    stream.close();
    await change();
    world.later(DAY + 3_600_000);
    const again = await open({ headers: { 'last-event-id': id } });
    await again.message(({ event }) => event === 'reset');
    assert.ok(
      again.messages().every(({ event }) => event === 'reset'),
      'nothing that is too old',
    );
    await again.message(of(await change()));
  });

  test('repeats are merged into one notification, under a new id each', async () => {
    const stream = await open();
    const path = `/v1/workspace/${world.running.installed.workspaceId}/members/${uid}`;
    for (const role of ['admin', 'editor', 'viewer']) {
      expected(await world.api.patch<Json>(path, { role }));
      await stream.message(of(role), role);
    }
    turns = 0;
    const [a, b, c] = stream.messages();
    assert.is(new Set([a!.id, b!.id, c!.id]).size, 3);
    assert.is(new Set([a, b, c].map(each => each!.data.notification_id)).size, 1);
    assert.equal(
      [a, b, c].map(each => each!.data.count),
      [1, 2, 3],
    );
  });

  test('nobody hears what is for another', async () => {
    const [mine, owners] = [await open(), await open({}, world.running.installed.token)];
    await mine.message(of(await change()));
    await mine.message(of(await change()));
    assert.ok(!owners.messages().some(message => message.data.data?.uid === uid));
    assert.is(owners.messages().filter(({ data }) => data.kind === 'workspace.role_changed').length, 0);
  });

  test('it needs a token, and ends with it', async () => {
    const without = await fetch(`${world.running.base}/v1/notifications/stream`);
    assert.is(without.status, 401);
    assert.is(((await without.json()) as Json).error.code, 'authorization_required');
    const short = await tokenOf(member);
    const stream = await open({}, short.token);
    await stream.says(/retry/);
    expected(await member.delete<Json>(`/v1/user/api-tokens/${short.token_id}`));
    await stream.ended();
    const narrow = await tokenOf(await world.withScopes(['goals.read', 'workspaces.write']), ['goals.read']);
    const answer = await fetch(`${world.running.base}/v1/notifications/stream`, {
      headers: { authorization: `Bearer ${narrow.token}` },
    });
    assert.is(answer.status, 403);
  });

  test('a stop of the server ends it', async () => {
    const stream = await open();
    await stream.says(/retry/);
    await world.restart();
    await stream.ended();
    await renew();
  });
});
