import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { openFamily, type Family } from '../../adapters/forecaster/family.js';
import { modelFiles } from '../../adapters/models/model-files.js';
import { ets, seasonalNaive } from '../../domain/maths/forecasting/baselines/index.js';
import { LEVELS } from '../../domain/maths/forecasting/quantiles.js';
import type { HostedModel } from '../../domain/models/hosted.js';
import type { TrainedModel } from '../../domain/models/trained.js';
import { hosted } from '../domain/deployments-given.js';
import { suite } from '../suite.js';
import { never } from './forecaster-family.js';

const values = Float64Array.from({ length: 120 }, (_, i) => 50 + (i % 12) + Math.sin(i) + i / 10);

const trained = (slug: string, over: Partial<TrainedModel>): HostedModel => {
  const model: TrainedModel = {
    ...{ schema: 1, algorithm: 'ets', lookback: 96, horizon: 6, levels: LEVELS, readsTimes: false },
    ...{ covariates: [], hasGraph: false, plan: {} },
    ...over,
  };
  return hosted({
    ...{ family: 'trained', slug, trained: model, graph: null, quantiles: model.levels },
    ...{ maxContext: model.lookback, maxHorizon: model.horizon, tasks: ['forecast'] },
    sha256: createHash('sha256').update(JSON.stringify(model)).digest('hex'),
  });
};

suite('trained models behind the workers', test => {
  let dir = '';
  let family: Family;
  test.before(() => {
    dir = mkdtempSync(join(tmpdir(), 'trained-'));
    mkdirSync(join(dir, 'models'));
    family = openFamily({ threads: 1, dir: join(dir, 'models'), slugs: [] });
  });
  test.after(async () => {
    await family.close();
    rmSync(dir, { recursive: true });
  });
  const files = () => modelFiles(join(dir, 'models'), null);
  const asked = async (model: HostedModel, horizon: number) => {
    const forecaster = family.within(await files().place(model), work => work())!;
    const [made] = await forecaster.forecast([{ values, period: 12 }], horizon, never);
    return made!.quantiles;
  };

  test('one without a graph needs no file: it answers what its method makes', async () => {
    const made = await asked(trained('trn_a', {}), 4);
    assert.equal(made, ets(values.subarray(-96), 12, 4));
  });

  test('its own season goes before that of the series', async () => {
    const model = trained('trn_b', { algorithm: 'seasonal_naive', plan: { period: 7 } });
    assert.equal(await asked(model, 6), seasonalNaive(values.subarray(-96), 7, 6));
  });

  test('a horizon above its own is refused', async () => {
    const error = await asked(trained('trn_c', {}), 7).catch((thrown: Error) => thrown);
    assert.match((error as Error).message, /from 1 to 6/);
  });

  test('one with a graph whose file is gone says so', async () => {
    const model = trained('trn_d', { hasGraph: true });
    const error = await files()
      .place(model)
      .catch((thrown: Error) => thrown);
    assert.match((error as Error).message, /trained\/trn_d, is missing/);
    writeFileSync(join(dir, 'models', `${model.sha256}.onnx`), 'another file');
    const other = await files()
      .place(model)
      .catch((thrown: Error) => thrown);
    assert.match((other as Error).message, /is not the one/);
  });
});
