import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import * as assert from 'uvu/assert';
import { modelFiles } from '../../adapters/models/model-files.js';
import { openTrained } from '../../adapters/forecaster/trained.js';
import { customTraining } from '../../adapters/trainings/custom.js';
import { SESSION_OPTIONS } from '../../adapters/onnx.js';
import { mstl } from '../../domain/maths/forecasting/baselines/index.js';
import { predictQuantiles, readXgboost } from '../../domain/maths/trees/index.js';
import { Rejected } from '../../domain/rejected.js';
import type { AlgorithmName } from '../../domain/models/algorithms.js';
import type { HostedModel } from '../../domain/models/hosted.js';
import type { TrainedModel } from '../../domain/models/trained.js';
import { cutsOf } from '../../domain/trainings/cuts.js';
import type { TrainingTable, TrainingWork } from '../../domain/trainings/ports.js';
import { suite } from '../suite.js';
import { seriesOf, tableOf, weekly } from '../domain/trainings/made-table.js';

const folder = mkdtempSync(join(tmpdir(), 'presage-custom-'));
const workOf = (
  algorithm: AlgorithmName,
  hyperparameters: Readonly<Record<string, unknown>> = {},
  against: HostedModel | null = null,
): TrainingWork => ({
  what: { kind: 'custom', recipe: { algorithm, hyperparameters } },
  ...{ horizon: 7, lookback: null, seed: 1, metric: 'mase', against },
});
const trained = (table: TrainingTable, work: TrainingWork) => customTraining(folder)(table, work, () => {});
const modelOf = async (table: TrainingTable, work: TrainingWork): Promise<TrainedModel> =>
  (await trained(table, work)).made!.model!;

const hosted = (model: TrainedModel): HostedModel => ({
  ...{ family: 'trained', slug: 'trn_1', name: 'x', description: 'x', vendor: 'x', licence: 'x' },
  ...{ commercialUse: true, parameters: 0, tasks: ['forecast'], quantiles: model.levels },
  ...{ maxContext: model.lookback, maxHorizon: model.horizon, covariates: 'none', releasedAt: 0 },
  ...{ paperUrl: null, sha256: 'a'.repeat(64), bytes: 0, inputs: {}, outputs: {}, graph: null },
  ...{ trained: model, benchmarks: null, version: 'a'.repeat(12), recommended: false, listedAt: 0 },
  ...{ deprecatedAt: null, replacement: null },
});

const table = tableOf(
  [1, 2, 3].map(seed => seriesOf(weekly(seed, 140), `s${seed}`)),
  { folds: 3, gap: 1 },
);
/** A walk that a calendar says nothing of, with an input that says what comes. */
const told = weekly(9, 140);
const steered = told.map((value, t) => 5 * value + (t % 2));

/** What is asked of each: by how much it is better than the seasonal naive forecast on a few short series. */
const learning = [
  ['ridge', {}, 0.1],
  ['gradient_boosting', { trees: 60, min_leaf_rows: 10 }, 0],
  ['network', { units: 16, epochs: 20 }, 0.1],
] as const;
for (const [algorithm, given, skill] of learning)
  suite(`a model of windows: ${algorithm}`, test => {
    test('is better than the seasonal naive forecast of weeks with a trend', async () => {
      const { report } = await trained(table, workOf(algorithm, given));
      assert.ok(report.skill! > skill, `skill ${report.skill}`);
      assert.ok(report.metrics.coverage_80! > 0.5, `coverage ${report.metrics.coverage_80}`);
      assert.ok(report.importance.length > 10);
      assert.ok(report.importance[0]!.importance >= report.importance[1]!.importance);
      assert.equal(report.warnings, []);
    });

    test('comes out the same to the byte', async () => {
      const [once, again] = [
        await trained(table, workOf(algorithm, given)),
        await trained(table, workOf(algorithm, given)),
      ];
      assert.is(JSON.stringify(once), JSON.stringify(again));
    });

    test('is judged on what it was not fitted to', async () => {
      const changed = table.series.map(({ entity, columns: [target] }) =>
        seriesOf(
          target!.map((value, t) => (t >= 118 ? value * 3 : value)),
          entity,
        ),
      );
      const meansOf = async (of: TrainingTable) =>
        (await trained(of, workOf(algorithm, given))).report.backtest.points
          .filter(({ fold }) => fold === 0)
          .map(({ mean }) => mean);
      // The first fold trains up to step 118
      assert.equal(await meansOf({ ...table, series: changed }), await meansOf(table));
    });

    test('is served as it was judged, from what is kept of it', async () => {
      const [, , last] = table.folds;
      const before = { ...table, folds: [{ ...last!, train: { ...last!.train, to: last!.test.from } }] };
      const { report } = await trained(before, workOf(algorithm, given));
      const known = before.series.map(each => seriesOf(each.columns[0]!.subarray(0, 133), each.entity));
      const { model, graph } = (await trained({ ...before, series: known }, workOf(algorithm, given))).made!;
      const kept = JSON.parse(JSON.stringify(model)) as TrainedModel;
      const [cut] = cutsOf(before, before.folds[0]!, { horizon: 7, lookback: kept.lookback, period: 7 });
      const { forecast, close } = await openTrained(kept, graph ?? new Uint8Array());
      const values = await forecast(cut!.series, 7);
      await close();
      const { levels } = kept;
      const medians = Array.from({ length: 7 }, (_, h) => values[h * levels.length + levels.indexOf(0.5)]!);
      assert.equal(
        medians,
        report.backtest.points.filter(({ entity }) => entity === 's1').map(({ mean }) => mean),
      );
    });

    test('reads inputs when it is told to, those that are known ahead at the step ahead', async () => {
      const columns = [{ name: 'price', role: 'known_future' }] as const;
      const leading = tableOf([seriesOf(steered, null, [told])], { columns });
      const without = await trained(leading, workOf(algorithm, { ...given, calendar: false, lags: 2 }));
      const read = await trained(
        leading,
        workOf(algorithm, { ...given, calendar: false, lags: 2, inputs: true }),
      );
      assert.equal(read.made!.model!.covariates, ['price']);
      assert.equal(without.made!.model!.covariates, []);
      assert.ok(read.report.score! < 0.5 * without.report.score!);
      assert.ok(read.report.importance.some(({ feature, kind }) => feature === 'price' && kind === 'input'));
    });
  });

