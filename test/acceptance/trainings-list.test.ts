import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { airline, custom, openTraining, trained } from './training.js';
import { at, expected, places, type World } from './world.js';

// The list of trainings, its filters and pages (open-parts 0.2, 10, 32.19). Readings: the newest first.

suite('acceptance: the list of trainings', test => {
  let world: World;
  let [first, second] = ['', ''];
  let [theta, drift] = ['', ''];
  let middle = '';
  const listed = async (query = '?per_page=100'): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/training${query}`)).data;
  const ids = (rows: readonly Json[]): string[] => rows.map(row => row.training_id).toSorted();
  test.before(async () => {
    world = await openTraining();
    first = (await airline(world.api)).segment_id;
    second = (await airline(world.api, {}, 'air.other')).segment_id;
    [theta, drift] = [await custom(world.api, 'theta'), await custom(world.api, 'drift')];
    for (const segment_id of [first, second])
      await trained(world.api, { segment_id, model: theta, horizon: 12 });
    world.later(60_000);
    middle = at(world.now());
    world.later(60_000);
    await trained(world.api, { segment_id: first, model: drift, horizon: 12 });
    await trained(world.api, { segment_id: first, model: theta, horizon: 12 });
  });
  test.after(() => world.close());

  test('it has all of them, the newest first', async () => {
    const { trainings, total, page, per_page, total_pages } = await listed();
    assert.equal([trainings.length, total, page, per_page, total_pages], [4, 4, 1, 100, 1]);
    const times = trainings.map((row: Json) => row.queued_at);
    assert.equal(times, times.toSorted().reverse());
    for (const row of trainings) {
      assert.is(row.status, 'completed');
      assert.equal([row.horizon, row.kind, Number(row.credits_charged)], [12, 'custom', 1]);
    }
  });

  test('it comes in pages', async () => {
    const { trainings } = await listed();
    const paged: Json[] = [];
    for (let page = 1; page <= 2; page++) {
      const part = await listed(`?per_page=2&page=${page}`);
      assert.equal([part.total, part.page, part.per_page, part.total_pages], [4, page, 2, 2]);
      paged.push(...part.trainings);
    }
    assert.equal(
      paged.map(row => row.training_id),
      trainings.map((row: Json) => row.training_id),
    );
    assert.is((await listed()).per_page, 100);
    assert.is((await listed('')).per_page, 20);
    assert.is((await listed('?per_page=1000')).per_page, 100);
    for (const query of ['page=0', 'per_page=0', 'per_page=x'])
      assert.equal(places(await world.api.get<Json>(`/v1/training?${query}`)), [
        `query.${query.split('=')[0]}`,
      ]);
  });

  test('each filter shows exactly what has it', async () => {
    const { trainings: all } = await listed();
    const check = async (query: string, fits: (row: Json) => boolean) => {
      const { trainings, total } = await listed(`?per_page=100&${query}`);
      assert.equal(ids(trainings), ids(all.filter(fits)), query);
      assert.is(total, trainings.length, query);
    };
    await check(`segment_id=${first}`, row => row.segment_id === first);
    await check(`segment_id=${second}`, row => row.segment_id === second);
    await check('pipeline_id=pip_nobodys', () => false);
    await check(`model=${theta}`, row => row.model.uid === theta);
    await check('status=completed', () => true);
    await check('status=failed', () => false);
    await check(`from=${middle}`, row => row.queued_at >= middle);
    await check(`to=${middle}`, row => row.queued_at < middle);
    await check(
      `model=${theta}&segment_id=${first}`,
      row => row.model.uid === theta && row.segment_id === first,
    );
    assert.is(all.filter((row: Json) => row.queued_at >= middle).length, 2);
    await check('segment_id=seg_nobodys', () => false);
  });

  test('what is no filter is named', async () => {
    for (const [name, value] of [
      ['status', 'done'],
      ['from', 'yesterday'],
      ['to', 'tomorrow'],
    ])
      assert.equal(places(await world.api.get<Json>(`/v1/training?${name}=${value}`)), [`query.${name}`]);
  });
});
