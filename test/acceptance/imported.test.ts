import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { dataFolder, presage } from '../cli/presage.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { daily } from './series.js';
import { deploy, expected, forecast, inState, openWorld, refused, type World } from './world.js';

// Models that an operator brings, and models that go (specification 2.2, 3; open-parts 11, 29.16, 32.26).
// Readings: a manifest has the form of those of the models that ship, with `vendor`; the commands work with
// the platform stopped; a deprecated model is named as `FAMILY/SLUG`.

const models = fileURLToPath(new URL('../../../models/presage/', import.meta.url));

suite('acceptance: imported and deprecated models', test => {
  let world: World;
  const operator = async (...args: string[]) => {
    const { code, stdout, stderr } = await presage(args, { DATA_DIR: world.folder, LOG_LEVEL: 'silent' });
    return { code, said: stdout + stderr };
  };
  const listed = async (query = ''): Promise<Json[]> =>
    expected(await world.api.get<Json>(`/v1/models/foundation${query}`)).data.models;
  const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];
  /** A manifest as an operator would write it for a file. */
  const manifest = (file: Buffer, changes: object): string => {
    const path = dataFolder('manifest.json');
    const shipped = JSON.parse(readFileSync(`${models}nano.json`, 'utf8'));
    const sha256 = createHash('sha256').update(file).digest('hex');
    const own = { family: 'acme', slug: 'small', vendor: 'Acme Ltd', licence: 'CC-BY-NC-4.0' };
    const written = { ...shipped, ...own, commercial_use: false, sha256, bytes: file.length, ...changes };
    writeFileSync(path, JSON.stringify(written));
    return path;
  };
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('a file that is no model, or another than its manifest says, is refused', async () => {
    const onnx = readFileSync(`${models}nano.onnx`);
    const rubbish = dataFolder('rubbish.onnx');
    writeFileSync(rubbish, 'no network at all');
    await world.restart(async () => {
      const other = await operator('model', 'import', rubbish, '--manifest', manifest(onnx, {}));
      assert.is.not(other.code, 0);
      assert.match(other.said, /sha256|checksum/i);
      const broken = await operator(
        'model',
        'import',
        rubbish,
        '--manifest',
        manifest(readFileSync(rubbish), {}),
      );
      assert.is.not(broken.code, 0);
    });
    assert.ok((await listed()).every(row => row.family !== 'acme'));
  });

  test('an imported model is listed under its family, and known as external', async () => {
    await world.restart(async () => {
      const onnx = readFileSync(`${models}nano.onnx`);
      const done = await operator('model', 'import', `${models}nano.onnx`, '--manifest', manifest(onnx, {}));
      assert.is(done.code, 0, done.said);
    });
    const [row] = await listed('?family=acme');
    assert.equal([row.family, row.slug, row.vendor], ['acme', 'small', 'Acme Ltd']);
    assert.equal([row.license, row.license_commercial_ok], ['CC-BY-NC-4.0', false]);
    assert.is(row.blueprint_uid, 'extfm__acme__small');
    const { data } = expected(await world.api.get<Json>('/v1/models/extfm__acme__small'));
    assert.is(data.kind, 'foundation_backbone');
    const found = expected(await world.api.get<Json>('/v1/models/public?limit=100')).data.models;
    assert.ok(found.some((each: Json) => each.uid === 'extfm__acme__small'));
  });

  test('a licence that forbids commercial use must be accepted', async () => {
    const body = { family: 'acme', slug: 'small' };
    refused(
      await world.api.post<Json>('/v1/models/deploy-foundation', body),
      403,
      'license_forbids_commercial_use',
    );
    const { data } = expected(
      await world.api.post<Json>('/v1/models/deploy-foundation', { ...body, accept_non_commercial: true }),
      201,
    );
    await inState(world.api, data.promotion_id, 'deployed');
    const own = await deploy(world.api);
    const ask = async (id: string) =>
      (await forecast(world.api, { promotion_id: id, series, horizon: 7 })).forecasts;
    assert.equal(await ask(data.promotion_id), await ask(own), 'the same file forecasts the same');
  });

  test('a deprecated model leaves the list, is not deployed anew, and is served where it is', async () => {
    await world.restart(async () => {
      const done = await operator('model', 'deprecate', 'presage/nano', '--replacement', 'presage/mini');
      assert.is(done.code, 0, done.said);
      assert.is.not((await operator('model', 'deprecate', 'presage/colossus')).code, 0);
    });
    assert.ok((await listed()).every(row => row.blueprint_uid !== 'presage__nano'));
    const [row] = (await listed('?include_deprecated=true')).filter(each => each.slug === 'nano');
    assert.is(row.deprecated, true);
    assert.match(row.deprecated_at, /Z$/);
    assert.equal(row.replacement, { family: 'presage', slug: 'mini' });
    const one = expected(await world.api.get<Json>('/v1/models/foundation/presage/nano')).data;
    assert.is(one.deprecated, true);
    const [old] = expected(await world.api.get<Json>('/v1/deployments?status=deployed')).deployments.filter(
      (each: Json) => each.slug === 'nano' && each.family === 'presage',
    );
    await forecast(world.api, { promotion_id: old.promotion_id, series });
    const other = await world.tenant();
    const { details } = refused(
      await other.post<Json>('/v1/models/deploy-foundation', { family: 'presage', slug: 'nano' }),
      409,
      'MODEL_DEPRECATED',
    );
    assert.equal(details.replacement, { family: 'presage', slug: 'mini' });
  });
});