suite('MSTL with ETS', test => {
  test('is trained, and forecasts with the period that it is given', async () => {
    const { report, made } = await trained(table, workOf('mstl_ets', { period: 7 }));
    assert.ok(report.skill! > 0, `skill ${report.skill}`);
    const { forecast, close } = await openTrained(made!.model!, new Uint8Array());
    const values = weekly(4, 90);
    assert.equal(await forecast({ values, period: 1 }, 7), mstl(values, 7, 7).values);
    await close();
  });
});

suite('boosted trees', test => {
  test('are downloaded as a file of XGBoost, which predicts what the one that serves does', async () => {
    const { graph, download } = (await trained(table, workOf('gradient_boosting', { trees: 20 }))).made!;
    assert.is(download!.format, 'xgboost_json');
    const { models } = readXgboost(JSON.parse(Buffer.from(download!.bytes).toString()));
    const { features } = models[0]!;
    const session = await InferenceSession.create(graph!, SESSION_OPTIONS);
    const row = Float32Array.from({ length: features }, (_, j) => Math.sin(j));
    const { y } = await session.run({ x: new Tensor('float32', row, [1, features]) });
    await session.release();
    const columns = Array.from(row, x => Float64Array.of(x));
    predictQuantiles({ levels: [], models }, columns).forEach((value, k) =>
      assert.ok(Math.abs(value - (y!.data as Float32Array)[k]!) < 1e-5),
    );
  });

  test('name the features where a monotone one is none', async () => {
    const work = workOf('gradient_boosting', { trees: 10, monotone: { price: 1 } });
    const error = (await trained(table, work).catch((reason: unknown) => reason)) as Rejected;
    assert.instance(error, Rejected);
    assert.is(error.code, 'unknown_feature');
    assert.match(error.message, /hyperparameters.monotone names price.*season_1, season_2/);
  });

  test('do not fall where they must not', async () => {
    const columns = [{ name: 'price', role: 'known_future' }] as const;
    const leading = tableOf([seriesOf(steered, null, [told])], { columns });
    const given = { calendar: false, inputs: true, trees: 40, monotone: { price: 1, price_change: 1 } };
    const { model, graph } = (await trained(leading, workOf('gradient_boosting', given))).made!;
    const { forecast, close } = await openTrained(model!, graph!);
    const priced = async (price: number): Promise<Float64Array> =>
      forecast(
        {
          values: steered,
          period: 7,
          covariates: { price: Float64Array.from([...told, ...Array(7).fill(price)]) },
        },
        7,
      );
    const forecasts: Float64Array[] = [];
    for (let price = 120; price <= 300; price += 20) forecasts.push(await priced(price));
    await close();
    forecasts
      .slice(1)
      .forEach((values, i) => values.forEach((value, k) => assert.ok(value >= forecasts[i]![k]!)));
    assert.ok(forecasts.at(-1)![2]! > forecasts[0]![2]!);
  });
});

suite('a candidate beside what serves', test => {
  const place = async (model: TrainedModel): Promise<HostedModel> => {
    const made = hosted(model);
    await modelFiles(folder, null).place(made);
    return made;
  };

  test('is compared on the same folds, by the same metric', async () => {
    const serving = await place(await modelOf(table, workOf('naive')));
    const { comparison, report } = await trained(table, workOf('ridge', {}, serving));
    const naive = await trained(table, workOf('naive'));
    assert.is(comparison!.score, report.score);
    assert.is(comparison!.against, naive.report.score);
    assert.ok(comparison!.interval[0] > 0);
    const ridge = await place(await modelOf(table, workOf('ridge')));
    const worse = await trained(table, workOf('naive', {}, ridge));
    assert.ok(worse.comparison!.improvement < 0);
    assert.ok(worse.comparison!.interval[0] < 0);
  });

  test('is not compared with what cannot forecast as far or lacks a column, and says so', async () => {
    const model = await modelOf(table, workOf('ridge'));
    const lacking = { ...model, covariates: ['price'], plan: { ...Object(model.plan) } };
    lacking.plan.window = {
      ...lacking.plan.window,
      inputs: [{ name: 'price', known: 'ahead', missing: null }],
    };
    const { comparison, report } = await trained(table, workOf('naive', {}, await place(lacking)));
    assert.is(comparison, null);
    assert.ok(report.warnings.includes('serving_not_judged'));
  });
});
