import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';
import { FleetsWorld } from './fleets-world.js';

suite('changes of fleets', test => {
  const folder = temporaryFolder();
  const world = new FleetsWorld();
  const call = (method: string, path: string, body: object) =>
    world.running.call(method, `/v1/goals/fleets${path}`, { body });
  test.before(async () => {
    await world.open(folder.path);
    await world.have('sales', ['north-1', 'north-2']);
  });
  test.after(async () => {
    await world.close();
    folder.remove();
  });

  test('null clears what may be absent; what is shown can be sent back', async () => {
    const made = await world.begin({
      ...{ name: 'Stores', base_key: 'sales' },
      ...{ entities: ['north-1'], max_goals: 1, auto_sync: true, skip_discovery: true },
      template: {
        ...{ name: 'T', horizon: 6, step_s: 3_600, cadence_s: 7_200, metric: 'mae', tags: ['a'] },
        options: { auto_tournament: 'off' },
      },
      reconciliation: {
        method: 'bottom_up',
        levels: [{ name: 'region', group_by: { separator: '-', part: 1 } }],
      },
    });
    const full = await world.becomes(made, 'made', ({ status }) => status === 'active');
    const would = async (over: object): Promise<Json> => {
      const { status, text, json } = await call('PATCH', `/${made}?dry_run=true`, over);
      assert.is(status, 200, text);
      return json.data;
    };
    const settingsOf = (of: Json): Json => [of.template, of.reconciliation, of.entities, of.auto_sync];
    assert.equal(settingsOf(await would(full)), settingsOf(full));
    const cleared = await would({
      ...{ entities: null, max_goals: null, auto_sync: null, skip_discovery: null, reconciliation: null },
      ...{ shared_pipeline: null, template: { name: null, step_s: null, cadence_s: null, metric: null } },
    });
    const { template } = cleared;
    assert.equal([template.name, template.step_s, template.cadence_s], [null, null, null]);
    assert.equal([template.metric, template.tags], ['crps', ['a']]);
    assert.equal([cleared.entities, cleared.max_goals, cleared.auto_sync], ['all', 500, false]);
    assert.equal(cleared.reconciliation, { method: 'none', levels: [] });
    assert.is((await would({ reconciliation: { method: null } })).reconciliation.levels.length, 1);
    for (const wrong of [{ name: null }, { template: null }, { template: { horizon: null } }])
      assert.is((await call('PATCH', `/${made}`, wrong)).status, 422, JSON.stringify(wrong));
  });

  test('more goals than one would pay for are not made', async () => {
    const template = { horizon: 6, step_s: 3_600 };
    const made = await world.begin({
      ...{ name: 'Dear', base_key: 'sales', entities: ['north-1'], skip_discovery: true, template },
    });
    await world.becomes(made, 'made', ({ status }) => status === 'active');
    const patched = async (body: object): Promise<[number, string | undefined]> => {
      const { status, json } = await call('PATCH', `/${made}`, { ...body, max_credits: 0 });
      return [status, json.error?.code];
    };
    assert.equal(await patched({ entities: 'all' }), [402, 'price_above_max']);
    assert.equal(await patched({ name: 'Dearer' }), [200, undefined], 'it makes no goal');
    const { json } = await world.running.call('GET', `/v1/goals/fleets/${made}`);
    assert.equal([json.data.name, json.data.entities], ['Dearer', ['north-1']]);
  });
});
