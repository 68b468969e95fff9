import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { fileOf } from '../../commands/byom.js';
import { FileMissing } from '../../commands/ports/file-store.js';
import { given, signatureOf } from '../byom-files.js';
import type { Json } from '../json.js';
import { lastValuePlus } from '../models/onnx-file.js';
import { peopleOf } from '../people.js';
import { send, until } from '../platform.js';
import { suite } from '../suite.js';
import { BYOM, modelForm, uploadedModel, validated } from './byom-world.js';
import { ingestionApi, type IngestionApi } from './ingestion-world.js';

const LEVELS = [0.1, 0.5, 0.9];

suite("models of one's own", test => {
  let world: IngestionApi;
  test.before(async () => {
    world = await ingestionApi({
      running: ['api', 'projections', 'workers', 'serving'],
      env: { RATE_UPLOAD: '1000000' },
    });
  });
  test.after(() => world.close());
  const login = () => world.api.installed;
  const upload = (content: Uint8Array, said = {}): Promise<string> =>
    uploadedModel(world.api.base, login(), content, said);
  const post = async (path: string, body: object, status: number): Promise<Json> => {
    const answer = await world.client.post<Json>(path, body);
    assert.is(answer.status, status, answer.text);
    return answer.body;
  };

  const remove = async (path: string, status: number): Promise<Json> => {
    const answer = await world.client.delete<Json>(path);
    assert.is(answer.status, status, answer.text);
    return answer.body;
  };

  test('a model made by scikit-learn is uploaded, validated, registered, deployed and asked', async () => {
    const content = given('ridge.onnx');
    const sha256 = createHash('sha256').update(content).digest('hex');
    const id = await upload(content, { sha256 });
    const record: Json = await world.read(`${BYOM}/${id}`);
    assert.equal([record.status, record.sha256, record.size_bytes], ['uploaded', sha256, content.length]);
    const report = await validated(world.api.base, login(), id);
    assert.is(report.status, 'validated', JSON.stringify(report));
    assert.equal(
      report.checks.map((check: Json) => check.status),
      Array(11).fill('passed'),
      JSON.stringify(report.checks),
    );
    assert.is(report.sample_output.length, 6);
    const { etag } = (await world.client.get(`${BYOM}/${id}`)).headers;
    assert.match(etag!, /^"2-/);
    const { data } = await post(`${BYOM}/${id}/register`, { visibility: 'public', tags: ['mine'] }, 201);
    const row: Json = await world.read(`/v1/models/${data.uid}`);
    assert.equal([row.kind, row.byom_id, row.visibility], ['byom', id, 'public']);
    const listed = await world.read('/v1/models/public?search=My%20model');
    assert.is(listed.total, 1);
    const deployed = await post('/v1/deployments', { byom_id: id }, 201);
    const promotion = deployed.data.promotion_id;
    await until(
      async () => (await world.read(`/v1/deployments/${promotion}`)).ready,
      'the model being ready',
    );
    const values = Array.from({ length: 100 }, (_, i) => 500 + 40 * Math.sin((2 * Math.PI * i) / 12));
    const asked = {
      promotion_id: promotion,
      series: [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 3_600, values }],
    };
    const { forecasts, model } = await post('/v1/inference/forecast', asked, 200);
    assert.equal([model.family, model.slug, forecasts[0].points.length], ['byom', id, 6]);
    forecasts[0].points.forEach(({ mean }: Json, step: number) => {
      const true_ = 500 + 40 * Math.sin((2 * Math.PI * (100 + step)) / 12);
      assert.ok(Math.abs(mean - true_) < 15, `${mean} is far from ${true_}`);
    });
    const users = async (): Promise<Json> => {
      const { code, details } = (await remove(`${BYOM}/${id}`, 409)).error;
      return [code, details.in_use];
    };
    assert.equal(await users(), ['IN_USE', [`deployment ${promotion}`]]);
    assert.is((await remove(`${BYOM}/${id}?dry_run=true`, 409)).error.code, 'IN_USE');
    const other = await peopleOf(world.api.platform).tenant('other@example.org');
    const theirs = (method: string, path: string, body?: object) =>
      send(world.api.base, method, path, other, { body });
    const asTheirs = await theirs('POST', '/v1/deployments', { byom_id: id });
    assert.is(asTheirs.status, 201, asTheirs.text);
    const others = 'deployments of other workspaces: 1';
    assert.equal(await users(), ['IN_USE', [`deployment ${promotion}`, others]], 'whose is not told');
    await post(`/v1/deployments/${promotion}/unpromote`, {}, 200);
    await until(
      async () => (await world.read(`/v1/deployments/${promotion}`)).status === 'retired',
      'the deployment being retired',
    );
    assert.equal(await users(), ['IN_USE', [others]]);
    const of = `/v1/deployments/${asTheirs.json.data.promotion_id}`;
    assert.is((await theirs('POST', `${of}/unpromote`, {})).status, 200);
    await until(
      async () => (await theirs('GET', of)).json.data.status === 'retired',
      'the other deployment being retired',
    );
    const late = await world.client.delete<Json>(`${BYOM}/${id}`, { 'if-match': etag! });
    assert.equal(
      [late.status, late.body.error.code, late.body.error.details.version],
      [409, 'version_conflict', 3],
    );
    const would = await remove(`${BYOM}/${id}?dry_run=true`, 200);
    assert.equal(would.data, { dry_run: true, byom_id: id });
    assert.ok(existsSync(join(world.api.platform.stores.modelFiles.folder, `${sha256}.onnx`)));
    assert.equal(await remove(`${BYOM}/${id}`, 200), { status: 'deleted', byom_id: id });
    for (const path of [
      `${BYOM}/${id}`,
      `/v1/models/${data.uid}`,
      `${BYOM}/${id}/validations/${report.validation_id}`,
    ])
      assert.is((await world.client.get(path)).status, 404, path);
    assert.is((await world.read('/v1/models/public?search=My%20model')).total, 0);
    await assertGone(id, sha256);
  });

  /** Neither the upload nor what served is left. */
  async function assertGone(id: string, sha256: string): Promise<void> {
    const { stores } = world.api.platform;
    assert.is(existsSync(join(stores.modelFiles.folder, `${sha256}.onnx`)), false);
    const name = fileOf(login().workspaceId, id);
    await stores.files
      .use(name, async () => assert.unreachable())
      .catch((error: unknown) => {
        assert.instance(error, FileMissing);
      });
  }

  test('a file that serves another model, too, stays when the upload is deleted', async () => {
    const content = lastValuePlus({
      ...{ input: 'series', output: 'variable', shape: [1, 6, 3] },
      added: Array.from({ length: 6 }, (_, step) => [-1 - step, 0, 1 + step]).flat(),
    });
    const path = join(world.folder.path, 'tiny.onnx');
    writeFileSync(path, content);
    const { operated } = world.api.platform.areas.models;
    const { listing, position } = await operated.import(
      path,
      {
        ...{ family: 'other', slug: 'tiny', vendor: 'Somebody', licence: 'MIT', commercial_use: true },
        ...{ parameters: 24, caps: { context: 64, horizon: 6 }, tasks: ['forecast'], quantiles: LEVELS },
        graph: {
          ...{ output: { name: 'variable', form: 'levels_last' }, scaling: 'none' },
          input: {
            ...{ name: 'series', type: 'float32', channel: false, length: null },
            ...{ missing: 'linear', pad: 'first' },
          },
        },
      },
      peopleOf(world.api.platform).operator(),
    );
    await world.api.platform.visible(position);
    const signature = signatureOf({
      outputs: [{ name: 'variable', dtype: 'float32', shape: ['batch', 6, 3] }],
      quantiles: LEVELS,
    });
    const id = await upload(content, { signature });
    const report = await validated(world.api.base, login(), id);
    assert.is(report.status, 'validated', JSON.stringify(report));
    await remove(`${BYOM}/${id}`, 200);
    const { folder } = world.api.platform.stores.modelFiles;
    assert.ok(existsSync(join(folder, `${listing.sha256}.onnx`)));
  });

  test('the very bytes come back by a link that needs no credential', async () => {
    const content = given('forest.onnx');
    const sha256 = createHash('sha256').update(content).digest('hex');
    const id = await upload(content);
    const link: Json = await world.read(`${BYOM}/${id}/download`);
    assert.equal(
      [link.filename, link.format, link.sha256, link.expires_in_seconds],
      ['model.onnx', 'original', sha256, 3_600],
    );
    const url = new URL(link.download_url, world.api.base);
    const sent = await fetch(`${world.api.base}${url.pathname}${url.search}`);
    assert.is(sent.status, 200);
    assert.ok(Buffer.from(await sent.arrayBuffer()).equals(content));
    const other = await upload(given('ridge.onnx'));
    for (const changed of [
      url.search.replace(sha256, 'a'.repeat(64)),
      url.search.replace('expires=1', 'expires=2'),
    ])
      assert.is((await fetch(`${world.api.base}${url.pathname}${changed}`)).status, 401);
    const foreign = await fetch(`${world.api.base}${url.pathname.replace(id, other)}${url.search}`);
    assert.is(foreign.status, 401);
    world.clock.now += 3_601_000;
    const late = await fetch(`${world.api.base}${url.pathname}${url.search}`);
    const { error } = (await late.json()) as Json;
    assert.equal([late.status, error.code], [410, 'download_expired']);
  });

  test('what does not fit is refused by name, and nothing of it is kept', async () => {
    const refused = async (
      said: Parameters<typeof modelForm>[1],
      status: number,
      text: RegExp,
      content = given('ridge.onnx'),
    ): Promise<void> => {
      const body = modelForm(content, said);
      const answer = await send(world.api.base, 'POST', `${BYOM}/upload`, login(), { body });
      assert.is(answer.status, status, answer.text);
      assert.match(answer.text, text);
    };
    const before = (await world.read(BYOM)).total;
    await refused({ sha256: 'ab'.repeat(32) }, 422, /checksum_mismatch/);
    await refused({}, 422, /"file"\],"msg":"must not be empty"/, Buffer.alloc(0));
    await refused({ format: 'pickle' }, 422, /"format"/);
    await refused({ signature: signatureOf({ lookback: 23 }) }, 422, /"inputs",0,"shape"/);
    await refused({ signature: signatureOf({ quantiles: [0.1, 0.9] }) }, 422, /must hold 0.5/);
    await refused({ signature: signatureOf({ quantiles: [0.5, 0.1] }) }, 422, /must ascend/);
    assert.is((await world.read(BYOM)).total, before);
  });

  test('states are held to, and rejections are told', async () => {
    const id = await upload(Buffer.from('garbage'));
    assert.is((await post(`${BYOM}/${id}/register`, {}, 409)).error.code, 'not_validated');
    assert.is((await post('/v1/deployments', { byom_id: id }, 409)).error.code, 'not_validated');
    await post(`${BYOM}/${id}/validate`, { segment_id: 'seg_nothere' }, 404);
    const report = await validated(world.api.base, login(), id);
    assert.equal(
      [report.status, report.checks[1].status, report.checks[2].status],
      ['rejected', 'failed', 'skipped'],
    );
    const record: Json = await world.read(`${BYOM}/${id}`);
    assert.match(record.message, /^format_parses: /);
    // Again, as long as nobody mends it
    assert.is((await validated(world.api.base, login(), id)).status, 'rejected');
    const torch = await upload(Buffer.from('PK\u0003\u0004...'), { format: 'torchscript' });
    assert.is((await validated(world.api.base, login(), torch)).status, 'unsupported');
    assert.match((await world.read(`${BYOM}/${torch}`)).message, /libtorch/);
    await until(async () => {
      const { notifications } = await world.read('/v1/notifications');
      return notifications.some(({ kind, data }: Json) => kind === 'byom.rejected' && data.byom_id === id);
    }, 'the notification');
  });

  test('a workspace keeps so many models', async () => {
    const full = await ingestionApi({ env: { BYOM_MODELS: '1' } });
    try {
      const { base, installed } = full.api;
      await uploadedModel(base, installed, given('ridge.onnx'));
      const body = modelForm(given('ridge.onnx'));
      const { status, json } = await send(base, 'POST', `${BYOM}/upload`, installed, { body });
      assert.equal([status, json.error.code], [403, 'plan_limit_reached']);
    } finally {
      await full.close();
    }
  });
});
