import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { item } from './inbox.js';
import { addsUp, entriesOf, ledger, operator, organizationOf } from './money.js';
import { change, cycled, cycles, inStatus, made, path, pipeline, recipe, run } from './pipelines.js';
import { airline, custom, openTraining } from './training.js';
import { DAY, expected, refused, type World } from './world.js';

// What a pipeline may spend in a month (specification 2.11, 8; open-parts 9, 21, 23, 26, 32.16).

suite('acceptance: budgets of pipelines', test => {
  let world: World;
  let segment = '';
  let models: object[] = [];
  test.before(async () => {
    world = await openTraining();
    segment = (await airline(world.api)).segment_id;
    models = [{ model: await custom(world.api, 'drift') }, { model: await custom(world.api, 'naive') }];
  });
  test.after(() => world.close());
  const capped = (monthly_credit_cap: number | null) =>
    made(world.api, recipe(segment, models, { budget: { monthly_credit_cap } }));
  const start = (id: string) => world.api.post<Json>(path(id, '/run'), {});

  test('a cycle is a training for each entry, each held, charged and tagged with the pipeline', async () => {
    const id = await capped(null);
    const { results } = await cycled(world.api, id);
    assert.is(results.length, 2);
    for (const { training_id } of results)
      assert.equal(
        (await entriesOf(world.api, training_id)).map(entry => [entry.kind, entry.pipeline_id]),
        ['hold', 'release', 'charge'].map(kind => [kind, id]),
      );
    assert.is(Number((await pipeline(world.api, id)).spend.credits), 2);
    const usage = expected(await world.api.get<Json>('/v1/billing/usage?group_by=pipeline')).data;
    assert.match(JSON.stringify(usage), id);
    await addsUp(world.api);
  });

  test('a cycle that would exceed it does not begin, and that is told', async () => {
    const before = (await ledger(world.api)).length;
    const id = await capped(1.5);
    await inStatus(world.api, id, 'budget_blocked');
    await item(world.api, 'pipeline.budget_blocked', each => JSON.stringify(each.data).includes(id));
    refused(await start(id), 409, 'budget_exhausted');
    assert.is((await ledger(world.api)).length, before, 'nothing was held');
    assert.ok((await cycles(world.api, id)).every(each => each.results.length === 0));
    expected(await change(world.api, id, { budget: { monthly_credit_cap: 2 } }));
    await inStatus(world.api, id, 'idle', 'training', 'awaiting_decision');
  });

  test('a cap below the smallest amount is a cap', async () => {
    const id = await capped(0.0004);
    await inStatus(world.api, id, 'budget_blocked');
    refused(await start(id), 409, 'budget_exhausted');
    const { cap, credits } = (await pipeline(world.api, id)).spend;
    assert.equal([cap, Number(credits)], [0.0004, 0]);
    assert.ok((await cycles(world.api, id)).every(each => each.results.length === 0));
  });

  test('it is spent to the last credit, and no further, until it is raised', async () => {
    const id = await capped(4);
    await cycled(world.api, id);
    assert.is(Number((await pipeline(world.api, id)).spend.credits), 2);
    await run(world.api, id);
    const full = await pipeline(world.api, id);
    assert.equal([Number(full.spend.credits), full.spend.cap], [4, 4]);
    refused(await start(id), 409, 'budget_exhausted');
    expected(await change(world.api, id, { budget: { monthly_credit_cap: null } }));
    await run(world.api, id);
    assert.is(Number((await pipeline(world.api, id)).spend.credits), 6);
  });

  test('a new month is a new budget', async () => {
    const id = await capped(2);
    await cycled(world.api, id);
    refused(await start(id), 409, 'budget_exhausted');
    const { month } = (await pipeline(world.api, id)).spend;
    world.later(32 * DAY);
    await run(world.api, id);
    const after = await pipeline(world.api, id);
    assert.is.not(after.spend.month, month);
    assert.is(Number(after.spend.credits), 2);
  });

  test('without credits a cycle is refused, or ends with trainings that were skipped', async () => {
    const id = await capped(null);
    await cycled(world.api, id);
    const organization = await organizationOf(world.api);
    const { data } = expected(await world.api.get<Json>('/v1/billing/balance'));
    const left = (Number(data.available) - 0.5).toFixed(3);
    await operator(world, 'credits', 'adjust', organization, '--', `-${left}`);
    const answer = await start(id);
    if (answer.status === 202) {
      await cycled(world.api, id, 2);
      const { trainings } = expected(
        await world.api.get<Json>(`/v1/training?pipeline_id=${id}&status=skipped`),
      ).data;
      assert.is(trainings.length, 2);
      for (const { training_id } of trainings)
        assert.ok((await entriesOf(world.api, training_id)).every(entry => entry.kind !== 'charge'));
    } else refused(answer, 402, 'insufficient_credits');
    await operator(world, 'credits', 'grant', organization, '50');
    await run(world.api, id);
  });
});
