import * as assert from 'uvu/assert';
import { backtest, BACKTEST_LEVELS } from '../../../domain/inference/backtest.js';
import { forecastSeries } from '../../../domain/inference/forecast-series.js';
import type { InferenceSeries } from '../../../domain/inference/forecasting.js';
import { averageGrade, gradeOf, scalesOf } from '../../../domain/inference/grade.js';
import { evenly } from '../../../domain/inference/gridded.js';
import { DAY } from '../../../domain/time.js';
import { Rejected } from '../../../domain/rejected.js';
import { suite } from '../../suite.js';
import { normals, seasonalForecast, walkForecast } from '../maths/forecasting/toys.js';

const START = Date.UTC(2026, 0, 1);
const week = [0, 30, 10, -20, -40, 50, -30];
const normal = normals(11);
const daily = Array.from({ length: 150 }, (_, i) => 200 + week[i % 7]! + 4 * normal());
const seriesOf = (values: readonly (number | null)[], id = 'x'): InferenceSeries =>
  evenly(id, { start: START, stepMs: DAY, values });
const wanted = { windows: 3, step: 10, horizon: 14, fill: 'linear', lookback: 2_048 } as const;

suite('grades', test => {
  // By utilsforecast 0.2.17 (PyPI) of the same numbers: mase with seasonality 4, rmsse 1, mae, bias, mqloss
  // of
  // the nine deciles (half of ours), coverage; sktime 1.2.0 has the same mase and rmsse, and half of our
  // smape
  // over 100.
  const history = Float64Array.from([12, 15, 11, 18, 14, 17, 13, 20, 15, 19, 16, 22, 17, 21, 18, 25]);
  const actual = Float64Array.from([19, 26, 20, 27, 26]);
  const columns: Readonly<Record<string, readonly number[]>> = {
    0.025: [14, 18, 14.5, 20, 15],
    0.1: [16, 20, 17, 22, 17],
    0.2: [17, 21, 18, 23, 18],
    0.3: [17.5, 21.5, 18.6, 24, 18.5],
    0.4: [18, 22, 19, 24.5, 19.2],
    0.5: [18.4, 22.6, 19.5, 25.1, 19.9],
    0.6: [18.9, 23.1, 20.1, 25.6, 20.3],
    0.7: [19.4, 23.6, 20.7, 26, 20.8],
    0.8: [20, 24, 21.2, 26.4, 21.5],
    0.9: [21, 25, 22.4, 27.5, 22.6],
    0.975: [23, 27, 25, 30, 25],
  };
  const quantiles = Object.entries(columns)
    .map(([level, values]) => ({ level: Number(level), values: Float64Array.from(values) }))
    .sort((a, b) => a.level - b.level);
  const mean = Float64Array.from(columns[0.5]!);
  const grade = gradeOf({ mean, quantiles }, actual, scalesOf(history, 4));

  test('are those of the reference', () => {
    const expected = {
      mase: 1.2,
      rmsse: 0.6749084624338003,
      smape: 10.72103159814343,
      mae: 2.5,
      bias: -2.5,
      crps: 2 * 1.056888888888889,
      coverage80: 0.6,
      coverage95: 0.8,
    };
    for (const [name, value] of Object.entries(expected))
      assert.ok(
        Math.abs(grade[name as keyof typeof grade]! - value) < 1e-9,
        `${name}: ${grade[name as keyof typeof grade]}, not ${value}`,
      );
    assert.is(grade.n, 5);
  });

  test('count what is known alone, and tell nothing where there is nothing', () => {
    const { n, mae } = gradeOf({ mean, quantiles }, Float64Array.from([19, NaN, 20]), scalesOf(history, 4));
    assert.is(n, 2);
    assert.ok(Math.abs(mae! - 0.55) < 1e-12);
    const none = gradeOf({ mean, quantiles }, Float64Array.from([NaN]), scalesOf(history, 4));
    assert.equal([none.n, none.mase, none.crps, none.coverage80], [0, null, null, null]);
    const few = gradeOf({ mean, quantiles: quantiles.slice(3, 7) }, actual, scalesOf(history, 4));
    assert.equal([few.coverage80, few.coverage95], [null, null]);
    assert.ok(few.crps! > 0);
  });

  test('are averaged over those that have them', () => {
    const none = gradeOf({ mean, quantiles }, Float64Array.from([NaN]), scalesOf(history, 4));
    assert.equal(averageGrade([grade, none]), grade);
  });
});

suite('backtests', test => {
  test('each window is the forecast of its moment, judged by what came', async () => {
    const [made] = await backtest([seriesOf(daily)], wanted, seasonalForecast(5));
    assert.is(made!.period, 7);
    for (const [w, { cutoff, forecast, actual, grade }] of made!.windows.entries()) {
      const origin = 150 - 14 - (2 - w) * 10;
      assert.is(cutoff, START + (origin - 1) * DAY);
      const [alone] = await forecastSeries(
        [seriesOf(daily.slice(0, origin))],
        { ...wanted, levels: BACKTEST_LEVELS, explain: false },
        seasonalForecast(5),
      );
      assert.equal(forecast, alone);
      assert.equal([...actual], daily.slice(origin, origin + 14));
      const history = Float64Array.from(daily.slice(0, origin));
      assert.equal(grade, gradeOf(forecast, actual, scalesOf(history, 7)));
    }
  });

  test('what came after a cutoff changes nothing of its forecast', async () => {
    const poisoned = daily.map((value, i) => (i >= 136 ? value * 1e6 : value));
    const [made] = await backtest([seriesOf(daily)], wanted, walkForecast(5));
    const [other] = await backtest([seriesOf(poisoned)], wanted, walkForecast(5));
    assert.equal(
      other!.windows.map(({ forecast }) => forecast),
      made!.windows.map(({ forecast }) => forecast),
    );
    assert.equal(other!.period, made!.period);
  });

  test('several series come out as each by itself', async () => {
    const all = [seriesOf(daily, 'a'), seriesOf(daily.slice(40), 'b')];
    const together = await backtest(all, wanted, seasonalForecast(5));
    for (const [i, one] of all.entries())
      assert.equal((await backtest([one], wanted, seasonalForecast(5)))[0], together[i]);
  });

  test('a series that is too short says how much there must be', async () => {
    const error: unknown = await backtest([seriesOf(daily.slice(0, 20))], wanted, seasonalForecast(5)).catch(
      (e: unknown) => e,
    );
    assert.instance(error, Rejected);
    const { code, details } = error as Rejected;
    assert.equal([code, details], ['insufficient_history', { id: 'x', needed: 36, got: 20 }]);
  });
});
