import * as assert from 'uvu/assert';
import { bridged, lastingOf } from '../../../../domain/maths/forecasting/imputation/bridge.js';
import type { ForecastMany } from '../../../../domain/maths/forecasting/forecaster.js';
import { impute } from '../../../../domain/maths/forecasting/imputation/impute.js';
import { stepOf } from '../../../../domain/maths/forecasting/quantiles.js';
import { suite } from '../../../suite.js';
import { noiseForecast, normals, seasonalForecast, sine, walkForecast } from './toys.js';

const near = (actual: number, expected: number, within: number, what = ''): void =>
  assert.ok(Math.abs(actual - expected) <= within, `${what} ${actual}, not ${expected} +- ${within}`);

const holed = (values: Float64Array, ...gaps: [from: number, end: number][]): Float64Array => {
  const copy = values.slice();
  for (const [from, end] of gaps) copy.fill(NaN, from, end);
  return copy;
};

const width = (row: Float64Array): number => row.at(-1)! - row[0]!;
const W = 2 * 1.2815515655446004; // of a normal distribution's 80% band, in deviations

suite('imputation', test => {
  test('a sine with gaps, also at its ends, gets its own values back', async () => {
    const truth = sine(120, 12);
    const { values, gaps, share } = await impute(
      { values: holed(truth, [0, 5], [40, 43], [60, 90], [110, 120]), period: 12 },
      720,
      seasonalForecast(1),
    );
    assert.equal(
      gaps.map(({ from, length }) => [from, length]),
      [
        [0, 5],
        [40, 3],
        [60, 30],
        [110, 10],
      ],
    );
    assert.is(share, 1);
    values.forEach((value, i) => near(value, truth[i]!, 1e-9, `value ${i}`));
  });

  test('known values stay, and the input too', async () => {
    const truth = sine(50, 12, i => i % 7);
    const given = holed(truth, [20, 25]);
    const before = given.slice();
    const { values } = await impute({ values: given, period: 12 }, 720, noiseForecast(0, 1));
    assert.equal(given.join(), before.join()); // NaN is not NaN
    values.forEach((value, i) => {
      if (i < 20 || i >= 25) assert.is(value, truth[i]);
    });
  });

  for (const [kind, wrong] of [
    ['right', 1],
    ['four times too wide', 4],
    ['four times too narrow', 0.25],
  ] as const)
    test(`80% bands hold 80% of random walks, of forecasts whose width is ${kind}`, async () => {
      const next = normals(11);
      let inside = 0;
      let all = 0;
      for (let n = 0; n < 150; n++) {
        let at = 0;
        const truth = Float64Array.from({ length: 300 }, () => (at += next()));
        const {
          gaps: [gap],
        } = await impute({ values: holed(truth, [100, 108]), period: 1 }, 720, walkForecast(wrong));
        for (let h = 0; h < 8; h++, all++) {
          const row = stepOf(gap!.quantiles!, h);
          inside += Number(truth[100 + h]! >= row[0]! && truth[100 + h]! <= row.at(-1)!);
        }
      }
      near(inside / all, 0.8, 0.05);
    });

  test('where a straight line is better than the forecasts, it is the line', async () => {
    const truth = Float64Array.from({ length: 100 }, (_, i) => 3 * i);
    const { values, share } = await impute(
      { values: holed(truth, [50, 55]), period: 1 },
      720,
      noiseForecast(1000, 1),
    );
    assert.is(share, 0);
    values.forEach((value, i) => near(value, truth[i]!, 1e-9));
  });

  test('all is asked in one call, no further than needed; without a gap nothing is asked', async () => {
    const calls: [series: number, horizon: number][] = [];
    const asked: ForecastMany = (series, horizon) => {
      calls.push([series.length, horizon]);
      return noiseForecast(0, 1)(series, horizon);
    };
    const truth = sine(200, 12);
    await impute({ values: holed(truth, [10, 14], [30, 31], [195, 200]), period: 12 }, 720, asked);
    // two gaps inside, one at the end, twelve trials of four values
    assert.equal(calls, [[2 * 2 + 1 + 2 * 12, 6]]);
    await impute({ values: truth, period: 12 }, 720, asked);
    assert.is(calls.length, 1);
  });

  test('trials lie on known values only and are spread over the series', async () => {
    const starts: number[] = [];
    const asked: ForecastMany = (series, horizon) => {
      for (const { values } of series) starts.push(values.length);
      return noiseForecast(0, 1)(series, horizon);
    };
    await impute({ values: holed(sine(100, 12), [50, 53]), period: 12 }, 720, asked);
    const befores = starts.filter((_, i) => i % 2 === 0).slice(1);
    assert.is(befores.length, 16);
    assert.ok(
      befores.every(from => from >= 8 && from + 3 <= 92 && (from + 3 < 50 || from > 53)),
      befores.join(),
    );
    assert.ok(Math.min(...befores) < 20 && Math.max(...befores) > 80);
  });

  test('a gap as long as the horizon stays; one value fills what it can; none is refused', async () => {
    const { values, gaps } = await impute(
      { values: holed(sine(60, 12), [10, 14], [30, 40]), period: 12 },
      10,
      noiseForecast(10, 1),
    );
    assert.equal(
      gaps.map(({ length, quantiles }) => [length, quantiles !== null]),
      [
        [4, true],
        [10, false],
      ],
    );
    assert.ok(values.subarray(30, 40).every(Number.isNaN) && values.subarray(0, 30).every(Number.isFinite));
    const one = await impute({ values: Float64Array.of(NaN, 5, NaN), period: 1 }, 2, walkForecast(1));
    assert.equal([...one.values], [5, 5, 5]);
    await impute({ values: new Float64Array(5).fill(NaN), period: 1 }, 720, noiseForecast(0, 1)).then(
      () => assert.unreachable(),
      (error: Error) => assert.match(error.message, /none of its values is known/),
    );
  });
});

