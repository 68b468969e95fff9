import * as assert from 'uvu/assert';
import { customTraining } from '../../../adapters/trainings/custom.js';
import { mostJudged } from '../../../domain/trainings/custom/local.js';
import type { TrainingTable, TrainingWork } from '../../../domain/trainings/ports.js';
import type { Metrics, Report } from '../../../domain/trainings/report.js';
import { suite } from '../../suite.js';
import { seriesOf, tableOf, weekly } from './made-table.js';

const workOf = (algorithm: 'drift' | 'seasonal_naive' | 'naive' | 'ets', given: Partial<TrainingWork> = {}) =>
  ({
    what: { kind: 'custom', recipe: { algorithm, hyperparameters: {} } },
    ...{ horizon: 7, lookback: null, seed: 1, metric: 'mase', against: null },
    ...given,
  }) satisfies TrainingWork;
const reportOf = async (table: TrainingTable, work: TrainingWork): Promise<Report> =>
  (await customTraining('')(table, work, () => {})).report;

const near = (found: Partial<Metrics>, expected: Readonly<Record<string, number>>): void => {
  for (const [name, value] of Object.entries(expected))
    assert.ok(Math.abs(found[name as keyof Metrics]! - value) < 1e-9, `${name}: ${value}`);
};

suite('a report', test => {
  const holed = weekly(1, 100);
  holed[95] = NaN;
  const table = tableOf([seriesOf(holed, 'a'), seriesOf(weekly(2, 100), 'b')], { folds: 3, gap: 1 });
  let report: Report;
  test.before(async () => {
    report = await reportOf(table, workOf('drift'));
  });

  // Made from the points of the report and the table by numpy and scipy, metric by metric as their papers
  // have them
  test('has the numbers that others compute from its points', () => {
    near(report.metrics, {
      mase: 3.9080701926793453,
      rmsse: 0.6714073068702829,
      smape: 13.333096278674882,
      mae: 29.106287740037732,
      crps: 32.96415679638402,
      ...{ coverage_80: 1, coverage_95: 1, bias: -0.4223969086469051 },
    });
    near(report.baseline, {
      mase: 0.9007100551964372,
      rmsse: 0.15834089091397852,
      smape: 3.0984784651257313,
      mae: 6.653253968253971,
      crps: 5.165015150206955,
      ...{ coverage_80: 0.8293650793650792, coverage_95: 1, bias: 0.232857142857144 },
    });
    near(report.folds[0]!, { mase: 3.940122846973824, crps: 32.75686692522981, bias: -1.0019480519480397 });
    near(report.per_step[6]!, { mase: 4.723843070723155, crps: 41.11561784276207, bias: -34.90444555444555 });
    near(report.per_entity[0]!, { mase: 4.214185112585429, rmsse: 0.6611479386981302 });
    const { mean, autocorrelation, ljung_box_p } = report.residuals;
    assert.ok(Math.abs(mean! - 0.15930831363757825) < 1e-9);
    assert.ok(Math.abs(autocorrelation[3]! - 0.05062616195063583) < 1e-9);
    assert.is(autocorrelation.length, 4);
    assert.ok(Math.abs(ljung_box_p! - 0.04039783499351852) < 1e-9);
    assert.equal(report.calibration[0], { nominal: 0.2, observed: 22 / 41, n: 41 });
  });

  test('says the score, its share of the baseline, and the folds as they were cut', () => {
    assert.is(report.score, report.metrics.mase);
    assert.is(report.skill, 1 - report.metrics.mase! / report.baseline.mase!);
    assert.is(report.period, 7);
    const { train, test: tested } = table.folds[1]!;
    const { fold, train_to, test_from, test_to, score, mase } = report.folds[1]!;
    assert.equal([fold, train_to, test_from, test_to], [1, train.to, tested.from, tested.to]);
    assert.is(score, mase);
    assert.is(report.backtest.points.length, 3 * 2 * 7);
    assert.is(report.backtest.points.filter(({ actual }) => actual === null).length, 1);
  });

  test('is the same to the byte when it is made again', async () => {
    assert.is(JSON.stringify(await reportOf(table, workOf('drift'))), JSON.stringify(report));
  });

  test('stands on nothing that came after the training of a fold', async () => {
    const changed = Float64Array.from(holed, (value, t) => (t >= 78 ? value * 3 : value));
    const again = await reportOf({ ...table, series: [seriesOf(changed, 'a')] }, workOf('drift'));
    const meansOf = ({ backtest }: Report, fold: number): number[] =>
      backtest.points.flatMap(each => (each.fold === fold && each.entity === 'a' ? [each.mean] : []));
    // The first fold trains up to step 78, its test begins at step 79
    assert.equal(meansOf(again, 0), meansOf(report, 0));
    assert.not.equal(meansOf(again, 1), meansOf(report, 1));
  });
});

