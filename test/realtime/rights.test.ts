import * as assert from 'uvu/assert';
import { DAY } from '../../domain/time.js';
import { startPlatform, temporaryFolder, send, type Running } from '../platform.js';
import { peopleOf, type People, type Person } from '../people.js';
import { suite } from '../suite.js';
import { connect, type RealtimeClient } from './client.js';

/** What a client was told but for notifications, which come when they are written. */
const changesTold = (client: RealtimeClient) =>
  client.told().filter(({ event }) => event !== 'notification.created');

suite('rights on the realtime gateway', test => {
  const folder = temporaryFolder();
  let now = Date.now();
  let api: Running;
  let people: People;
  let workspace: string;
  let channel: string;
  test.before(async () => {
    api = await startPlatform(folder.path, { clock: () => now });
    people = peopleOf(api.platform);
    workspace = api.installed.workspaceId;
    channel = `workspace:${workspace}`;
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });
  const member = async (email: string): Promise<Person> => {
    const person = await people.person(email);
    await people.join('workspace', workspace, person.uid, 'viewer');
    return person;
  };
  const listening = async (token: string, ...channels: string[]) => {
    const client = await connect(api.base, { token });
    assert.equal((await client.subscribe(...channels))['subscribed'], channels);
    return client;
  };
  const issue = async (token: string, body: object) => {
    const who = { token, workspaceId: workspace };
    const { status, json } = await send(api.base, 'POST', '/v1/user/api-tokens', who, { body });
    assert.is(status, 200);
    return json.data as { token: string; token_id: string };
  };
  const write = async (token: string, method: string, path: string, body?: object) => {
    const who = { token, workspaceId: workspace };
    const answer = await send(api.base, method, path, who, body && { body });
    assert.ok(answer.status < 300, answer.text);
    return answer.json;
  };

  test('a token that is revoked, or replaced without grace, takes its connections with it', async () => {
    const ann = await member('ann@example.org');
    const watching = await listening(ann.token, `user:${ann.uid}`);
    const [first, second, kept] = [
      await issue(ann.token, { name: 'first' }),
      await issue(ann.token, { name: 'second' }),
      await issue(ann.token, { name: 'kept' }),
    ];
    const clients = [
      await listening(first.token, channel),
      await listening(first.token, `user:${ann.uid}`),
      await listening(second.token, channel),
      await listening(kept.token, channel),
    ];
    await write(ann.token, 'DELETE', `/v1/user/api-tokens/${first.token_id}`);
    await write(ann.token, 'POST', `/v1/user/api-tokens/${second.token_id}/regenerate`, {});
    await write(ann.token, 'POST', `/v1/user/api-tokens/${kept.token_id}/regenerate`, { grace_seconds: 60 });
    for (const client of clients.slice(0, 3))
      assert.equal(await client.closed(), { code: 4401, reason: 'token_revoked' });
    // Its owner hears of it on other connections
    await watching.event(({ data }) => data['token_id'] === second.token_id);
    assert.equal(
      changesTold(watching).map(({ event, data }) => [event, data]),
      [
        ['token.revoked', { token_id: first.token_id }],
        ['token.revoked', { token_id: second.token_id }],
      ],
    );
    assert.ok(clients[3]!.isOpen());
    now += 60_000;
    assert.equal(await clients[3]!.closed(), { code: 4401, reason: 'token_expired' });
    await watching.end();
  });

  test('a token that expires, too', async () => {
    const expiresAt = now + 30_000;
    const client = await listening(await people.token(api.installed.uid, { expiresAt }), channel);
    now += 29_999;
    await client.ask({ type: 'ping' });
    now += 1;
    assert.equal(await client.closed(), { code: 4401, reason: 'token_expired' });
  });

  test('who is no longer a member loses the channel, and hears of it on their own', async () => {
    const bob = await member('bob@example.org');
    const own = `user:${bob.uid}`;
    const both = await listening(bob.token, channel, own);
    const alone = await listening(bob.token, channel);
    const other = await listening(api.installed.token, channel);
    await write(api.installed.token, 'DELETE', `/v1/workspace/${workspace}/members/${bob.uid}`);
    const { message, ...frame } = await both.error('channel_forbidden');
    assert.ok(message);
    assert.equal(frame, { type: 'error', code: 'channel_forbidden', ref: null, details: { channel } });
    assert.equal(await alone.closed(), { code: 4403, reason: 'channel_forbidden' });
    const told = await both.event(({ data }) => data['role'] === null);
    assert.equal([told.event, told.channel], ['member.changed', own]);
    assert.equal(told.data, { workspace_id: workspace, uid: bob.uid, role: null });
    await write(api.installed.token, 'POST', '/v1/event/record', { key: 'after', text: 'Strike' });
    await other.event(({ event, data }) => event === 'event.recorded' && data['key'] === 'after');
    await both.ask({ type: 'ping' });
    assert.not(both.told().some(({ data }) => data['key'] === 'after'));
    const heard = await other.event(({ data }) => data['role'] === null);
    assert.equal(heard.data, told.data);
    for (const client of [both, other]) await client.end();
  });

  test('a role that changes is told, and costs no channel', async () => {
    const eve = await member('eve@example.org');
    const client = await listening(eve.token, channel, `user:${eve.uid}`);
    const path = `/v1/workspace/${workspace}/members/${eve.uid}`;
    await write(api.installed.token, 'PATCH', path, { role: 'editor' });
    await client.event(({ event, channel: of }) => event === 'member.changed' && of.startsWith('user:'));
    assert.equal(
      // That they joined may be told only now
      client
        .told()
        .filter(({ event, data }) => event === 'member.changed' && data['role'] !== 'viewer')
        .map(({ event, channel: of, data }) => [event, of, data['role']]),
      [
        ['member.changed', channel, 'editor'],
        ['member.changed', `user:${eve.uid}`, 'editor'],
      ],
    );
    await client.end();
  });

  test('what the balance is hears who may read it, as long as they may', async () => {
    const ida = await member('ida@example.org');
    const client = await listening(ida.token, channel);
    const owner = await listening(api.installed.token, channel);
    const adjust = async (amount: number, balance: string) => {
      const { commands } = api.platform.areas.billing;
      await commands.adjust(
        api.installed.organizationId,
        { amount, note: null },
        { ...people.operator(), workspace: null },
      );
      await owner.event(({ data }) => data['balance'] === balance);
    };
    const become = async (role: string) => {
      await write(api.installed.token, 'PATCH', `/v1/workspace/${workspace}/members/${ida.uid}`, { role });
      await client.event(({ data }) => data['uid'] === ida.uid && data['role'] === role);
    };
    await adjust(1_000, '101.000');
    await become('admin');
    await adjust(1_000, '102.000');
    await client.event(({ data }) => data['balance'] === '102.000');
    await become('operator');
    await adjust(1_000, '103.000');
    await become('editor');
    assert.equal(
      client.told().map(({ data, seq }) => [data['balance'] ?? data['role'], seq]),
      [
        ['admin', 1],
        ['102.000', 2],
        ['operator', 3],
        ['editor', 4],
      ],
    );
    for (const each of [client, owner]) await each.end();
  });

  test('a token that is limited to workspaces, or loses its scope, hears of no other', async () => {
    const theirs = await people.tenant('tom@example.org');
    const cat = await member('cat@example.org');
    await people.join('workspace', theirs.workspaceId, cat.uid, 'viewer');
    const own = `user:${cat.uid}`;
    const second = `workspace:${theirs.workspaceId}`;
    const limited = await issue(cat.token, { name: 'limited', workspace_ids: [workspace] });
    const client = await listening(limited.token, channel, own);
    const { denied } = await client.subscribe(second);
    assert.equal(denied, [{ channel: second, code: 'channel_forbidden' }]);
    const unlimited = await listening(cat.token, channel, second, own);
    const promote = (who: string, of: string) =>
      send(
        api.base,
        'PATCH',
        `/v1/workspace/${of}/members/${cat.uid}`,
        { token: who, workspaceId: of },
        {
          body: { role: 'analyst' },
        },
      );
    await promote(theirs.token, theirs.workspaceId);
    await promote(api.installed.token, workspace);
    const changedOn = (of: RealtimeClient, id: string) =>
      of.event(told => told.channel === own && told.data['workspace_id'] === id);
    await changedOn(client, workspace);
    assert.equal(
      changesTold(client).map(({ channel: of, data }) => [of, data['workspace_id']]),
      [
        [channel, workspace],
        [own, workspace],
      ],
      'not that of the other workspace',
    );
    for (const id of [workspace, theirs.workspaceId]) await changedOn(unlimited, id);
    // Limited while it is connected
    const { token_id } = limited;
    const path = `/v1/user/api-tokens/${token_id}`;
    await write(cat.token, 'PATCH', path, { scopes: ['goals.read'] });
    assert.equal((await client.error('insufficient_scope'))['details'], {
      required: ['workspaces.read'],
      granted: ['goals.read'],
      channel,
    });
    await client.ask({ type: 'ping' });
    for (const each of [client, unlimited]) await each.end();
  });

  test('an archived workspace has no channel, until it is restored', async () => {
    const theirs = await people.tenant('dan@example.org');
    const own = `workspace:${theirs.workspaceId}`;
    const client = await listening(theirs.token, own, `user:${theirs.uid}`);
    const call = (method: string, path: string, body?: object) =>
      send(api.base, method, `/v1/workspace/${theirs.workspaceId}${path}`, theirs, body && { body });
    assert.is((await call('DELETE', '', { confirm: 'Theirs' })).status, 200);
    assert.equal((await client.error('workspace_archived'))['details'], { channel: own });
    assert.equal((await client.subscribe(own))['denied'], [{ channel: own, code: 'workspace_archived' }]);
    assert.is((await call('POST', '/restore')).status, 200);
    assert.equal((await client.subscribe(own))['subscribed'], [own]);
    await client.end();
  });

  test('what an organization asks of its members is asked of those who listen', async () => {
    const theirs = await people.tenant('fay@example.org');
    const own = `workspace:${theirs.workspaceId}`;
    const token = await people.token(theirs.uid);
    now += DAY - 2 * 60_000;
    const client = await listening(token, own, `user:${theirs.uid}`);
    const alone = await listening(token, own);
    const { organizations } = (await send(api.base, 'GET', '/v1/organization', theirs)).json.data;
    const changed = await send(
      api.base,
      'PATCH',
      `/v1/organization/${organizations[0].organization_id}`,
      theirs,
      {
        body: { settings: { token_max_age_days: 1 } },
      },
    );
    assert.is(changed.json.data.settings.token_max_age_days, 1);
    now += 60_000;
    await Promise.all([client.ask({ type: 'ping' }), alone.ask({ type: 'ping' })]);
    // What only time changes
    now += 60_000;
    assert.equal(await alone.closed(), { code: 4403, reason: 'token_too_old' });
    await client.error('token_too_old');
    await client.ask({ type: 'ping' });
    await client.end();
  });
});
