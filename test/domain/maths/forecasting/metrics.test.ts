import fc from 'fast-check';
import * as assert from 'uvu/assert';
import {
  coverage,
  crps,
  crpsOfSample,
  mase,
  meanIntervalScore,
  relativeTo,
  rmsse,
  scaledWql,
  seasonalScale,
  smape,
  squaredChange,
  wql,
} from '../../../../domain/maths/forecasting/metrics/index.js';
import {
  LEVELS,
  medians,
  normalForecast,
  type QuantileForecast,
} from '../../../../domain/maths/forecasting/quantiles.js';
import { suite } from '../../../suite.js';
import { close } from './close.js';
import { airPassengers } from './series.js';

const history = airPassengers.slice(0, 132);
const actual = airPassengers.slice(132);

/** The year before and 30 more, quantiles 5 apart at first and wider by a tenth with each month. */
const forecast: QuantileForecast = {
  horizon: 12,
  levels: LEVELS,
  values: Float64Array.from({ length: 12 * 9 }, (_, i) => {
    const step = Math.floor(i / 9);
    return history[120 + step]! + 30 + ((i % 9) - 4) * 5 * (1 + 0.1 * step);
  }),
};
const finite = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const many = fc.array(finite, { minLength: 1, maxLength: 30 });

suite('forecast metrics', test => {
  test('are those of utilsforecast 0.2.17 on AirPassengers', () => {
    const scale = seasonalScale(history, 12);
    const points = medians(forecast);
    close(mase(actual, points, scale), 0.7060755336617406);
    close(smape(actual, points), 4.533433561198167);
    close(rmsse(actual, points, squaredChange(history)), 0.7826502660183042);
    close(crps(actual, forecast), 16.388888888888893); // twice its mqloss
    close(wql([{ actual, forecast }]), 0.03441838758604597); // its scaled_crps
    close(scaledWql(actual, forecast, scale), 16.388888888888893 / scale);
    close(coverage(actual, forecast), 8 / 12);
  });

  test('mean interval score, by its definition in numpy', () =>
    close(meanIntervalScore(actual, forecast), 87.83333333333333));

  test('the CRPS of a sample is that of properscoring 0.1', () => {
    const sample = Float64Array.of(3.1, -0.4, 2.2, 7.5, 0.9, 2.2, -1.8);
    const scores = [
      [1.5, 0.6367346938775509],
      [-5, 5.479591836734693],
      [12, 8.56530612244898],
      [2.2, 0.5367346938775512],
    ] as const;
    for (const [y, score] of scores) close(crpsOfSample(y, sample), score);
    assert.ok(Number.isNaN(crpsOfSample(NaN, sample)));
  });

  test("the CRPS of a sample is E|X - y| - E|X - X'| / 2", () =>
    fc.assert(
      fc.property(many, finite, (sample, y) => {
        const mean = (values: number[]): number => values.reduce((sum, x) => sum + x, 0) / values.length;
        const apart = mean(sample.flatMap(a => sample.map(b => Math.abs(a - b))));
        close(
          crpsOfSample(y, Float64Array.from(sample)),
          mean(sample.map(x => Math.abs(x - y))) - apart / 2,
          1e-6,
        );
      }),
    ));

  test('nine quantiles overstate the CRPS of a normal forecast by 9.4%', () => {
    // E crps of the standard normal under itself is 1 / sqrt(pi); actuals at the middles of 4,000 equally
    // likely parts
    const parts = normalSample(4_000);
    const one = normalForecast(Float64Array.of(0), Float64Array.of(1));
    const mean = parts.reduce((sum, y) => sum + crps(Float64Array.of(y), one), 0) / parts.length;
    close(mean * Math.sqrt(Math.PI), 1.0941, 2e-4);
  });

  test('missing actuals are left out, of points and of quantiles', () => {
    const gappy = actual.with(3, NaN);
    const without = (values: Float64Array, width: number): Float64Array =>
      values.filter((_, i) => Math.floor(i / width) !== 3);
    const short = { horizon: 11, levels: LEVELS, values: without(forecast.values, 9) };
    const rest = without(actual, 1);
    assert.is(mase(gappy, medians(forecast), 10), mase(rest, medians(short), 10));
    assert.is(wql([{ actual: gappy, forecast }]), wql([{ actual: rest, forecast: short }]));
    assert.is(coverage(gappy, forecast), coverage(rest, short));
    assert.is(meanIntervalScore(gappy, forecast, 0.6), meanIntervalScore(rest, short, 0.6));
  });

  test('nothing known and nothing to scale by give NaN', () => {
    const none = new Float64Array(12).fill(NaN);
    const points = medians(forecast);
    for (const metric of [
      mase(none, points, 1),
      smape(none, points),
      crps(none, forecast),
      coverage(none, forecast),
      wql([{ actual: none, forecast }]),
      mase(actual, points, 0),
      scaledWql(actual, forecast, NaN),
      rmsse(actual, points, squaredChange(none)),
    ])
      assert.ok(Number.isNaN(metric));
    assert.ok(Number.isNaN(seasonalScale(new Float64Array(50).fill(7), 12)));
    assert.ok(
      Number.isNaN(mase(actual, new Float64Array(12).fill(NaN), 1)),
      'who does not forecast is not helped',
    );
    const blind = { ...forecast, values: forecast.values.map(() => NaN) };
    for (const metric of [crps, coverage, meanIntervalScore])
      assert.ok(Number.isNaN(metric(actual, blind)), 'neither by quantiles');
    assert.throws(() => mase(actual, points.slice(1), 1), /12 actuals for a forecast of 11 steps/);
  });

  test('the scale goes down to the naive one for a short history and for a season without error', () => {
    assert.is(seasonalScale(Float64Array.of(1, 2, 4, 8, 16), 3), 15 / 4);
    assert.is(seasonalScale(Float64Array.of(1, 2, 1, 2, 1, 2, 1, 2), 2), 1);
    assert.is(seasonalScale(Float64Array.of(1, NaN, 4, 5, NaN, 9), 2), 3.5);
  });

  test('symmetric percentage errors: none where both are 0, at most 200', () =>
    fc.assert(
      fc.property(many, many, (y, f) => {
        const n = Math.min(y.length, f.length);
        const value = smape(Float64Array.from(y.slice(0, n)), Float64Array.from(f.slice(0, n)));
        assert.ok(value >= 0 && value <= 200 + 1e-9);
        assert.is(smape(new Float64Array(3), new Float64Array(3)), 0);
      }),
    ));

  test('relative: the geometric mean of ratios, with 0.001 added and cut to e^3', () => {
    close(relativeTo([1, 1], [0.5, 2]), 1, 2e-3);
    close(relativeTo([0.999, 1.999, NaN, 1], [1.999, 0.999, 1, NaN]), 1);
    close(relativeTo([1], [1e9]), Math.exp(3));
    close(relativeTo([1], [0]), Math.exp(-3));
    assert.is(relativeTo([0], [0]), 1);
    assert.ok(Number.isNaN(relativeTo([NaN], [1])));
    assert.throws(() => relativeTo([1], []), /a score for each/);
  });

  test('the naive forecast of a random walk has MASE 1 against its own steps', () => {
    const walk = airPassengers;
    const steps = walk.slice(1);
    const scale = seasonalScale(walk, 1);
    close(mase(steps, walk.slice(0, -1), scale), 1);
  });
});

function normalSample(size: number): number[] {
  return Array.from({ length: size }, (_, i) => quantileByBisection((i + 0.5) / size));
}

/** The normal quantile by bisection on an integral, apart from the code under test. */
function quantileByBisection(p: number): number {
  let low = -6;
  let high = 6;
  for (let i = 0; i < 40; i++) {
    const middle = (low + high) / 2;
    if (lowerTail(middle) < p) low = middle;
    else high = middle;
  }
  return low;
}

/** P(Z < z), Zelen and Severo 1964 (Abramowitz and Stegun 26.2.17), to 7.5e-8. */
function lowerTail(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const tail =
    (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI))
    * t
    * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  return z < 0 ? tail : 1 - tail;
}
