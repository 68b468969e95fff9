import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { adapterOf, adaptersOf, shops, tune } from './adapters.js';
import { entriesOf, milli } from './money.js';
import { has, openTraining, report, trained } from './training.js';
import { expected, forecast, inState, places, refused, type World } from './world.js';

// A foundation model fine-tuned on a table, and the adapter that comes of it where it is better on held-out
// folds (specification 2.3, 4.5, 4.6, 8; open-parts 8, 10, 11, 32.16, 32.36; the part 3).

suite('acceptance: adapters', test => {
  let world: World;
  let segment_id = '';
  let record: Json;
  let adapter: Json;
  test.before(async () => {
    world = await openTraining();
    ({ segment_id } = await shops(world.api));
    record = await trained(world.api, { segment_id, family: 'presage', slug: 'nano', horizon: 11, seed: 4 });
    adapter = await adapterOf(world.api, record.training_id);
  });
  test.after(() => world.close());

  test('a training of it is one like others, and is charged by its intensity', async () => {
    assert.equal([record.kind, record.intensity, record.lookback], ['foundation', 'adapt', 2048]);
    assert.equal([record.model.family, record.model.slug], ['presage', 'nano']);
    const entries = await entriesOf(world.api, record.training_id);
    assert.equal(
      entries.map(entry => [entry.kind, milli(entry.amount)]),
      [
        ['hold', -5_000],
        ['release', 5_000],
        ['charge', -5_000],
      ],
    );
    assert.is(entries[2].item, 'finetune.adapt');
    refused(await world.api.get<Json>(`/v1/training/${record.training_id}/download`), 409, 'not_exportable');
  });

  test('its report compares it fold by fold, and has a part for each series', async () => {
    const found = await report(world.api, record.training_id);
    has(found, 'metric score metrics baseline skill folds per_step per_entity calibration backtest warnings');
    assert.is(found.folds.length, 3);
    assert.is(Object.keys(found.per_entity).length, 6);
    assert.ok(Number.isFinite(found.score));
  });

  test('where it is kept the adapter has every member; where it is not, that is said', async () => {
    if (!adapter) {
      const all = JSON.stringify([record, await report(world.api, record.training_id)]);
      assert.match(all, /not kept|no better|not better|kept/i);
      return;
    }
    has(adapter, 'adapter_id family backbone_slug task visibility name owner status intensity lookback');
    has(adapter, 'horizon training_id segment_id metrics size_bytes created_at');
    assert.match(adapter.adapter_id, /^adp_/);
    assert.equal([adapter.family, adapter.backbone_slug, adapter.task], ['presage', 'nano', 'forecast']);
    assert.equal([adapter.visibility, adapter.status, adapter.intensity], ['private', 'ready', 'adapt']);
    assert.equal([adapter.segment_id, adapter.horizon, adapter.lookback], [segment_id, 11, 2048]);
    assert.is(adapter.owner, world.running.installed.uid);
    assert.ok(adapter.size_bytes > 0 && adapter.size_bytes < 3_000_000, 'it is small beside its backbone');
    const one = expected(await world.api.get<Json>(`/v1/models/foundation/adapters/${adapter.adapter_id}`));
    assert.equal(one.data, adapter);
  });

  test('on a table of series that are alike it is better than its backbone', () => {
    assert.ok(adapter, JSON.stringify(record).slice(0, 1_500));
  });

  test('it is deployed, and forecasts otherwise than its backbone', async () => {
    const deploy = (body: object) => world.api.post<Json>('/v1/deployments', body);
    const { data } = expected(await deploy({ adapter_id: adapter.adapter_id }), 201);
    assert.is(data.deployment_type, 'adapter');
    await inState(world.api, data.promotion_id, 'deployed');
    const plain = expected(
      await world.api.post<Json>('/v1/models/deploy-foundation', { family: 'presage', slug: 'nano' }),
      201,
    ).data;
    await inState(world.api, plain.promotion_id, 'deployed');
    const ask = async (promotion_id: string) =>
      (await forecast(world.api, { promotion_id, key: 'shops__a', horizon: 11 })).forecasts[0].points;
    const [tuned, bare] = [await ask(data.promotion_id), await ask(plain.promotion_id)];
    assert.is.not(JSON.stringify(tuned), JSON.stringify(bare));
    assert.equal(await ask(data.promotion_id), tuned, 'the same question has the same answer');
    const { details } = refused(await deploy({ adapter_id: adapter.adapter_id }), 409, 'ALREADY_DEPLOYED');
    assert.is(details.promotion_id, data.promotion_id);
    await world.restart();
    await inState(world.api, data.promotion_id, 'deployed');
    assert.equal(await ask(data.promotion_id), tuned);
  });

  test('the same table and seed make the same adapter', async () => {
    const again = await trained(world.api, {
      segment_id,
      family: 'presage',
      slug: 'nano',
      horizon: 11,
      seed: 4,
    });
    const twin = await adapterOf(world.api, again.training_id);
    assert.is(Boolean(twin), Boolean(adapter));
    assert.equal(again.artifact?.sha256, record.artifact?.sha256);
    if (twin) assert.equal(twin.metrics, adapter.metrics);
  });

  test('a model of one’s own says the price first, and names its adapter once it is trained', async () => {
    const uid = await tune(world.api, { horizon: 11, name: 'Of the shops' });
    const model = expected(await world.api.get<Json>(`/v1/models/${uid}`)).data;
    assert.is(model.intensity, 'adapt');
    const made = await trained(world.api, { segment_id, model: uid, horizon: 11, seed: 4 });
    assert.equal([made.kind, made.model.uid], ['foundation', uid]);
    const own = await adapterOf(world.api, made.training_id);
    assert.is(own?.name, adapter ? 'Of the shops' : undefined);
  });

  test('the list is filtered by family, slug, task and owner', async () => {
    const all = await adaptersOf(world.api, '?visibility=all');
    const check = async (query: string, count: number) =>
      assert.is((await adaptersOf(world.api, `?visibility=all&${query}`)).length, count, query);
    await check('family=presage', all.length);
    await check('family=nobodys', 0);
    await check('slug=nano', all.length);
    await check('slug=mini', 0);
    await check('task=forecast', all.length);
    await check('task=embed', 0);
    await check(`owner=${world.running.installed.uid}`, all.length);
    await check('owner=usr_nobody', 0);
    const list = '/v1/models/foundation/adapters';
    assert.equal(places(await world.api.get<Json>(`${list}?visibility=secret`)), ['query.visibility']);
    assert.equal(places(await world.api.get<Json>(`${list}?task=divine`)), ['query.task']);
  });
});
