import * as assert from 'uvu/assert';
import {
  arima,
  drift,
  ets,
  naive,
  seasonalNaive,
  theta,
  type Baseline,
} from '../../../../domain/maths/forecasting/baselines/index.js';
import { filled } from '../../../../domain/maths/forecasting/baselines/gaps.js';
import { periodOf } from '../../../../domain/maths/forecasting/period.js';
import { suite } from '../../../suite.js';
import { airPassengers, nile, ukGas } from './series.js';
import { expectNormal } from './expect.js';

const all: Record<string, Baseline> = { naive, seasonalNaive, drift, theta, ets, arima };

suite('baselines', test => {
  // naive, snaive, rwf(drift = TRUE) and thetaf of R's forecast 8.20: means and deviations at the first three
  // steps and the last
  test('naive, of R', () => {
    expectNormal(
      naive(airPassengers, 12, 28),
      [432, 432, 432, 432],
      [33.710408, 47.673716, 58.388139, 178.378712392945],
    );
    expectNormal(
      naive(nile, 1, 6),
      [740, 740, 740, 740],
      [167.324641, 236.632776, 289.814779, 409.859990876412],
    );
  });

  test('seasonal naive, of R', () => {
    expectNormal(
      seasonalNaive(airPassengers, 12, 28),
      [417, 391, 419, 461],
      [36.315745, 36.315745, 36.315745, 62.9007154172351],
    );
    expectNormal(
      seasonalNaive(ukGas, 4, 12),
      [1163.9, 613.1, 347.4, 782.8],
      [42.55138, 42.55138, 42.55138, 73.7011513582961],
    );
  });

  test('drift, of R', () => {
    expectNormal(
      drift(airPassengers, 12, 28),
      [434.237762, 436.475524, 438.713287, 494.657342657343],
      [33.872098, 48.06842, 59.074208, 195.316044514132],
    );
    expectNormal(
      drift(nile, 1, 6),
      [736.161616, 732.323232, 728.484848, 716.969696969697],
      [168.978933, 240.164188, 295.592409, 424.133755408262],
    );
  });

  test('theta, of R, whose search for alpha ends a little short of the best', () => {
    expectNormal(
      theta(nile, 1, 6),
      [799.811996, 798.454844, 797.097691, 793.026232639499],
      [144.231759, 148.520398, 152.688626, 164.561055498908],
      1e-4,
    );
    expectNormal(
      theta(airPassengers, 12, 28),
      [440.078191, 428.384281, 489.707099, 506.693226192657],
      null,
      1e-4,
    );
    expectNormal(theta(ukGas, 4, 12), [999.743917, 660.097642, 387.189467, 741.547843828642], null, 1e-4);
  });

  test("the season that multiplies widens theta's bands as it does the values", () => {
    const flat = theta(
      airPassengers.map((x, t) => x / figureOf(t)),
      1,
      12,
    );
    const seasonal = theta(airPassengers, 12, 12);
    for (const step of [0, 6]) {
      const width = (f: typeof flat): number =>
        (f.values[step * 9 + 8]! - f.values[step * 9]!) / f.values[step * 9 + 4]!;
      assert.ok(Math.abs(width(seasonal) / width(flat) - 1) < 0.02, `${width(seasonal)} ${width(flat)}`);
    }
  });

  test('missing values: a naive forecast counts the steps since the last number', () => {
    const silent = Float64Array.of(1, 3, 2, NaN, NaN);
    expectNormal(naive(silent, 1, 2), [2, 2], [Math.sqrt(2.5 * 3), Math.sqrt(2.5 * 4)]);
    // a change of 4 over a gap of two steps counts as 16 / 2
    expectNormal(naive(Float64Array.of(1, NaN, 5), 1, 1), [5], [Math.sqrt(8)]);
    expectNormal(drift(Float64Array.of(NaN, 0, 2, NaN, 6, NaN), 1, 1), [10], [0]);
  });

  test('missing values: each phase goes on from its own last number, or from the last of all', () => {
    const series = Float64Array.of(1, NaN, 30, 2, NaN, 31, 4, NaN, NaN);
    assert.equal(
      [...seasonalNaive(series, 3, 3).values].filter((_, i) => i % 9 === 4),
      [4, 4, 31],
    );
  });

  test('gaps lie on the line between neighbours of the same phase', () => {
    assert.equal([...filled(Float64Array.of(1, 10, NaN, 20, 5, NaN), 2)], [1, 10, 3, 20, 5, 20]);
    assert.equal([...filled(Float64Array.of(NaN, 2, NaN, 4, NaN), 1)], [2, 2, 3, 4, 4]);
    assert.equal([...filled(Float64Array.of(1, NaN, 3, NaN, 5, NaN), 2)], [1, 2, 3, 4, 5, 5]);
  });

  test('short series: all forecast from one number on, without a band where nothing tells its width', () => {
    for (const [name, baseline] of Object.entries(all)) {
      assert.equal([...baseline(Float64Array.of(5), 12, 2).values], new Array(18).fill(5), name);
      assert.ok(baseline(Float64Array.of(5, 7), 12, 3).values.every(Number.isFinite), name);
      const constant = baseline(new Float64Array(40).fill(3), 12, 2).values;
      assert.ok(
        constant.every(value => Math.abs(value - 3) < 1e-9),
        name,
      );
    }
  });

  test('what is no series, period or horizon is refused', () => {
    const wrong: [Float64Array, number, number][] = [
      [new Float64Array(0), 1, 1],
      [Float64Array.of(NaN), 1, 1],
      [nile, 0, 1],
      [nile, 1.5, 1],
      [nile, 1, 0],
      [nile, 1, NaN],
    ];
    for (const [name, baseline] of Object.entries(all)) {
      for (const args of wrong)
        assert.throws(
          () => baseline(...args),
          (error: unknown) => error instanceof RangeError,
          name,
        );
    }
  });

  test('the period to forecast with is that of the season, or 1', () => {
    assert.is(periodOf(airPassengers, { ms: 0, months: 1 }), 12);
    assert.is(periodOf(nile, { ms: 0, months: 12 }), 1);
  });
});

/** decompose(AirPassengers, 'multiplicative')$figure of R. */
const FIGURES = [
  0.910230367, 0.883625321, 1.007366288, 0.975906012, 0.981378027, 1.112775827, 1.226555543, 1.219910969,
  1.060491933, 0.92175724, 0.801178082, 0.89882439,
];
const figureOf = (t: number): number => FIGURES[t % 12]!;
