import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { create, hours, push, recipe } from './segments-world.js';
import { modelOf, over, queue, queued, segmentOf, training } from './trainings-world.js';

const folder = temporaryFolder();

suite('trainings over HTTP', test => {
  let running: Running;
  let segment_id = '';
  let model = '';
  const balance = async (): Promise<Json> => (await running.call('GET', '/v1/billing/balance')).json.data;
  /** Ends of holds are written soon after the work. */
  const settledAt = (credits: string): Promise<unknown> =>
    until(async () => {
      const { credits: now, held } = await balance();
      return now === credits && held === '0.000';
    }, `a balance of ${credits}`);
  const refused = async (body: object, status: number, code: string): Promise<Json> => {
    const answer = await queue(running, body);
    assert.equal([answer.status, answer.json.error.code], [status, code], answer.text);
    return answer.json.error;
  };

  test.before(async () => {
    running = await startPlatform(folder.path);
    segment_id = await segmentOf(running);
    model = await modelOf(running, 'seasonal_naive', { period: 24 });
  });
  test.after(async () => {
    await running.stop();
    folder.remove();
  });

  test('one is done, charged once, and tells how well it did', async () => {
    const id = await queued(running, { segment_id, model, seed: 5 });
    const done = await over(running, id);
    assert.equal([done.status, done.error, done.progress], ['completed', null, 1]);
    assert.equal([done.horizon, done.seed, done.attempt, done.credits_charged], [6, 5, 1, 1]);
    assert.is(done.report.metric, 'mase');
    assert.is('backtest' in done.report, false);
    const { json } = await running.call('GET', `/v1/training/${id}/report`);
    assert.is(json.data.backtest.points.length, 2 * 6);
    await settledAt('99.000');
    const { entries } = (await running.call('GET', '/v1/billing/ledger')).json.data;
    const mine = entries.filter(({ reference }: Json) => reference?.id === id);
    assert.equal(mine.map(({ kind }: Json) => kind).sort(), ['charge', 'hold', 'release']);
    const { logs, total } = (await running.call('GET', `/v1/training/${id}/logs?per_page=1`)).json.data;
    assert.is(logs.length, 1);
    assert.ok(total > 3);
  });

  test('equal tables, models and seeds make equal models and reports', async () => {
    const ids = [
      await queued(running, { segment_id, model, seed: 1 }),
      await queued(running, { segment_id, model, seed: 1 }),
    ];
    const [one, other] = await Promise.all(ids.map(id => over(running, id)));
    assert.equal(one.report, other.report);
    assert.equal(one.artifact, other.artifact);
    await settledAt('97.000');
  });

  test('lists show it by what it was', async () => {
    const list = async (query: string): Promise<Json> =>
      (await running.call('GET', `/v1/training?${query}`)).json.data;
    assert.is((await list(`segment_id=${segment_id}&model=${model}&status=completed`)).total, 3);
    for (const none of ['status=failed', 'pipeline_id=pip_1', 'model=mdl_none', 'to=2001-01-01'])
      assert.is((await list(none)).total, 0, none);
    assert.equal((await list('per_page=2&page=2')).trainings.length, 1);
  });

  test('what cannot be trained is refused by name', async () => {
    const body = { segment_id, model };
    await refused({ ...body, segment_id: 'seg_none' }, 404, 'not_found');
    await refused({ ...body, model: 'mdl_none' }, 404, 'not_found');
    await refused({ segment_id }, 400, 'model_reference_required');
    await refused({ ...body, family: 'presage' }, 422, 'validation_error');
    await refused({ segment_id, family: 'nobody', slug: 'x' }, 400, 'family_unavailable');
    await refused({ ...body, horizon: 0 }, 422, 'validation_error');
    const { details } = await refused({ ...body, max_credits: 0.5 }, 402, 'price_above_max');
    assert.equal([details.price, details.max_credits], [1, 0.5]);
    await settledAt('97.000');
  });

  test('too little history fails it with the reason, and costs nothing', async () => {
    const id = await queued(running, { segment_id, model, horizon: 9_000 });
    const { status, error } = await over(running, id);
    assert.equal([status, error.code, error.retryable], ['failed', 'insufficient_history', false]);
    await settledAt('97.000');
    const again = await running.call('POST', `/v1/training/${id}/retry`);
    assert.equal([again.status, again.json.error.code], [409, 'not_retryable']);
  });

  test('it waits for its table, and fails where that cannot be built', async () => {
    await push(
      running,
      'short',
      hours(10, i => i),
    );
    const split = { method: 'rolling_origin', folds: 5, horizon: 6, gap: 0 };
    const { segment_id: short } = await create(running, recipe({ target: 'short', split }));
    const { status, error } = await over(running, await queued(running, { segment_id: short, model }));
    assert.equal([status, error.code], ['failed', 'segment_too_short']);
  });

  test('one that waits is called off for nothing, and only once', async () => {
    const slow = await modelOf(running, 'arima', { period: 24 });
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push(await queued(running, { segment_id, model: slow }));
    const cancel = (id: string) => running.call('POST', `/v1/training/${id}/cancel`);
    for (const id of ids.toReversed()) {
      const { status, json } = await cancel(id);
      assert.equal([status, json.status, json.data.status], [200, 'cancelled', 'cancelled']);
    }
    assert.is((await training(running, ids[2]!)).credits_charged, 0);
    const again = await cancel(ids[0]!);
    assert.equal([again.status, again.json.error.code], [409, 'invalid_state']);
    await until(async () => (await balance()).held === '0.000', 'nothing is held');
  });

  test('what it made is taken into service, and forecasts', async () => {
    const { trainings } = (await running.call('GET', '/v1/training?status=completed')).json.data;
    const { training_id } = trainings.at(-1);
    const made = await running.call('POST', '/v1/deployments', { body: { training_id } });
    assert.is(made.status, 201, made.text);
    const { promotion_id } = made.json.data;
    await until(async () => {
      const { data } = (await running.call('GET', `/v1/deployments/${promotion_id}`)).json;
      if (data.status === 'failed') throw new Error(JSON.stringify(data.error));
      return data.ready;
    }, 'the deployment');
    const body = { promotion_id, key: 'shop.orders', horizon: 6 };
    const { status, text, json } = await running.call('POST', '/v1/inference/forecast', { body });
    assert.is(status, 200, text);
    assert.is(json.forecasts[0].points.length, 6);
    assert.is(json.metadata.provenance.training_id, training_id);
    const uses = async (): Promise<number> =>
      (await running.call('GET', `/v1/models/${model}`)).json.data.in_use_by;
    assert.is(await uses(), 1);
    const [first] = (await running.call('GET', '/v1/models/public?sort_by=in_use_by')).json.data.models;
    assert.is(first.in_use_by, 0, 'it is private');
    await running.call('POST', `/v1/deployments/${promotion_id}/unpromote`, { body: {} });
    assert.is(await uses(), 0);
  });
});
