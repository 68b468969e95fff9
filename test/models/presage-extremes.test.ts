import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { openFamily, type Family } from '../../adapters/forecaster/family.js';
import type { Forecaster } from '../../domain/maths/forecasting/forecaster.js';
import { medians } from '../../domain/maths/forecasting/quantiles.js';
import { normals } from '../domain/maths/forecasting/toys.js';
import { suite } from '../suite.js';

const HORIZON = 24;
/** Of the spread of the series; shifts move medians by about a hundredth of it. */
const MOST_MOVED = 0.05;

const next = normals(21);
/** A year of months many times over, with noise. */
const season = Float64Array.from(
  { length: 240 },
  (_, i) => 3 * Math.sin((2 * Math.PI * i) / 12) + 0.3 * next(),
);
const walk = season.map(() => 0);
for (let i = 1; i < walk.length; i++) walk[i] = walk[i - 1]! + next();

suite('presage on extreme numbers', test => {
  let family: Family;
  let models: Forecaster[];
  test.before(() => {
    family = openFamily({ threads: 1 });
    models = [...family.forecasters.values()];
  });
  test.after(() => family.close());

  const of = async (model: Forecaster, series: readonly Float64Array[]) => {
    const asked = series.map(values => ({ values, period: 12 }));
    return (await model.forecast(asked, HORIZON, new AbortController().signal)).map(each => each.quantiles);
  };

  for (const [name, values] of Object.entries({ season, walk })) {
    const spread = Math.max(...values) - Math.min(...values);
    const high = [1e3, 1e6, 1e9, 1e12, 1e13, 1e14, 1e15];

    test(`a ${name} on a high level is forecast on that level, as far as its digits go`, async () => {
      for (const model of models) {
        const [plain, ...shifted] = await of(model, [
          values.map(x => x + 100),
          ...high.map(level => values.map(x => x + level)),
        ]);
        const middle = medians(plain!);
        for (const [i, forecast] of shifted.entries()) {
          const rounding = 4 * Number.EPSILON * high[i]!;
          medians(forecast).forEach((median, h) => {
            const apart = Math.abs(median - high[i]! - (middle[h]! - 100));
            assert.ok(apart < MOST_MOVED * spread + rounding, `${model.slug} ${high[i]}: off by ${apart}`);
          });
          const width = forecast.values[8]! - forecast.values[0]!;
          assert.ok(width < 3 * spread + rounding, `${model.slug} ${high[i]}: ${width} wide`);
        }
      }
    });

    test(`a ${name} of any size is forecast in its size`, async () => {
      const sizes = [1e-200, 1e-12, 1e-3, 1e3, 1e12, 1e120];
      for (const model of models) {
        const [plain, ...scaled] = await of(model, [values, ...sizes.map(size => values.map(x => x * size))]);
        for (const [i, forecast] of scaled.entries())
          forecast.values.forEach((value, k) => {
            const apart = Math.abs(value / sizes[i]! - plain!.values[k]!);
            assert.ok(apart < 1e-3 * spread, `${model.slug} ${sizes[i]}: off by ${apart}`);
          });
      }
    });
  }

  test('a negated series has the negated forecast, to the bit', async () => {
    const signed = fc.record({
      seed: fc.integer({ min: 1, max: 1e6 }),
      length: fc.integer({ min: 3, max: 400 }),
      level: fc.double({ min: -50, max: 50, noNaN: true }),
      season: fc.constantFrom(0, 1, 5),
    });
    const property = fc.asyncProperty(signed, async ({ seed, length, level, season }) => {
      const noise = normals(seed);
      let at = level;
      const values = Float64Array.from({ length }, (_, i) => {
        at += noise();
        return at + season * Math.sin((2 * Math.PI * i) / 12);
      });
      for (const model of models) {
        const [plain, negated] = await of(model, [values, values.map(x => -x)]);
        const back = negated!.values.map((_, k) => -negated!.values[k - (k % 9) + 8 - (k % 9)]!);
        assert.equal(back, plain!.values, `${model.slug}: ${seed}`);
      }
    });
    await fc.assert(property, { numRuns: 30 });
  });

  test('what never varied stays where it is, within bands of its size', async () => {
    for (const model of models)
      for (const level of [0, 1e-9, 7, -1e6, 1e15]) {
        const [forecast] = await of(model, [new Float64Array(100).fill(level)]);
        for (const value of forecast!.values)
          assert.ok(Math.abs(value - level) <= 0.1 * Math.abs(level), `${model.slug} ${level}: ${value}`);
      }
  });
});
