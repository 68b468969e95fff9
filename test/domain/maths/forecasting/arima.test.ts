import * as assert from 'uvu/assert';
import {
  difference,
  differencesFor,
  hasStrongSeason,
  kpss,
} from '../../../../domain/maths/forecasting/baselines/arima/differences.js';
import { fit, type Orders } from '../../../../domain/maths/forecasting/baselines/arima/fit.js';
import { modelOf } from '../../../../domain/maths/forecasting/baselines/arima/index.js';
import { filter } from '../../../../domain/maths/forecasting/baselines/arima/likelihood.js';
import {
  fromPartials,
  product,
  rootsBeyond,
  toPartials,
} from '../../../../domain/maths/forecasting/baselines/arima/polynomials.js';
import { arima } from '../../../../domain/maths/forecasting/baselines/index.js';
import { medians } from '../../../../domain/maths/forecasting/quantiles.js';
import { suite } from '../../../suite.js';
import { close } from './close.js';
import { expectNormal } from './expect.js';
import { accidentalDeaths, airPassengers, nile, ukGas, wwwUsage } from './series.js';

const orders = (p: number, q: number, P = 0, Q = 0, constant = false): Orders => ({ p, q, P, Q, constant });
const seasonal = difference(difference(accidentalDeaths, 12), 1);

suite('arima', test => {
  test('auto.arima of R (forecast 8.20): orders, AICc, means and standard deviations', () => {
    const known = [
      [
        airPassengers,
        12,
        '2,1,1 0,1,0',
        1018.16516543982,
        [445.634901, 420.394997, 449.198316, 560.23560915517],
        [11.505236, 13.502611, 15.157986, 38.6274247013115],
        28,
      ],
      [
        nile,
        1,
        '1,1,1 0,0,0',
        1267.50739513099,
        [816.181276, 835.559611, 840.488905, 842.142856853928],
        [142.045468, 151.967319, 155.221482, 161.075886160963],
        6,
      ],
      [
        ukGas,
        4,
        '0,1,1 0,1,0',
        1030.79478027024,
        [1201.895643, 651.095643, 385.395643, 896.786928756106],
        [35.166801, 35.253651, 35.340287, 67.2263525044864],
        12,
      ],
      [
        wwwUsage,
        1,
        '1,1,1 0,0,0',
        514.552103153278,
        [218.880497, 218.152399, 217.678861, 217.040311728546],
        [3.161538, 7.571111, 11.990166, 23.6868564699842],
        6,
      ],
      [
        accidentalDeaths,
        12,
        '0,1,1 0,1,1',
        857.316350742639,
        [8336.061266, 7531.829141, 8314.64376, 8989.91467409105],
        [320.977503, 369.368634, 412.116268, 1368.89781585599],
        28,
      ],
    ] as const;
    for (const [series, period, name, aicc, means, deviations, horizon] of known) {
      const { d, D, fit } = modelOf(series, period)!;
      const { p, q, P, Q } = fit.orders;
      assert.is(`${p},${d},${q} ${P},${D},${Q}`, name);
      close(fit.aicc, aicc, 1e-5);
      expectNormal(arima(series, period, horizon), [...means], [...deviations], 2e-3);
    }
  });

  // -2 ln L and so AICc of arima(seasonal, order, seasonal = list(order, period = 12)), R 4.2.2
  test('the likelihood is exact: seasonal models of R', () => {
    const known = [
      [0, 1, 0, 1, false, 857.318568],
      [1, 0, 1, 0, false, 863.704357],
      [2, 1, 1, 0, false, 864.39221],
      [0, 2, 2, 0, true, 862.762123],
      [3, 0, 0, 0, false, 869.135657],
    ] as const;
    for (const [p, q, P, Q, constant, aicc] of known) {
      const found = fit(orders(p, q, P, Q, constant), seasonal, 12)!;
      assert.ok(Math.abs(found.aicc - aicc) < 0.01, `${[p, q, P, Q]}: ${found.aicc}, not ${aicc}`);
    }
  });

  test('the filter agrees with the covariance matrix of a moving average', () => {
    // two values of e[t] + 0.5 e[t-1]: variances 1.25, covariance 0.5
    const { squares, logs } = filter(
      { phi: new Float64Array(0), theta: Float64Array.of(0.5) },
      Float64Array.of(1, 2),
    )!;
    const determinant = 1.25 ** 2 - 0.25;
    close(logs, Math.log(determinant));
    close(squares, (1.25 * (1 + 4) - 2 * 0.5 * 2) / determinant);
    assert.is(
      filter({ phi: Float64Array.of(1), theta: new Float64Array(0) }, Float64Array.of(1, 2)),
      null,
      'not stationary',
    );
  });

  test('polynomials: partial autocorrelations and back, products, roots', () => {
    const partials = Float64Array.of(0.5, -0.3, 0.8);
    toPartials(fromPartials(partials))!.forEach((partial, i) => close(partial, partials[i]!));
    assert.equal([...product(Float64Array.of(0.5), Float64Array.of(0.2), 4)], [0.5, 0, 0, 0.2, -0.1]);
    assert.is(rootsBeyond(1.1, Float64Array.of(0.9)), true);
    assert.is(rootsBeyond(1.12, Float64Array.of(0.9)), false);
    assert.is(toPartials(Float64Array.of(1.5, -0.5)), null, 'a root at 1');
  });

  test("how often to difference: KPSS of R's urca, and the strength of the season", () => {
    close(kpss(nile), 1.3152264631777, 1e-6);
    assert.equal([nile, wwwUsage, airPassengers].map(differencesFor), [1, 1, 1]);
    assert.equal(
      [airPassengers, ukGas.slice(60)].map((x, i) => hasStrongSeason(x, [12, 4][i]!)),
      [true, true],
    );
    assert.is(hasStrongSeason(nile, 12), false);
    assert.is(hasStrongSeason(airPassengers.slice(0, 24), 12), false, 'too short');
  });

  test('a random walk, a constant, a line and a season without error', () => {
    const constant = arima(new Float64Array(30).fill(4), 1, 3);
    constant.values.forEach(value => close(value, 4));
    medians(
      arima(
        Float64Array.from({ length: 30 }, (_, t) => 1 + 3 * t),
        1,
        4,
      ),
    ).forEach((mean, h) => close(mean, 91 + 3 * h));
    const season = (t: number): number => [5, 9, 1][t % 3]!;
    medians(
      arima(
        Float64Array.from({ length: 60 }, (_, t) => season(t)),
        3,
        5,
      ),
    ).forEach((mean, h) => close(mean, season(h)));
  });

  test('too few numbers for any model: the naive forecast', () =>
    assert.equal([...medians(arima(Float64Array.of(3, 8), 1, 2))], [8, 8]));
});
