import * as assert from 'uvu/assert';
import { peopleOf } from '../people.js';
import { suite } from '../suite.js';
import { signalsApi, type SignalsApi } from './signals-world.js';
import type { Json } from '../json.js';

suite('units, groups and display names that are refused', test => {
  let world: SignalsApi;
  test.before(async () => {
    world = await signalsApi();
    await world.push('shop.orders', [1, 2]);
  });
  test.after(() => world.close());
  const labelled = (updated: number, ...unknown_keys: string[]) => ({ updated, unknown_keys });

  for (const key of ['nothing here', 'mkt:lst_x:orders', 'mkt-evt:lst_x:outages'])
    test(`no display name for ${key}: 404`, async () => {
      const { status, body } = await world.client.post<Json>('/v1/signal/display-name', { key, name: 'x' });
      assert.equal([status, body.error.code], [404, 'not_found']);
    });

  const refused: [string, object][] = [
    ['units/assign', {}],
    ['units/assign', { keys: [] }],
    ['units/assign', { keys: 'a' }],
    ['units/assign', { keys: [1] }],
    ['units/assign', { keys: ['a'], unit: 'x'.repeat(41) }],
    ['units/assign', { keys: ['a'], unit: 'a\u0000' }],
    ['units/assign', { keys: ['a'], unit: 5 }],
    ['units/assign', { keys: Array.from({ length: 1_001 }, (_, i) => `k${i}`) }],
    ['groups/assign', { keys: ['a'] }],
    ['groups/assign', { keys: ['a'], group: '' }],
    ['groups/assign', { keys: ['a'], group: '  ' }],
    ['groups/assign', { keys: ['a'], group: 'a\nb' }],
    ['groups/unassign', {}],
    ['groups/unassign', { keys: [''] }],
    ['display-name', { name: 'x' }],
    ['display-name', { key: '', name: 'x' }],
    ['display-name', { key: 'shop.orders', name: 'x'.repeat(201) }],
    ['display-name', { key: 'shop.orders', name: ['x'] }],
  ];
  for (const [path, body] of refused)
    test(`${path} ${JSON.stringify(body).slice(0, 60)} is refused`, async () => {
      const answer = await world.client.post(`/v1/signal/${path}`, body);
      assert.equal([answer.status, answer.body.error.code], [422, 'validation_error']);
    });

  test('another workspace has labels of its own, on the same keys', async () => {
    const stranger = await world.stranger();
    const unknown = { status: 'ok', data: labelled(0, 'shop.orders') };
    assert.equal((await stranger.get<Json>('/v1/signal/units')).body, { units: {} });
    assert.equal((await stranger.get<Json>('/v1/signal/groups')).body, { groups: [], assignments: {} });
    assert.equal((await stranger.get<Json>('/v1/signal/display-names')).body, {});
    assert.equal(
      (await stranger.post('/v1/signal/units/assign', { keys: ['shop.orders'], unit: 'x' })).body,
      unknown,
    );
    assert.equal(
      (await stranger.post('/v1/signal/groups/assign', { keys: ['shop.orders'], group: 'x' })).body,
      unknown,
    );
    assert.is(
      (await stranger.post('/v1/signal/display-name', { key: 'shop.orders', name: 'x' })).status,
      404,
    );
    await stranger.post('/v1/signal/push', { key: 'shop.orders', value: 1 });
    await stranger.post('/v1/signal/groups/assign', { keys: ['shop.orders'], group: 'theirs' });
    assert.equal((await world.get('/v1/signal/groups')).assignments['shop.orders'], {
      group: 'shop',
      origin: 'inferred',
    });
  });

  test('who may only read may not say anything', async () => {
    const token = await peopleOf(world.api.platform).token(world.api.installed.uid, {
      scopes: ['signals.read'],
    });
    const reader = world.client.as({ token, workspace: world.api.installed.workspaceId });
    assert.is((await reader.get('/v1/signal/units')).status, 200);
    assert.is(
      (await reader.post('/v1/signal/units/assign', { keys: ['shop.orders'], unit: 'x' })).status,
      403,
    );
  });
});
