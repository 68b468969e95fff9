import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { connect } from './client.js';

suite('realtime gateway', test => {
  const folder = temporaryFolder();
  let api: Running;
  let token: string;
  let workspace: string;
  test.before(async () => {
    api = await startPlatform(folder.path);
    token = api.installed.token;
    workspace = api.installed.workspaceId;
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('welcomes whoever brings a token: in the header, as a protocol, in a frame', async () => {
    const byHeader = await connect(api.base, { token });
    const byProtocol = await connect(api.base, { protocols: ['v1', `bearer.${token}`] });
    assert.is(byProtocol.socket.protocol, 'v1', 'and never the token');
    const byFrame = await connect(api.base);
    byFrame.send({ type: 'auth', token });
    const ids = new Set<unknown>();
    for (const client of [byHeader, byProtocol, byFrame]) {
      const { connection_id, server_time, ...rest } = await client.welcome();
      assert.equal(rest, { type: 'welcome', cell: 'local', protocol: 1, heartbeat_s: 30 });
      assert.is(new Date(String(server_time)).toISOString(), server_time);
      ids.add(connection_id);
      await client.end();
    }
    assert.is(ids.size, 3);
  });

  test('a wrong token gets its 101, then 4401, by all three doors', async () => {
    const wrong = `${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`;
    const byFrame = await connect(api.base);
    byFrame.send({ type: 'auth', token: wrong });
    for (const client of [
      byFrame,
      await connect(api.base, { token: wrong }),
      await connect(api.base, { protocols: ['v1', `bearer.${wrong}`] }),
    ]) {
      assert.equal(await client.closed(), { code: 4401, reason: 'token_invalid' });
      assert.equal(client.frames, []);
    }
  });

  test('subscribes, pings, unsubscribes', async () => {
    const client = await connect(api.base, { token });
    assert.equal(await client.subscribe(`workspace:${workspace}`, 'workspace:wsp_else', 'goal:g1', 'what'), {
      type: 'ack',
      ref: '1',
      subscribed: [`workspace:${workspace}`],
      denied: [
        { channel: 'workspace:wsp_else', code: 'channel_forbidden' },
        { channel: 'goal:g1', code: 'channel_forbidden' },
        { channel: 'what', code: 'channel_forbidden' },
      ],
    });
    const { server_time, ...pong } = await client.ask({ type: 'ping' });
    assert.equal(pong, { type: 'pong', ref: '2' });
    assert.ok(Date.parse(String(server_time)));
    const ack = await client.ask({ type: 'unsubscribe', channels: [`workspace:${workspace}`] });
    assert.equal(ack, { type: 'ack', ref: '3', subscribed: [], denied: [] });
    await client.end();
  });

  test('who is refused all there is gets the answer, then 4403', async () => {
    const client = await connect(api.base, { token });
    assert.equal((await client.subscribe('workspace:wsp_else'))['subscribed'], []);
    assert.equal(await client.closed(), { code: 4403, reason: 'channel_forbidden' });
  });

  test('tells what happens to an event, once it can be read', async () => {
    const client = await connect(api.base, { token });
    await client.subscribe(`workspace:${workspace}`);
    const { json } = await api.call('POST', '/v1/event/record', { body: { key: 'port', text: 'Strike' } });
    const { event_id } = json.data;
    const recorded = await client.event(({ data }) => data['event_id'] === event_id);
    const { at, ...rest } = recorded;
    assert.ok(Date.parse(at));
    assert.equal(rest, {
      type: 'event',
      event: 'event.recorded',
      channel: `workspace:${workspace}`,
      data: { event_id, key: 'port', status: 'pending', scheduled: false },
      seq: 1,
    });
    const scored = await client.event(({ event }) => event === 'event.scored');
    const now = await api.call('GET', `/v1/event/${event_id}`);
    const { rank } = now.json.data.scores;
    assert.equal(scored.data, { event_id, key: 'port', status: 'scored', scheduled: false, rank });
    assert.is(scored.seq, 2);
    await client.end();
  });

  test('everything else at the path, and upgrades at others, are requests as before', async () => {
    assert.is((await api.call('GET', '/v1/ws')).status, 426);
    assert.is((await api.call('POST', '/v1/ws')).status, 405);
    const elsewhere = await fetch(`${api.base}/v1/ws`);
    assert.is(elsewhere.status, 401);
  });

  test('says at a restart that it is one', async () => {
    const other = temporaryFolder();
    const second = await startPlatform(other.path);
    const client = await connect(second.base, { token: second.installed.token });
    await client.welcome();
    await second.stop();
    assert.equal(await client.closed(), { code: 1012, reason: 'restart' });
    other.remove();
  });
});
