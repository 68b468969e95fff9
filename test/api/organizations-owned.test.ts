import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { accountWorld, type AccountWorld } from './account-world.js';
import type { Client } from './client.js';

const LIMIT = 4;

suite('organizations that one user may own', test => {
  let world: AccountWorld;
  let owner: Client;
  test.before.each(async () => {
    world = await accountWorld({ env: { ORGANIZATIONS_PER_USER: String(LIMIT) } });
    owner = world.as(world.api.installed.token, world.api.installed.workspaceId);
  });
  test.after.each(() => world.close());

  const create = (by = owner) => by.post('/v1/organization', { name: 'One more' });
  const owned = async () => (await owner.get('/v1/organization')).body.data['total'];

  test('one more is refused, however many are asked for at once', async () => {
    const answers = await Promise.all(Array.from({ length: 3 * LIMIT }, () => create()));
    const refused = answers.filter(({ status }) => status !== 201);
    assert.equal([answers.length - refused.length, await owned()], [LIMIT - 1, LIMIT]);
    for (const { status, body } of refused) {
      const { code, details } = body.error;
      assert.equal([status, code], [403, 'plan_limit_reached']);
      assert.equal([details['limit'], details['used']], [LIMIT, LIMIT]);
    }
  });

  test('those of others do not count, those that are archived do', async () => {
    const { people } = world;
    const member = await people.person('other@example.org');
    const theirs = world.as(member.token, world.api.installed.workspaceId);
    assert.is((await create(theirs)).status, 201);
    await people.join('organization', world.api.installed.organizationId, member.uid, 'admin');
    for (let i = 2; i < LIMIT; i++) assert.is((await create()).status, 201);
    const last = (await create()).body.data['organization_id'] as string;
    const gone = await owner.send({
      method: 'DELETE',
      path: `/v1/organization/${last}`,
      body: { confirm: 'One more' },
    });
    assert.is(gone.status, 200);
    assert.is((await create()).status, 403);
    for (let i = 1; i < LIMIT; i++) assert.is((await create(theirs)).status, 201);
    assert.is((await create(theirs)).status, 403);
  });
});
