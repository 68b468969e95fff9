import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { connect, open, type Socket } from './socket.js';
import { expected, openWorld, tokenOf, type World } from './world.js';

// Rights that end while a connection is open, other tenants, other regions, and the largest number of
// channels (specification 5, 6.3; open-parts 2.2, 22, 31.4, 32.35).

suite('acceptance: rights of open connections', test => {
  let world: World;
  let workspace = '';
  const sockets: Socket[] = [];
  const enter = async (token: string): Promise<Socket> => {
    const socket = await connect(world.running.base, token);
    sockets.push(socket);
    return socket;
  };
  const mine = () => world.running.installed.token;
  const record = async (text: string, api = world.api): Promise<string> =>
    expected(await api.post<Json>('/v1/event/record', { key: 'shipping', text })).data.event_id;
  test.before(async () => {
    world = await openWorld();
    workspace = `workspace:${world.running.installed.workspaceId}`;
  });
  test.after.each(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  test.after(() => world.close());

  test('a revoked token ends its connections with 4401, and the user is told on the others', async () => {
    const token = await tokenOf(world.api);
    const [gone, stays] = [await enter(token.token), await enter(mine())];
    await gone.subscribe(workspace);
    await stays.subscribe(`user:${world.running.installed.uid}`);
    expected(await world.api.delete<Json>(`/v1/user/api-tokens/${token.token_id}`));
    assert.is((await gone.closed()).code, 4401);
    const frame = await stays.heard('token.revoked');
    assert.equal(frame.data, { token_id: token.token_id });
    assert.is(frame.channel, `user:${world.running.installed.uid}`);
    const late = await open(world.running.base, { headers: { authorization: `Bearer ${token.token}` } });
    assert.is((await late.closed()).code, 4401);
    await stays.settled();
  });

  test('regenerating without a grace ends the connections of the old value', async () => {
    const token = await tokenOf(world.api);
    const old = await enter(token.token);
    const path = `/v1/user/api-tokens/${token.token_id}/regenerate`;
    const { data } = expected(await world.api.post<Json>(path, {}));
    assert.is((await old.closed()).code, 4401);
    await enter(data.token);
  });

  test('a token that expires ends its connections', async () => {
    const body = { name: 'short', scopes: ['workspaces.read'], expires_in_days: 1 };
    const { data } = expected(await world.api.post<Json>('/v1/user/api-tokens', body));
    const socket = await enter(data.token);
    world.later(86_400_000);
    assert.is((await socket.closed()).code, 4401);
  });

  test('a member who is removed hears so, and of the workspace nothing more', async () => {
    const api = await world.member('editor');
    const me = expected(await api.get<Json>('/v1/user/me')).data;
    const token = await tokenOf(api);
    const [socket, owner] = [await enter(token.token), await enter(mine())];
    await owner.subscribe(workspace);
    assert.equal((await socket.subscribe(`user:${me.uid}`, workspace)).denied, []);
    await record('Ferry late');
    await socket.heard('event.recorded');
    const path = `/v1/workspace/${world.running.installed.workspaceId}/members/${me.uid}`;
    expected(await world.api.patch<Json>(path, { role: 'viewer' }));
    const changed = await socket.heard('member.changed', frame => frame.data.role === 'viewer');
    assert.is(changed.data.uid, me.uid);
    expected(await world.api.delete<Json>(path));
    await until(async () => {
      const { denied } = await socket.subscribe(workspace);
      return denied.length === 1;
    }, 'the channel being closed');
    const before = socket.events().filter(frame => frame.channel === workspace).length;
    const id = await record('Nobody who left reads this');
    await owner.heard('event.recorded', frame => frame.data.event_id === id);
    await socket.settled();
    assert.is(socket.events().filter(frame => frame.channel === workspace).length, before);
    assert.ok(socket.events('member.changed').some(frame => frame.channel === `user:${me.uid}`));
    assert.ok(owner.events('member.changed').some(frame => frame.channel === workspace));
  });

  test('of another tenant nothing is heard', async () => {
    const other = await world.tenant();
    const them = expected(await other.get<Json>('/v1/user/me')).data;
    const token = await tokenOf(other);
    const [theirs, ours] = [await enter(token.token), await enter(mine())];
    const channel = `workspace:${them.memberships[0].workspace_id}`;
    await theirs.subscribe(channel, `user:${them.uid}`);
    await ours.subscribe(workspace);
    const [id, secret] = [await record('Theirs', other), await record('Ours')];
    await ours.heard('event.recorded', frame => frame.data.event_id === secret);
    await theirs.heard('event.recorded', frame => frame.data.event_id === id);
    await ours.heard('event.scored', frame => frame.data.event_id === secret);
    await theirs.heard('event.scored', frame => frame.data.event_id === id);
    for (const frame of theirs.events()) assert.is.not(frame.data.event_id, secret);
    for (const frame of ours.events()) assert.is.not(frame.data.event_id, id);
  });

  test('an archived workspace is heard no more', async () => {
    const { data } = expected(await world.api.post<Json>('/v1/workspace', { name: 'Short' }), 201);
    const socket = await enter(mine());
    const channel = `workspace:${data.workspace_id}`;
    assert.equal((await socket.subscribe(workspace, channel)).denied, []);
    expected(
      await world.api.send<Json>({
        method: 'DELETE',
        path: `/v1/workspace/${data.workspace_id}`,
        body: { confirm: 'Short' },
      }),
    );
    await until(
      async () => (await socket.subscribe(channel)).denied.length === 1,
      'the channel being closed',
    );
    assert.equal((await socket.subscribe(workspace)).denied, []);
  });

  test('a connection has 200 channels, and the next one ends it with 4429', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 201; i++)
      ids.push(
        expected(await world.api.post<Json>('/v1/workspace', { name: `W${i}` }), 201).data.workspace_id,
      );
    const channels = ids.map(id => `workspace:${id}`);
    const socket = await enter(mine());
    const ack = await socket.subscribe(...channels.slice(0, 200));
    assert.equal([ack.subscribed.length, ack.denied.length], [200, 0]);
    assert.is((await socket.subscribe(channels[0]!)).denied.length, 0, 'one that it has already');
    socket.send({ type: 'subscribe', channels: [channels[200]], ref: 'last' });
    assert.is((await socket.closed()).code, 4429);
  });
});

