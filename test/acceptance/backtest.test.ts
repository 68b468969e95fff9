import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { daily, mean } from './series.js';
import {
  at,
  DAY,
  deploy,
  expected,
  forecast,
  openWorld,
  places,
  push,
  refused,
  type World,
} from './world.js';

// Backtests, whose numbers anybody can recompute (open-parts 12, 32.20; the metrics of docs/forecasting.md).
// Readings: a window's cutoff is the time of the last point that it knew; the last window ends with the
// series; windows are `step` apart.

const FROM = Date.UTC(2026, 0, 1);
const DECILES = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];

suite('acceptance: backtests', test => {
  let world: World;
  let id = '';
  const values = daily(200);
  const series = [{ id: 'orders', start: at(FROM), step_s: 86_400, values }];
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api);
  });
  test.after(() => world.close());

  const ask = (more: object) =>
    world.api.post<Json>('/v1/inference/backtest', { promotion_id: id, series, ...more });
  const known = (window: Json): readonly number[] =>
    values.slice(0, (Date.parse(window.cutoff) - FROM) / DAY + 1);

  test('every metric can be recomputed from the points', async () => {
    const { backtests } = expected(await ask({ windows: 4, step: 10, horizon: 14 }));
    assert.is(backtests.length, 1);
    const [{ id: name, period, windows }] = backtests;
    assert.equal([name, period, windows.length], ['orders', 7, 4]);
    for (const [w, window] of windows.entries()) {
      const cutoff = 200 - 14 - (3 - w) * 10 - 1;
      assert.is(window.cutoff, at(FROM + cutoff * DAY));
      const { points, metrics } = window;
      assert.is(points.length, 14);
      for (const [i, point] of points.entries()) {
        assert.is(point.ts, at(FROM + (cutoff + 1 + i) * DAY));
        assert.is(point.actual, values[cutoff + 1 + i]);
      }
      const close = (what: string, mine: number) =>
        assert.ok(
          Math.abs(metrics[what] - mine) <= 1e-6 * Math.max(1, Math.abs(mine)),
          `${what} of window ${w}: ${metrics[what]}, recomputed ${mine}`,
        );
      const history = known(window);
      const moved = (lag: number) => history.slice(lag).map((value, i) => value - history[i]!);
      const scale = mean(moved(period).map(Math.abs));
      const misses = points.map((point: Json) => point.actual - point.quantiles['0.5']);
      close('mase', mean(misses.map(Math.abs)) / scale);
      close('rmsse', Math.sqrt(mean(misses.map((e: number) => e * e)) / mean(moved(1).map(e => e * e))));
      close(
        'smape',
        mean(
          points.map(({ actual, quantiles }: Json) => {
            const median = quantiles['0.5'];
            return (200 * Math.abs(actual - median)) / (Math.abs(actual) + Math.abs(median));
          }),
        ),
      );
      close(
        'crps',
        2
          * mean(
            points.flatMap(({ actual, quantiles }: Json) =>
              DECILES.map(level => {
                const miss = actual - quantiles[String(level)];
                return miss >= 0 ? level * miss : (level - 1) * miss;
              }),
            ),
          ),
      );
      const within = (low: string, high: string) =>
        mean(
          points.map(({ actual, quantiles }: Json) =>
            Number(actual >= quantiles[low] && actual <= quantiles[high]),
          ),
        );
      close('coverage_80', within('0.1', '0.9'));
      close('coverage_95', within('0.025', '0.975'));
    }
  });

  test('a window is what a forecast would have been at its cutoff, and knows nothing of later', async () => {
    const { backtests } = expected(await ask({ windows: 3, step: 7, horizon: 7 }));
    for (const window of backtests[0].windows) {
      const before = [{ ...series[0], values: known(window) }];
      const body = { promotion_id: id, series: before, horizon: 7, quantiles: [...DECILES, 0.025, 0.975] };
      const { forecasts } = await forecast(world.api, body);
      for (const [i, { quantiles }] of window.points.entries())
        for (const level of Object.keys(quantiles))
          assert.is(quantiles[level], forecasts[0].points[i].quantiles[level], `${level} of step ${i}`);
    }
    const changed = values.map((value, i) => (i >= 193 ? value * 5 : value));
    const other = expected(
      await ask({ series: [{ ...series[0], values: changed }], windows: 3, step: 7, horizon: 7 }),
    );
    for (const [w, window] of backtests[0].windows.entries())
      assert.equal(
        other.backtests[0].windows[w].points.map((point: Json) => point.quantiles),
        window.points.map((point: Json) => point.quantiles),
        'what happens later changes no earlier forecast',
      );
  });

  test('a signal is tested as its values are', async () => {
    await push(world.api, 'orders', values, { from: FROM });
    const plan = { windows: 2, step: 5, horizon: 5 };
    const byKey = expected(await ask({ series: undefined, key: 'orders', ...plan }));
    assert.equal(byKey.backtests, expected(await ask(plan)).backtests);
  });

  test('it beats repeating last week on a series with a week', async () => {
    const { backtests } = expected(await ask({ windows: 10, step: 7, horizon: 7 }));
    const scores = backtests[0].windows.map((window: Json) => window.metrics.mase);
    assert.ok(mean(scores) < 1, `MASE ${mean(scores)}`);
  });

  test('more than a series can give is refused', async () => {
    for (const windows of [0, 21, 1.5]) assert.equal(places(await ask({ windows })), ['body.windows']);
    assert.equal(places(await ask({ step: 0 })), ['body.step']);
    const short = [{ ...series[0], values: values.slice(0, 20) }];
    const { details } = refused(
      await ask({ series: short, windows: 10, step: 5, horizon: 5 }),
      422,
      'insufficient_history',
    );
    assert.ok(details.needed > details.got);
    assert.is(details.got, 20);
    assert.match(refused(await ask({ horizon: 900 }), 400, 'horizon_above_cap').message, 'horizon');
  });
});
