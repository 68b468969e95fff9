import * as assert from 'uvu/assert';
import { presage } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { daily } from './series.js';
import { DAY, deploy, expected, forecast, openWorld, push, refused, type World } from './world.js';

// Nothing is lost by a stop, and read models that are built anew say the same.

const FROM = Date.UTC(2026, 0, 1);

suite('acceptance: stop, start, rebuild', test => {
  let world: World;
  let [nano, mini] = ['', ''];
  let answer: Json;
  const values = daily(130);
  test.before(async () => {
    world = await openWorld();
    nano = await deploy(world.api, 'nano', { horizon: 5, reason: 'stays' });
    mini = await deploy(world.api, 'mini');
    await push(world.api, 'orders', values.slice(0, 100), { from: FROM });
    answer = await forecast(world.api, { promotion_id: nano, key: 'orders' });
    await forecast(world.api, { promotion_id: mini, key: 'orders', horizon: 9 });
    await push(world.api, 'orders', values.slice(100, 105), { from: FROM + 100 * DAY });
    await until(async () => (await one()).grade, 'the grade');
    expected(await world.api.post<Json>(`/v1/deployments/${mini}/unpromote`, { reason: 'goes' }));
    const custom = { kind: 'foundation', name: 'Ours', visibility: 'private', family: 'presage' };
    expected(await world.api.post<Json>('/v1/models', custom));
  });
  test.after(() => world.close());

  const one = async (): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/inference/${answer.inference_id}`));
  /** Everything that a user can read, without what a clock or a probe writes anew. */
  const everything = async (): Promise<Json> => {
    const read = async (path: string) => expected(await world.api.get<Json>(path));
    const plain = ({ health: _, conditions: __, replicas: ___, ...rest }: Json) => rest;
    const { deployments } = await read('/v1/deployments');
    const models = (rows: Json[]) => rows.map(({ serving: _, ...row }) => row);
    return {
      deployments: deployments.map(plain),
      events: await read(`/v1/deployments/${mini}/events`),
      history: await read('/v1/inference'),
      one: await one(),
      usage: await read('/v1/inference/usage?group_by=promotion'),
      foundation: models((await read('/v1/models/foundation')).data.models),
      listed: models((await read('/v1/models/public?limit=100')).data.models),
    };
  };
  const works = async () => {
    const replay = await world.api.post<Json>(`/v1/inference/${answer.inference_id}/replay`);
    assert.equal(expected(replay), { identical: true, diff: [] });
    const again = await forecast(world.api, {
      promotion_id: nano,
      series: [{ id: 'orders', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: values.slice(0, 100) }],
    });
    assert.equal(again.forecasts, answer.forecasts);
  };
  const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values }];

  test('after a restart all is there, and serves as before', async () => {
    const before = await everything();
    assert.is(before.one.status, 'graded');
    await world.restart();
    assert.equal(await everything(), before);
    await until(async () => {
      const status = await world.api.get<Json>(`/v1/deployments/${nano}/status`);
      return expected(status).data.ready;
    }, 'being ready after the start');
    await works();
    refused(
      await world.api.post<Json>('/v1/inference/forecast', { promotion_id: mini, series }),
      410,
      'deployment_retired',
    );
  });

  test('read models that are built anew are the same, document by document', async () => {
    const before = await everything();
    await world.restart(async () => {
      const env = { DATA_DIR: world.folder, LOG_LEVEL: 'silent' };
      const verified = await presage(['replay', '--verify'], env);
      assert.is(verified.code, 0, verified.stdout + verified.stderr);
      const rebuilt = await presage(['replay'], env);
      assert.is(rebuilt.code, 0, rebuilt.stdout + rebuilt.stderr);
    });
    assert.equal(await everything(), before);
    await works();
  });
});