suite('acceptance: the gateway of another region', test => {
  test('somebody of another region is told where to go, and sent away with 4409', async () => {
    const home = await openWorld({ CELL: 'eu-2' });
    const world = await openWorld({ CELLS: 'eu-2=https://eu-2.example.org' });
    try {
      const { token } = home.running.installed;
      const answer = await world.running.call('GET', '/v1/workspace', {
        headers: { authorization: `Bearer ${token}` },
      });
      const { code, details } = answer.json.error;
      assert.equal([answer.status, code], [409, 'wrong_cell']);
      const byHeader = { headers: { authorization: `Bearer ${token}` } };
      const byProtocol = { protocols: ['v1', `bearer.${token}`] };
      for (const door of [byHeader, byProtocol, {}]) {
        const socket = await open(world.running.base, door);
        if (door !== byHeader && door !== byProtocol) socket.send({ type: 'auth', token });
        assert.is((await socket.closed()).code, 4409);
        const [frame] = socket.frames;
        assert.equal([frame.type, frame.code], ['error', 'wrong_cell']);
        assert.equal(frame.details.home_cell, details.home_cell);
        assert.equal(frame.details.redirect_api_base_url, details.redirect_api_base_url);
      }
      const own = await connect(home.running.base, token);
      assert.is(own.frames[0].cell, 'eu-2');
      own.close();
    } finally {
      await world.close();
      await home.close();
    }
  });
});
