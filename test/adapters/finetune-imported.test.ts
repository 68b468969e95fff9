import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { finetune } from '../../adapters/finetune/finetune.js';
import { isResidualAdapter } from '../../adapters/finetune/residual-file.js';
import { firstPartyModels } from '../../adapters/models/first-party.js';
import { modelFiles } from '../../adapters/models/model-files.js';
import { openHosted } from '../../adapters/trainings/compared.js';
import { foundationTraining } from '../../adapters/trainings/foundation.js';
import { medians } from '../../domain/maths/forecasting/quantiles.js';
import type { HostedModel } from '../../domain/models/hosted.js';
import type { TrainingWork } from '../../domain/trainings/ports.js';
import { normals, walkForecast } from '../domain/maths/forecasting/toys.js';
import { lastValuePlus } from '../models/onnx-file.js';
import { suite } from '../suite.js';
import { tableOf } from './finetune-table.js';

const HORIZON = 4;
const BIAS = 6;
const [nano] = firstPartyModels();
const next = normals(8);
let level = 100;
const walk = Float64Array.from({ length: 400 }, () => {
  level += next();
  return level;
});

suite('fine-tuning of imported models', test => {
  const folder = mkdtempSync(join(tmpdir(), 'presage-finetune-'));
  const files = modelFiles(folder, null);
  test.after(() => rmSync(folder, { recursive: true }));

  /** A network that says the last value and so much more at each step, as one that an operator imports. */
  const imported = async (more: number): Promise<HostedModel> => {
    const added = Array.from({ length: HORIZON }, () => more);
    const bytes = lastValuePlus({ added, shape: [1, HORIZON] });
    const path = join(folder, 'import');
    writeFileSync(path, bytes);
    const { sha256 } = await files.bring(path);
    const model: HostedModel = {
      ...nano!,
      ...{ family: 'tiny', slug: `plus-${more}`, sha256, maxContext: 256, maxHorizon: HORIZON },
      graph: {
        input: { name: 'x', type: 'float32', channel: false, length: null, missing: 'linear', pad: 'nan' },
        output: { name: 'y', form: 'points' },
        scaling: 'none',
      },
    };
    await files.place(model);
    return model;
  };
  const workOf = (backbone: HostedModel): TrainingWork => {
    const { family, slug, version } = backbone;
    const model = { family, slug, version };
    const fineTune = {
      model,
      task: 'forecast',
      intensity: 'adapt',
      lookback: 256,
      horizon: HORIZON,
    } as const;
    return {
      what: { kind: 'foundation', fineTune, backbone },
      ...{ horizon: HORIZON, lookback: null, seed: 1, metric: 'crps', against: backbone },
    };
  };

  test('one that is always off is moved, kept, and serves so', async () => {
    const backbone = await imported(BIAS);
    const train = foundationTraining(folder);
    const { report, made, comparison } = await train(
      tableOf([walk], HORIZON),
      workOf(backbone),
      () => undefined,
    );
    assert.not(report.warnings.includes('no_gain'));
    assert.ok(isResidualAdapter(made!.graph!));
    assert.ok(comparison!.improvement > 0.2, JSON.stringify(comparison));

    const path = join(folder, 'adapter');
    writeFileSync(path, made!.graph!);
    const { sha256 } = await files.bring(path);
    assert.is(sha256, createHash('sha256').update(made!.graph!).digest('hex'));
    const adapter: HostedModel = { ...backbone, family: 'adapter', slug: 'adp_1', sha256, graph: null };
    await files.place(adapter);
    const [plain, own] = [await openHosted(backbone, folder), await openHosted(adapter, folder)];
    const asked = [{ values: walk, period: 1 }];
    const [[before], [after]] = [await plain.forecast(asked, HORIZON), await own.forecast(asked, HORIZON)];
    const last = walk.at(-1)!;
    for (const h of [0, HORIZON - 1]) {
      assert.ok(Math.abs(medians(before!)[h]! - last - BIAS) < 0.1);
      assert.ok(Math.abs(medians(after!)[h]! - last) < 0.7 * BIAS, 'half of what was learned, at the least');
    }
    after!.values.forEach((value, i) => assert.ok(i % 9 === 0 || value >= after!.values[i - 1]!));
    await plain.close();
    await own.close();
  });

  test('one that is right is left as it is', async () => {
    const right = await finetune({
      ...{ table: tableOf([walk], HORIZON), backbone: await imported(0), forecast: walkForecast(1) },
      ...{ intensity: 'adapt', horizon: HORIZON, lookback: 256, seed: 1 },
    });
    assert.equal([right.kept, right.why, right.adapter], [false, 'no_gain', null], right.message);
  });

  test('equal tables give equal bytes', async () => {
    const backbone = await imported(BIAS);
    const made = async () =>
      (await foundationTraining(folder)(tableOf([walk], HORIZON), workOf(backbone), () => undefined)).made!
        .graph;
    assert.equal(await made(), await made());
  });
});
