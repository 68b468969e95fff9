import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { modelFiles } from '../../adapters/models/model-files.js';
import { openLocalPool } from '../../adapters/serving/open.js';
import { isModelFileLost } from '../../commands/model-files.js';
import { isModelFailed } from '../../commands/serving-pool.js';
import type { HostedModel } from '../../domain/models/hosted.js';
import { hosted } from '../domain/deployments-given.js';
import { lastValuePlus } from '../models/onnx-file.js';
import { silent, temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';
import { failure, never } from './forecaster-family.js';
import { oneSeries } from './serving-processes.js';

suite('faults of models that are served', test => {
  let folder: ReturnType<typeof temporaryFolder>;
  test.before.each(() => {
    folder = temporaryFolder();
  });
  test.after.each(() => folder.remove());

  /** A model of a file, the pool that serves it, and what the log says. */
  const served = (family: string, bytes: Uint8Array) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const file = join(folder.path, `${sha256}.onnx`);
    writeFileSync(file, bytes);
    const model: HostedModel = hosted({
      ...{ family, slug: 'a', sha256, maxContext: 8, maxHorizon: 2, quantiles: [0.1, 0.5, 0.9] },
      graph: {
        input: { name: 'x', type: 'float32', channel: false, length: null, missing: 'linear', pad: 'first' },
        output: { name: 'y', form: 'levels_last' },
        scaling: 'none',
      },
    });
    const lines: string[] = [];
    const told = (about: object, line: string): void => {
      const { err } = about as { readonly err: Error };
      lines.push(`${line}: ${err.message}`);
    };
    const files = modelFiles(folder.path, null);
    const log = { ...silent, warn: told, error: told };
    const pool = openLocalPool({ threads: 1, memoryMb: 512, files, clock: Date.now, log });
    const ask = (id: string) =>
      pool
        .forecaster({ promotionId: id, lane: id, model, replicas: { min: 1, max: 1 } })
        .forecast(oneSeries(), 2, never);
    return { model, file, files, lines, pool, ask };
  };

  test('of a damaged file the log tells once until a forecast goes well', async () => {
    const network = lastValuePlus({ added: [-1, 0, 1, -2, 0, 2], shape: [1, 2, 3] });
    const { model, file, files, lines, pool, ask } = served('other', network);
    try {
      // It lay there as it should when it was looked at first
      await files.place(model);
      writeFileSync(file, 'damaged');
      for (let i = 0; i < 3; i++) assert.ok(isModelFileLost(await failure(ask('a'))));
      assert.is(lines.length, 1);
      assert.match(lines[0]!, /^the file of a model cannot be used/);
      writeFileSync(file, network);
      assert.is((await ask('a')).length, 1);
    } finally {
      await pool.close();
    }
  });

  test('of one that was brought it tells once, in the words of the runtime', async () => {
    const { lines, pool, ask } = served('byom', Buffer.from('no network at all'));
    try {
      for (let i = 0; i < 3; i++) assert.ok(isModelFailed(await failure(ask('a'))));
      assert.is(lines.length, 1);
      assert.match(lines[0]!, /^a model that somebody brought failed: .*(onnx|protobuf)/i);
    } finally {
      await pool.close();
    }
  });
});
