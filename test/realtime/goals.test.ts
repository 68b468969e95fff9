import * as assert from 'uvu/assert';
import { goalBy } from '../api/goals-world.js';
import { peopleOf, type People } from '../people.js';
import { send, startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { connect } from './client.js';

suite('channels of goals', test => {
  const folder = temporaryFolder();
  let api: Running;
  let people: People;
  let goalId: string;
  test.before(async () => {
    api = await startPlatform(folder.path);
    people = peopleOf(api.platform);
    goalId = await goalBy(api.call, 'shop.orders');
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });
  const member = async (email: string) => {
    const person = await people.person(email);
    await people.join('workspace', api.installed.workspaceId, person.uid, 'viewer');
    return person;
  };
  const rename = async (name: string): Promise<void> => {
    assert.is((await api.call('PATCH', `/v1/goals/${goalId}`, { body: { name } })).status, 200);
  };

  test('members hear of the one goal, until they are members no more', async () => {
    const ann = await member('ann@example.org');
    const client = await connect(api.base, { token: ann.token });
    const channel = `goal:${goalId}`;
    assert.equal((await client.subscribe(channel, `user:${ann.uid}`))['denied'], []);
    await rename('Renamed');
    const told = await client.event(({ event }) => event === 'goal.updated');
    assert.equal(
      [told.channel, told.data],
      [channel, { goal_id: goalId, status: 'draft', shock_state: 'normal' }],
    );
    const path = `/v1/workspace/${api.installed.workspaceId}/members/${ann.uid}`;
    assert.is((await api.call('DELETE', path)).status, 200);
    assert.equal((await client.error('channel_forbidden'))['details'], { channel });
    await client.end();
  });

  test('what is another’s and what is not there is denied alike; it takes goals.read', async () => {
    const stranger = await people.tenant('eve@example.org');
    const client = await connect(api.base, { token: stranger.token });
    const names = [`goal:${goalId}`, 'goal:goa_nobodys'];
    assert.equal(
      (await client.subscribe(...names))['denied'],
      names.map(channel => ({ channel, code: 'channel_forbidden' })),
    );
    const ben = await member('ben@example.org');
    const who = { token: ben.token, workspaceId: api.installed.workspaceId };
    const body = { name: 'narrow', scopes: ['workspaces.read'] };
    const { json } = await send(api.base, 'POST', '/v1/user/api-tokens', who, { body });
    const narrow = await connect(api.base, { token: json.data.token });
    const [channel] = names;
    assert.equal((await narrow.subscribe(channel!))['denied'], [{ channel, code: 'insufficient_scope' }]);
    await narrow.end();
    await client.end();
  });
});
