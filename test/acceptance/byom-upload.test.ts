import { request } from 'node:http';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { byom, path, sent, upload, uploaded } from './byom.js';
import { lastPlus, signed } from './networks.js';
import { hashOf, openTraining } from './training.js';
import { expected, places, refused, type World } from './world.js';

// A file of one's own, uploaded and kept (specification 1, 4.6; open-parts 8, 26, 27, 32.14, 32.19).

suite('acceptance: uploads of models', test => {
  let world: World;
  const file = lastPlus();
  test.before(async () => {
    world = await openTraining({ RATE_UPLOAD: '1000' });
  });
  test.after(() => world.close());
  const fields = (more: Readonly<Record<string, string>> = {}) => ({
    name: 'Ours',
    format: 'onnx',
    signature: JSON.stringify(signed()),
    ...more,
  });

  test('it is taken, measured, and kept as it is', async () => {
    const { data } = expected(await upload(world.api, file, signed()), 202);
    assert.equal([data.size_bytes, data.sha256], [file.length, hashOf(file)]);
    assert.ok(['uploading', 'uploaded'].includes(data.status));
    const found = await byom(world.api, await uploaded(world.api, file, signed(), { name: 'Second' }));
    assert.equal([found.name, found.format, found.status], ['Second', 'onnx', 'uploaded']);
    assert.equal([found.size_bytes, found.sha256], [file.length, hashOf(file)]);
    assert.equal(found.signature, { ...signed(), ...found.signature }, 'nothing of what was signed is lost');
    assert.match(found.created_at, /Z$/);
  });

  test('a checksum is held to the bytes', async () => {
    const right = { more: { sha256: hashOf(file) } };
    expected(await upload(world.api, file, signed(), right), 202);
    const wrong = { more: { sha256: hashOf(Buffer.from('another')) } };
    const before = expected(await world.api.get<Json>('/v1/models/byom')).data.total;
    const answer = await upload(world.api, file, signed(), wrong);
    assert.match(JSON.stringify(refused(answer, 422, 'checksum_mismatch').details), hashOf(file));
    assert.equal(places(answer), ['body.sha256']);
    assert.is(expected(await world.api.get<Json>('/v1/models/byom')).data.total, before);
  });

  test('what is missing or no signature is named', async () => {
    const named = async (more: Readonly<Record<string, string>>, place: string) => {
      const [found] = places(await sent(world.api, fields(more), file));
      assert.ok(found?.startsWith(`body.${place}`), `${found} instead of ${place}`);
    };
    const { name: _, ...nameless } = fields();
    assert.match(places(await sent(world.api, nameless, file)).join(), 'body.name');
    await named({ format: 'pickle' }, 'format');
    await named({ signature: '{' }, 'signature');
    await named({ signature: JSON.stringify({ inputs: [] }) }, 'signature');
    await named({ signature: JSON.stringify(signed({ lookback: 0 })) }, 'signature.lookback');
    await named({ signature: JSON.stringify(signed({ horizon: 'far' })) }, 'signature.horizon');
    await named({ signature: JSON.stringify(signed({ normalization: 'magic' })) }, 'signature.normalization');
    await named({ signature: JSON.stringify(signed({ quantiles: [0.5, 2] })) }, 'signature.quantiles');
    await named({ sha256: 'short' }, 'sha256');
  });

  test('what is no form is refused', async () => {
    const raw = (body: string | Buffer, type: string) =>
      world.api.send<Json>({
        method: 'POST',
        path: '/v1/models/byom/upload',
        body,
        headers: { 'content-type': type },
      });
    refused(await raw('{}', 'application/json'), 415, 'unsupported_media_type');
    for (const answer of [
      await raw('nothing', 'multipart/form-data; boundary=x'),
      await raw(
        '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nOurs\r\n--x--\r\n',
        'multipart/form-data; boundary=x',
      ),
    ])
      assert.ok([400, 422].includes(answer.status), answer.text);
  });

  test('more than 500 MB is refused by its length alone', async () => {
    const { hostname, port } = new URL(world.running.base);
    const status = await new Promise<number>((resolve, reject) => {
      const asked = request({
        hostname,
        port,
        method: 'POST',
        path: '/v1/models/byom/upload',
        headers: {
          authorization: `Bearer ${world.running.installed.token}`,
          'x-workspace-id': world.running.installed.workspaceId,
          'content-type': 'multipart/form-data; boundary=x',
          'content-length': 700_000_000,
        },
      });
      asked.on('response', answer => {
        resolve(answer.statusCode!);
        asked.destroy();
      });
      asked.on('error', reject);
      asked.write('--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nOurs\r\n');
    });
    assert.is(status, 413);
  });

  test('the list has pages, and what is deleted is in none', async () => {
    const all = expected(await world.api.get<Json>('/v1/models/byom?per_page=100')).data;
    assert.is(all.models.length, all.total);
    assert.equal([all.page, all.per_page, all.total_pages], [1, 100, 1]);
    const one = expected(await world.api.get<Json>('/v1/models/byom?per_page=1&page=2')).data;
    assert.equal(
      one.models.map((each: Json) => each.byom_id),
      [all.models[1].byom_id],
    );
    const [{ byom_id }] = all.models;
    assert.is(expected(await world.api.delete<Json>(path(byom_id))).status, 'deleted');
    refused(await world.api.get<Json>(path(byom_id)), 404);
    refused(await world.api.post<Json>(path(byom_id, '/validate'), {}), 404);
    assert.is(expected(await world.api.get<Json>('/v1/models/byom')).data.total, all.total - 1);
    assert.equal(places(await world.api.get<Json>('/v1/models/byom?page=0')), ['query.page']);
  });

  test('under one key it is uploaded once', async () => {
    const headers = { 'idempotency-key': 'upload-once' };
    const asked = async (content: Buffer): Promise<{ status: number; json: Json }> => {
      const data = new FormData();
      for (const [key, value] of Object.entries(fields())) data.append(key, value);
      data.append('file', new Blob([new Uint8Array(content)]), 'model.onnx');
      const answer = await world.running.call('POST', '/v1/models/byom/upload', { body: data, headers });
      return { status: answer.status, json: answer.json };
    };
    const [one, two] = [await asked(file), await asked(file)];
    assert.equal([one.status, two.json.data.byom_id], [202, one.json.data.byom_id]);
    assert.is((await asked(lastPlus([9, 9, 9, 9, 9, 9, 9]))).status, 409);
  });

  test('it outlives a restart', async () => {
    const id = await uploaded(world.api, file, signed());
    const before = await byom(world.api, id);
    await world.restart();
    assert.equal(await byom(world.api, id), before);
  });
});
