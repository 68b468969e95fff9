import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { doctorJob } from '../../cli/jobs/doctor.js';
import type { Finding } from '../../cli/jobs/finding.js';
import type { Json } from '../json.js';
import { lastValuePlus } from '../models/onnx-file.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';

// Files of imported models, damaged: what is deployed of them answers that, by the name of the model, and
// never with a number of another file; the doctor finds it; all others go on; put back, it serves again.

const HORIZON = 8;
const manifest = (slug: string) => ({
  ...{ family: 'acme', slug, vendor: 'Acme', licence: 'MIT', commercial_use: true, parameters: 24 },
  ...{ caps: { context: 64, horizon: HORIZON }, tasks: ['forecast'], quantiles: [0.1, 0.5, 0.9] },
  graph: {
    input: { name: 'x', type: 'float32', channel: false, length: null, missing: 'linear', pad: 'first' },
    output: { name: 'y', form: 'levels_last' },
    scaling: 'none',
  },
});
/** The last value and this much more. */
const network = (more: number) =>
  lastValuePlus({
    added: Array.from({ length: HORIZON }, () => [more - 1, more, more + 1]).flat(),
    shape: [1, HORIZON, 3],
  });

suite('damaged files of imported models', test => {
  const folder = temporaryFolder();
  const models = join(folder.path, 'models');
  const kept = join(folder.path, 'kept');
  const files: Record<string, string> = {};
  const deployed: Record<string, string> = {};
  let api: Running;

  const start = async (installed?: Running['installed']) => {
    const env = { SERVING_THREADS: '1', SCORER_THREADS: '1' };
    api = await startPlatform(folder.path, { env, ...(installed && { installed }) });
  };
  const deploy = async (slug: string): Promise<string> =>
    (await api.call('POST', '/v1/models/deploy-foundation', { body: { family: 'acme', slug } })).json.data
      .promotion_id;
  const status = async (id: string): Promise<Json> =>
    (await api.call('GET', `/v1/deployments/${id}/status`)).json.data;
  const becomes = (id: string, wanted: string): Promise<Json> =>
    until(async () => {
      const found = await status(id);
      return found.status === wanted && found;
    }, `being ${wanted}`);
  const forecast = (id: string) =>
    api.call('POST', '/v1/inference/forecast', {
      body: {
        ...{ promotion_id: id, horizon: 1, quantiles: [0.5] },
        series: [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 60, values: [1, 2, 3] }],
      },
    });
  const mean = async (id: string): Promise<number> => {
    const { status: code, json, text } = await forecast(id);
    assert.is(code, 200, text);
    return json.forecasts[0].points[0].mean;
  };
  const found = async (): Promise<readonly Finding[]> => {
    const rows: Finding[] = [];
    const asked = { platform: api.platform, base: '', signal: new AbortController().signal };
    for await (const output of doctorJob(asked, { quick: false }))
      if (output.kind === 'row') rows.push(output.row as Finding);
    return rows.filter(({ part, state }) => part === 'foundation models' && state === 'problem');
  };
  /** Stops, damages the folder, and starts again; all that is in it was whole before. */
  const damaged = async (damage: () => void): Promise<void> => {
    await api.stop();
    rmSync(models, { recursive: true });
    mkdirSync(models);
    for (const name of readdirSync(kept)) copyFileSync(join(kept, name), join(models, name));
    damage();
    await start(api.installed);
  };
  const at = (slug: string): string => join(models, files[slug]!);
  const described = (slug: string): string => join(models, `extfm__acme__${slug}.json`);

  test.before(async () => {
    await start();
    const { operated } = api.platform.areas.models;
    for (const [i, slug] of ['one', 'two'].entries()) {
      const path = join(folder.path, 'given.onnx');
      writeFileSync(path, network(10 * (i + 1)));
      const done = await operated.import(path, manifest(slug), peopleOf(api.platform).operator());
      await api.platform.visible(done.position);
      files[slug] = `${done.listing.sha256}.onnx`;
      deployed[slug] = await deploy(slug);
      await becomes(deployed[slug], 'deployed');
      assert.is(await mean(deployed[slug]), 3 + 10 * (i + 1));
    }
    mkdirSync(kept);
    for (const name of readdirSync(models)) copyFileSync(join(models, name), join(kept, name));
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  const flip = (file: string): void => {
    const bytes = readFileSync(file);
    bytes[bytes.length >> 1]! ^= 1;
    writeFileSync(file, bytes);
  };
  const folderAt = (file: string): void => {
    rmSync(file);
    mkdirSync(file);
  };
  const swap = (a: string, b: string): void => {
    renameSync(a, `${a}.between`);
    renameSync(b, a);
    renameSync(`${a}.between`, b);
  };
  const ways: Readonly<Record<string, readonly [damage: () => void, whose: readonly string[]]>> = {
    lost: [() => rmSync(at('one')), ['one']],
    empty: [() => truncateSync(at('one'), 0), ['one']],
    'cut in half': [() => truncateSync(at('one'), readFileSync(at('one')).length >> 1), ['one']],
    'with a bit flipped': [() => flip(at('one')), ['one']],
    'a folder in its place': [() => folderAt(at('one')), ['one']],
    'the place of another': [() => swap(at('one'), at('two')), ['one', 'two']],
    'all of them lost': [() => rmSync(models, { recursive: true }), ['one', 'two']],
  };
  for (const [way, [damage, whose]] of Object.entries(ways))
    test(`a file ${way}: forecasts are refused, and the doctor finds it`, async () => {
      await damaged(damage);
      for (const slug of ['one', 'two']) {
        if (!whose.includes(slug)) {
          assert.is(await mean(deployed[slug]!), slug === 'one' ? 13 : 23);
          continue;
        }
        const { status: code, json } = await forecast(deployed[slug]!);
        assert.equal([code, json.error.code], [503, 'model_file_unavailable']);
        assert.match(json.error.message, `acme/${slug}`);
        assert.is(JSON.stringify(json).includes(folder.path), false, 'where it lies is for the operator');
      }
      const problems = await found();
      assert.is(problems.length, whose.length);
      for (const [i, slug] of whose.entries())
        assert.ok(problems[i]!.text.includes(at(slug)) && problems[i]!.text.includes(`acme/${slug}`));
    });

  test('what is said beside the files is made anew, damaged or lost', async () => {
    for (const damage of [
      () => rmSync(described('one')),
      () => truncateSync(described('one'), 20),
      () => swap(described('one'), described('two')),
      () => writeFileSync(described('one'), readFileSync(described('one')).toString().replace('64', '65')),
    ]) {
      await damaged(damage);
      assert.equal([await mean(deployed['one']!), await mean(deployed['two']!)], [13, 23]);
      assert.equal(await found(), []);
    }
  });

  test('deployed while its file is lost it fails and says so; put back and retried it serves', async () => {
    await damaged(() => undefined);
    const { json } = await api.call('POST', `/v1/deployments/${deployed['one']}/unpromote`, { body: {} });
    assert.is(json.status, 'ok');
    await becomes(deployed['one']!, 'retired');
    await damaged(() => rmSync(at('one')));
    const id = await deploy('one');
    const { error } = await becomes(id, 'failed');
    assert.match(error.message, 'The file of the model acme/one is missing');
    assert.is(existsSync(at('one')), false);
    copyFileSync(join(kept, files['one']!), at('one'));
    assert.is((await api.call('POST', `/v1/deployments/${id}/retry`, { body: {} })).status, 202);
    await becomes(id, 'deployed');
    assert.is(await mean(id), 13);
  });
});
