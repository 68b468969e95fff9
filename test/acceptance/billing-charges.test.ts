import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { addsUp, balance, entriesOf, ledger, milli, operator, organizationOf } from './money.js';
import { daily, noise } from './series.js';
import { deploy, expected, forecast, openWorld, places, push, refused, type World } from './world.js';

// What work costs: hold, charge, release (open-parts 12, 23, 29.13, 32.16, 32.17, 32.36).
// Readings: a forecast costs a step for each series and step of the horizon; what is remembered costs the
// same; `presage credits adjust` takes credits away, after `--` as any negative number.

const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];
const many = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ ...series[0]!, id: `s${i}`, values: noise(60, i) }));

suite('acceptance: what inference costs', test => {
  let world: World;
  let id = '';
  const ask = (body: object, api = world.api, headers = {}) =>
    api.post<Json>('/v1/inference/forecast', { promotion_id: id, series, ...body }, headers);
  const rate = async (): Promise<Json> => {
    const { data } = expected(await world.api.get<Json>('/v1/billing/rates'));
    return data.rates.find((each: Json) => each.item === 'inference.series_step');
  };
  /** What work did to the purse. */
  const spent = async (work: () => Promise<unknown>): Promise<number> => {
    const before = await balance(world.api);
    await work();
    const after = await balance(world.api);
    assert.is(after.held, before.held);
    return before.credits - after.credits;
  };
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api);
  });
  test.after(() => world.close());

  test('a forecast is held, released and charged, in three entries that say for what', async () => {
    const answer = await forecast(world.api, { promotion_id: id, series: many(3), horizon: 50 });
    const entries = await entriesOf(world.api, answer.inference_id);
    assert.equal(
      entries.map(entry => entry.kind),
      ['hold', 'release', 'charge'],
    );
    const price = Math.round(answer.usage.credits * 1e3);
    assert.equal(
      entries.map(entry => milli(entry.amount)),
      [-price, price, -price],
    );
    const charge = entries[2];
    const version = expected(await world.api.get<Json>('/v1/billing/rates')).data.version;
    assert.equal([charge.item, charge.rates_version], ['inference.series_step', version]);
    assert.equal([Number(charge.quantity), charge.reference.type], [150, 'inference']);
    assert.is(Number(charge.rate), Number((await rate()).credits));
    assert.is(price, Math.round(150 * Number((await rate()).credits) * 1e3));
    await addsUp(world.api);
    const one = expected(await world.api.get<Json>(`/v1/inference/${answer.inference_id}`));
    assert.is(one.credits ?? one.answer.usage.credits, answer.usage.credits);
  });

  test('what is asked again costs the same again', async () => {
    const body = { promotion_id: id, series, horizon: 30 };
    const [first, again] = [await forecast(world.api, body), await forecast(world.api, body)];
    assert.equal(again.forecasts, first.forecasts);
    assert.is(again.usage.credits, first.usage.credits);
    for (const { inference_id } of [first, again])
      assert.is((await entriesOf(world.api, inference_id)).length, 3);
  });

  test('under an Idempotency-Key it is charged once', async () => {
    const cost = await spent(async () => {
      const headers = { 'idempotency-key': 'once' };
      const [a, b] = [await ask({}, world.api, headers), await ask({}, world.api, headers)];
      assert.equal(expected(a), expected(b));
    });
    assert.is(
      cost,
      Math.round((await forecast(world.api, { promotion_id: id, series })).usage.credits * 1e3),
    );
  });

  test('what is refused costs nothing', async () => {
    const before = await ledger(world.api);
    assert.is(
      await spent(async () => {
        refused(await ask({ key: 'nobodys', series: undefined }), 404);
        refused(await ask({ promotion_id: 'prm_nobodys' }), 404);
        places(await ask({ horizon: 0 }));
        refused(await ask({ series: [{ ...series[0], values: [] }] }), 422);
      }),
      0,
    );
    assert.equal(await ledger(world.api), before);
  });

  test('max_credits below the price refuses before anything starts', async () => {
    const price = expected(await ask({ horizon: 100 })).usage.credits;
    const total = async () => expected(await world.api.get<Json>('/v1/inference')).total;
    const [before, entries] = [await total(), await ledger(world.api)];
    for (const body of [{}, { async: true }]) {
      const answer = await ask({ horizon: 100, max_credits: price / 2, ...body });
      const { details } = refused(answer, 402, 'price_above_max');
      assert.match(JSON.stringify(details), String(price));
    }
    assert.equal([await total(), await ledger(world.api)], [before, entries]);
    expected(await ask({ horizon: 100, max_credits: price }));
    assert.equal(places(await ask({ max_credits: -1 })), ['body.max_credits']);
    refused(
      await world.api.post<Json>('/v1/inference/anomaly', { promotion_id: id, series, max_credits: 0 }),
      402,
      'price_above_max',
    );
  });

  test('every task costs what its answer says, and one that is not done nothing', async () => {
    await push(world.api, 'orders', daily(120), { from: Date.UTC(2026, 0, 1) });
    const holes = [{ ...series[0]!, values: series[0]!.values.map((v, i) => (i % 9 === 4 ? null : v)) }];
    for (const [task, body] of Object.entries({
      forecast: { key: 'orders' },
      anomaly: { key: 'orders', window: 20 },
      backtest: { key: 'orders', windows: 3, step: 5, horizon: 5 },
      impute: { series: holes },
    })) {
      let told = 0;
      const cost = await spent(async () => {
        const answer = await world.api.post<Json>(`/v1/inference/${task}`, { promotion_id: id, ...body });
        told = expected(answer).usage.credits;
      });
      assert.is(cost, Math.round(told * 1e3), task);
      assert.ok(cost >= 0);
    }
    const embed = { promotion_id: id, key: 'orders' };
    assert.is(await spent(() => world.api.post<Json>('/v1/inference/embed', embed)), 0);
    const { total } = expected(await world.api.get<Json>('/v1/inference/usage?group_by=promotion'));
    const charged = (await ledger(world.api)).filter(entry => entry.kind === 'charge');
    const sum = charged.reduce((all, entry) => all - milli(entry.amount), 0);
    assert.is(Math.round((total.credits ?? total) * 1e3), sum);
    await addsUp(world.api);
  });

  const end = (inference: string): Promise<Json> =>
    until(async () => {
      const record = expected(await world.api.get<Json>(`/v1/inference/${inference}`));
      return ['completed', 'graded', 'failed', 'cancelled'].includes(record.status) && record;
    }, `the end of ${inference}`);

  test('queued work is held for until it is done', async () => {
    const queued = expected(await ask({ series: many(60), horizon: 20, async: true }), 202);
    assert.is((await end(queued.inference_id)).status, 'completed');
    const entries = await until(async () => {
      const found = await entriesOf(world.api, queued.inference_id);
      return found.length === 3 && found;
    }, 'the charge');
    assert.equal(
      entries.map(entry => entry.kind),
      ['hold', 'release', 'charge'],
    );
    assert.is(milli(entries[2].amount), -Math.round(1_200 * Number((await rate()).credits) * 1e3));
    await addsUp(world.api);
  });

  test('work that is cancelled, or fails, costs no more than was done of it, and holds nothing', async () => {
    const made = await Promise.all(
      Array.from({ length: 12 }, async () => {
        const { inference_id } = expected(await ask({ series: many(80), horizon: 200, async: true }), 202);
        return inference_id as string;
      }),
    );
    for (const each of made.slice(4)) await world.api.post<Json>(`/v1/inference/${each}/cancel`);
    const records = await Promise.all(made.map(end));
    await until(async () => (await balance(world.api)).held === 0, 'nothing being held');
    for (const { inference_id, status } of records) {
      const entries = await entriesOf(world.api, inference_id);
      const charged = entries.filter(entry => entry.kind === 'charge');
      assert.is(entries.filter(entry => entry.kind === 'hold').length, 1);
      assert.is(entries.filter(entry => entry.kind === 'release').length, 1);
      if (status === 'completed') assert.is(charged.length, 1);
      if (status === 'failed') assert.equal(charged, []);
      const price = -milli(entries.find(entry => entry.kind === 'hold').amount);
      for (const entry of charged) assert.ok(-milli(entry.amount) <= price);
    }
    assert.ok(
      records.some(record => record.status === 'cancelled'),
      'at least the last is still waiting when it is cancelled',
    );
    await addsUp(world.api);
  });

  test('an empty purse is 402 with what is needed, and races never overdraw it', async () => {
    const organization = await organizationOf(world.api);
    const price = Math.round(expected(await ask({ horizon: 100 })).usage.credits * 1e3);
    const left = price * 5 + Math.floor(price / 2);
    const taken = (await balance(world.api)).available - left;
    await operator(world, 'credits', 'adjust', organization, '--', `-${(taken / 1e3).toFixed(3)}`);
    assert.is((await balance(world.api)).available, left);
    assert.is((await ledger(world.api)).at(-1).kind, 'adjustment');
    await until(async () => {
      const { data } = expected(await world.api.get<Json>(`/v1/deployments/${id}/status`));
      return data.ready;
    }, 'being ready again');
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask({ horizon: 100 })));
    assert.is(answers.filter(answer => answer.status === 200).length, 5);
    for (const answer of answers.filter(each => each.status !== 200)) {
      const { details } = refused(answer, 402, 'insufficient_credits');
      assert.is(Math.round(Number(details.needed) * 1e3), price);
      assert.ok(Number(details.balance) * 1e3 < price);
    }
    assert.equal(await balance(world.api), {
      credits: left - 5 * price,
      held: 0,
      available: left - 5 * price,
    });
    await addsUp(world.api);
    refused(await ask({ horizon: 100, async: true }), 402, 'insufficient_credits');
    expected(await world.api.post<Json>('/v1/event/record', { key: 'ports', text: 'Recording is free' }));
    await push(world.api, 'free', [1, 2], { from: Date.UTC(2026, 0, 1) });
    const other = await world.tenant();
    await forecast(other, { promotion_id: await deploy(other), series });
    await operator(world, 'credits', 'grant', organization, '1000');
    await until(async () => (await ask({ horizon: 100 })).status === 200, 'forecasts being made again');
  });
});
