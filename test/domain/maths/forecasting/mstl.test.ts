import * as assert from 'uvu/assert';
import { ets, mstl, mstlWith, naive } from '../../../../domain/maths/forecasting/baselines/index.js';
import { mstlOf } from '../../../../domain/maths/forecasting/baselines/mstl/index.js';
import { medians } from '../../../../domain/maths/forecasting/quantiles.js';
import { suite } from '../../../suite.js';
import { close } from './close.js';
import { accidentalDeaths, airPassengers, ukGas } from './series.js';

/** A week and a month over a slow line, with what looks like noise. */
const two = Float64Array.from(
  { length: 400 },
  (_, t) =>
    10
    + t / 50
    + 3 * Math.sin((2 * Math.PI * t) / 7)
    + 2 * Math.cos((2 * Math.PI * t) / 30)
    + ((t * 7919) % 101) / 50,
);

type Known = readonly [
  name: string,
  series: Float64Array,
  periods: number[],
  at: readonly (readonly number[])[],
];

/** statsmodels 0.15.0, MSTL(y, periods=periods).fit(): place, the seasons there, the trend there. */
const KNOWN: readonly Known[] = [
  [
    'airPassengers',
    airPassengers,
    [12],
    [
      [0, -9.623957319966115, 121.73272943171591],
      [1, 0.5539327696430325, 122.61458361289974],
      [72, -24.614947200759325, 262.1922281926815],
      [143, -60.63350597344222, 494.6602041072883],
    ],
  ],
  [
    'ukGas',
    ukGas,
    [4],
    [
      [0, 36.74811631135329, 124.5951028115365],
      [54, -132.3928392625733, 289.880730444318],
      [107, 78.6888476767991, 728.231355732507],
    ],
  ],
  [
    'accidentalDeaths',
    accidentalDeaths,
    [12],
    [
      [0, -1142.0321198054019, 10140.992913521992],
      [36, -786.2358839783147, 8429.648142825627],
      [71, 228.82077190584553, 9092.425033295924],
    ],
  ],
  [
    'two seasons',
    two,
    [7, 30],
    [
      [0, 0.2236769559438055, 1.4903975758406198, 10.783531717382965],
      [1, 2.2211789666143167, 2.219106363738526, 10.816569705356118],
      [200, -1.416194052924069, -1.025296992654649, 14.978453288472545],
      [399, -0.2260317842923322, -0.07843206233662475, 19.042181403877304],
    ],
  ],
];

suite('mstl', test => {
  for (const [name, series, periods, known] of KNOWN)
    test(`${name}: seasons and trend are those of statsmodels`, () => {
      const { seasons, trend } = mstlOf(series, periods);
      for (const [at, ...expected] of known)
        [...seasons.map(season => season[at!]!), trend[at!]!].forEach((value, i) =>
          close(value, expected[i]!, 1e-9),
        );
    });

  test('the seasons go on over the forecast of the rest', () => {
    const [season] = mstlOf(airPassengers, [12]).seasons;
    const rest = ets(
      airPassengers.map((value, t) => value - season![t]!),
      1,
      30,
    );
    const forecast = mstl(airPassengers, 12, 30);
    for (let h = 0; h < 30; h++)
      for (let k = 0; k < 9; k++)
        close(forecast.values[9 * h + k]! - rest.values[9 * h + k]!, season![132 + (h % 12)]!, 1e-9);
  });

  test('two seasons are forecast nearer than one of them, also with gaps', () => {
    const seen = two.slice(0, 340).map((value, t) => (t % 11 === 5 ? NaN : value));
    const miss = (forecast: Float64Array): number =>
      forecast.reduce((sum, value, h) => sum + Math.abs(value - two[340 + h]!), 0) / 60;
    const both = miss(medians(mstlWith([30, 7])(seen, 1, 60)));
    assert.ok(both < 0.75 * miss(medians(mstl(seen, 7, 60))));
    assert.ok(both < 0.5 * miss(medians(naive(seen, 1, 60))));
  });

  test('without a period that fits it is ets', () => {
    const short = airPassengers.slice(0, 24);
    assert.equal(mstl(short, 12, 5), ets(short, 1, 5));
    assert.equal(mstl(short, 1, 5), ets(short, 1, 5));
  });
});
