import * as assert from 'uvu/assert';
import { dieboldMariano } from '../../../../domain/maths/statistics/diebold-mariano.js';
import { chiSquaredUpperTail } from '../../../../domain/maths/statistics/distributions.js';
import { ljungBox } from '../../../../domain/maths/statistics/ljung-box.js';
import { suite } from '../../../suite.js';
import { near } from './recorded.js';

// The formula of dm.test (R, package forecast) written in numpy 2.4 with Student's t of scipy 1.17. The same
// come from scipy.stats.ttest_1samp(d, 0) for 1 ahead, and for 2 and 3 from statsmodels 0.15:
// OLS(d, ones(n)).fit(cov_type='HAC', cov_kwds=dict(maxlags=ahead - 1, kernel=weights_uniform,
// use_correction=False)).tvalues times the root of (n + 1 - 2 ahead + ahead (ahead - 1) / n) / n
const ups = [0.31, -0.12, 0.54, 0.22, 0.07, 0.41, -0.25, 0.6, 0.18, 0.33, 0.05, 0.29];
const waves = [0.9, 0.7, 0.8, 0.4, 0.1, -0.2, -0.1, 0.3, 0.6, 0.8, 0.5, 0.2, -0.3, -0.1, 0.2, 0.7];
const alternating = [1, -1, 1, -1, 1.5, -1.2, 0.8];
const tested: readonly [d: readonly number[], ahead: number, statistic: number, p: number][] = [
  [ups, 1, 3.0150322121617936, 0.011759641224492023],
  [waves, 1, 3.5272840729343464, 0.0030480246359844837],
  [waves, 2, 2.2499594904683033, 0.03989111082897056],
  [waves, 3, 2.0935641635199382, 0.05370129412123198],
  // The variance comes out below 0: that without lags stands for it
  [ups, 4, 3.0150322121617936, 0.011759641224492023],
  [alternating, 2, 0.3565744789230778, 0.7336146475319957],
];

suite('the test of Diebold and Mariano', test => {
  for (const [d, ahead, statistic, p] of tested)
    test(`${d.length} differences, ${ahead} ahead`, () => {
      const found = dieboldMariano(d, ahead)!;
      near(found.statistic, statistic, 'statistic', 1e-11);
      near(found.p, p, 'p', 1e-11);
      const other = dieboldMariano(
        d.map(x => -x),
        ahead,
      )!;
      near(other.statistic, -statistic, 'the other way round', 1e-11);
    });
  test('where nothing can be told', () => {
    assert.is(dieboldMariano([0.5]), null);
    assert.is(dieboldMariano([0.5, 0.4, 0.3], 3), null);
    assert.is(dieboldMariano([0.1, 0.1, 0.1, 0.1]), null);
    assert.equal(dieboldMariano([0, 0, 0]), { mean: 0, statistic: 0, p: 1 });
  });
});

// acorr_ljungbox of statsmodels 0.15
const left = [
  ...[0.5, 1.2, -0.3, 0.8, 0.1, -1.1, -0.6, 0.9, 1.4, 0.2],
  ...[-0.7, -1.3, 0.4, 0.6, -0.2, 1.0, -0.9, 0.3, 0.7, -0.4],
];
suite('the test of Ljung and Box', test => {
  for (const [lags, statistic, p] of [
    [1, 0.007962474537598654, 0.9288969791260071],
    [3, 4.477634762705602, 0.21429391206399362],
    [5, 8.183369723431657, 0.14641511571282],
    [10, 9.847240411850082, 0.45399621033206883],
  ] as const)
    test(`${lags} lags`, () => {
      const found = ljungBox(left, lags)!;
      near(found.statistic, statistic, 'statistic', 1e-11);
      near(found.p, p, 'p', 1e-11);
    });
  test('too few residuals, or all the same', () => {
    assert.is(ljungBox([1, 2, 3], 3), null);
    assert.is(ljungBox([2, 2, 2, 2], 1), null);
  });
});

suite('the chi-squared distribution', test => {
  for (const [x, degrees, p] of [
    [0.5, 1, 0.47950012218695337],
    [3.84, 1, 0.05004352124870519],
    [10, 3, 0.01856613546304325],
    [1e-3, 7, 0.9999999999997597],
    [80, 7, 1.377501829742618e-14],
    [25, 40, 0.9694058710730035],
    [400, 30, 2.7954938576565057e-66],
  ] as const)
    test(`above ${x} with ${degrees} degrees`, () => near(chiSquaredUpperTail(x, degrees), p, 'p', 1e-11));
  test('the ends', () => {
    assert.is(chiSquaredUpperTail(0, 3), 1);
    assert.is(chiSquaredUpperTail(Infinity, 3), 0);
  });
});
