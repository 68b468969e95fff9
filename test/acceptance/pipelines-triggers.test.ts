import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { cycled, cycles, dormant, made, path, recipe } from './pipelines.js';
import { passengers } from './series.js';
import { day, segment } from './tables.js';
import { airline, custom, openTraining, training } from './training.js';
import { expected, push, type World } from './world.js';

// New data makes a pipeline train again, by the four knobs of its trigger (specification 2.11; open-parts 9,
// 32.21). What must not happen is seen beside a pipeline to which it must.

suite('acceptance: triggers on new data', test => {
  let world: World;
  let model = '';
  test.before(async () => {
    world = await openTraining();
    model = await custom(world.api, 'drift');
  });
  test.after(() => world.close());

  /** A table of its own, with a pipeline for each trigger, each after the cycle of its creation. */
  const opened = async (key: string, ...triggers: object[]) => {
    const { segment_id } = await airline(world.api, {}, key);
    const knobs = { min_rows: 1, quiet_seconds: 60, max_wait_seconds: 3_600, cooldown_seconds: 1 };
    const ids: string[] = [];
    for (const trigger of triggers) {
      const retrain_triggers = { on_new_data: { ...knobs, ...trigger } };
      ids.push(await made(world.api, recipe(segment_id, [{ model }], { retrain_triggers })));
    }
    for (const id of ids) assert.is((await cycled(world.api, id)).trigger, 'created');
    world.later(10_000);
    let next = passengers.length;
    return {
      segment_id,
      ids,
      /** New points at the end. */
      async grow(count: number) {
        await push(
          world.api,
          key,
          Array.from({ length: count }, (_, i) => 400 + i),
          { from: day(next) },
        );
        next += count;
      },
      last: () => day(next - 1),
    };
  };
  const count = async (id: string): Promise<number> => (await cycles(world.api, id)).length;

  test('so many new times are enough, and the table is built anew before', async () => {
    const { ids, grow, last, segment_id } = await opened('rows', { min_rows: 3 }, { min_rows: 6 });
    const [few, many] = ids as [string, string];
    await grow(4);
    world.later(61_000);
    const cycle = await cycled(world.api, few, 2);
    assert.is(cycle.trigger, 'on_new_data');
    const record = await training(world.api, cycle.results[0].training_id);
    assert.is(record.trigger, 'on_new_data');
    const table = await segment(world.api, segment_id);
    assert.equal([record.table_hash, record.data_cutoff], [table.table_hash, table.data_cutoff]);
    assert.is(table.row_count, passengers.length + 4);
    assert.is(await count(many), 1, 'four are too few for the other');
    await grow(3);
    world.later(61_000);
    await cycled(world.api, few, 3);
    await cycled(world.api, many, 2);
    assert.ok(Date.parse((await segment(world.api, segment_id)).data_cutoff) >= last());
  });

  test('a revised value is not new', async () => {
    const { ids, grow } = await opened('revised', { min_rows: 3 }, { min_rows: 2 });
    const [three, two] = ids as [string, string];
    await push(
      world.api,
      'revised',
      [1, 2, 3, 4, 5, 6].map(value => value + 500),
      { from: day(10) },
    );
    await grow(2);
    world.later(61_000);
    await cycled(world.api, two, 2);
    assert.is(await count(three), 1);
    await grow(1);
    world.later(61_000);
    await cycled(world.api, three, 2);
  });

  test('while data comes it waits for quiet, but no longer than max_wait_seconds', async () => {
    const { ids, grow } = await opened(
      'quiet',
      { quiet_seconds: 600, max_wait_seconds: 1_500 },
      { quiet_seconds: 600, max_wait_seconds: 100_000 },
      { quiet_seconds: 10, max_wait_seconds: 100_000 },
    );
    const [impatient, patient, hasty] = ids as [string, string, string];
    await grow(1);
    world.later(400_000);
    await cycled(world.api, hasty, 2);
    assert.is(await count(impatient), 1);
    await grow(1);
    world.later(400_000);
    await grow(1);
    world.later(400_000);
    await grow(1);
    world.later(400_000);
    await cycled(world.api, impatient, 2);
    assert.is(await count(patient), 1, 'it was never quiet for ten minutes');
    world.later(601_000);
    await cycled(world.api, patient, 2);
  });

  test('after a cycle it rests for cooldown_seconds', async () => {
    const { ids, grow } = await opened('cool', { cooldown_seconds: 7_200 }, { cooldown_seconds: 1 });
    const [cool, warm] = ids as [string, string];
    await grow(1);
    world.later(61_000);
    await cycled(world.api, warm, 2);
    assert.is(await count(cool), 1);
    world.later(7_200_000);
    await cycled(world.api, cool, 2);
  });

  test('with windows nothing is trained at creation, and what there was is not new', async () => {
    const { ids, grow, segment_id } = await opened('windows', { quiet_seconds: 1 });
    const on_new_data = { min_rows: 3, quiet_seconds: 1, max_wait_seconds: 60, cooldown_seconds: 1 };
    const more = { ...dormant(world.now()), retrain_triggers: { on_new_data } };
    const windowed = await made(world.api, recipe(segment_id, [{ model }], more));
    await grow(2);
    world.later(2_000);
    await cycled(world.api, ids[0]!, 2);
    assert.is(await count(windowed), 0);
    await grow(1);
    world.later(2_000);
    assert.is((await cycled(world.api, windowed)).trigger, 'on_new_data');
  });

  test('paused it does not train, and without a trigger never', async () => {
    const { ids, grow, segment_id } = await opened('paused', {}, {});
    const [paused, awake] = ids as [string, string];
    const silent = await made(world.api, recipe(segment_id, [{ model }]));
    await cycled(world.api, silent);
    assert.is(
      expected(await world.api.post<Json>(path(paused, '/pause'), {})).data?.status ?? 'paused',
      'paused',
    );
    await grow(5);
    world.later(61_000);
    await cycled(world.api, awake, 2);
    assert.equal([await count(paused), await count(silent)], [1, 1]);
    expected(await world.api.post<Json>(path(paused, '/resume'), {}));
    world.later(61_000);
    await until(async () => (await count(paused)) === 2, 'what waited being trained after it resumed');
  });
});
