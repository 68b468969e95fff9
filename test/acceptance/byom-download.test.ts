import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { byom, path, registered, uploaded } from './byom.js';
import { ridge, ridgeSignature, trees, treesSignature } from './made-elsewhere.js';
import { fetched, hashOf, openTraining } from './training.js';
import { expected, refused, type World } from './world.js';

// The file of an uploaded model, as it was (specification 1, 4.6, 8; open-parts 8, 30.4, 32.24).

suite('acceptance: downloads of uploaded models', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining({ RATE_UPLOAD: '1000' });
  });
  test.after(() => world.close());
  const link = async (id: string): Promise<Json> =>
    expected(await world.api.get<Json>(path(id, '/download'))).data;

  test('it has the very bytes that were uploaded, for an hour', async () => {
    const { id } = await registered(world.api, ridge, ridgeSignature, {
      uploading: { file: 'my ridge.onnx' },
    });
    const found = await link(id);
    assert.equal([found.format, found.expires_in_seconds], ['original', 3_600]);
    assert.type(found.filename, 'string');
    assert.ok(found.download_url.startsWith(world.running.base));
    const { status, bytes, headers } = await fetched(found.download_url);
    assert.is(status, 200);
    assert.ok(bytes.equals(ridge));
    assert.is(hashOf(bytes), (await byom(world.api, id)).sha256);
    assert.match(headers.get('x-content-type-options')!, 'nosniff');
    world.later(3_601_000);
    const late = await fetched(found.download_url);
    assert.equal([late.status, JSON.parse(String(late.bytes)).error.code], [410, 'download_expired']);
    assert.is((await fetched((await link(id)).download_url)).status, 200);
  });

  test('also of what was never validated, or is unsupported here', async () => {
    for (const [file, signature, format] of [
      [trees, treesSignature, 'xgboost_json'],
      [Buffer.from('PK\u0003\u0004 of another kind'), ridgeSignature, 'tf_savedmodel_zip'],
    ] as const) {
      const id = await uploaded(world.api, file, signature, { format });
      assert.ok((await fetched((await link(id)).download_url)).bytes.equals(file), format);
    }
  });

  test('what is gone, or somebody else’s, has no link, and old links end', async () => {
    const id = await uploaded(world.api, ridge, ridgeSignature);
    const { download_url } = await link(id);
    refused(await (await world.tenant()).get<Json>(path(id, '/download')), 404);
    refused(await world.api.get<Json>(path('byo_nobodys', '/download')), 404);
    const blind = await world.withScopes(['models.write']);
    refused(await blind.get<Json>(path(id, '/download')), 403, 'insufficient_scope');
    expected(await world.api.delete<Json>(path(id)));
    refused(await world.api.get<Json>(path(id, '/download')), 404);
    assert.ok([404, 410].includes((await fetched(download_url)).status));
  });
});
