import * as assert from 'uvu/assert';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { body, hours, made, openGoals, path, upToNow } from './goals.js';
import { exit, simulate } from './shock.js';
import { expected, refused, type World } from './world.js';

// Who may see shocks and end them (open-parts 14.3, 24, 25, 30.6): reads take `goals.read`, all else
// `goals.write`; another's are 404.

suite('acceptance: rights and tenants of shocks', test => {
  let world: World;
  let other: Client;
  let id = '';
  test.before(async () => {
    world = await openGoals();
    other = await world.tenant();
    await upToNow(world, 'demand', hours(60));
    id = await made(world.api, body('demand'));
  });
  test.after(() => world.close());
  const without = (...missing: Scope[]) => world.withScopes(scopes.filter(scope => !missing.includes(scope)));
  const writes = async (api: Client) => [
    await exit(api, id),
    await simulate(api, id, { stream: 's', importance: 0.9, occurred_at: world.now() }),
  ];

  test('reading takes goals.read, and nothing else', async () => {
    expected(await (await world.withScopes(['goals.read'])).get<Json>(path(id, '/shocks')));
    const answer = await (await without('goals.read')).get<Json>(path(id, '/shocks'));
    assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['goals.read']);
  });

  test('all else takes goals.write, and more than an onlooker', async () => {
    for (const answer of await writes(await without('goals.write')))
      assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['goals.write']);
    const viewer = await world.member('viewer');
    expected(await viewer.get<Json>(path(id, '/shocks')));
    for (const answer of await writes(viewer)) refused(answer, 403, 'role_forbidden');
  });

  test('to another workspace there is nothing of it', async () => {
    refused(await other.get<Json>(path(id, '/shocks')), 404, 'not_found');
    refused(await other.get<Json>(path(id, '/shocks/eps_nobodys')), 404, 'not_found');
    for (const answer of await writes(other)) refused(answer, 404, 'not_found');
  });
});