suite('warnings of a report', test => {
  const values = weekly(3, 90);
  const warned = async (table: TrainingTable, work: TrainingWork): Promise<readonly string[]> =>
    (await reportOf(table, work)).warnings;

  test('none where nothing is wrong', async () => {
    assert.equal(await warned(tableOf([seriesOf(values)]), workOf('seasonal_naive')), []);
  });
  test('worse_than_naive', async () => {
    assert.equal(await warned(tableOf([seriesOf(values)]), workOf('naive')), ['worse_than_naive']);
  });
  test('short_history', async () => {
    const short = tableOf([seriesOf(values.slice(0, 29))]);
    assert.ok((await warned(short, workOf('seasonal_naive'))).includes('short_history'));
  });
  test('leakage_suspected', async () => {
    const leak = values.map(value => 2 * value + 1);
    const columns = [{ name: 'likes', role: 'past' }] as const;
    const leaky = tableOf([seriesOf(values, null, [leak])], { columns });
    assert.equal(await warned(leaky, workOf('seasonal_naive')), ['leakage_suspected']);
    const early = Float64Array.from(values, (_, t) => values[t + 1] ?? NaN);
    const foretold = tableOf([seriesOf(values, null, [early])], { columns });
    assert.equal(await warned(foretold, workOf('seasonal_naive')), ['leakage_suspected']);
    const honest = tableOf([seriesOf(values, null, [weekly(4, 90)])], { columns });
    assert.equal(await warned(honest, workOf('seasonal_naive')), []);
  });
  test('horizon_beyond_folds', async () => {
    const found = await warned(tableOf([seriesOf(values)]), workOf('seasonal_naive', { horizon: 9 }));
    assert.equal(found, ['horizon_beyond_folds']);
  });
  test('not_judged, of a target that never changes', async () => {
    const constant = tableOf([seriesOf(values.map(() => 5))]);
    const report = await reportOf(constant, workOf('seasonal_naive'));
    assert.equal(report.warnings, ['not_judged']);
    assert.is(report.score, null);
  });
  test('some_series_judged, where all would take too long', () => {
    const many = tableOf(Array.from({ length: 102 }, (_, i) => seriesOf(values, `s${i}`)));
    const recipe = { algorithm: 'arima', hyperparameters: {} } as const;
    const { judged, warnings } = mostJudged(recipe, many);
    assert.equal(warnings, ['some_series_judged']);
    assert.is(judged.series.length, 100);
    assert.equal(mostJudged(recipe, judged), { judged, warnings: [] });
  });
});

suite('effects of events', test => {
  test('are what the forecasts missed in steps with one', async () => {
    const values = weekly(5, 70);
    const events = new Float64Array(70);
    for (const at of [58, 65]) {
      events[at] = 1;
      values[at]! += 100;
    }
    const columns = [{ name: 'news:count', role: 'event' }] as const;
    const report = await reportOf(
      tableOf([seriesOf(values, null, [events])], { columns }),
      workOf('seasonal_naive'),
    );
    const misses = report.backtest.points.map(({ actual, mean }) => actual! - mean);
    const inside = (misses[2]! + misses[9]!) / 2;
    const outside = (misses.reduce((sum, x) => sum + x, 0) - 2 * inside) / 12;
    const [effect] = report.event_effects;
    assert.is(effect?.stream, 'news');
    assert.is(effect?.n, 2);
    assert.ok(Math.abs(effect!.effect - (inside - outside)) < 1e-9);
  });
});
