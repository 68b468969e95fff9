import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openFamily } from '../../adapters/forecaster/family.js';
import { readModelFile, slugsIn } from '../../adapters/forecaster/files.js';
import { suite } from '../suite.js';
import { failure, never } from './forecaster-family.js';

const MODEL = Buffer.from('no network at all');
const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
const manifest = {
  slug: 'tiny',
  file: 'tiny.onnx',
  sha256: sha256(MODEL),
  parameters: 0,
  caps: { context: 2048, horizon: 720 },
  tasks: ['forecast', 'embed'],
  quantiles: [0.1, 0.5, 0.9],
  licence: 'Apache-2.0',
};

const series = [{ values: Float64Array.of(1, 2), period: 1 }];

suite('files of a forecaster', test => {
  let dir = '';
  test.before.each(() => {
    dir = mkdtempSync(join(tmpdir(), 'family-'));
    write('tiny.onnx', MODEL);
    write('tiny.json', JSON.stringify(manifest));
  });
  test.after.each(() => rmSync(dir, { recursive: true }));
  const write = (file: string, content: string | Buffer): void => writeFileSync(join(dir, file), content);
  const refused = (message: RegExp): void => assert.throws(() => openFamily({ threads: 1, dir }), message);

  test('the version is the beginning of the hash; other JSON beside the manifests is none', () => {
    write('tokens.json', '[1]');
    write('scores.json', '{"slug": "tiny"}');
    assert.equal(slugsIn(dir), ['tiny']);
    const {
      version,
      manifest: { caps, tasks },
    } = readModelFile(dir, 'tiny');
    assert.equal([version, caps, tasks], [manifest.sha256.slice(0, 12), manifest.caps, manifest.tasks]);
    assert.equal([...openFamily({ threads: 1, dir }).forecasters.keys()], ['tiny']);
  });

  test('a model in the place of the one that was opened is refused, not run under its version', async () => {
    const family = openFamily({ threads: 1, dir });
    const other = Buffer.from('another network');
    write('tiny.onnx', other);
    write('tiny.json', JSON.stringify({ ...manifest, sha256: sha256(other) }));
    const { message } = await failure(family.forecasters.get('tiny')!.forecast(series, 1, never));
    assert.match(message, /another model has taken its place/);
    await family.close();
  });

  test('a folder that is empty, or not there, has no forecasters', () => {
    assert.is(openFamily({ threads: 1, dir: join(dir, 'nowhere') }).forecasters.size, 0);
  });

  test('a changed model is refused by name, before any work', () => {
    write('tiny.onnx', Buffer.from('another'));
    refused(
      /The forecaster tiny in .* tiny\.onnx has sha256 \w{64}, the manifest says \w{64}\. Restore the folder/,
    );
  });

  test('a model that is missing is refused by name', () => {
    rmSync(join(dir, 'tiny.onnx'));
    refused(/tiny\.onnx: ENOENT/);
  });

  test('a manifest is refused by the field that is wrong', () => {
    for (const [field, wrong] of [
      ['file', '../tiny.onnx'],
      ['sha256', 'abc'],
      ['caps', { context: 0, horizon: 1 }],
      ['caps', null],
      ['tasks', []],
      ['tasks', ['dream']],
      ['quantiles', [0.5, 0.5]],
      ['quantiles', [0.5, 1]],
      ['quantiles', 0.5],
      ['quantiles', [0.1, 0.9]],
      ['quantiles', ['0.1', 0.5]],
    ] as const) {
      write('tiny.json', JSON.stringify({ ...manifest, [field]: wrong }));
      refused(new RegExp(`tiny\\.json has no usable ${field}`));
    }
    write('tiny.json', '{');
    refused(/tiny\.json is no JSON/);
  });

  test('a file that is no network fails the call that needs it, and the next one too', async () => {
    const family = openFamily({ threads: 1, dir });
    const tiny = family.forecasters.get('tiny')!;
    for (let i = 0; i < 2; i++)
      assert.match((await failure(tiny.forecast(series, 3, never))).message, /model|protobuf|parse/i);
    await family.close();
  });

  test('a model that changes under the feet of the process is refused when a worker opens it', async () => {
    const family = openFamily({ threads: 1, dir });
    const tiny = family.forecasters.get('tiny')!;
    write('tiny.onnx', readFileSync(join(dir, 'tiny.json')));
    assert.match((await failure(tiny.forecast(series, 3, never))).message, /tiny\.onnx has sha256/);
    await family.close();
  });
});
