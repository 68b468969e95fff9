import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { addsUp, balance, entriesOf, milli } from './money.js';
import { built, daily, FROM } from './tables.js';
import { airline, custom, openTraining, over, queue, queued, trained, training } from './training.js';
import { expected, push, refused, type World } from './world.js';

// Trainings that are cancelled and tried again (open-parts 10, 23, 26, 32.21). Readings: a retry answers the
// id of the training to watch, the same or another; cancelling what is over is 409.

suite('acceptance: trainings cancelled and tried again', test => {
  let world: World;
  let segment_id = '';
  let [slow, quick] = ['', ''];
  test.before(async () => {
    world = await openTraining();
    ({ segment_id } = await airline(world.api, { folds: 6 }));
    slow = await custom(world.api, 'arima', { hyperparameters: { period: 12 } });
    quick = await custom(world.api, 'drift');
  });
  test.after(() => world.close());

  const cancel = (id: string) => world.api.post<Json>(`/v1/training/${id}/cancel`, {});
  const retry = (id: string) => world.api.post<Json>(`/v1/training/${id}/retry`, {});
  const many = (count: number): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, (_, seed) =>
        queued(world.api, { segment_id, model: slow, horizon: 12, seed }),
      ),
    );

  test('one that waits costs nothing, one at work no more than its price, and all ends', async () => {
    const before = await balance(world.api);
    const ids = await many(10);
    const answers = await Promise.all(ids.slice(2).map(cancel));
    for (const answer of answers) assert.ok([200, 202, 409].includes(answer.status), answer.text);
    const records = await Promise.all(ids.map(id => over(world.api, id)));
    const cancelled = records.filter(record => record.status === 'cancelled');
    assert.ok(cancelled.length > 0, 'the last ones are waiting when they are cancelled');
    let spent = 0;
    for (const record of records) {
      const entries = await entriesOf(world.api, record.training_id);
      const charges = entries.filter(entry => entry.kind === 'charge');
      const charged = charges.reduce((sum, entry) => sum - milli(entry.amount), 0);
      assert.is(entries.filter(entry => entry.kind === 'hold').length, 1);
      assert.is(entries.filter(entry => entry.kind === 'release').length, 1);
      assert.is(Math.round(Number(record.credits_charged ?? 0) * 1e3), charged);
      if (record.started_at === null) assert.is(charged, 0, 'it never began');
      if (record.status === 'completed') assert.is(charged, 1_000);
      assert.ok(charged <= 1_000);
      spent += charged;
    }
    const after = await balance(world.api);
    assert.equal([after.held, after.credits], [before.held, before.credits - spent]);
    await addsUp(world.api);
  });

  test('cancelled it has no artifact and no report, and stays cancelled', async () => {
    const ids = await many(8);
    const id = ids.at(-1)!;
    const answer = await cancel(id);
    assert.ok([200, 202].includes(answer.status), answer.text);
    const record = await over(world.api, id);
    assert.is(record.status, 'cancelled');
    assert.equal([record.artifact, record.report], [null, null]);
    assert.match(record.finished_at, /Z$/);
    refused(await world.api.get<Json>(`/v1/training/${id}/download`), 409, 'training_not_completed');
    refused(await cancel(id), 409);
    for (const each of ids.slice(0, -1)) await cancel(each);
    for (const each of ids) await over(world.api, each);
    assert.equal(await training(world.api, id), record);
  });

  test('what is completed is neither cancelled nor tried again', async () => {
    const record = await trained(world.api, { segment_id, model: quick, horizon: 12 });
    refused(await cancel(record.training_id), 409);
    refused(await retry(record.training_id), 409, 'not_retryable');
    assert.equal(await training(world.api, record.training_id), record);
  });

  test('one that failed is tried again where that makes sense, and holds nothing after', async () => {
    await push(world.api, 'short', [1, 2, 3, 4, 5, 6, 7, 8], { from: FROM });
    const { segment_id: short } = await built(world.api, daily('short'));
    const answer = await queue(world.api, { segment_id: short, model: slow, horizon: 300 });
    if (answer.status !== 202) return void assert.ok([400, 409, 422].includes(answer.status), answer.text);
    const { training_id } = answer.body.data;
    const { status, error } = await over(world.api, training_id);
    assert.is(status, 'failed');
    const again = await retry(training_id);
    if (error.retryable) {
      const { data } = expected(again, 202);
      assert.is((await over(world.api, data.training_id)).status, 'failed');
    } else if (again.status !== 202) refused(again, 409, 'not_retryable');
    else await over(world.api, again.body.data.training_id);
    assert.is((await balance(world.api)).held, 0);
    assert.ok((await entriesOf(world.api, training_id)).every(entry => entry.kind !== 'charge'));
    await addsUp(world.api);
  });
});
