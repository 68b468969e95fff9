import { InferenceSession, Tensor } from 'onnxruntime-node';
import * as assert from 'uvu/assert';
import { SESSION_OPTIONS } from '../../../../../adapters/onnx.js';
import {
  DEFAULT_NETWORK,
  fitNetwork,
  networkOnnx,
  predictNetwork,
  type NetworkOptions,
  type Rows,
} from '../../../../../domain/maths/forecasting/network/index.js';
import { fillGradient, meanLoss } from '../../../../../domain/maths/forecasting/network/gradient.js';
import { seeded } from '../../../../../domain/maths/seeded.js';
import { suite } from '../../../../suite.js';
import { normals } from '../toys.js';
import { parted, pinball, tables, type Table } from '../../trees/tables.js';

const LEVELS = [0.1, 0.5, 0.9];
const rowsOf = ({ columns, target }: Omit<Table, 'heldOut'>): Rows => ({
  rows: Array.from(target, (_, i) => Float64Array.from(columns, column => column[i]!)),
  targets: Array.from(target, y => Float64Array.of(y)),
});
const { training, test: heldOut } = parted(tables['friedman']!);
const learnt = rowsOf(training);
const validation = rowsOf(heldOut);
const fast: NetworkOptions = { ...DEFAULT_NETWORK, units: 8, epochs: 3 };

/** Windows of a wave and the steps after them, some of them unknown. */
function waves(count: number): Rows {
  const next = normals(5);
  const value = (t: number): number => 10 * Math.sin(t / 3) + next();
  const series = Float64Array.from({ length: count + 16 }, (_, t) => value(t));
  const at = (i: number, from: number, to: number): Float64Array => series.slice(i + from, i + to);
  return {
    rows: Array.from({ length: count }, (_, i) => at(i, 0, 12)),
    targets: Array.from({ length: count }, (_, i) =>
      at(i, 12, 16).map((y, h) => ((i + h) % 9 === 0 ? NaN : y)),
    ),
  };
}

