import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { deploy, expected, openWorld, places, refused, type World } from './world.js';

// The catalogue of foundation models (specification 2.2, 4.5).
// Readings: a filter that fits nothing is an empty list; a task that there is not is 422; a deployment is one
// download, and stays one when it is retired.

const TASKS = ['forecast', 'embed', 'impute', 'classify', 'anomaly', 'multivariate'];

suite('acceptance: the catalogue of foundation models', test => {
  let world: World;
  const list = async (query = ''): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/models/foundation${query}`)).data;
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('the first-party family is there, with all that a listing says', async () => {
    const { models, count } = await list();
    assert.is(count, models.length);
    const slugs = models.filter((row: Json) => row.family === 'presage').map((row: Json) => row.slug);
    assert.ok(slugs.includes('nano') && slugs.includes('mini'), String(slugs));
    for (const row of models) {
      for (const name of ['family', 'slug', 'vendor', 'license', 'params', 'name', 'description'])
        assert.type(row[name], 'string', name);
      for (const name of ['license_commercial_ok', 'recommended', 'deprecated'])
        assert.type(row[name], 'boolean', name);
      assert.ok(Number.isInteger(row.downloads) && row.downloads >= 0);
      assert.ok(row.supports.tasks.length > 0);
      for (const task of row.supports.tasks) assert.ok(TASKS.includes(task), task);
      assert.ok(row.supports.max_context >= 512 && row.supports.max_horizon >= 64);
      assert.ok(Number.isInteger(row.params_count) && row.params_count > 100_000);
      assert.equal(row.deprecated_at, null);
      assert.equal(row.replacement, null);
      assert.ok(row.serving.available);
      assert.type(row.serving.warm, 'boolean');
      assert.is(row.serving.cell, 'local');
      assert.ok(row.quantiles.every((level: number) => level > 0 && level < 1));
      assert.ok(['none', 'past', 'future', 'both'].includes(row.covariates));
    }
    const [nano] = models.filter((row: Json) => row.slug === 'nano' && row.family === 'presage');
    assert.is(nano.blueprint_uid, 'presage__nano');
    assert.is(nano.supports.max_horizon, 720);
    assert.ok(nano.license_commercial_ok);
    assert.ok(nano.supports.tasks.includes('forecast'));
  });

  test('recommended models come first, then those with more downloads', async () => {
    const { models } = await list();
    assert.ok(models.some((row: Json) => row.recommended));
    for (const [i, row] of models.slice(1).entries()) {
      const before = models[i];
      if (before.recommended === row.recommended) assert.ok(before.downloads >= row.downloads);
      else assert.ok(before.recommended);
    }
  });

  test('family and task choose', async () => {
    const { models } = await list();
    const slugs = (rows: Json[]) => rows.map(row => `${row.family}/${row.slug}`);
    for (const task of TASKS) {
      const found = await list(`?task=${task}`);
      const able = models.filter((row: Json) => row.supports.tasks.includes(task));
      assert.equal(slugs(found.models), slugs(able), task);
      assert.is(found.count, able.length);
    }
    const own = await list('?family=presage&include_deprecated=true');
    assert.ok(own.models.every((row: Json) => row.family === 'presage'));
    assert.equal(await list('?family=nobodys'), { models: [], count: 0 });
  });

  test('a task or a flag that there is not is refused by name', async () => {
    assert.equal(places(await world.api.get<Json>('/v1/models/foundation?task=divine')), ['query.task']);
    assert.equal(places(await world.api.get<Json>('/v1/models/foundation?include_deprecated=perhaps')), [
      'query.include_deprecated',
    ]);
  });

  test('one model is what the list shows of it', async () => {
    for (const row of (await list()).models) {
      const { data } = expected(await world.api.get<Json>(`/v1/models/foundation/${row.family}/${row.slug}`));
      for (const [name, value] of Object.entries(row)) assert.equal(data[name], value, name);
    }
  });

  test('a model that is not hosted is 404 and named', async () => {
    for (const path of ['presage/colossus', 'nobodys/nano'])
      assert.match(
        refused(await world.api.get<Json>(`/v1/models/foundation/${path}`), 404, 'model_not_available')
          .message,
        path,
      );
  });

  test('there are no adapters yet, and one that there is not is named', async () => {
    const path = '/v1/models/foundation/adapters';
    for (const query of [
      '',
      '?visibility=private',
      '?visibility=all',
      '?family=presage&slug=nano&task=forecast',
    ])
      assert.equal(expected(await world.api.get<Json>(path + query)), { data: { adapters: [], count: 0 } });
    assert.equal(places(await world.api.get<Json>(`${path}?visibility=secret`)), ['query.visibility']);
    assert.equal(places(await world.api.get<Json>(`${path}?task=divine`)), ['query.task']);
    assert.match(
      refused(await world.api.get<Json>(`${path}/adp_nobodys`), 404, 'adapter_not_found').message,
      'adp_nobodys',
    );
  });

  test('each deployment is a download, in whichever workspace, and stays one', async () => {
    const downloads = async () =>
      expected(await world.api.get<Json>('/v1/models/foundation/presage/nano')).data.downloads;
    const before = await downloads();
    const id = await deploy(world.api);
    assert.is(await downloads(), before + 1);
    await deploy(await world.tenant());
    assert.is(await downloads(), before + 2);
    expected(await world.api.post<Json>(`/v1/deployments/${id}/unpromote`, {}));
    assert.is(await downloads(), before + 2);
  });
});
