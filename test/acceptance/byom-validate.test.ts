import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { byom, CHECKS, checksThat, path, uploaded, validated } from './byom.js';
import { item } from './inbox.js';
import { ridge, ridgeSignature } from './made-elsewhere.js';
import { bands, constant, deep, lastPlus, signed } from './networks.js';
import { has, openTraining, shop } from './training.js';
import { expected, refused, type World } from './world.js';

// The validation of an uploaded model: a live forward pass, and a report of every check (specification 1;
// open-parts 8, 21, 32.23). Readings: the report's status is that of the model.

suite('acceptance: validations of uploaded models', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining({ RATE_UPLOAD: '1000' });
  });
  test.after(() => world.close());

  test('what scikit-learn made passes, and the report says how', async () => {
    const id = await uploaded(world.api, ridge, ridgeSignature, { name: 'Ridge' });
    const { status, data } = expected(await world.api.post<Json>(path(id, '/validate'), {}), 202);
    assert.is(status, 'queued');
    assert.type(data.validation_id, 'string');
    const ended = await until(async () => {
      const found = await byom(world.api, id);
      return !['uploaded', 'validating'].includes(found.status) && found;
    }, 'the end of the validation');
    assert.is(ended.status, 'validated');
    const report = expected(await world.api.get<Json>(path(id, `/validations/${data.validation_id}`))).data;
    has(report, 'validation_id status checks sample_input sample_output runtime');
    assert.equal(
      report.checks.map((check: Json) => check.name),
      CHECKS,
    );
    for (const check of report.checks) {
      has(check, 'name status message took_ms');
      assert.ok(['passed', 'failed', 'skipped', 'warning'].includes(check.status), check.status);
    }
    assert.equal(checksThat(report, 'failed'), []);
    for (const name of CHECKS.slice(0, 9))
      assert.ok(checksThat(report, 'passed').includes(name), `${name}: ${JSON.stringify(report.checks)}`);
    assert.ok(JSON.stringify(report.sample_output).length > 10);
    assert.match(JSON.stringify(report.runtime), /onnx/i);
    const told = await item(world.api, 'byom.validated', each => JSON.stringify(each.data).includes(id));
    assert.is(told.workspace_id, world.running.installed.workspaceId);
  });
  test('each form of input and output passes', async () => {
    const channel = { inputs: [{ name: 'x', dtype: 'float32', shape: ['batch', 14, 1] }] };
    const three = {
      outputs: [{ name: 'y', dtype: 'float32', shape: ['batch', 7, 3] }],
      quantiles: [0.1, 0.5, 0.9],
    };
    for (const [what, file, signature] of [
      ['values', lastPlus(), signed()],
      ['a channel', deep(), signed(channel)],
      ['quantiles', bands(), signed(three)],
    ] as const) {
      const report = await validated(world.api, await uploaded(world.api, file, signature));
      assert.equal(checksThat(report, 'failed'), [], what);
    }
  });

  test('on a segment it is tried on real rows', async () => {
    const { segment_id } = await shop(world.api, 120);
    const id = await uploaded(world.api, lastPlus(), signed());
    const report = await validated(world.api, id, { segment_id });
    assert.equal(checksThat(report, 'failed'), []);
    assert.ok(
      ['passed', 'warning'].includes(report.checks.find((each: Json) => each.name === 'beats_naive').status),
    );
    const unknown = await world.api.post<Json>(path(id, '/validate'), { segment_id: 'seg_nobodys' });
    assert.ok([404, 409, 422].includes(unknown.status), unknown.text);
  });

  test('one that fails says which check, may be validated again, and its reports are kept', async () => {
    const id = await uploaded(world.api, constant(), signed());
    const first = await validated(world.api, id);
    assert.ok(checksThat(first, 'failed').includes('sensitivity'), JSON.stringify(first.checks));
    assert.is((await byom(world.api, id)).status, 'rejected');
    await item(world.api, 'byom.rejected', each => JSON.stringify(each.data).includes(id));
    refused(await world.api.post<Json>(path(id, '/register'), {}), 409, 'not_validated');
    const second = await validated(world.api, id);
    assert.is.not(second.validation_id, first.validation_id);
    assert.equal(checksThat(second, 'failed'), checksThat(first, 'failed'));
    const kept = expected(await world.api.get<Json>(path(id, `/validations/${first.validation_id}`))).data;
    assert.equal(kept, first);
    refused(await world.api.get<Json>(path(id, '/validations/val_nobodys')), 404);
  });

  test('a sample is the same each time, so that reports can be compared', async () => {
    const [one, two] = [
      await validated(world.api, await uploaded(world.api, lastPlus(), signed())),
      await validated(world.api, await uploaded(world.api, lastPlus(), signed())),
    ];
    assert.equal(two.sample_input, one.sample_input);
    assert.equal(two.sample_output, one.sample_output);
  });

  test('what the platform cannot run is unsupported, and names what is missing', async () => {
    for (const [format, file, runtime] of [
      ['torchscript', 'model.pt', /torch/i],
      ['tf_savedmodel_zip', 'model.zip', /tensorflow/i],
    ] as const) {
      const id = await uploaded(world.api, Buffer.from('PK\u0003\u0004 of another kind'), signed(), {
        format,
        file,
      });
      const report = await validated(world.api, id);
      assert.is((await byom(world.api, id)).status, 'unsupported', format);
      assert.match(JSON.stringify(report), runtime);
      refused(await world.api.post<Json>(path(id, '/register'), {}), 409, 'not_validated');
    }
  });

  test('before it was validated it cannot be registered', async () => {
    const id = await uploaded(world.api, lastPlus(), signed());
    refused(await world.api.post<Json>(path(id, '/register'), {}), 409, 'not_validated');
    refused(await world.api.post<Json>(path('byo_nobodys', '/register'), {}), 404);
    refused(await world.api.post<Json>(path('byo_nobodys', '/validate'), {}), 404);
  });
});