suite('the network', test => {
  test('its gradient is that of finite differences', () => {
    const { rows, targets } = waves(6);
    const next = normals(1);
    const shape = {
      width: 12,
      units: 5,
      steps: 4,
      levels: LEVELS,
      means: rows[0]!.map(() => 0),
      scales: rows[0]!.map(() => 1),
    };
    const plain = { ...shape, means: [...shape.means], scales: [...shape.scales] };
    const weights = {
      hidden: Float64Array.from({ length: 5 * 13 }, () => next() / 4),
      out: Float64Array.from({ length: 12 * 18 }, () => next() / 4),
    };
    const gradient = { hidden: weights.hidden.slice(), out: weights.out.slice() };
    const loss = fillGradient(gradient, plain, weights, { rows, targets }, Int32Array.from(rows.keys()));
    assert.ok(Math.abs(loss - meanLoss(plain, weights, { rows, targets })) < 1e-12);
    for (const part of ['hidden', 'out'] as const)
      for (const i of weights[part].keys()) {
        const at = (move: number): number => {
          const moved = { ...weights, [part]: weights[part].map((w, j) => (i === j ? w + move : w)) };
          return meanLoss(plain, moved, { rows, targets });
        };
        const slope = (at(1e-6) - at(-1e-6)) / 2e-6;
        assert.ok(
          Math.abs(slope - gradient[part][i]!) < 1e-6,
          `${part} ${i}: ${gradient[part][i]} is ${slope}`,
        );
      }
  });

  test('without hidden units it comes to quantile regression, by its loss', () => {
    // statsmodels 0.15.0, QuantReg on the same rows (quantile_regression.py)
    const known = [0.4957477965698301, 1.0260695340781354, 0.42704935459143756];
    const options: NetworkOptions = {
      ...DEFAULT_NETWORK,
      units: 0,
      epochs: 120,
      decay: 0,
      learningRate: 5e-3,
    };
    const { network } = fitNetwork(learnt, LEVELS, options, { random: seeded(1) });
    const values = predictNetwork(network, learnt.rows);
    LEVELS.forEach((level, k) => {
      const loss = pinball(
        level,
        training.target,
        values.filter((_, i) => i % 3 === k),
      );
      assert.ok(loss < 1.0005 * known[k]!, `${loss} at ${level}`);
    });
  });

  test('with them it learns what is not linear', () => {
    const held = (units: number): number => {
      const options: NetworkOptions = { ...DEFAULT_NETWORK, units, epochs: 100 };
      const { network } = fitNetwork(learnt, [0.5], options, { random: seeded(1), validation });
      return pinball(0.5, heldOut.target, predictNetwork(network, validation.rows));
    };
    assert.ok(held(48) < 0.6 * held(0));
  });

  test('onnxruntime predicts the same, of windows and all their steps', async () => {
    const wave = waves(300);
    for (const units of [0, 16]) {
      const { network } = fitNetwork(wave, LEVELS, { ...fast, units }, { random: seeded(2) });
      const ours = predictNetwork(network, wave.rows);
      const session = await InferenceSession.create(networkOnnx(network), SESSION_OPTIONS);
      const x = Float32Array.from(wave.rows.flatMap(row => [...row]));
      const { y } = await session.run({ x: new Tensor('float32', x, [300, 12]) });
      await session.release();
      assert.equal(y!.dims, [300, 12]);
      (y!.data as Float32Array).forEach((value, i) =>
        assert.ok(Math.abs(value - ours[i]!) < 1e-5 * 12, `${value} is ${ours[i]}`),
      );
      for (let i = 0; i < ours.length; i += 3)
        assert.ok(ours[i]! <= ours[i + 1]! && ours[i + 1]! <= ours[i + 2]!);
    }
  });

  test('a wave is forecast to its noise, also from targets with gaps', () => {
    const wave = waves(600);
    const part = (from: number, to: number): Rows => ({
      rows: wave.rows.slice(from, to),
      targets: wave.targets.slice(from, to),
    });
    const { network, progress } = fitNetwork(part(0, 400), [0.5], DEFAULT_NETWORK, {
      random: seeded(3),
      validation: part(420, 500),
    });
    const rest = part(520, 600);
    const values = predictNetwork(network, rest.rows);
    let [sum, count] = [0, 0];
    rest.targets.forEach((target, i) =>
      target.forEach((y, h) => {
        if (Number.isNaN(y)) return;
        sum += Math.abs(y - values[4 * i + h]!);
        count++;
      }),
    );
    // The mean size of the noise itself is 0.8
    assert.ok(sum / count < 1.15, `${sum / count}`);
    assert.ok(Math.min(...progress.map(({ validationLoss }) => validationLoss!)) < 0.58);
  });

  test('the same draws give the same bits, and units of the target do not matter', () => {
    const of = (by: number): Float64Array => {
      const wave = waves(120);
      const targets = wave.targets.map(target => target.map(y => y * by));
      const { network } = fitNetwork({ ...wave, targets }, LEVELS, fast, { random: seeded(4) });
      return predictNetwork(network, wave.rows);
    };
    assert.equal(of(1), of(1));
    const far = of(1024 * 1024);
    of(1).forEach((value, i) => assert.ok(Math.abs(far[i]! / 2 ** 20 - value) < 1e-6));
  });

  test('it ends when the validation loss no longer falls, or whoever watches says so', () => {
    const options: NetworkOptions = {
      ...DEFAULT_NETWORK,
      units: 64,
      epochs: 400,
      patience: 5,
      learningRate: 0.02,
    };
    const wave = waves(200);
    const held = { rows: wave.rows.slice(150), targets: wave.targets.slice(150) };
    const { progress } = fitNetwork(wave, LEVELS, options, { random: seeded(5), validation: held });
    const seen = progress.map(({ validationLoss }) => validationLoss!);
    const best = seen.indexOf(Math.min(...seen));
    if (progress.length < 400) assert.is(progress.length, best + 1 + 5);
    const watched = fitNetwork(wave, LEVELS, options, {
      random: seeded(5),
      onEpoch: ({ epochs }) => epochs < 2,
    });
    assert.is(watched.progress.length, 2);
  });

  test('what cannot be learnt from is refused by name', () => {
    const refused = (rows: Rows, words: RegExp, options = fast): void =>
      assert.throws(() => fitNetwork(rows, LEVELS, options, { random: seeded(1) }), words);
    const one = Float64Array.of(1);
    refused({ rows: [], targets: [] }, /one or more/);
    refused({ rows: [one], targets: [] }, /as many targets as rows/);
    refused({ rows: [one, Float64Array.of(NaN)], targets: [one, one] }, /row 1 must hold finite numbers/);
    refused({ rows: [one, Float64Array.of(1, 2)], targets: [one, one] }, /row 1 has 2 inputs, not 1/);
    refused({ rows: [one, one], targets: [one, Float64Array.of(1, 2)] }, /target 1 has 2 steps, not 1/);
    refused({ rows: [one], targets: [Float64Array.of(Infinity)] }, /target 0/);
    refused({ rows: [one], targets: [one] }, /units must be a whole number from 0 to 1024, not 1.5/, {
      ...fast,
      units: 1.5,
    });
    const { network } = fitNetwork({ rows: [one], targets: [one] }, LEVELS, fast, { random: seeded(1) });
    assert.throws(() => predictNetwork(network, [Float64Array.of(1, 2)]), /row 0 has 2 inputs, not 1/);
  });
});
