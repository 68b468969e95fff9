import * as assert from 'uvu/assert';
import { clientOf, type Client } from '../api/client.js';
import { accountOf, dataFolder, endAll, serve, type Account, type Listening } from '../cli/presage.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { addsUp, balance, entriesOf } from './money.js';
import { airline, custom, fetched, hashOf, OVER, over, queued, report, training } from './training.js';
import { expected } from './world.js';

// The platform as people run it, killed amid trainings (the part 1 and its proof; open-parts 10,
// 32.26): nothing is lost, nothing is charged twice.

suite('acceptance: trainings across kills', test => {
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

  test('killed at any moment, each training is completed, and charged once', async () => {
    const { segment_id } = await airline(api, { folds: 4 });
    const model = await custom(api, 'arima', { hyperparameters: { period: 12 } });
    const seeds = [0, 1, 2, 3];
    const ids = await Promise.all(seeds.map(seed => queued(api, { segment_id, model, horizon: 12, seed })));
    for (const status of ['preparing', 'running']) {
      await until(async () => {
        const found = await Promise.all(ids.map(id => training(api, id)));
        return found.some(each => [status, 'evaluating', ...OVER].includes(each.status));
      }, `one being ${status}`);
      await kill();
    }
    const records = await Promise.all(ids.map(id => over(api, id)));
    for (const record of records) {
      assert.is(record.status, 'completed', JSON.stringify(record.error));
      const entries = await until(async () => {
        const found = await entriesOf(api, record.training_id);
        return found.length >= 3 && found;
      }, 'the charge');
      assert.equal(
        entries.map(entry => entry.kind),
        ['hold', 'release', 'charge'],
      );
    }
    assert.is(new Set(records.map(record => record.report.score)).size, 1);
    await until(async () => (await balance(api)).held === 0, 'nothing being held');
    await addsUp(api);
  });

  test('reports outlive it, and files where there are any', async () => {
    const { data } = expected(await api.get<Json>('/v1/training?status=completed'));
    const [{ training_id }] = data.trainings;
    const [record, found] = [await training(api, training_id), await report(api, training_id)];
    const link = await api.get<Json>(`/v1/training/${training_id}/download`);
    await kill();
    assert.equal([await training(api, training_id), await report(api, training_id)], [record, found]);
    if (link.status === 200) {
      const { pathname, search } = new URL(link.body.data.download_url);
      const { status, bytes } = await fetched(running.base + pathname + search);
      assert.is(status, 200, String(bytes));
      assert.is(hashOf(bytes), record.artifact.sha256);
    }
    api.close();
    assert.is((await running.stop()).code, 0);
  });
});
