import * as assert from 'uvu/assert';
import { forecastWithCovariates } from '../../../../domain/maths/forecasting/covariates/forecast.js';
import type { ForecastMany } from '../../../../domain/maths/forecasting/forecaster.js';
import { coverage } from '../../../../domain/maths/forecasting/metrics/index.js';
import { medians, normalForecast, stepOf } from '../../../../domain/maths/forecasting/quantiles.js';
import { suite } from '../../../suite.js';
import { normals, seasonalForecast, sine, walkForecast } from './toys.js';

const LENGTH = 400;
const HORIZON = 12;

/** A season with noise, plus what a covariate does, and the covariate. */
const world = (effect: number, seed: number): { truth: Float64Array; covariate: Float64Array } => {
  const next = normals(seed);
  const covariate = Float64Array.from({ length: LENGTH + HORIZON }, () => Number(next() > 0.8));
  return { covariate, truth: sine(LENGTH + HORIZON, 12, i => 0.3 * next() + effect * covariate[i]!) };
};

const mae = (forecast: Float64Array, truth: Float64Array): number =>
  forecast.reduce((sum, x, h) => sum + Math.abs(x - truth[LENGTH + h]!), 0) / HORIZON;

suite('covariates known ahead', test => {
  test('one that matters is kept, its effect is forecast, and the bands become narrower', async () => {
    const { truth, covariate } = world(3, 1);
    const series = { values: truth.slice(0, LENGTH), period: 12 };
    const {
      forecast: better,
      kept,
      gain,
    } = await forecastWithCovariates(
      { series, covariates: [covariate], horizon: HORIZON },
      seasonalForecast(1.5),
    );
    assert.ok(kept && gain > 0.1, `${gain}`);
    const [plain] = await seasonalForecast(1.5)([series], HORIZON);
    assert.ok(mae(medians(better), truth) < 0.7 * mae(medians(plain!), truth));
    const width = (row: Float64Array): number => row.at(-1)! - row[0]!;
    assert.ok(width(stepOf(better, 0)) < width(stepOf(plain!, 0)));
    for (let h = 0; h < HORIZON; h++)
      stepOf(better, h).forEach((x, k, row) => assert.ok(k === 0 || x >= row[k - 1]!));
  });

  test('a walking covariate acts through its way since the origin', async () => {
    const next = normals(4);
    let at = 0;
    const covariate = Float64Array.from({ length: LENGTH + HORIZON }, () => (at += next()));
    const truth = covariate.map(x => 2 * x + 0.2 * next());
    const { forecast, kept, gain } = await forecastWithCovariates(
      { series: { values: truth.slice(0, LENGTH), period: 1 }, covariates: [covariate], horizon: HORIZON },
      walkForecast(2),
    );
    assert.ok(kept && gain > 0.5, `${gain}`);
    assert.ok(mae(medians(forecast), truth) < 0.5);
  });

  test('ones that mean nothing are nearly always left out, and the forecast is as without any', async () => {
    let kept = 0;
    for (let seed = 0; seed < 30; seed++) {
      const { truth, covariate } = world(0, 100 + seed);
      const series = { values: truth.slice(0, LENGTH), period: 12 };
      const given = await forecastWithCovariates(
        { series, covariates: [covariate, world(0, 900 + seed).covariate], horizon: HORIZON },
        seasonalForecast(0.42),
      );
      kept += Number(given.kept);
      if (!given.kept) assert.equal(given.forecast, (await seasonalForecast(0.42)([series], HORIZON))[0]);
    }
    assert.ok(kept <= 2, `${kept}`);
  });

  test('80% bands hold about 80%, also where five of six covariates mean nothing', async () => {
    const LONG = 160;
    const inside: number[] = [];
    // Right for a walk beside a covariate whose effect has the deviation 4, at the origin and at the step
    const right: ForecastMany = (many, horizon) =>
      Promise.resolve(
        many.map(({ values }) =>
          normalForecast(
            new Float64Array(horizon).fill(values.at(-1)!),
            Float64Array.from({ length: horizon }, (_, h) => Math.sqrt(h + 1 + 32)),
          ),
        ),
      );
    for (let seed = 0; seed < 120; seed++) {
      const next = normals(7 * seed + 1);
      const covariates = Array.from({ length: 6 }, () => Float64Array.from({ length: LONG + HORIZON }, next));
      let at = 0;
      const truth = covariates[0]!.map(x => {
        at += next();
        return 4 * x + at;
      });
      const { forecast, kept } = await forecastWithCovariates(
        { series: { values: truth.slice(0, LONG), period: 1 }, covariates, horizon: HORIZON },
        right,
      );
      if (kept) inside.push(coverage(truth.slice(LONG), forecast));
    }
    const share = inside.reduce((sum, x) => sum + x / inside.length, 0);
    assert.ok(inside.length > 30 && share > 0.7 && share < 0.9, `${share} of ${inside.length}`);
  });

  test('one batched call; a short series, or no covariate, asks for its forecast alone', async () => {
    const calls: number[] = [];
    const asked: ForecastMany = (series, horizon) => {
      calls.push(series.length);
      return seasonalForecast(1)(series, horizon);
    };
    const { truth, covariate } = world(3, 1);
    const series = { values: truth.slice(0, LENGTH), period: 12 };
    await forecastWithCovariates({ series, covariates: [covariate], horizon: HORIZON }, asked);
    await forecastWithCovariates({ series, covariates: [], horizon: HORIZON }, asked);
    const short = await forecastWithCovariates(
      {
        series: { values: truth.slice(0, 60), period: 12 },
        covariates: [covariate.slice(0, 72)],
        horizon: HORIZON,
      },
      asked,
    );
    assert.equal(calls, [31, 1, 1]);
    assert.equal([short.kept, short.gain], [false, NaN]);
  });

  test('missing values are left out', async () => {
    const { truth, covariate } = world(3, 1);
    const values = truth.slice(0, LENGTH).map((x, i) => (i % 9 === 4 ? NaN : x));
    const { kept } = await forecastWithCovariates(
      { series: { values, period: 12 }, covariates: [covariate], horizon: HORIZON },
      seasonalForecast(1.5),
    );
    assert.ok(kept);
  });

  test('columns of another length or with gaps are refused by their number', async () => {
    const { truth, covariate } = world(0, 1);
    const series = { values: truth.slice(0, LENGTH), period: 12 };
    for (const [bad, message] of [
      [covariate.slice(1), /covariate 1 has 411 values/],
      [covariate.map(() => NaN), /covariate 1 .* not finite/],
    ] as const)
      await forecastWithCovariates(
        { series, covariates: [covariate, bad], horizon: HORIZON },
        seasonalForecast(1),
      ).then(
        () => assert.unreachable(),
        (error: Error) => assert.match(error.message, message),
      );
  });
});
