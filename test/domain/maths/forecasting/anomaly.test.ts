import * as assert from 'uvu/assert';
import type { AnomalyOptions } from '../../../../domain/maths/forecasting/anomaly-scores.js';
import { anomalies } from '../../../../domain/maths/forecasting/anomaly.js';
import type { ForecastMany } from '../../../../domain/maths/forecasting/forecaster.js';
import { LEVELS, normalForecast } from '../../../../domain/maths/forecasting/quantiles.js';
import { probabilityBelow, quantileOf } from '../../../../domain/maths/forecasting/tails.js';
import { suite } from '../../../suite.js';
import { noiseForecast, normals, seasonalForecast, sine, walkForecast } from './toys.js';

const options: AnomalyOptions = { from: 24, steps: 1, level: 0.999 };

const counted = (
  forecast: ForecastMany,
): { forecast: ForecastMany; calls: [series: number, horizon: number][] } => {
  const calls: [number, number][] = [];
  return {
    calls,
    forecast: (series, horizon) => {
      calls.push([series.length, horizon]);
      return forecast(series, horizon);
    },
  };
};

suite('anomalies', test => {
  test('spikes put into a noisy season are found, and nothing else is', async () => {
    const next = normals(5);
    const values = sine(300, 12, () => 0.2 * next());
    const places = [50, 51, 120, 200, 299];
    for (const place of places) values[place]! += place % 2 ? -4 : 4;
    const { flagged, score, from } = await anomalies({ values, period: 12 }, options, seasonalForecast(0.4));
    assert.equal(flagged, places);
    for (const place of places) assert.is(Math.sign(score[place - from]!), place % 2 ? -1 : 1);
  });

  test('the season after a spike is not blamed for it: flagged values are missing then', async () => {
    const values = sine(120, 12);
    const { forecast, calls } = counted(seasonalForecast(0.5));
    values[60]! += 9;
    const { flagged, expected, from } = await anomalies({ values, period: 12 }, options, forecast);
    assert.equal(flagged, [60]);
    assert.ok(Math.abs(expected[72 - from]! - values[72]!) < 1e-9);
    // The first time the value a season later was flagged, too: from the first flag on it is asked again
    assert.equal(calls, [
      [96, 1],
      [59, 1],
    ]);
  });

  test('regular values: one call, tails spread evenly, no more flags than the level says', async () => {
    const next = normals(8);
    const values = Float64Array.from({ length: 20_000 }, () => 3 + 2 * next());
    const { forecast, calls } = counted(noiseForecast(3, 2));
    const { tail, flagged, score } = await anomalies(
      { values, period: 1 },
      { from: 1, steps: 1, level: 0.99 },
      forecast,
    );
    for (const share of [0.02, 0.2, 0.5, 0.9])
      assert.ok(Math.abs(tail.filter(t => t < share).length / tail.length - share) < 0.025, `${share}`);
    // Fewer than a hundredth: tails are taken to be thicker than these normal ones are
    assert.ok(flagged.length > 5 && flagged.length < 200, `${flagged.length}`);
    assert.ok(Math.abs(score.filter(s => Math.abs(s) <= 1).length / score.length - 0.8) < 0.02);
    assert.is(calls[0]![0], 19_999);
  });

  test('bands that are too narrow or too wide are scaled by how many values they hold', async () => {
    const next = normals(4);
    const values = Float64Array.from({ length: 500 }, (_, i) => (i === 300 ? 40 : 2 * next()));
    const found = await Promise.all(
      [0.7, 2, 6].map(width =>
        anomalies({ values, period: 1 }, { from: 1, steps: 1, level: 0.999 }, noiseForecast(0, width)),
      ),
    );
    for (const { flagged, score } of found) {
      assert.equal(flagged, [300]);
      assert.ok(Math.abs(score[299]! - found[1]!.score[299]!) < 1e-6);
    }
  });

  test('several steps from one origin: fewer forecasts, each value judged by the step it is', async () => {
    let at = 0;
    const next = normals(3);
    const values = Float64Array.from({ length: 100 }, () => (at += next()));
    const { forecast, calls } = counted(walkForecast(1));
    const { expected, flagged } = await anomalies(
      { values, period: 1 },
      { from: 10, steps: 4, level: 0.99999 },
      forecast,
    );
    assert.equal(flagged, []);
    assert.equal(calls, [[23, 4]]);
    expected.forEach((median, i) => assert.is(median, values[10 + i - (i % 4) - 1]));
    assert.is(expected.length, 90);
  });

  test('missing values and what has nothing before it are NaN and never flagged', async () => {
    const values = Float64Array.of(NaN, NaN, NaN, 5, NaN, 50);
    const { score, tail, expected, flagged } = await anomalies(
      { values, period: 1 },
      { from: 1, steps: 1, level: 0.99 },
      noiseForecast(5, 1),
    );
    assert.equal([...score].map(Number.isFinite), [false, false, false, false, true]);
    assert.equal([...expected].map(Number.isFinite), [...score].map(Number.isFinite));
    assert.is(tail[4], 0);
    assert.equal(flagged, [5]);
  });

  test('a forecast without width: the value itself is no anomaly, any other is, at the limit', async () => {
    const values = Float64Array.of(1, 1, 1, 1.5, 1, 0.5);
    const { score, flagged } = await anomalies(
      { values, period: 1 },
      { from: 2, steps: 1, level: 0.99 },
      noiseForecast(1, 0),
    );
    assert.equal([...score], [0, 1e6, 0, -1e6]);
    assert.equal(flagged, [3, 5]);
  });

  test('forecasts without width that miss a fifth of the values, or more: no number is lost', async () => {
    for (const every of [5, 4]) {
      const values = Float64Array.from({ length: 71 }, (_, i) => (i >= 20 && i % every === 0 ? 5 : 0));
      const { score, flagged } = await anomalies(
        { values, period: 1 },
        { from: 20, steps: 1, level: 0.99 },
        noiseForecast(0, 0),
      );
      assert.equal(
        [...score],
        Array.from(values.subarray(20), value => (value > 0 ? 1e6 : 0)),
      );
      assert.is(flagged.length, score.filter(s => s > 0).length);
    }
  });

  test('the probability below a value is the inverse of the quantile at a level, far into the tails', () => {
    const { values } = normalForecast(Float64Array.of(3), Float64Array.of(2));
    for (const level of [1e-6, 0.01, 0.1, 0.35, 0.5, 0.77, 0.9, 0.995])
      assert.ok(
        Math.abs(probabilityBelow(values, LEVELS, quantileOf(values, LEVELS, level)) / level - 1) < 1e-9,
        `${level}`,
      );
    assert.is(probabilityBelow(new Float64Array(9).fill(2), LEVELS, 2), 0.5);
  });

  test('origins without anything before them are refused', async () => {
    for (const wrong of [{ from: 0 }, { steps: 0 }, { from: 1.5 }, { steps: NaN }])
      await anomalies(
        { values: sine(30, 12), period: 12 },
        { ...options, ...wrong },
        noiseForecast(0, 1),
      ).then(
        () => assert.unreachable(),
        (error: Error) => assert.instance(error, RangeError),
      );
  });
});
