import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { item } from './inbox.js';
import { addsUp, balance, ledger, milli } from './money.js';
import { daily } from './series.js';
import { DAY, deploy, expected, forecast, openWorld, type World } from './world.js';

// Credits and quotas over hours and months (open-parts 21, 23, 27, 32.36).
// Readings: what the plan gives is granted anew at `renews_at`; replicas beyond the shared first one cost by
// the hour; a quota is near at four fifths of it, told once in its period.

const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];

suite('acceptance: hours and months of credits', test => {
  let world: World;
  const plan = async (): Promise<Json> =>
    expected(await world.api.get<Json>('/v1/billing/balance')).data.plan;
  const quota = async (name: string): Promise<Json> => {
    const { data } = expected(await world.api.get<Json>('/v1/billing/quota'));
    return data.quotas.find((each: Json) => each.name === name);
  };
  const grants = async () => (await ledger(world.api)).filter(entry => entry.kind === 'grant');
  test.before(async () => {
    // However few cores the machine has: two replicas take two threads
    world = await openWorld({ SERVING_THREADS: '2' });
  });
  test.after(() => world.close());

  test('a quota that is nearly used up is told once', async () => {
    const values = (from: number) => Array.from({ length: 5_000 }, (_, i) => [1e12 + (from + i) * 1e3, i]);
    for (let from = 0; from < 85_000; from += 5_000)
      expected(await world.api.post<Json>('/v1/signal/push', { key: 'meter', values: values(from) }));
    await until(async () => (await quota('streaming_rows')).used === 85_000, 'all rows being counted');
    const found = await item(world.api, 'billing.quota_near');
    assert.match(JSON.stringify(found.data), 'streaming_rows');
    assert.is(found.count, 1);
    expected(await world.api.post<Json>('/v1/signal/push', { key: 'meter', value: 1, timestamp: 1e9 }));
    await until(async () => (await quota('streaming_rows')).used === 85_001, 'the next row');
    assert.is((await item(world.api, 'billing.quota_near')).count, 1);
  });

  test('replicas beyond the first cost by the hour, and a single one costs nothing', async () => {
    const id = await deploy(world.api);
    const before = await ledger(world.api);
    world.later(3 * 3_600_000);
    await forecast(world.api, { promotion_id: id, series });
    const hours = async () =>
      (await ledger(world.api)).filter(entry => entry.item === 'deployment.replica_hour');
    assert.equal(await hours(), []);
    assert.ok((await ledger(world.api)).length > before.length);
    expected(await world.api.post<Json>(`/v1/deployments/${id}/scale`, { min: 2, max: 2 }), 202);
    await until(async () => {
      const { data } = expected(await world.api.get<Json>(`/v1/deployments/${id}`));
      return data.replicas.ready === 2 && data.status === 'deployed';
    }, 'two replicas');
    const rates = expected(await world.api.get<Json>('/v1/billing/rates')).data.rates;
    const rate = rates.find((each: Json) => each.item === 'deployment.replica_hour');
    for (let hour = 1; hour <= 3; hour++) {
      world.later(3_600_000);
      await until(async () => (await hours()).length >= hour, `hour ${hour}`);
    }
    for (const entry of await hours()) {
      assert.equal([entry.kind, milli(entry.amount)], ['charge', -Math.round(Number(rate.credits) * 1e3)]);
      assert.match(JSON.stringify(entry.reference), id);
    }
    expected(await world.api.post<Json>(`/v1/deployments/${id}/unpromote`, {}));
    await addsUp(world.api);
  });

  test("a month later the plan's credits are granted again, and counts begin anew", async () => {
    const { renews_at } = await plan();
    const [granted, before] = [(await grants()).length, await balance(world.api)];
    world.later(Date.parse(renews_at) - world.now() + 60_000);
    await until(async () => (await grants()).length === granted + 1, 'the grant');
    const renewed = (await grants()).at(-1);
    assert.is(milli(renewed.amount), 100_000);
    assert.ok((await balance(world.api)).credits > before.credits);
    assert.ok(Date.parse((await plan()).renews_at) > world.now());
    const rows = await quota('streaming_rows');
    assert.equal([rows.period, rows.used], ['month', 0]);
    await world.restart();
    assert.is((await grants()).length, granted + 1, 'once, also after a start');
    await addsUp(world.api);
  });

  test('months in which nothing ran are caught up with, and not twice', async () => {
    const before = (await grants()).length;
    await world.restart(async () => world.later(70 * DAY));
    await until(async () => (await grants()).length > before, 'the grant');
    await until(
      async () => Date.parse((await plan()).renews_at) > world.now(),
      'the next renewal lying ahead',
    );
    const count = (await grants()).length;
    assert.ok(count <= before + 3, 'one for each month, or one for all');
    await world.restart();
    assert.is((await grants()).length, count);
    await addsUp(world.api);
  });
});
