import * as assert from 'uvu/assert';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { csvOf, day, sha256 } from './tables.js';
import { airline, custom, fetched, hashOf, openTraining, report, trained } from './training.js';
import { expected, push, type World } from './world.js';

// The same table, seed and version of a blueprint give the same file, whoever asks and whenever (the issue's
// part 1; open-parts 7, 10).

suite('acceptance: the same training, the same file', test => {
  let world: World;
  let segment: Json;
  test.before(async () => {
    world = await openTraining();
    segment = await airline(world.api);
  });
  test.after(() => world.close());

  const train = async (
    algorithm: string,
    api: Client = world.api,
    on = segment,
    seed = 11,
  ): Promise<Json> => {
    const model = await custom(api, algorithm);
    const record = await trained(api, { segment_id: on.segment_id, model, horizon: 12, seed });
    assert.match(record.artifact.sha256, /^[0-9a-f]{64}$/, algorithm);
    return record;
  };

  test('twice in one workspace', async () => {
    for (const algorithm of ['seasonal_naive', 'theta', 'ets', 'ridge']) {
      const [one, two] = await Promise.all([train(algorithm), train(algorithm)]);
      assert.is.not(one.training_id, two.training_id);
      assert.equal(two.artifact, one.artifact, algorithm);
      const [a, b] = [await report(world.api, one.training_id), await report(world.api, two.training_id)];
      assert.equal([b.metrics, b.backtest], [a.metrics, a.backtest], algorithm);
    }
  });

  test('in the workspace of somebody else with the same points', async () => {
    const tenant = await world.tenant();
    const theirs = await airline(tenant);
    assert.is(theirs.table_hash, segment.table_hash);
    assert.equal((await train('ets', tenant, theirs)).artifact, (await train('ets')).artifact);
  });

  test('after a restart, and beside other work', async () => {
    const before = await train('theta');
    await world.restart();
    const [after] = await Promise.all([train('theta'), train('ets'), train('drift')]);
    assert.equal(after!.artifact, before.artifact);
  });

  test('a training names the table that it read, and another table makes another file', async () => {
    const own = await airline(world.api, {}, 'air.grows');
    const before = await train('ets', world.api, own);
    assert.is(before.table_hash, sha256(await csvOf(world, own.segment_id)));
    await push(world.api, 'air.grows', [450], { from: day(144) });
    expected(await world.api.post<Json>(`/v1/segment/${own.segment_id}/rebuild`, {}), 202);
    const longer = await airline(world.api, { more: { name: 'Longer' } }, 'air.grows');
    const after = await train('ets', world.api, longer);
    assert.is.not(after.table_hash, before.table_hash);
    assert.is.not(after.artifact.sha256, before.artifact.sha256);
    assert.is(after.table_hash, sha256(await csvOf(world, longer.segment_id)));
  });

  test('the seed that was not given is told, and gives the same file when it is given', async () => {
    const model = await custom(world.api, 'ets');
    const first = await trained(world.api, { segment_id: segment.segment_id, model, horizon: 12 });
    assert.ok(Number.isSafeInteger(first.seed));
    const again = await trained(world.api, {
      segment_id: segment.segment_id,
      model,
      horizon: 12,
      seed: first.seed,
    });
    assert.is(again.artifact.sha256, first.artifact.sha256);
    const { data } = expected(await world.api.get<Json>(`/v1/training/${again.training_id}/download`));
    assert.is(hashOf((await fetched(data.download_url)).bytes), first.artifact.sha256);
  });
});
