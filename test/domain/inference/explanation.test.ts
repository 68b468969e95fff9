import * as assert from 'uvu/assert';
import { withCovariates } from '../../../domain/inference/covariates.js';
import { explained } from '../../../domain/inference/explanation.js';
import { forecastSeries } from '../../../domain/inference/forecast-series.js';
import { evenly } from '../../../domain/inference/gridded.js';
import { DAY } from '../../../domain/time.js';
import { Rejected } from '../../../domain/rejected.js';
import { suite } from '../../suite.js';
import { noiseForecast, normals, seasonalForecast } from '../maths/forecasting/toys.js';

const START = Date.UTC(2026, 0, 1);
const week = [0, 3, 1, -2, -4, 5, -3];
/** A line with a week. */
const values = Float64Array.from({ length: 70 }, (_, i) => 100 + 2 * i + week[i % 7]!);
const ahead = Float64Array.from({ length: 14 }, (_, h) => 100 + 2 * (70 + h) + week[h % 7]!);
const near = (actual: number, expected: number, within: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= within, `${what}: ${actual}, not ${expected}`);
const series = evenly('x', { start: START, stepMs: DAY, values: [...values] });

suite('the parts of a forecast', test => {
  test('a line with a week comes apart into level, line and week', () => {
    const { components, drivers } = explained({
      ...{ values, period: 7, mean: ahead, plain: ahead },
      effects: new Map(),
    });
    const part = new Map(components.map(({ name, points }) => [name as string, points]));
    assert.equal([...part.keys()], ['level', 'trend', 'seasonality']);
    ahead.forEach((_, h) => {
      near(part.get('seasonality')![h]!, week[h % 7]!, 1e-9, `week at ${h}`);
      near(part.get('level')![h]!, 100 + 2 * 66, 1e-9, 'the middle of the newest week');
      near(part.get('trend')![h]!, 2 * (4 + h), 1e-9, `line at ${h}`);
    });
    assert.equal(drivers, []);
  });

  test('the trend is smooth, also where the forecast has a season of its own', () => {
    const normal = normals(4);
    const stronger = ahead.map((value, h) => value + 0.5 * week[h % 7]! + 0.3 * normal());
    const { components } = explained({
      ...{ values, period: 7, mean: stronger, plain: stronger },
      effects: new Map(),
    });
    const part = new Map(components.map(({ name, points }) => [name as string, points]));
    const trend = part.get('trend')!;
    for (let h = 0; h < trend.length; h++) near(trend[h]!, 2 * (4 + h), 1, `near the line at ${h}`);
    for (let h = 2; h < trend.length; h++)
      near(trend[h]! - 2 * trend[h - 1]! + trend[h - 2]!, 0, 0.4, `no turn at ${h}`);
    part.get('seasonality')!.forEach((value, h) => near(value, 1.5 * week[h % 7]!, 1.5, `week at ${h}`));
  });

  test('they add up, also of noise, gaps, even periods and covariates', () => {
    const normal = normals(3);
    for (const period of [1, 2, 7, 12, 24]) {
      const some = values.map((value, i) => (i % 13 === 4 ? NaN : value + normal()));
      const plain = ahead.map(value => value + normal());
      const mean = plain.map(value => value + normal());
      const { components } = explained({ values: some, period, mean, plain, effects: new Map() });
      mean.forEach((value, h) =>
        near(
          components.reduce((sum, { points }) => sum + points[h]!, 0),
          value,
          1e-9,
          `step ${h}`,
        ),
      );
    }
  });
});

const wanted = {
  horizon: 14,
  levels: [0.1, 0.5, 0.9],
  fill: 'linear',
  explain: true,
  lookback: 2_048,
} as const;

suite('covariates of a forecast', test => {
  const normal = normals(5);
  const promotion = Array.from({ length: 254 }, (_, i) => Number((i * 7919) % 11 < 3));
  const idle = Array.from({ length: 254 }, () => normal());
  const sales = promotion.slice(0, 240).map(p => 50 + 30 * p + normal());
  const plain = evenly('sales', { start: START, stepMs: DAY, values: sales });
  const columns = (of: readonly number[]) => ({ past: of.slice(0, 240), future: of.slice(240) });
  const withAll = withCovariates(
    plain,
    {
      past: { promotion: columns(promotion).past, idle: columns(idle).past },
      future: { promotion: columns(promotion).future, idle: columns(idle).future },
    },
    14,
  );

  test('move the median where they say, and the strongest is named first', async () => {
    const [made] = await forecastSeries([withAll.series], wanted, noiseForecast(58, 14));
    made!.mean.forEach((value, h) => near(value, 50 + 30 * promotion[240 + h]!, 2, `step ${h}`));
    const { components, drivers } = made!.explanation!;
    const covariate = components.find(({ name }) => name === 'covariate')!;
    made!.mean.forEach((value, h) => near(58 + covariate.points[h]!, value, 1e-9, `step ${h}`));
    assert.equal(
      drivers.map(({ key }) => key),
      ['promotion', 'idle'],
    );
    assert.ok(drivers[0]!.direction === (drivers[0]!.contribution < 0 ? 'down' : 'up'));
  });

  test('leave series beside them as they are', async () => {
    const together = await forecastSeries([series, withAll.series, series], wanted, seasonalForecast(1));
    const [alone] = await forecastSeries([series], wanted, seasonalForecast(1));
    assert.equal(together[0], alone);
    assert.equal(together[2], alone);
  });

  test('what is known on one side only is left out, and said', () => {
    const { series: made, warnings } = withCovariates(
      plain,
      { past: { promotion: columns(promotion).past }, future: { price: [...idle.slice(0, 14)] } },
      14,
    );
    assert.equal(Object.keys(made.covariates), []);
    assert.equal(
      warnings.map(({ code }) => code),
      ['covariate_unused', 'covariate_unused'],
    );
  });

  test('a future that falls short says by how much, a past of another length how long it is', () => {
    const faultOf = (given: Parameters<typeof withCovariates>[1]): Rejected => {
      try {
        withCovariates(plain, given, 14);
      } catch (error) {
        assert.instance(error, Rejected);
        return error as Rejected;
      }
      throw new Error('taken');
    };
    const { past, future } = columns(promotion);
    const short = faultOf({ past: { promotion: past }, future: { promotion: future.slice(5) } });
    assert.equal([short.code, short.details['missing_steps']], ['insufficient_future_covariates', 5]);
    const other = faultOf({ past: { promotion: past.slice(3) }, future: { promotion: future } });
    const [{ loc, msg }] = other.details['detail'] as [{ loc: string[]; msg: string }];
    assert.equal([other.code, loc], ['validation_error', ['body', 'past', 'promotion']]);
    assert.match(msg, '237');
  });
});
