import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { mean, noise, passengers } from './series.js';
import { built, daily, FROM } from './tables.js';
import { airline, custom, has, openTraining, report, trained } from './training.js';
import { DAY, expected, push, refused, type World } from './world.js';

// What a report says, and that its numbers can be recomputed from its points (open-parts 10, 32.20; the
// metrics of docs/forecasting.md). Readings: a point names its `ts`, `actual` and `quantiles` as those of a
// backtest do; `score` is the metric that `metric` names; the folds are those of the segment.

const METRICS = 'mase rmsse smape mae crps coverage_80 coverage_95 bias';
const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

suite('acceptance: reports of trainings', test => {
  let world: World;
  let record: Json;
  let found: Json;
  test.before(async () => {
    world = await openTraining();
    const { segment_id } = await airline(world.api);
    const model = await custom(world.api, 'ets', { hyperparameters: { period: 12 } });
    record = await trained(world.api, { segment_id, model, horizon: 12, seed: 1 });
    found = await report(world.api, record.training_id);
  });
  test.after(() => world.close());

  test('it has every member, and says which metric decides', () => {
    has(found, 'metric score metrics baseline skill folds per_step per_entity calibration residuals');
    has(found, 'importance event_effects backtest warnings period');
    has(found.metrics, METRICS);
    has(found.baseline, METRICS);
    has(found.residuals, 'mean autocorrelation ljung_box_p');
    for (const name of ['folds', 'per_step', 'calibration', 'importance', 'event_effects', 'warnings'])
      assert.ok(Array.isArray(found[name]), name);
    assert.equal([found.metric, found.score], ['mase', found.metrics.mase]);
    assert.equal([found.folds.length, found.per_step.length], [3, 12]);
    assert.ok(Number.isInteger(found.period) && found.period >= 1);
    for (const entry of found.calibration) {
      has(entry, 'nominal observed n');
      assert.ok(entry.observed >= 0 && entry.observed <= 1 && entry.n > 0);
    }
    for (const entry of found.importance) has(entry, 'feature importance kind');
    assert.ok(found.residuals.ljung_box_p >= 0 && found.residuals.ljung_box_p <= 1);
  });

  test('the record has the same report', () => {
    assert.equal([record.report.score, record.report.metrics], [found.score, found.metrics]);
  });

  test('skill is the share of the error of seasonal naive that goes away', () => {
    const skill = 1 - found.score / found.baseline.mase;
    assert.ok(Math.abs(found.skill - skill) <= 1e-9, `${found.skill}, recomputed ${skill}`);
  });

  test('points are those of the table, forecast from what was before them', () => {
    const { points } = found.backtest;
    assert.is(points.length, 3 * 12);
    for (const point of points) {
      const at = (Date.parse(point.ts) - FROM) / DAY;
      assert.is(point.actual, passengers[at], point.ts);
      for (const level of [...DECILES, 0.025, 0.975])
        assert.type(point.quantiles[String(level)], 'number', `${level} of ${point.ts}`);
      const values = [0.025, ...DECILES, 0.975].map(level => point.quantiles[String(level)]);
      assert.equal(
        values,
        values.toSorted((a, b) => a - b),
        'quantiles never cross',
      );
    }
  });

  test('every metric that needs no history can be recomputed from the points', () => {
    const { points } = found.backtest;
    const close = (what: string, mine: number) =>
      assert.ok(
        Math.abs(found.metrics[what] - mine) <= 1e-9 * Math.max(1, Math.abs(mine)),
        `${what}: ${found.metrics[what]}, recomputed ${mine}`,
      );
    const misses: number[] = points.map((point: Json) => point.actual - point.quantiles['0.5']);
    close('mae', mean(misses.map(Math.abs)));
    close(
      'smape',
      mean(
        points.map(({ actual, quantiles }: Json) => {
          const median = quantiles['0.5'];
          return (200 * Math.abs(actual - median)) / (Math.abs(actual) + Math.abs(median));
        }),
      ),
    );
    const pinball = ({ actual, quantiles }: Json) =>
      DECILES.map(level => {
        const miss = actual - quantiles[String(level)];
        return miss >= 0 ? level * miss : (level - 1) * miss;
      });
    close('crps', 2 * mean(points.flatMap(pinball)));
    const within = (low: string, high: string) =>
      mean(
        points.map(({ actual, quantiles }: Json) =>
          Number(actual >= quantiles[low] && actual <= quantiles[high]),
        ),
      );
    close('coverage_80', within('0.1', '0.9'));
    close('coverage_95', within('0.025', '0.975'));
    const bias = mean(misses);
    assert.ok(Math.abs(Math.abs(found.metrics.bias) - Math.abs(bias)) <= 1e-9 * Math.max(1, Math.abs(bias)));
  });

  test('exponential smoothing is better than repeating the last season on the airline', () => {
    assert.ok(found.skill > 0, `skill ${found.skill}, ${JSON.stringify(found.metrics)}`);
    assert.ok(!JSON.stringify(found.warnings).includes('worse_than_naive'));
  });

  test('a model that is worse than seasonal naive is told so', async () => {
    const { segment_id } = await airline(world.api, {}, 'air.again');
    const model = await custom(world.api, 'naive');
    const { training_id } = await trained(world.api, { segment_id, model, horizon: 12 });
    const naive = await report(world.api, training_id);
    assert.is(naive.skill <= 0, JSON.stringify(naive.warnings).includes('worse_than_naive'));
  });

  test('an input that knows the target is suspected to leak', async () => {
    const values = noise(150);
    await push(world.api, 'level', values, { from: FROM });
    await push(
      world.api,
      'twin',
      values.map(value => 2 * value + 1),
      { from: FROM },
    );
    const inputs = [{ key: 'twin', role: 'known_future' }];
    const split = { method: 'rolling_origin', folds: 3, horizon: 5, gap: 0 };
    const { segment_id } = await built(world.api, daily('level', { inputs, split }));
    const model = await custom(world.api, 'theta');
    const { training_id } = await trained(world.api, { segment_id, model, horizon: 5 });
    assert.match(JSON.stringify((await report(world.api, training_id)).warnings), 'leakage_suspected');
  });

  test('there is no report before there is one', async () => {
    refused(await world.api.get<Json>('/v1/training/trn_nobodys/report'), 404);
    assert.is(expected(await world.api.get<Json>(`/v1/training/${record.training_id}`)).data.progress, 1);
  });
});
