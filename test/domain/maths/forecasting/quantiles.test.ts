import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { LEVELS, medians, normalForecast, stepOf } from '../../../../domain/maths/forecasting/quantiles.js';
import { atLevels, quantileOf } from '../../../../domain/maths/forecasting/tails.js';
import { normalQuantile } from '../../../../domain/maths/statistics/distributions.js';
import { suite } from '../../../suite.js';
import { close } from './close.js';

const nine = fc
  .array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 9, maxLength: 9 })
  .map(values => Float64Array.from(values).sort());
const level = fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true });

suite('quantiles and tails', test => {
  test('normal quantiles are those of scipy 1.x', () => {
    const known = [
      [1e-300, -37.0470962993612],
      [1e-10, -6.361340902404056],
      [0.001, -3.090232306167813],
      [0.025, -1.9599639845400545],
      [0.1, -1.2815515655446004],
      [0.3, -0.5244005127080409],
      [0.5, 0],
      [0.9, 1.2815515655446004],
      [0.975, 1.959963984540054],
    ] as const;
    for (const [p, z] of known) close(normalQuantile(p), z, 1e-13);
    assert.equal([0, 1].map(normalQuantile), [-Infinity, Infinity]);
  });

  test('a normal forecast: its medians, and steps as rows', () => {
    const forecast = normalForecast(Float64Array.of(5, -3), Float64Array.of(2, 0));
    assert.equal([...medians(forecast)], [5, -3]);
    close(stepOf(forecast, 0)[8]!, 5 + 2 * 1.2815515655446004);
    assert.equal([...stepOf(forecast, 1)], new Array(9).fill(-3));
    assert.throws(
      () => medians({ horizon: 1, levels: [0.1, 0.9], values: Float64Array.of(1, 2) }),
      /has no median/,
    );
  });

  test('the given levels give the given values, however they were computed', () =>
    fc.assert(
      fc.property(nine, values => {
        LEVELS.forEach((level, k) => assert.is(quantileOf(values, LEVELS, level), values[k]));
        assert.is(quantileOf(values, LEVELS, (1 - 0.8) / 2), values[0]);
        assert.is(quantileOf(values, LEVELS, 1 - 0.7), values[2]);
      }),
    ));

  test('quantiles at any levels never cross', () =>
    fc.assert(
      fc.property(nine, level, level, (values, a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        const rounding = 1e-9 * Math.max(1, Math.abs(values[0]!), Math.abs(values[8]!));
        assert.ok(quantileOf(values, LEVELS, low) <= quantileOf(values, LEVELS, high) + rounding);
      }),
    ));

  test('a Laplace distribution gets its own tails back', () => {
    const laplace = (p: number): number => (p < 0.5 ? Math.log(2 * p) : -Math.log(2 * (1 - p)));
    const values = Float64Array.from(LEVELS, laplace);
    for (const p of [1e-5, 0.01, 0.05, 0.95, 0.99]) close(quantileOf(values, LEVELS, p), laplace(p), 1e-9);
    close(quantileOf(values, LEVELS, 0.25), (laplace(0.2) + laplace(0.3)) / 2);
  });

  test('where the outer quantiles touch there is no tail', () => {
    const values = Float64Array.of(0, 0, 1, 2, 3, 4, 5, 6, 6);
    assert.equal(
      [1e-9, 0.02, 0.97].map(p => quantileOf(values, LEVELS, p)),
      [0, 0, 6],
    );
  });

  test('a forecast at other levels', () => {
    const forecast = normalForecast(Float64Array.of(0, 10), Float64Array.of(1, 1));
    const other = atLevels(forecast, [0.05, 0.5, 0.95]);
    assert.equal([...medians(other)], [0, 10]);
    assert.is(other.values.length, 6);
    close(other.values[0]! + other.values[2]!, 0);
    for (const wrong of [0, 1, -0.1, NaN])
      assert.throws(() => atLevels(forecast, [wrong]), /lies between 0 and 1/);
  });
});