suite('bridged forecasts', test => {
  test('a random walk: a straight line, the width of a Brownian bridge', async () => {
    const [forecast] = await walkForecast(3)([{ values: Float64Array.of(4), period: 1 }], 5);
    bridged(forecast!, 4, 14, 1).forEach((row, i) => {
      near(row[4]!, 4 + (10 * (i + 1)) / 5, 1e-9, 'median');
      near(width(row), W * 3 * Math.sqrt(((i + 1) * (4 - i)) / 5), 1e-9, 'width');
    });
  });

  test('noise: whatever comes at the end, the forecast as it is', async () => {
    const [forecast] = await noiseForecast(7, 2)([{ values: Float64Array.of(4), period: 1 }], 5);
    bridged(forecast!, 4, 14, 0).forEach(row => {
      near(row[4]!, 7, 1e-9);
      near(width(row), W * 2, 1e-9);
    });
  });

  test('how far errors last: 1 in a random walk, also with gaps; 0 in noise; the factor of AR(1)', () => {
    const next = normals(6);
    const series = (of: (last: number) => number): Float64Array => {
      let last = 0;
      return Float64Array.from({ length: 4000 }, () => (last = of(last)));
    };
    const walk = series(last => last + next());
    near(lastingOf(walk, 1), 1, 0.08);
    near(
      lastingOf(
        walk.map((x, i) => (i % 50 === 7 ? NaN : x + 100 * Math.sin((i * Math.PI) / 6))),
        12,
      ),
      1,
      0.08,
    );
    near(
      lastingOf(
        series(() => next()),
        1,
      ),
      0,
      0.08,
    );
    near(
      lastingOf(
        series(last => 0.6 * last + next()),
        1,
      ),
      0.6,
      0.08,
    );
    assert.is(lastingOf(new Float64Array(9).fill(2), 1), 1);
    assert.is(lastingOf(Float64Array.of(1), 12), 1);
  });
});
