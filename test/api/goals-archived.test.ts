import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { HOUR_S, hours, push, START_S } from './segments-world.js';
import { edgeOf } from './shocks-world.js';

const LENGTH = 60;

suite('goals that are put away', test => {
  const folder = temporaryFolder();
  const now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let api: Running;
  let path: string;
  let edgeId: string;
  const call = (method: string, rest: string, body: object = {}) =>
    api.call(method, `${path}${rest}`, method === 'GET' ? undefined : { body });
  test.before(async () => {
    const env = { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' };
    api = await startPlatform(folder.path, { clock: () => now, env });
    await push(
      api,
      'sales',
      hours(LENGTH, i => 10 + (i % 3)),
    );
    const goalId = await activeGoal(api, goalSettings());
    path = `/v1/goals/${goalId}`;
    await forecastsOf(api, goalId, 1);
    edgeId = await edgeOf(api, goalId, 'news');
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('are read only', async () => {
    const alert = { name: 'A', kind: 'shock' };
    const made = await call('POST', '/alerts', alert);
    const ruleId = made.json.data.alert_id as string;
    const assumptions = [{ kind: 'signal_shift', key: 'sales', add: 5, from: now, to: now + 3_600_000 }];
    const scenario = { name: 'What if', assumptions };
    const scenarioId = (await call('POST', '/scenarios', scenario)).json.data.scenario_id as string;
    assert.is((await call('POST', `/edges/${edgeId}/block`)).status, 200);
    assert.is((await call('POST', '/archive')).json.data.status, 'archived');
    const edge = async (): Promise<Json> => (await call('GET', `/edges/${edgeId}`)).json.data;
    const before = await edge();
    for (const [method, rest, body] of [
      ['PATCH', '', { name: 'X' }],
      ['POST', '/alerts', alert],
      ['PATCH', `/alerts/${ruleId}`, { name: 'X' }],
      ['POST', `/edges/${edgeId}/pin`],
      ['POST', `/edges/${edgeId}/block`],
      ['POST', `/edges/${edgeId}/unblock`],
      ['POST', '/discovery'],
      ['POST', '/tournaments'],
      ['POST', '/forecasts'],
      ['POST', '/scenarios', scenario],
      ['POST', `/scenarios/${scenarioId}/run`],
      ['POST', '/shock/exit', { reason: 'over' }],
    ] as const) {
      const { status, json, text } = await call(method, rest, body);
      assert.equal([status, json.error?.code], [409, 'invalid_state'], `${method} ${rest}: ${text}`);
      assert.match(json.error.message, 'archived');
    }
    assert.equal(await edge(), before);
    assert.is((await call('GET', '/discovery')).json.data.total, 0);
    assert.is((await call('DELETE', `/alerts/${ruleId}`)).status, 200);
    assert.is((await call('DELETE', `/scenarios/${scenarioId}`)).status, 200);
    assert.is((await call('POST', '/restore')).status, 200);
    assert.is((await call('POST', `/edges/${edgeId}/pin`)).json.data.status, 'pinned');
  });
});
