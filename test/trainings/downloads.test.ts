import { InferenceSession, Tensor } from 'onnxruntime-node';
import * as assert from 'uvu/assert';
import { SESSION_OPTIONS } from '../../adapters/onnx.js';
import { customTraining } from '../../adapters/trainings/custom.js';
import {
  frozenArima,
  frozenEts,
  frozenMstl,
  frozenTheta,
} from '../../domain/maths/forecasting/baselines/index.js';
import type { AlgorithmName } from '../../domain/models/algorithms.js';
import { forecastTrained, type WindowedPlan } from '../../domain/models/forecast-trained.js';
import { quantilesAt } from '../../domain/models/windowed/ridge.js';
import { localModelOf } from '../../domain/trainings/custom/local.js';
import { inputsOf } from '../../domain/trainings/custom/local-inputs.js';
import { localOnnx } from '../../domain/trainings/custom/local-onnx.js';
import type { TrainingTable } from '../../domain/trainings/ports.js';
import { seriesOf, tableOf, weekly } from '../domain/trainings/made-table.js';
import { suite } from '../suite.js';

const trained = async (table: TrainingTable, algorithm: AlgorithmName) =>
  customTraining('')(
    table,
    {
      what: { kind: 'custom', recipe: { algorithm, hyperparameters: {} } },
      ...{ horizon: 7, lookback: null, seed: 1, metric: 'mase', against: null },
    },
    () => {},
  );
const near = (found: number, expected: number, what: string, within = 2e-5): void =>
  assert.ok(Math.abs(found - expected) <= within * Math.max(1, Math.abs(expected)), `${what}: ${found}`);

/** What a file answers to rows of numbers. */
async function answered(bytes: Uint8Array, rows: readonly Float64Array[]): Promise<Float32Array> {
  const session = await InferenceSession.create(bytes, SESSION_OPTIONS);
  const flat = Float32Array.from(rows.flatMap(row => [...row]));
  const { y } = await session.run({ x: new Tensor('float32', flat, [rows.length, rows[0]!.length]) });
  await session.release();
  return y!.data as Float32Array;
}

const signed = (seed: number): Float64Array => weekly(seed, 100).map(value => value - 210);
const table = tableOf([seriesOf(signed(1), 'a'), seriesOf(signed(2), 'b')], { folds: 1 });
const INPUTS = 32;
const newest = (values: Float64Array): Float64Array => values.subarray(-INPUTS);

