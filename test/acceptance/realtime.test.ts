import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { connect, first, open, type Socket } from './socket.js';
import { expected, openWorld, type World } from './world.js';

// The gateway: doors, channels, keepalive, ends (specification 5, 6.3; open-parts 22, 25, 32.35).
// Readings: the subprotocol that the server chooses is `v1`; a `ref` comes back as it was sent.

suite('acceptance: the realtime gateway', test => {
  let world: World;
  let token = '';
  let [workspace, user] = ['', ''];
  const sockets: Socket[] = [];
  const kept = async (opened: Promise<Socket>): Promise<Socket> => {
    const socket = await opened;
    sockets.push(socket);
    return socket;
  };
  const enter = (by = token) => kept(connect(world.running.base, by));
  const doors = (value: string): (() => Promise<Socket>)[] => [
    () => kept(open(world.running.base, { headers: { authorization: `Bearer ${value}` } })),
    () => kept(open(world.running.base, { protocols: ['v1', `bearer.${value}`] })),
    async () => {
      const socket = await kept(open(world.running.base));
      assert.equal(socket.frames, [], 'nothing is said before the token');
      socket.send({ type: 'auth', token: value });
      return socket;
    },
  ];
  test.before(async () => {
    world = await openWorld();
    token = world.running.installed.token;
    workspace = `workspace:${world.running.installed.workspaceId}`;
    user = `user:${world.running.installed.uid}`;
  });
  test.after.each(() => {
    for (const socket of sockets.splice(0)) socket.close();
  });
  test.after(() => world.close());

  test('three doors lead to the same welcome', async () => {
    const ids = new Set<string>();
    for (const door of doors(token)) {
      const socket = await door();
      const welcome = await first(socket);
      assert.equal([welcome.type, welcome.cell, welcome.protocol], ['welcome', 'local', 1]);
      assert.is(welcome.heartbeat_s, 30);
      assert.match(welcome.server_time, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      ids.add(welcome.connection_id);
      assert.equal((await socket.subscribe(workspace)).subscribed, [workspace]);
    }
    assert.is(ids.size, 3);
    const byProtocol = await doors(token)[1]!();
    assert.is(byProtocol.protocol, 'v1', 'never the one that holds the token');
  });

  test('a wrong token is let in by every door, and sent away with 4401', async () => {
    for (const wrong of ['nonsense', `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`])
      for (const door of doors(wrong)) {
        const socket = await door();
        assert.is((await socket.closed()).code, 4401);
        assert.ok(!socket.frames.some(frame => frame.type === 'welcome'));
      }
  });

  test('who says nothing is sent away with 4401, also with a token in the address', async () => {
    const silent = await kept(open(world.running.base));
    const spoken = await kept(open(world.running.base, { path: `/v1/ws?token=${token}` }));
    const early = await kept(open(world.running.base));
    early.send({ type: 'subscribe', channels: [workspace], ref: '1' });
    for (const socket of [silent, spoken, early]) {
      assert.is((await socket.closed()).code, 4401);
      assert.ok(!socket.frames.some(frame => ['welcome', 'ack'].includes(frame.type)));
    }
  });

  test('a request that is no handshake is answered as HTTP', async () => {
    const plain = await world.running.call('GET', '/v1/ws');
    assert.ok(plain.status >= 400 && plain.status < 500, String(plain.status));
    assert.type(plain.json.error.code, 'string');
    await open(world.running.base, { path: '/v1/event/streams' }).then(
      () => assert.unreachable('another path was taken as a socket'),
      (error: Error) => assert.match(error.message, /40\d|426/),
    );
  });

  test('channels are granted one by one, and foreign and unknown ones are told alike', async () => {
    const other = await world.tenant();
    const theirs = expected(await other.get<Json>('/v1/user/me')).data;
    const socket = await enter();
    const foreign = [
      `workspace:${theirs.memberships[0].workspace_id}`,
      'workspace:wsp_nobodys',
      `user:${theirs.uid}`,
      'user:usr_nobodys',
      'goal:goa_nobodys',
    ];
    const ack = await socket.subscribe(workspace, ...foreign, user);
    assert.equal([ack.type, ack.subscribed.toSorted()], ['ack', [user, workspace].toSorted()]);
    assert.equal(ack.denied.map((each: Json) => each.channel).toSorted(), foreign.toSorted());
    assert.is(new Set(ack.denied.map((each: Json) => each.code)).size, 1, JSON.stringify(ack.denied));
    const again = await socket.subscribe(workspace);
    assert.equal([again.subscribed, again.denied], [[workspace], []]);
  });

  test('who is refused the only channel is told so first, and then sent away with 4403', async () => {
    const socket = await enter();
    const ack = await socket.subscribe('workspace:wsp_nobodys');
    assert.equal([ack.type, ack.subscribed, ack.denied.length], ['ack', [], 1]);
    assert.is((await socket.closed()).code, 4403);
  });

  test('each channel takes its scope', async () => {
    const made = expected(
      await world.api.post<Json>('/v1/user/api-tokens', { name: 'blind', scopes: ['goals.read'] }),
    ).data;
    const socket = await enter(made.token);
    const ack = await socket.subscribe(user, workspace);
    assert.equal([ack.subscribed, ack.denied.map((each: Json) => each.channel)], [[user], [workspace]]);
  });

  test('a token that is bound to one workspace opens no other', async () => {
    const { data } = expected(await world.api.post<Json>('/v1/workspace', { name: 'Second' }), 201);
    const { workspaceId } = world.running.installed;
    const body = { name: 'bound', scopes: ['workspaces.read'], workspace_ids: [workspaceId] };
    const bound = expected(await world.api.post<Json>('/v1/user/api-tokens', body)).data;
    const socket = await enter(bound.token);
    const ack = await socket.subscribe(workspace, `workspace:${data.workspace_id}`);
    assert.equal(ack.subscribed, [workspace]);
    assert.equal((await (await enter()).subscribe(`workspace:${data.workspace_id}`)).denied, []);
  });

  test('a ping is answered under its ref', async () => {
    const socket = await enter();
    const pong = await socket.ask({ type: 'ping' });
    assert.is(pong.type, 'pong');
    assert.ok(Math.abs(Date.parse(pong.server_time) - world.now()) < 60_000);
  });

  test('what is no frame is told so, and too much of it ends with 4400', async () => {
    const socket = await enter();
    const error = await socket.ask({ type: 'sing' });
    assert.equal([error.type, error.code], ['error', 'bad_frame']);
    assert.type(error.message, 'string');
    for (const text of ['{', '[]', '"ping"', '{"type":"subscribe"}', '{"type":"subscribe","channels":"x"}'])
      socket.send(text);
    await socket.settled();
    assert.is(socket.frames.filter(frame => frame.code === 'bad_frame').length, 6);
    const rude = await enter();
    for (let i = 0; i < 25; i++) rude.send('{');
    assert.is((await rude.closed()).code, 4400);
    await socket.settled();
  });

  test('a frame of more than 64 KB ends with 4413', async () => {
    const socket = await enter();
    await socket.ask({ type: 'ping', padding: 'x'.repeat(60_000) });
    socket.send({ type: 'ping', padding: 'x'.repeat(66_000) });
    assert.is((await socket.closed()).code, 4413);
  });

  test('a token has 20 connections, and the next one is sent away with 4429', async () => {
    const made = expected(
      await world.api.post<Json>('/v1/user/api-tokens', { name: 'many', scopes: ['workspaces.read'] }),
    ).data;
    const taken = await Promise.all(Array.from({ length: 20 }, () => enter(made.token)));
    const headers = { authorization: `Bearer ${made.token}` };
    const next = await kept(open(world.running.base, { headers }));
    assert.is((await next.closed()).code, 4429);
    for (const socket of taken) await socket.settled();
    taken[0]!.send({ type: 'ping' });
    await enter();
  });

  test('a stop of the server is told as 1012, and a new connection finds it again', async () => {
    const socket = await enter();
    const closed = socket.closed();
    await world.restart();
    assert.is((await closed).code, 1012);
    assert.equal((await (await enter()).subscribe(workspace)).subscribed, [workspace]);
  });
});
