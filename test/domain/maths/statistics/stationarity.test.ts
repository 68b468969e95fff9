import * as assert from 'uvu/assert';
import { standardised } from '../../../../domain/maths/statistics/series.js';
import {
  augmentedDickeyFuller,
  isStationary,
  mackinnonP,
} from '../../../../domain/maths/statistics/stationarity.js';
import { suite } from '../../../suite.js';
import { near, recorded, seriesOf } from './recorded.js';

const line = Float64Array.from({ length: 60 }, (_, i) => 5 + 0.3 * i);

suite('augmented Dickey-Fuller', test => {
  for (const { series, statistic, p, lags, rows } of recorded.adfuller)
    test(`${series}: equals statsmodels`, () => {
      const ours = augmentedDickeyFuller(seriesOf(series));
      assert.is(ours?.lags, lags);
      assert.is(ours?.rows, rows);
      near(ours?.statistic, statistic, 'statistic');
      near(ours?.p, p, 'p');
    });
  test('does not depend on location and scale', () => {
    const values = seriesOf('oilprice');
    const moved = values.map(x => 4096 * x - 1024);
    near(
      augmentedDickeyFuller(moved)?.statistic,
      augmentedDickeyFuller(values)!.statistic,
      'statistic',
      1e-10,
    );
  });
  test('there is nothing to test in a short series, a constant, a straight line', () => {
    for (const values of [
      new Float64Array(0),
      Float64Array.of(1, 3, 2),
      new Float64Array(50).fill(0.1),
      line,
    ])
      assert.is(augmentedDickeyFuller(values), null);
    assert.not.ok(isStationary(standardised(line)!));
  });
  test('four numbers do, and the p value has its ends', () => {
    assert.equal(augmentedDickeyFuller(Float64Array.of(1, 3, 2, 5))?.rows, 3);
    assert.is(mackinnonP(3), 1);
    assert.is(mackinnonP(-20), 0);
  });
});

suite('series made ready', test => {
  test('mean 0, size below 1, exact where that can be', () => {
    const { values } = standardised(Float64Array.of(2, 4, 6, 8))!;
    assert.equal([...values], [-0.75, -0.25, 0.25, 0.75]);
  });
  test('the largest and the smallest numbers pass', () => {
    for (const size of [1.7e308, 5e-324, 1e-310]) {
      const { values } = standardised(Float64Array.of(size, -size, size, -size))!;
      assert.ok(
        values.every(x => Math.abs(x) >= 0.5 && Math.abs(x) <= 1),
        `${size}: ${values}`,
      );
      assert.ok(standardised(Float64Array.of(size, -size, size), true)!.values.every(Number.isFinite));
    }
  });
  test('constant, also but for rounding, is null; gaps stay gaps', () => {
    assert.is(standardised(Float64Array.of(0.1 + 0.2, 0.3, 0.3)), null);
    assert.is(standardised(line, true), null);
    assert.is(standardised(new Float64Array(9)), null);
    assert.is(standardised(Float64Array.of(4)), null);
    assert.ok(Number.isNaN(standardised(Float64Array.of(1, NaN, 3))!.values[1]!));
  });
});
