import * as assert from 'uvu/assert';
import { clientOf, type Client } from '../api/client.js';
import { accountOf, dataFolder, endAll, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { entriesOf } from './money.js';
import { cycles, made, recipe } from './pipelines.js';
import { airline, custom } from './training.js';
import { expected } from './world.js';

// The platform as people run it, killed amid a cycle (the proof; open-parts 9, 10):
// nothing is lost, nothing is charged twice, nothing is promoted twice.

suite('acceptance: cycles across kills', test => {
  const env = { DATA_DIR: dataFolder(), LOG_LEVEL: 'silent', DEFAULT_PLAN: 'team', RATE_DEFAULT: '100000' };
  let running: Listening;
  let who: Account;
  let api: Client;
  const open = async () => {
    running = await serve(env);
    who ??= await accountOf(running);
    const headers = { authorization: `Bearer ${who.token}` };
    const description = (await (await fetch(`${running.base}/openapi/v1.json`, { headers })).json()) as Json;
    api = clientOf(running.base, description, who);
  };
  const kill = async () => {
    api.close();
    await running.stop('SIGKILL');
    await open();
  };
  test.before(open);
  test.after(() => endAll());

  test('killed amid a cycle, it comes to its end, and proposes one candidate', async () => {
    const { segment_id } = await airline(api, { folds: 4 }, 'air.cycle');
    const models = [
      { model: await custom(api, 'arima', { hyperparameters: { period: 12 } }) },
      { model: await custom(api, 'ets', { hyperparameters: { period: 12 } }) },
      { model: await custom(api, 'naive') },
    ];
    const id = await made(api, recipe(segment_id, models, { promotion_policy: { mode: 'auto' } }));
    await until(async () => {
      const { data } = expected(await api.get<Json>(`/v1/training?pipeline_id=${id}`));
      return data.trainings.some((each: Json) => each.status !== 'queued');
    }, 'its trainings');
    await kill();
    const served = await until(async () => {
      const { data } = expected(await api.get<Json>(`/v1/pipelines/${id}`));
      return data.serving;
    }, 'what it promotes');
    const all = await cycles(api, id);
    assert.equal([all.length, all[0].trigger, all[0].results.length], [1, 'created', 3]);
    await kill();
    const { deployments } = expected(await api.get<Json>(`/v1/deployments?pipeline_id=${id}`));
    assert.equal(
      deployments.map((each: Json) => each.promotion_id),
      [served.promotion_id],
    );
    for (const { training_id } of all[0].results)
      assert.is((await entriesOf(api, training_id)).filter(entry => entry.kind === 'charge').length, 1);
  });
});
