import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { addsUp, balance, entriesOf, ledger, milli, operator, organizationOf } from './money.js';
import { built, daily, FROM } from './tables.js';
import { airline, custom, openTraining, over, queue, queued, trained } from './training.js';
import { expected, places, push, refused, type World } from './world.js';

// What trainings cost: held when they are queued, charged when they are completed, given back when they are
// not (specification 8; open-parts 10, 23, 26, 32.16, 32.36; the rates of docs/plans.md).

suite('acceptance: what trainings cost', test => {
  let world: World;
  let [segment_id, model] = ['', ''];
  test.before(async () => {
    world = await openTraining();
    ({ segment_id } = await airline(world.api));
    model = await custom(world.api, 'theta');
  });
  test.after(() => world.close());
  const body = (more: object = {}) => ({ segment_id, model, horizon: 12, ...more });

  test('one is held, released and charged, and its record says so', async () => {
    const before = await balance(world.api);
    const { training_id, credits_charged } = await trained(world.api, body());
    assert.is(Number(credits_charged), 1);
    const entries = await entriesOf(world.api, training_id);
    assert.equal(
      entries.map(entry => [entry.kind, milli(entry.amount)]),
      [
        ['hold', -1_000],
        ['release', 1_000],
        ['charge', -1_000],
      ],
    );
    const charge = entries[2];
    assert.equal(
      [charge.item, charge.reference.type, Number(charge.quantity), Number(charge.rate)],
      ['training.custom', 'training', 1, 1],
    );
    assert.equal(await balance(world.api), {
      credits: before.credits - 1_000,
      held: before.held,
      available: before.available - 1_000,
    });
    await addsUp(world.api);
  });

  test('the estimate is the price', async () => {
    const ask = async (operation: string, params: object) =>
      Number(
        expected(await world.api.post<Json>('/v1/billing/estimates', { operation, params })).data.credits,
      );
    assert.is(await ask('training', { trainings: 3 }), 3);
    for (const [intensity, price] of [
      ['adapt', 5],
      ['specialize', 20],
      ['forge', 60],
    ] as const)
      assert.is(await ask('finetune', { intensity }), price);
    const models = [{ model }, { family: 'presage', slug: 'nano' }];
    assert.is(await ask('pipeline_cycle', { models }), 6);
  });

  test('a price above max_credits refuses before anything begins', async () => {
    const entries = await ledger(world.api);
    const { details } = refused(await queue(world.api, body({ max_credits: 0.5 })), 402, 'price_above_max');
    assert.match(JSON.stringify(details), '0.5');
    assert.equal(places(await queue(world.api, body({ max_credits: -1 }))), ['body.max_credits']);
    const dear = {
      segment_id,
      family: 'presage',
      slug: 'nano',
      horizon: 12,
      intensity: 'forge',
      max_credits: 59,
    };
    refused(await queue(world.api, dear), 402, 'price_above_max');
    assert.equal(await ledger(world.api), entries);
    await trained(world.api, body({ max_credits: 1 }));
  });

  test('what is refused, or asked twice under one key, costs nothing more', async () => {
    const entries = await ledger(world.api);
    places(await queue(world.api, body({ horizon: 0 })));
    await queue(world.api, body({ model: 'mdl_nobodys' }));
    assert.equal(await ledger(world.api), entries);
    const headers = { 'idempotency-key': 'once' };
    const [one, two] = [await queue(world.api, body(), headers), await queue(world.api, body(), headers)];
    assert.equal(expected(two, 202), expected(one, 202));
    assert.is(two.headers['idempotency-replayed'], 'true');
    refused(await queue(world.api, body({ seed: 5 }), headers), 409, 'idempotency_conflict');
    await over(world.api, one.body.data.training_id);
    assert.is((await ledger(world.api)).length, entries.length + 3);
  });

  test('one that fails gives back what was held, and is told', async () => {
    await push(world.api, 'short', [1, 2, 3, 4, 5, 6, 7, 8], { from: FROM });
    const short = await built(world.api, daily('short'));
    const answer = await queue(world.api, body({ segment_id: short.segment_id, horizon: 300 }));
    if (answer.status !== 202) return void assert.ok([400, 409, 422].includes(answer.status), answer.text);
    const { training_id } = answer.body.data;
    const found = await over(world.api, training_id);
    if (found.status === 'completed') return;
    assert.equal([found.status, Number(found.credits_charged ?? 0)], ['failed', 0]);
    assert.equal(
      (await entriesOf(world.api, training_id)).map(entry => entry.kind),
      ['hold', 'release'],
    );
    await addsUp(world.api);
  });

  test('without credits it is refused, and a cycle is not begun on what is not there', async () => {
    const organization = await organizationOf(world.api);
    const { available } = await balance(world.api);
    await operator(
      world,
      'credits',
      'adjust',
      organization,
      '--',
      `-${((available - 2_500) / 1e3).toFixed(3)}`,
    );
    assert.is((await balance(world.api)).available, 2_500);
    const answers = await Promise.all(Array.from({ length: 5 }, () => queue(world.api, body())));
    const begun = answers.filter(answer => answer.status === 202);
    assert.is(begun.length, 2, answers.map(answer => answer.status).join());
    for (const answer of answers.filter(each => each.status !== 202)) {
      const { details } = refused(answer, 402, 'insufficient_credits');
      assert.is(Number(details.needed), 1);
      assert.ok(Number(details.balance) < 1);
    }
    for (const { body: answer } of begun)
      assert.is((await over(world.api, answer.data.training_id)).status, 'completed');
    assert.equal(await balance(world.api), { credits: 500, held: 0, available: 500 });
    const tune = { segment_id, family: 'presage', slug: 'nano', horizon: 12 };
    assert.is(Number(refused(await queue(world.api, tune), 402, 'insufficient_credits').details.needed), 5);
    await addsUp(world.api);
    await operator(world, 'credits', 'grant', organization, '100');
    await over(world.api, await queued(world.api, body()));
  });
});
