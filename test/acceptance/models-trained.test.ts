import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { algorithms, called, NETWORK, RIDGE, TREES, type Algorithm } from './algorithms.js';
import { completed, fetched, has, openTraining, queued, report, shop } from './training.js';
import { expected, type World } from './world.js';

// Every algorithm of the catalogue, trained on one table through one path (the part 2; open-parts
// 10).

suite('acceptance: what each algorithm makes', test => {
  let world: World;
  let all: Algorithm[];
  let segment_id = '';
  const reports = new Map<string, Json>();
  test.before(async () => {
    world = await openTraining();
    all = await algorithms(world.api);
    ({ segment_id } = await shop(world.api, 280));
    const ids = await Promise.all(
      all.map(each => queued(world.api, { segment_id, model: each.uid, horizon: 7, seed: 1 })),
    );
    for (const [i, id] of ids.entries()) {
      const record = await completed(world.api, id);
      reports.set(all[i]!.name, { ...(await report(world.api, id)), record });
    }
  });
  test.after(() => world.close());
  const of = (name: RegExp): Json => reports.get(called(all, name).name);

  test('each is completed with a whole report, and a file', () => {
    for (const [name, found] of reports) {
      has(found, 'metric score metrics baseline skill folds per_step calibration residuals importance');
      has(found, 'backtest warnings period');
      assert.ok(Number.isFinite(found.score) && found.score > 0, name);
      assert.is(found.period, 7, name);
      assert.ok(found.record.artifact.size_bytes > 0, name);
      assert.is(found.backtest.points.length, 3 * 7, name);
    }
  });

  test('all are judged on the same points, against the same baseline', () => {
    const [first] = reports.values();
    const key = (found: Json) => found.backtest.points.map((point: Json) => [point.ts, point.actual]);
    for (const [name, found] of reports) {
      assert.equal(key(found), key(first), name);
      assert.equal(found.baseline, first.baseline, name);
    }
    const own = reports.get('seasonal_naive')!;
    assert.ok(Math.abs(own.score - own.baseline.mase) < 1e-9, 'seasonal naive is the baseline');
    assert.ok(Math.abs(own.skill) < 1e-9);
  });

  test('those that know of the week are better than those that do not', () => {
    const naive = reports.get('naive')?.score ?? reports.get('drift')!.score;
    for (const name of [/^theta$/, /^ets$/, /^arima$/, /mstl/, RIDGE, TREES, NETWORK])
      assert.ok(of(name).score < naive, `${name}: ${of(name).score} against ${naive}`);
  });

  test('those that learn are not worse than the baseline by much, on a series that is easy', () => {
    for (const name of [/^ets$/, /mstl/, RIDGE])
      assert.ok(of(name).skill > 0, `${name}: skill ${of(name).skill}`);
    for (const name of [TREES, NETWORK])
      assert.ok(of(name).skill > -0.35, `${name}: skill ${of(name).skill}`);
  });

  test('bands cover about what they say', () => {
    for (const [name, found] of reports)
      assert.ok(found.metrics.coverage_80 >= 0.3, `${name}: ${found.metrics.coverage_80}`);
  });

  test('files are ONNX, or for trees XGBoost’s JSON', async () => {
    for (const [name, { record }] of reports) {
      const { data } = expected(await world.api.get<Json>(`/v1/training/${record.training_id}/download`));
      const { bytes } = await fetched(data.download_url);
      if (data.format === 'xgboost_json') {
        assert.match(name, TREES);
        const { learner, version } = JSON.parse(String(bytes));
        assert.ok(learner.gradient_booster && Array.isArray(version), name);
      } else {
        assert.is(data.format, 'onnx', name);
        assert.is(bytes[0], 8, `${name}: a protobuf of a model begins with its version`);
      }
    }
    assert.is(of(TREES).record.artifact.format, 'xgboost_json');
  });
});
