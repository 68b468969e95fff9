import * as assert from 'uvu/assert';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { person, type Person } from './inbox.js';
import { LOCAL, receive, type Receiver } from './receivers.js';
import { expected, openWorld, refused, type World } from './world.js';

// Who may what of notifications (open-parts 25, 30.6, 32.33), and that nobody sees another's. Marks take
// `workspaces.read`, channels and preferences are written with `workspaces.write`, every role has its own.

suite('acceptance: rights and tenants of notifications', test => {
  let world: World;
  let ada: Person;
  let other: Client;
  let receiver: Receiver;
  let [notification, channel] = ['', ''];
  const path = '/v1/notifications';
  type Call = readonly [Scope, string, string, object?];
  const reads = (): Call[] => [
    ['workspaces.read', 'GET', path],
    ['workspaces.read', 'GET', `${path}/unread-count`],
    ['workspaces.read', 'GET', `${path}/preferences`],
    ['workspaces.read', 'GET', `${path}/channels`],
    ['workspaces.read', 'GET', `${path}/channels/${channel}`],
  ];
  const marks = (): Call[] => [
    ['workspaces.read', 'POST', `${path}/${notification}/read`],
    ['workspaces.read', 'POST', `${path}/${notification}/unread`],
    ['workspaces.read', 'POST', `${path}/read-all`, {}],
  ];
  const writes = (): Call[] => [
    ['workspaces.write', 'PUT', `${path}/preferences`, {}],
    ['workspaces.write', 'PATCH', `${path}/channels/${channel}`, { name: 'Ops' }],
    ['workspaces.write', 'POST', `${path}/channels/${channel}/test`],
    ['workspaces.write', 'POST', `${path}/channels/${channel}/verify`, {}],
    ['workspaces.write', 'DELETE', `${path}/channels/${channel}`],
  ];
  const send = (api: Client, [, method, at, body]: Call) =>
    api.send<Json>({ method, path: at, ...(body && { body }) });
  test.before(async () => {
    world = await openWorld(LOCAL);
    receiver = await receive();
    other = await world.tenant();
    ada = await person(world);
    notification = (await ada.turn('editor')).notification_id;
    const body = { type: 'webhook', name: 'Ops', target: `${receiver.url}/` };
    channel = expected(await ada.api.post<Json>(`${path}/channels`, body), 201).data.channel_id;
  });
  test.after(async () => {
    receiver.close();
    await world.close();
  });

  test('each call takes its scope', async () => {
    for (const scope of ['workspaces.read', 'workspaces.write'] as const) {
      const lacking = await world.withScopes(scopes.filter(each => each !== scope));
      for (const call of [...reads(), ...marks(), ...writes()].filter(([each]) => each === scope)) {
        const { details } = refused(await send(lacking, call), 403, 'insufficient_scope');
        assert.equal(details.required, [scope], `${call[1]} ${call[2]}`);
      }
    }
  });

  test('a viewer reads and marks what is theirs, and has channels and preferences', async () => {
    await ada.turn('viewer');
    for (const call of [...reads(), ...marks()]) expected(await send(ada.api, call));
    for (const call of writes().slice(0, 2)) expected(await send(ada.api, call));
  });

  test("another's items and channels are 404, also to the owner of the workspace", async () => {
    for (const api of [other, world.api])
      for (const call of [...reads().slice(4), ...marks().slice(0, 2), ...writes().slice(1)])
        refused(await send(api, call), 404);
    expected(await ada.api.get<Json>(`${path}/channels/${channel}`));
    for (const api of [other, world.api]) {
      const text = (await api.get<Json>(`${path}?per_page=100`)).text;
      assert.is(text.includes(notification), false);
      assert.is((await api.get<Json>(`${path}/channels`)).text.includes(channel), false);
    }
  });

  test('without a token it is 401, without a workspace 400, with another 403', async () => {
    for (const [, method, at, body] of [...reads().slice(0, 2), ...marks()]) {
      const sent = { method, path: at, ...(body && { body }) };
      refused(await ada.api.send<Json>({ ...sent, headers: { authorization: undefined } }), 401);
      const { message } = refused(
        await ada.api.send<Json>({ ...sent, headers: { 'x-workspace-id': undefined } }),
        400,
      );
      assert.is(message, 'Workspace ID required');
      const headers = { 'x-workspace-id': world.running.installed.workspaceId };
      refused(await other.send<Json>({ ...sent, headers }), 403, 'workspace_forbidden');
    }
  });
});
