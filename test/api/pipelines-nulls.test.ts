import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { custom, make, waves } from './pipelines-world.js';

/** Windows that no test runs in. */
const LATER = { days: ['monday'], start_time: '03:00', end_time: '03:01', timezone: 'Pacific/Kiritimati' };

suite('null in a PATCH of a pipeline', test => {
  const folder = temporaryFolder();
  let running: Running;
  let segment = '';
  let ets = '';
  const call: Running['call'] = (method, path, sent) => running.call(method, path, sent);
  const body = (over: object): object => ({
    ...{ segment, models: [{ model: ets }], training_schedule: LATER },
    ...over,
  });
  test.before(async () => {
    running = await startPlatform(folder.path);
    segment = await waves(running);
    ets = await custom(running, 'ets');
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  test('null clears what may be absent, and what is shown can be sent back', async () => {
    const said = {
      ...{ name: 'Mine', metric: 'mae', budget: { monthly_credit_cap: 5 }, accept_non_commercial: true },
      promotion_policy: { mode: 'off', demote_previous: false, min_improvement: 0.1 },
      retrain_triggers: { on_new_data: { min_rows: 7 } },
    };
    const { pipeline_id: id, ...shown } = await make(running, body(said));
    const patch = (change: object) => call('PATCH', `/v1/pipelines/${id}`, { body: change });
    const names = [...Object.keys(said), 'training_schedule', 'forecast_horizon'];
    const same = Object.fromEntries(names.map(name => [name, shown[name]]));
    const again = await patch(same);
    assert.is(again.status, 200, again.text);
    assert.equal(Object.fromEntries(names.map(name => [name, again.json.data[name]])), same);
    const inner = { mode: null, min_improvement: null };
    const half = await patch({
      promotion_policy: inner,
      retrain_triggers: { on_new_data: { min_rows: null } },
    });
    assert.is(half.status, 200, half.text);
    const { promotion_policy: policy, retrain_triggers: triggers } = half.json.data;
    assert.equal(policy, { mode: 'manual', demote_previous: false, min_improvement: 0 });
    assert.is.not(triggers.on_new_data.min_rows, 7);
    const { status, text, json } = await patch(Object.fromEntries(Object.keys(said).map(key => [key, null])));
    assert.is(status, 200, text);
    const { name, metric, budget, accept_non_commercial: accepts } = json.data;
    assert.equal(
      [name, metric, budget, accepts],
      ['Orders by hour', 'mase', { monthly_credit_cap: null }, false],
    );
    assert.equal(json.data.promotion_policy, { mode: 'manual', demote_previous: true, min_improvement: 0 });
    assert.equal(json.data.retrain_triggers, { on_new_data: null });
    for (const wrong of [{ segment: null }, { models: null }]) assert.is((await patch(wrong)).status, 422);
    await call('DELETE', `/v1/pipelines/${id}`);
  });
});
