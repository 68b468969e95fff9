import fc from 'fast-check';
import * as assert from 'uvu/assert';
import {
  arima,
  drift,
  ets,
  mstl,
  naive,
  seasonalNaive,
  theta,
  type Baseline,
} from '../../../../domain/maths/forecasting/baselines/index.js';
import { mase, seasonalScale } from '../../../../domain/maths/forecasting/metrics/index.js';
import { medians, stepOf } from '../../../../domain/maths/forecasting/quantiles.js';
import { suite } from '../../../suite.js';

const value = fc.integer({ min: -8_000, max: 8_000 }).map(eighths => eighths / 8);
const entry = fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: fc.constant(NaN) });
/** Series with gaps that are never silent altogether. */
const gappy = fc
  .array(entry, { minLength: 1, maxLength: 40 })
  .map(values => Float64Array.from(values))
  .filter(values => values.some(Number.isFinite));
const period = fc.constantFrom(1, 2, 4, 7);
const horizon = fc.integer({ min: 1, max: 20 });
/**
 * A power of 2, which loses no digits: even where two fits are equally good, the choice does not hang on
 * rounding.
 */
const scale = fc.integer({ min: -20, max: 20 }).map(power => 2 ** power);

const quick: Record<string, Baseline> = { naive, seasonalNaive, drift, theta };
const all: Record<string, Baseline> = { ...quick, ets, arima, mstl };

suite('properties of baselines', test => {
  for (const [name, baseline] of Object.entries(all)) {
    const runs = name in quick ? 200 : 15;

    test(`${name}: as many steps as asked, nine quantiles each that never cross, whatever is missing`, () =>
      fc.assert(
        fc.property(gappy, period, horizon, (series, period, horizon) => {
          const forecast = baseline(series, period, horizon);
          assert.is(forecast.horizon, horizon);
          assert.is(forecast.values.length, horizon * 9);
          for (let step = 0; step < horizon; step++) {
            const quantiles = stepOf(forecast, step);
            quantiles.forEach((q, k) =>
              assert.ok(Number.isFinite(q) && (k === 0 || q >= quantiles[k - 1]!), `${quantiles}`),
            );
          }
        }),
        { numRuns: runs },
      ));

    test(`${name}: the same series gives the same bits, and is left as it was`, () =>
      fc.assert(
        fc.property(gappy, period, (series, period) => {
          const before = Float64Array.from(series);
          assert.equal(baseline(series, period, 5), baseline(before, period, 5));
          assert.equal(bitsOf(series), bitsOf(before));
        }),
        { numRuns: runs },
      ));
  }

  for (const [name, baseline] of Object.entries(quick)) {
    test(`${name}: a series in another unit has the same forecast in that unit`, () =>
      fc.assert(
        fc.property(gappy, period, scale, (series, period, scale) => {
          alike(
            baseline(
              series.map(x => x * scale),
              period,
              6,
            ).values,
            baseline(series, period, 6).values.map(q => q * scale),
          );
        }),
      ));
  }

  for (const [name, baseline] of Object.entries({ naive, seasonalNaive, drift })) {
    test(`${name}: a series from another zero has the same forecast from that zero`, () =>
      fc.assert(
        fc.property(gappy, period, value, (series, period, shift) => {
          alike(
            baseline(
              series.map(x => x + shift),
              period,
              6,
            ).values,
            baseline(series, period, 6).values.map(q => q + shift),
          );
        }),
      ));
  }

  test('bands of the naive methods never narrow as they go', () =>
    fc.assert(
      fc.property(gappy, period, (series, period) => {
        for (const baseline of [naive, seasonalNaive, drift]) {
          const { values } = baseline(series, period, 20);
          const widths = Array.from({ length: 20 }, (_, step) => values[step * 9 + 8]! - values[step * 9]!);
          widths.forEach((width, step) => assert.ok(step < period || width >= widths[step - period]! - 1e-6));
        }
      }),
    ));

  test('the seasonal naive forecast, rolled through its own history, has MASE 1', () =>
    fc.assert(
      fc.property(fc.array(value, { minLength: 12, maxLength: 40 }), period, (values, period) => {
        const series = Float64Array.from(values);
        const seasons = series.length - period;
        const scale = seasonalScale(series, period);
        // after just one period the season is not yet seen to repeat
        const rolled = Float64Array.from({ length: seasons }, (_, i) =>
          i === 0 ? series[0]! : medians(seasonalNaive(series.slice(0, period + i), period, 1))[0]!,
        );
        const repeats = series.every((x, t) => t < period || x === series[t - period]);
        assert.ok(repeats || Math.abs(mase(series.slice(period), rolled, scale) - 1) < 1e-9);
      }),
    ));
});

const bitsOf = (values: Float64Array): number[] => Array.from(new Uint8Array(values.buffer));

function alike(actual: Float64Array, expected: Float64Array): void {
  const size = Math.max(1e-3, ...expected.map(Math.abs));
  actual.forEach((value, i) =>
    assert.ok(Math.abs(value - expected[i]!) <= 1e-6 * size, `${value}, not ${expected[i]}`),
  );
}
