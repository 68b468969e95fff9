import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { byom, checksThat, path, uploaded, validated } from './byom.js';
import { trees, treesSignature } from './made-elsewhere.js';
import { bomb, dice, endless, external, foreign, lastPlus, notFinite, signed } from './networks.js';
import { openTraining } from './training.js';
import { expected, type World } from './world.js';

// Files that are none, or that would do harm: each is rejected by name of the check that it fails, the
// platform goes on, and nothing of them is left (the part 4; open-parts 8, 32.23).

suite('acceptance: uploaded models that are refused', test => {
  let world: World;
  test.before(async () => {
    world = await openTraining({ RATE_UPLOAD: '1000' });
  });
  test.after(() => world.close());

  const tried = async (content: Buffer, signature: object = signed(), format = 'onnx'): Promise<Json> => {
    const id = await uploaded(world.api, content, signature, { format });
    const report = await validated(world.api, id);
    assert.is((await byom(world.api, id)).status, 'rejected', JSON.stringify(report.checks));
    expected(await world.api.get<Json>('/v1/models/byom'));
    return { ...report, id };
  };
  const fails = async (names: readonly string[], ...given: Parameters<typeof tried>) => {
    const report = await tried(...given);
    const failed = checksThat(report, 'failed');
    assert.ok(
      failed.some(name => names.includes(name)),
      `${failed} instead of ${names}: ${JSON.stringify(report.checks)}`,
    );
    for (const check of report.checks)
      if (check.status === 'failed') assert.ok(check.message.length > 5, JSON.stringify(check));
    return report;
  };

  test('garbage of every kind', async () => {
    const whole = lastPlus();
    for (const content of [
      Buffer.from('hello'),
      Buffer.alloc(10_000),
      Buffer.alloc(10_000, 0xff),
      whole.subarray(0, whole.length / 2),
      Buffer.concat([Buffer.from([0x3a, 0xff, 0xff, 0xff, 0xff, 0x0f]), whole]),
      trees,
    ])
      await fails(['format_parses', 'forward_pass', 'signature_matches'], content);
  });

  test('garbage that calls itself XGBoost', async () => {
    const of = (content: string | Buffer) =>
      fails(
        ['format_parses', 'no_forbidden_ops', 'signature_matches'],
        Buffer.from(content),
        treesSignature,
        'xgboost_json',
      );
    await of('{');
    await of('[]');
    await of('{"learner": {}}');
    await of('['.repeat(100_000));
    await of(lastPlus());
    const circle = JSON.parse(String(trees));
    circle.learner.gradient_booster.model.trees[0].left_children[0] = 0;
    await fails(
      ['format_parses', 'forward_pass'],
      Buffer.from(JSON.stringify(circle)),
      treesSignature,
      'xgboost_json',
    );
    const far = JSON.parse(String(trees));
    far.learner.gradient_booster.model.trees[0].right_children[0] = 1_000_000;
    await fails(
      ['format_parses', 'forward_pass'],
      Buffer.from(JSON.stringify(far)),
      treesSignature,
      'xgboost_json',
    );
  });

  test('operators of nobody knows whom', async () => {
    await fails(['no_forbidden_ops'], foreign());
  });

  test('weights that lie elsewhere on the machine', async () => {
    for (const location of ['../../../../../../etc/passwd', '/etc/passwd', 'weights.bin', 'C:\\secret.bin']) {
      const report = await fails(['format_parses', 'no_forbidden_ops', 'forward_pass'], external(location));
      assert.not.match(JSON.stringify(report), 'root:');
    }
  });

  test('numbers that are none, another answer each time, another form than signed', async () => {
    await fails(['finite_values'], notFinite());
    await fails(['repeatable', 'no_forbidden_ops'], dice());
    await fails(['output_shape', 'signature_matches'], lastPlus([1, 2, 3, 4, 5, 6]));
    const named = (list: string, name: string) =>
      signed({ [list]: [{ name, dtype: 'float32', shape: ['batch', list === 'inputs' ? 14 : 7] }] });
    await fails(['signature_matches'], lastPlus(), named('inputs', 'nobody'));
    await fails(['signature_matches'], lastPlus(), named('outputs', 'nobody'));
  });

  test('one that wants more memory than there is', async () => {
    await fails(['forward_pass', 'no_forbidden_ops'], bomb());
  });

  test('one that never ends, while others are served', async () => {
    const id = await uploaded(world.api, endless(), signed());
    const { data } = expected(await world.api.post<Json>(path(id, '/validate'), {}), 202);
    const good = await validated(world.api, await uploaded(world.api, lastPlus(), signed()));
    assert.equal(checksThat(good, 'failed'), []);
    await until(
      async () => (await byom(world.api, id)).status !== 'validating',
      'the end of what never ends',
    );
    assert.is((await byom(world.api, id)).status, 'rejected');
    const report = expected(await world.api.get<Json>(path(id, `/validations/${data.validation_id}`))).data;
    assert.ok(checksThat(report, 'failed').some(name => ['forward_pass', 'no_forbidden_ops'].includes(name)));
  });

  test('deleted, nothing of them is left on the disk', async () => {
    const { models } = expected(await world.api.get<Json>('/v1/models/byom?per_page=100')).data;
    const marked = Buffer.concat([Buffer.from('a mark that is in no other file'), Buffer.alloc(100_000, 7)]);
    const { id } = await tried(marked);
    const files = (): string[] =>
      readdirSync(world.folder, { recursive: true, encoding: 'utf8' }).filter(name => {
        const found = statSync(join(world.folder, name), { throwIfNoEntry: false });
        return found?.isFile() && found.size === marked.length;
      });
    for (const each of [...models.map((model: Json) => model.byom_id), id])
      assert.is(expected(await world.api.delete<Json>(path(each))).status, 'deleted');
    assert.is(expected(await world.api.get<Json>('/v1/models/byom')).data.total, 0);
    await until(async () => files().length === 0, 'the file going');
  });
});
