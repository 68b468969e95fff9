import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { daily } from './series.js';
import { DAY, deploy, expected, forecast, openWorld, push, quantile, type World } from './world.js';

// Every forecast of a signal is graded as its actuals arrive, and its bands are calibrated (open-parts 12,
// 29.6, 29.7). Readings: `actuals` are `[{id, points: [{ts, value}]}]` in the order of the steps; a
// forecast of numbers in the request has no actuals; after fourteen weeks there is enough past to calibrate
// on.

suite('acceptance: grades and calibration', test => {
  let world: World;
  let id = '';
  const FROM = Date.UTC(2026, 0, 1);
  const values = daily(400);
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api, 'nano', { horizon: 7 });
  });
  test.after(() => world.close());

  const one = async (inferenceId: string): Promise<Json> =>
    expected(await world.api.get<Json>(`/v1/inference/${inferenceId}`));
  const graded = (inferenceId: string): Promise<Json> =>
    until(async () => {
      const record = await one(inferenceId);
      return record.grade && record;
    }, `the grade of ${inferenceId}`);
  const numbers = (actuals: Json): number[] =>
    (actuals ?? [])
      .flatMap((each: Json) => each.points)
      .map((point: Json) => point.value)
      .filter((value: number | null) => value !== null);

  test('a forecast gets its actuals as they come, and its grade with the last of them', async () => {
    await push(world.api, 'orders', values.slice(0, 200), { from: FROM });
    const answer = await forecast(world.api, { promotion_id: id, key: 'orders', horizon: 7 });
    const before = await one(answer.inference_id);
    assert.equal([before.status, before.grade], ['completed', null]);
    await push(world.api, 'orders', values.slice(200, 203), { from: FROM + 200 * DAY });
    const some = await until(async () => {
      const record = await one(answer.inference_id);
      return numbers(record.actuals).length >= 3 && record;
    }, 'three actuals');
    assert.equal(numbers(some.actuals), values.slice(200, 203));
    assert.is(some.grade, null);
    await push(world.api, 'orders', values.slice(203, 210), { from: FROM + 203 * DAY });
    const { grade, actuals, status } = await graded(answer.inference_id);
    assert.is(status, 'graded');
    assert.equal(numbers(actuals), values.slice(200, 207));
    const medians = quantile(answer.forecasts[0].points, 0.5);
    const truth = values.slice(200, 207);
    const smape =
      truth.reduce(
        (sum, y, i) => sum + (200 * Math.abs(y - medians[i]!)) / (Math.abs(y) + Math.abs(medians[i]!)),
        0,
      ) / 7;
    const found = grade.smape ?? grade.metrics.smape;
    assert.ok(Math.abs(found - smape) < 1e-6, `${found} instead of ${smape}`);
    const m = grade.period ?? grade.metrics?.period ?? 7;
    const history = values.slice(0, 200);
    const scale = history.slice(m).reduce((sum, y, i) => sum + Math.abs(y - history[i]!), 0) / (200 - m);
    const mase = truth.reduce((sum, y, i) => sum + Math.abs(y - medians[i]!), 0) / 7 / scale;
    assert.ok(
      Math.abs((grade.mase ?? grade.metrics.mase) - mase) < 1e-6,
      `${JSON.stringify(grade)}, ${mase}`,
    );
    const { inferences } = expected(await world.api.get<Json>('/v1/inference'));
    const [row] = inferences.filter((each: Json) => each.inference_id === answer.inference_id);
    assert.is(row.graded, true);
    assert.ok(Math.abs(row.score - mase) < 1e-6, 'the score of the history is MASE');
    const same = await one(answer.inference_id);
    assert.equal(same.answer.forecasts, answer.forecasts, 'what was answered stays as it was');
  });

  test('actuals that come a few seconds early are those of their own hour', async () => {
    const HOUR = DAY / 24;
    const early = (i: number) => FROM + i * HOUR - (i % 7 === 3 ? 2_000 : 0);
    const send = (from: number, to: number) => {
      const pairs = values.slice(from, to).map((value, i) => [early(from + i), value]);
      return world.api.post<Json>('/v1/signal/push', { key: 'hours', values: pairs });
    };
    expected(await send(0, 120));
    const { inference_id, forecasts } = await forecast(world.api, {
      promotion_id: id,
      key: 'hours',
      horizon: 10,
    });
    assert.is(Date.parse(forecasts[0].points[0].ts), FROM + 120 * HOUR);
    expected(await send(120, 130));
    assert.equal(numbers((await graded(inference_id)).actuals), values.slice(120, 130));
  });

  test('numbers in the request have no actuals', async () => {
    const series = [
      { id: 'orders', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: values.slice(0, 100) },
    ];
    const answer = await forecast(world.api, { promotion_id: id, series, horizon: 3 });
    await push(world.api, 'elsewhere', values.slice(0, 10), { from: FROM });
    const { grade, status } = await one(answer.inference_id);
    assert.equal([grade, status], [null, 'completed']);
  });

  test('bands hold what they promise also when noise grows, and say what they were judged on', async () => {
    const loud = daily(140, { seed: 8, noise: 25 }).map((value, i) => value + 0.05 * (200 + i));
    const wild = daily(200).concat(loud);
    await push(world.api, 'wild', wild.slice(0, 200), { from: FROM });
    let [inside, judged] = [0, 0];
    let last: Json;
    for (let week = 0; week < 14; week++) {
      last = await forecast(world.api, { promotion_id: id, key: 'wild', horizon: 7 });
      const from = 200 + week * 7;
      const truth = wild.slice(from, from + 7);
      await push(world.api, 'wild', truth, { from: FROM + from * DAY });
      const { status } = await graded(last.inference_id);
      assert.is(status, 'graded');
      if (week < 4) continue;
      const { points } = last.forecasts[0];
      const [low, high] = [quantile(points, 0.1), quantile(points, 0.9)];
      inside += truth.filter((value, i) => value >= low[i]! && value <= high[i]!).length;
      judged += 7;
    }
    assert.ok(inside / judged > 0.6 && inside / judged < 0.97, `80% bands hold ${inside} of ${judged}`);
    const { method, level, coverage_recent, n, widened_by } = last.metadata.calibration;
    assert.is(method, 'conformal');
    assert.ok(n >= 10, `judged on ${n}`);
    assert.ok(level > 0 && level < 1);
    assert.ok(coverage_recent >= 0.5 && coverage_recent <= 1, `${coverage_recent} of late`);
    assert.type(widened_by, 'number');
    for (const { quantiles } of last.forecasts[0].points) {
      const found = Object.entries(quantiles).sort((a, b) => Number(a[0]) - Number(b[0]));
      const ordered = found.map(([, value]) => value as number);
      assert.equal(
        ordered,
        ordered.toSorted((a, b) => a - b),
      );
    }
    const replayed = await world.api.post<Json>(`/v1/inference/${last.inference_id}/replay`);
    assert.equal(expected(replayed), { identical: true, diff: [] });
  });
});
