import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { daily } from './series.js';
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

// Time travel (open-parts 29.1, 32.25): what was recorded by then, and nothing that came later.
// Readings: a key that nobody had pushed by then is short of history (got 0), not unknown.

const HOUR = 3_600_000;
const FROM = Date.UTC(2026, 0, 1);

suite('acceptance: as of a past moment', test => {
  let world: World;
  let id = '';
  const values = daily(120);
  /** Moments between what was recorded. */
  const moments: string[] = [];
  let then: Json;
  const moment = () => {
    world.later(HOUR);
    moments.push(at(world.now()));
    world.later(HOUR);
  };
  const ask = (more: object) =>
    world.api.post<Json>('/v1/inference/forecast', { promotion_id: id, key: 'orders', horizon: 7, ...more });
  test.before(async () => {
    world = await openWorld();
    id = await deploy(world.api);
    moment();
    await push(world.api, 'orders', values.slice(0, 100), { from: FROM });
    then = expected(await ask({}));
    moment();
    await push(world.api, 'orders', [5_000], { from: FROM + 99 * DAY });
    moment();
    await push(world.api, 'orders', values.slice(100), { from: FROM + 100 * DAY });
    await push(world.api, 'orders', [700], { from: FROM - DAY });
    moment();
  });
  test.after(() => world.close());

  test('the list of signals is as it was', async () => {
    const count = async (as_of: string) => {
      const { signals } = expected(await world.api.get<Json>(`/v1/signal?as_of=${as_of}`)).data;
      return signals.find((row: Json) => row.key === 'orders')?.count ?? 0;
    };
    assert.equal(
      [await count(moments[0]!), await count(moments[1]!), await count(moments[3]!)],
      [0, 100, 121],
    );
  });

  test('a forecast as of then is the forecast of then, to the bit', async () => {
    const again = expected(await ask({ as_of: moments[1] }));
    assert.equal(again.forecasts, then.forecasts);
    assert.is(again.metadata.data_cutoff, at(FROM + 99 * DAY));
    const now = expected(await ask({}));
    assert.is.not(JSON.stringify(now.forecasts), JSON.stringify(then.forecasts));
    const replay = await world.api.post<Json>(`/v1/inference/${again.inference_id}/replay`);
    assert.is(expected(replay).identical, true);
  });

  test('before the first point there is no history', async () => {
    const { details } = refused(await ask({ as_of: moments[0] }), 422, 'insufficient_history');
    assert.is(details.got, 0);
    assert.ok(details.needed >= 1);
  });

  test('a backtest as of then knows nothing that came later', async () => {
    const body = { promotion_id: id, key: 'orders', windows: 2, step: 5, horizon: 5 };
    const early = expected(
      await world.api.post<Json>('/v1/inference/backtest', { ...body, as_of: moments[1] }),
    );
    const series = [{ id: 'orders', start: at(FROM), step_s: 86_400, values: values.slice(0, 100) }];
    const { key, ...rest } = body;
    const inline = expected(await world.api.post<Json>('/v1/inference/backtest', { ...rest, series }));
    assert.is(key, 'orders');
    assert.equal(early.backtests, inline.backtests);
  });

  test('a misspelt as_of is refused, never passed over', async () => {
    for (const name of ['asof', 'as-of', 'asOf', 'vintage', 'vintage_date'])
      assert.equal(places(await ask({ [name]: moments[1] })), [`body.${name}`]);
    for (const wrong of ['yesterday', '2026-13-01T00:00:00Z', ''])
      assert.equal(places(await ask({ as_of: wrong })), ['body.as_of']);
  });

  test('a clock that stands still sees the same for ever', async () => {
    world.later(HOUR);
    await push(world.api, 'orders', [1, 2, 3], { from: FROM + 10 * DAY });
    const again = await forecast(world.api, {
      promotion_id: id,
      key: 'orders',
      horizon: 7,
      as_of: moments[1],
    });
    assert.equal(again.forecasts, then.forecasts);
  });
});
