import * as assert from 'uvu/assert';
import { withConstants } from '../../../domain/inference/constant.js';
import { forecastSeries } from '../../../domain/inference/forecast-series.js';
import { evenly } from '../../../domain/inference/gridded.js';
import { normalForecast } from '../../../domain/maths/forecasting/quantiles.js';
import type { ForecastMany } from '../../../domain/maths/forecasting/forecaster.js';
import { DAY } from '../../../domain/time.js';
import { suite } from '../../suite.js';

/** Answers the last value, a little beside it, with a band: as networks do. */
const beside: ForecastMany = async (all, horizon) =>
  all.map(({ values }) => {
    const last = values.findLast(value => !Number.isNaN(value))!;
    const column = (x: number) => new Float64Array(horizon).fill(x);
    return normalForecast(column(last * (1 + 1e-9)), column(Math.abs(last) * 0.01));
  });
const wanted = { horizon: 3, levels: [0.013, 0.1, 0.37, 0.5, 0.9], fill: 'none', explain: true } as const;
const forecast = async (values: readonly (number | null)[]) => {
  const series = evenly('x', { start: 0, stepMs: DAY, values });
  const [made] = await forecastSeries([series], { ...wanted, lookback: 512 }, withConstants(beside));
  return made!;
};

suite('a series that never changed', test => {
  test('is forecast as what it always was, at every level and to the bit', async () => {
    for (const value of [0.1, 3.7, -1e-7, 12_345.678, 1e12, 0]) {
      const made = await forecast(Array.from({ length: 40 }, (_, i) => (i % 9 === 4 ? null : value)));
      for (const column of [made.mean, ...made.quantiles.map(({ values }) => values)])
        assert.equal([...column], [value, value, value]);
      assert.ok(made.warnings.some(({ code }) => code === 'constant'));
    }
  });

  test('of a few values the median is that value, and there is a band around it in order', async () => {
    const { mean, quantiles } = await forecast([3.7, 3.7, 3.7]);
    assert.equal([...mean], [3.7, 3.7, 3.7]);
    const row = quantiles.map(({ values }) => values[0]!);
    assert.equal(
      row,
      row.toSorted((a, b) => a - b),
    );
    assert.ok(row[0]! < 3.69 && row.at(-1)! > 3.71);
  });

  test('one that changed once is left to the model', async () => {
    const { mean } = await forecast([...Array.from({ length: 40 }, () => 3.7), 3.8]);
    assert.is(mean[0], 3.8 * (1 + 1e-9));
  });
});
