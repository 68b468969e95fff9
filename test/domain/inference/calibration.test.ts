import * as assert from 'uvu/assert';
import { trialsOf, widened, widthOf } from '../../../domain/inference/calibration.js';
import { forecastSeries } from '../../../domain/inference/forecast-series.js';
import type { InferenceSeries } from '../../../domain/inference/forecasting.js';
import { evenly } from '../../../domain/inference/gridded.js';
import type { ForecastMany } from '../../../domain/maths/forecasting/forecaster.js';
import { stepOf } from '../../../domain/maths/forecasting/quantiles.js';
import { HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { noiseForecast, normals } from '../maths/forecasting/toys.js';

const START = Date.UTC(2026, 0, 1);
const seriesOf = (values: readonly number[], start = START) => evenly('x', { start, stepMs: HOUR, values });
const noise = (length: number, deviation: (i: number) => number, seed = 1): number[] => {
  const normal = normals(seed);
  return Array.from({ length }, (_, i) => deviation(i) * normal());
};
const trialsFor = (series: InferenceSeries, period: number) =>
  trialsOf(series, { values: series.values, period });
const widthFor = async (values: readonly number[], period: number, forecast: ForecastMany) => {
  const series = seriesOf(values);
  const trials = trialsFor(series, period);
  const made = trials.length
    ? await forecast(
        trials.map(trial => trial.series),
        trials[0]!.steps,
      )
    : [];
  return widthOf(series.values, trials, made);
};
const wanted = {
  horizon: 24,
  levels: [0.1, 0.5, 0.9],
  fill: 'linear',
  explain: false,
  lookback: 2_048,
} as const;

suite('calibration of bands', test => {
  test('bands that are right stay as they are, too narrow ones widen, too wide ones narrow', async () => {
    const values = noise(1_000, () => 2);
    const factorOf = async (deviation: number) =>
      (await widthFor(values, 48, noiseForecast(0, deviation))).factor;
    assert.ok(Math.abs(Math.log(await factorOf(2))) < 0.1);
    assert.ok((await factorOf(1)) > 1.4);
    assert.ok((await factorOf(4)) < 0.8);
  });

  test('says how much of the past lay inside, and of how many steps', async () => {
    const { calibration } = await widthFor(
      noise(1_000, () => 2),
      48,
      noiseForecast(0, 2),
    );
    assert.is(calibration.method, 'conformal');
    assert.is(calibration.level, 0.8);
    assert.is(calibration.n, 12 * 48);
    assert.ok(Math.abs(calibration.coverageRecent! - 0.8) < 0.05);
  });

  test('follows a series that becomes three times as wild', async () => {
    const calm = (
      await widthFor(
        noise(600, () => 1),
        48,
        noiseForecast(0, 1),
      )
    ).factor;
    const wild = (
      await widthFor(
        noise(600, i => (i < 300 ? 1 : 3)),
        48,
        noiseForecast(0, 1),
      )
    ).factor;
    assert.ok(wild > 1.5 * calm, `${calm} ${wild}`);
  });

  test('too short a past leaves the model its own bands', async () => {
    const { factor, calibration } = await widthFor(
      noise(60, () => 1),
      24,
      noiseForecast(0, 0.1),
    );
    assert.is(factor, 1);
    assert.equal(calibration, { method: 'model', level: 0.8, coverageRecent: null, n: 0, widenedBy: 1 });
  });

  test('a new point leaves the forecasts of the past as they were', () => {
    const values = noise(700, () => 1);
    const contexts = (length: number) =>
      new Set(trialsFor(seriesOf(values.slice(0, length)), 24).map(({ series }) => series.values.join()));
    for (let length = 650; length < 700; length++) {
      const before = contexts(length);
      const fresh = [...contexts(length + 1)].filter(context => !before.has(context));
      assert.ok(fresh.length <= 1, `${fresh.length} at ${length}`);
    }
  });

  test('so does a window that moves on over a long series', () => {
    const values = noise(3_000, () => 1);
    const contexts = (from: number) =>
      new Set(
        trialsFor(seriesOf(values.slice(from, from + 2_048), START + from * HOUR), 48).map(({ series }) =>
          series.values.join(),
        ),
      );
    for (let from = 0; from < 130; from++) {
      const before = contexts(from);
      assert.ok([...contexts(from + 1)].filter(context => !before.has(context)).length <= 1);
    }
  });

  test('no past forecast sees its own future', async () => {
    const series = seriesOf(noise(500, () => 1));
    for (const { origin, series: asked } of trialsFor(series, 24))
      assert.equal(asked.values, series.values.slice(0, origin).slice(-512));
  });

  test('a gap is no ground for a judgement, and a forecast begins after a known value', () => {
    const values = noise(300, () => 1).map((value, i) => (i % 16 === 15 ? NaN : value));
    for (const { origin } of trialsFor(seriesOf(values), 1)) assert.is.not(values[origin - 1], NaN);
  });

  test('a forecast carries its width, around the same median, in order', async () => {
    const values = noise(500, () => 3);
    const [made] = await forecastSeries([seriesOf(values)], wanted, noiseForecast(0, 1));
    const { widenedBy } = made!.calibration;
    assert.ok(widenedBy > 1.5);
    const [own] = await noiseForecast(0, 1)([{ values: Float64Array.from(values), period: 1 }], 24);
    const wide = widened(own!, widenedBy);
    for (let h = 0; h < 24; h++) {
      const row = stepOf(wide, h);
      assert.is(row[4], 0);
      assert.ok(row.every((value, k) => k === 0 || value > row[k - 1]!));
      assert.is(made!.quantiles[0]!.values[h], row[0]);
    }
  });
});