suite('files of models that are fitted to each series', test => {
  for (const algorithm of ['naive', 'drift', 'seasonal_naive', 'theta', 'ets', 'arima', 'mstl_ets'] as const)
    test(`${algorithm} answers for the table's own values what serving answers`, async () => {
      const { made, report } = await trained(table, algorithm);
      assert.not.ok(report.warnings.includes('not_exportable'));
      assert.is(made!.download!.format, 'onnx');
      const targets = table.series.map(({ columns }) => columns[0]!);
      const found = await answered(made!.download!.bytes, targets.map(newest));
      const served = await Promise.all(
        targets.map(values => forecastTrained(made!.model!, { values, period: 7 }, 7, null)),
      );
      served
        .flatMap(({ values }) => [...values])
        .forEach((value, i) => near(found[i]!, value, `${algorithm} ${i}`));
      assert.is(found.length, 2 * 7 * 9);
    });

  const freezing = { theta: frozenTheta, ets: frozenEts, arima: frozenArima, mstl_ets: frozenMstl };
  for (const algorithm of ['theta', 'ets', 'arima', 'mstl_ets'] as const)
    test(`${algorithm} follows other values with what was fitted`, async () => {
      const one = { ...table, series: [table.series[0]!] };
      const [own] = one.series[0]!.columns;
      const changed = own!.map((value, t) => (t >= 70 ? value + 10 * Math.sin(t) : value));
      const bytes = (await trained(one, algorithm)).made!.download!.bytes;
      const found = await answered(bytes, [newest(changed)]);
      const medians = freezing[algorithm](own!, 7, 7).medians(changed);
      medians.forEach((median, h) => near(found[h * 9 + 4]!, median, `step ${h + 1}`));
      assert.not.equal([...medians], [...freezing[algorithm](own!, 7, 7).medians(own!)]);
    });

  test('ETS with a season that multiplies does both, beside series without one', async () => {
    const week = [1, 2, 0.5, 1.5, 3, 0.2, 0.8];
    const noise = weekly(3, 140);
    const growing = noise.map((value, t) => (20 + t) * week[t % 7]! * (1 + (value % 1) / 20));
    const [first, last] = [weekly(1, 101).map(value => value - 210), growing.map(value => 5 + 2 * value)];
    const all = [first, growing, last];
    const { made, report } = await trained(
      tableOf(
        all.map((values, i) => seriesOf(values, String(i))),
        { folds: 1 },
      ),
      'ets',
    );
    assert.not.ok(report.warnings.includes('not_exportable'));
    const frozen = all.map(values => frozenEts(values, 7, 7));
    assert.equal(
      frozen.map(({ smoothing }) => smoothing !== null),
      [false, true, true],
    );
    const bytes = made!.download!.bytes;
    const found = await answered(bytes, all.map(newest));
    const served = await Promise.all(
      all.map(values => forecastTrained(made!.model!, { values, period: 7 }, 7, null)),
    );
    served
      .flatMap(({ values }) => [...values])
      .forEach((value, i) => near(found[i]!, value, `value ${i}`, 1e-6));
    const others = all.map((values, s) =>
      values.map((value, t) => (t >= values.length - 30 ? value * (1 + 0.2 * Math.sin(t + s)) : value)),
    );
    const followed = await answered(bytes, others.map(newest));
    for (const [s, { medians }] of frozen.entries()) {
      const [before, after] = [medians(all[s]!), medians(others[s]!)];
      after.forEach((median, h) => near(followed[(s * 7 + h) * 9 + 4]!, median, `${s}, step ${h + 1}`));
      assert.not.equal([...before], [...after]);
    }
  });

  test('a table too large for all of them has fewer of the newest values as inputs', async () => {
    const [length, horizon] = [40, 60];
    const many = Array.from({ length: 5_000 }, (_, i) => Float64Array.from({ length }, (_, t) => i + t));
    const model = localModelOf({
      recipe: { algorithm: 'naive', hyperparameters: {} },
      ...{ horizon, lookback: null },
    });
    const bytes = localOnnx(model, tableOf(many.map(values => seriesOf(values))), 1)!;
    assert.ok(bytes.length < 45_000_000, `${bytes.length} bytes`);
    const inputs = Math.floor((2_000 - 2 * horizon) / (horizon + 1));
    const found = await answered(
      bytes,
      many.map(values => values.subarray(-inputs)),
    );
    for (const i of [0, 1, 4_999]) assert.is(found[(i * horizon + 59) * 9 + 4], i + length - 1);
  });

  test('more series and steps than 40 MB hold answers for are a file, too', async () => {
    const [horizon, inputs] = [400, 6];
    const many = Array.from({ length: 3_000 }, (_, i) => Float64Array.of(i, i + 3, i, i + 3, i, i + 3, i));
    const model = localModelOf({
      recipe: { algorithm: 'naive', hyperparameters: {} },
      ...{ horizon, lookback: null },
    });
    const bytes = localOnnx(model, tableOf(many.map(values => seriesOf(values))), 1)!;
    assert.ok(bytes.length < 41_000_000, `${bytes.length} bytes`);
    const found = await answered(
      bytes,
      many.map(values => values.subarray(-inputs)),
    );
    for (const i of [0, 1, 2_999]) {
      const served = await forecastTrained(model, { values: many[i]!, period: 1 }, horizon, null);
      served.values.forEach((value, k) => near(found[i * horizon * 9 + k]!, value, `${i}, ${k}`));
    }
  });

  test('what is kept of seasons that may multiply is in these 40 MB, too', async () => {
    const week = [1, 2, 0.5, 1.5, 3, 0.2, 0.8];
    const growing = Float64Array.from({ length: 60 }, (_, t) => (20 + t + Math.sin(t * t)) * week[t % 7]!);
    const file = async (count: number) => {
      const all = Array.from({ length: count }, (_, i) => seriesOf(growing, String(i)));
      return (await trained(tableOf(all, { folds: 1 }), 'ets')).made!.download!.bytes.length;
    };
    const [one, four] = [await file(1), await file(4)];
    const inputs = inputsOf([growing], 7, { horizon: 7, algorithm: 'ets' });
    near((four - one) / 3 / 4, inputs * 8 + 6 * 7 + 4 * 7 + 28, 'numbers of a series', 0.01);

    const [windows, horizon] = [new Array<Float64Array>(25_000).fill(new Float64Array(48)), 6];
    const ofSeries = (period: number, algorithm: 'ets' | 'theta') =>
      inputsOf(windows, period, { horizon, algorithm });
    const fits = (numbers: number, inputs: number): boolean => inputs * (horizon + 1) + numbers <= 400;
    assert.is(ofSeries(24, 'ets'), 34);
    assert.ok(fits(6 * horizon + 4 * 24 + 28, 34));
    assert.not.ok(fits(6 * horizon + 4 * 24 + 28, 35));
    assert.equal([ofSeries(168, 'ets'), ofSeries(24, 'theta')], [48, 48]);
  });

  test('with one value of each series the file may have three times as many numbers', () => {
    const of = (series: number) => {
      const model = localModelOf({
        recipe: { algorithm: 'drift', hyperparameters: {} },
        ...{ horizon: 10_000, lookback: null },
      });
      const all = Array.from({ length: series }, (_, i) => seriesOf(Float64Array.of(i, i + 3, i + 2)));
      return localOnnx(model, tableOf(all), 1);
    };
    assert.is(Math.floor(of(400)!.length / 1e6), 48);
    assert.is(of(1_000), null);
  });
});

suite('the file of a ridge', test => {
  test('answers rows of features as serving does', async () => {
    const { made } = await trained(table, 'ridge');
    const { linear } = made!.model!.plan as WindowedPlan;
    const width = linear!.steps[0]!.weights.length;
    const rows = linear!.steps.map((_, h) =>
      Float64Array.from({ length: width }, (_, j) => Math.sin(h + 3 * j)),
    );
    const found = await answered(made!.download!.bytes, rows);
    rows
      .flatMap((row, h) => quantilesAt(linear!, h + 1, row))
      .forEach((value, i) => near(found[i]!, value, `${i}`));
  });
});
