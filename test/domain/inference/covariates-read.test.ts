import * as assert from 'uvu/assert';
import { mindFuture, withCovariatesRead } from '../../../domain/inference/covariates.js';
import { forecastSeries } from '../../../domain/inference/forecast-series.js';
import type { InferenceSeries } from '../../../domain/inference/forecasting.js';
import { seasonalNaive } from '../../../domain/maths/forecasting/baselines/index.js';
import type { ForecastMany, ForecastSeries } from '../../../domain/maths/forecasting/forecaster.js';
import { fixed } from '../../../domain/maths/series/grid.js';
import type { Rejected } from '../../../domain/rejected.js';
import { HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const COUNT = 150;
const HORIZON = 5;
const START = Date.UTC(2026, 0, 5);
const series: InferenceSeries = {
  ...{ id: 'sales', start: START, step: fixed(HOUR), period: 24, covariates: {} },
  values: Float64Array.from({ length: COUNT }, (_, i) => (i % 24) + Math.cos(i)),
};
const past = { price: Array.from({ length: COUNT }, (_, i) => i) };
const future = { price: Array.from({ length: HORIZON }, (_, i) => COUNT + i) };
const reading = { reads: ['price'], horizon: HORIZON };

suite('covariates that a model reads itself', test => {
  test('each forecast gets what belongs to its steps and those ahead, and their time', async () => {
    const asked: { readonly one: ForecastSeries; readonly horizon: number }[] = [];
    const forecast: ForecastMany = async (all, horizon) => {
      asked.push(...all.map(one => ({ one, horizon })));
      return all.map(({ values, period }) => seasonalNaive(values, period, horizon));
    };
    const given = withCovariatesRead(series, { past, future }, reading);
    assert.equal(given.warnings, []);
    const wanted = { levels: [0.5], fill: 'linear', explain: false, lookback: 120, maxHorizon: 10 } as const;
    await forecastSeries([given.series], { ...wanted, ...reading }, forecast);
    assert.ok(asked.length > 3);
    for (const { one, horizon } of asked) {
      const column = one.covariates!['price']!;
      assert.is(column.length, one.values.length + horizon);
      assert.is(one.times!.start, START + column[0]! * HOUR);
      const first = column[0]!;
      assert.equal([...one.values], [...series.values.slice(first, first + one.values.length)]);
      assert.ok(horizon <= 10);
    }
    assert.is(asked.at(-1)!.one.values.length, 120);
  });

  test('steps ahead of which nothing is known are missing', () => {
    const { covariates } = withCovariatesRead(series, { past, future: {} }, reading).series;
    assert.ok(covariates['price']!.subarray(COUNT).every(Number.isNaN));
  });

  test('a future that is shorter than the horizon is refused, and how much is missing said', () => {
    const short = { price: future.price.slice(0, 2), rain: [] };
    const refused = ({ code, details }: Rejected): boolean =>
      code === 'insufficient_future_covariates'
      && details['missing_steps'] === 3
      && details['name'] === 'price';
    assert.throws(() => mindFuture(short, ['sun', 'price'], HORIZON), refused);
    mindFuture(short, ['price'], 2);
    mindFuture({}, ['price'], HORIZON);
  });

  test('one that was taken before such were refused is read as far as it goes', () => {
    const short = { price: future.price.slice(0, 2) };
    const { covariates } = withCovariatesRead(series, { past, future: short }, reading).series;
    assert.equal([...covariates['price']!.subarray(COUNT)], [...short.price, NaN, NaN, NaN]);
  });

  test('one that is not given is asked for, by name', () => {
    const missing = (): unknown => withCovariatesRead(series, { past: {}, future }, reading);
    assert.throws(
      missing,
      (error: Rejected) =>
        error.code === 'covariates_required' && String(error.details['missing']) === 'price',
    );
  });

  test('one of another length is refused, and one that it does not read is told of', () => {
    const short = { past: { price: [1, 2] }, future: {} };
    const refused = (error: Rejected): boolean => JSON.stringify(error.details).includes('has 2 values');
    assert.throws(() => withCovariatesRead(series, short, reading), refused);
    const more = { past: { ...past, rain: past.price }, future };
    const { warnings } = withCovariatesRead(series, more, reading);
    assert.equal(
      warnings.map(({ code }) => code),
      ['covariate_unused'],
    );
  });
});
