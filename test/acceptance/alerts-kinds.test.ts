import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { alert, alertIn, alerting, fired, hourOf, instances, makeAlert, quietUntil, rule } from './alerts.js';
import { active, body, forecastNow, HOUR, hours, latest, newer, openGoals, upToNow } from './goals.js';
import { expected, type World } from './world.js';

// What rules look at (open-parts 19, 32.31): actuals, forecasts, bands, data that does not come, what is
// spent. Readings: a `level` is a share or a percentage, whichever the rule takes; `share` is of
// `max_credit_per_month`, from 0 to 1; the probability that a forecast crosses a value is that of the step
// where it is largest, or of any step.

suite('acceptance: kinds of alerts', test => {
  let world: World;
  let id = '';
  const hour = async (value: number) => {
    const before = await latest(world.api, id);
    await hourOf(world, 'demand', value);
    await newer(world.api, id, before);
  };
  const count = async (alertId: string): Promise<number> => (await instances(world.api, id, alertId)).length;
  /** A rule with a level, as a percentage where that is taken. */
  const atLevel = async (kind: string, percent: number): Promise<string> => {
    const first = await makeAlert(world.api, id, rule(kind, { level: percent }));
    if (first.status === 422) return alerting(world.api, id, kind, { level: percent / 100 });
    return expected(first, 201).data.alert_id;
  };
  test.before(async () => {
    world = await openGoals();
    await upToNow(world, 'demand', hours(200));
    id = await active(world.api, body('demand', { options: { max_credit_per_month: 400 } }));
  });
  test.after(() => world.close());

  test('threshold: an actual above, or below, a value', async () => {
    const above = await alerting(world.api, id, 'threshold', { value: 150, direction: 'above' });
    const below = await alerting(world.api, id, 'threshold', { value: 50, direction: 'below' });
    await hour(170);
    await fired(world.api, id, above);
    await quietUntil(world, 'demand', id, above, 'resolved', 'normal');
    await hour(20);
    await fired(world.api, id, below);
    assert.equal([await count(above), await count(below)], [1, 1]);
  });

  test('forecast_threshold: how probable it is that a forecast crosses a value', async () => {
    const sure = { value: 1_000, direction: 'below', probability: 0.5, within_steps: 3 };
    const never = { value: 1_000, direction: 'above', probability: 0.5, within_steps: 3 };
    const [one, other] = [
      await alerting(world.api, id, 'forecast_threshold', sure),
      await alerting(world.api, id, 'forecast_threshold', never),
    ];
    world.later(1_000);
    await forecastNow(world.api, id);
    await fired(world.api, id, one);
    await hour(100);
    assert.equal([await count(one), await count(other)], [1, 0]);
    assert.is((await alert(world.api, id, other)).state, 'normal');
  });

  test('band_breach: an actual outside of the band', async () => {
    for (let i = 0; i < 3; i++) await hour(100);
    const breached = await atLevel('band_breach', 80);
    await hour(600);
    await fired(world.api, id, breached);
    await quietUntil(world, 'demand', id, breached, 'resolved', 'normal');
  });

  test('anomaly: an actual that is like none before', async () => {
    const odd = await atLevel('anomaly', 99);
    await hour(-5_000);
    await fired(world.api, id, odd);
  });

  test('budget: a share of what may be spent is spent', async () => {
    const spent = await alerting(world.api, id, 'budget', { share: 0.000_001 });
    await hour(100);
    await fired(world.api, id, spent);
    const far = await alerting(world.api, id, 'budget', { share: 0.99 });
    await hour(100);
    assert.is((await alert(world.api, id, far)).state, 'normal');
  });

  test('data_stale: nothing came for so many cadences; others have no data then', async () => {
    const stale = await alerting(world.api, id, 'data_stale', { cadences: 4 });
    const other = await alerting(world.api, id, 'threshold', { value: 90_000, direction: 'above' });
    await hour(100);
    assert.is(await count(stale), 0);
    world.later(3 * HOUR);
    assert.is(await count(stale), 0, 'three cadences are not four');
    world.later(3 * HOUR);
    const { state } = await fired(world.api, id, stale);
    assert.is(state, 'firing');
    await alertIn(world.api, id, other, 'no_data');
    await upToNow(
      world,
      'demand',
      Array.from({ length: 6 }, () => 100),
    );
    await quietUntil(world, 'demand', id, stale, 'resolved', 'normal');
    await alertIn(world.api, id, other, 'normal');
    assert.is(await count(stale), 1);
  });

  test('coverage: bands have held too little', async () => {
    const narrow = await alerting(world.api, id, 'coverage', { below: 0.999 });
    for (let i = 0; i < 4; i++) await hour(i % 2 ? 400 : -200);
    await fired(world.api, id, narrow);
  });
});

suite('acceptance: alerts of forecasts that became worse', test => {
  let world: World;
  test.before(async () => {
    world = await openGoals();
  });
  test.after(() => world.close());

  test('drift: what was lost of late is more than it was', async () => {
    const STEP = 12 * HOUR;
    const values = hours(100).map((_, i) => 100 + (i % 2) * 10 + ((i * 7) % 5));
    const begin = (Math.floor(world.now() / STEP) - 99) * STEP;
    const put = async (i: number, value: number): Promise<Json> =>
      expected(
        await world.api.post<Json>('/v1/signal/push', {
          key: 'slow',
          values: [[begin + i * STEP, value]],
        }),
      );
    expected(
      await world.api.post<Json>('/v1/signal/push', {
        key: 'slow',
        values: values.map((value, i) => [begin + i * STEP, value]),
      }),
    );
    const options = { auto_tournament: 'off', auto_discovery: 'off' };
    const id = await active(world.api, body('slow', { step_s: 43_200, horizon: 2, metric: 'mae', options }));
    const worse: string = await alerting(world.api, id, 'drift', { worse_by: 0.5 });
    for (let i = 100; i < 140; i++) {
      const before = await latest(world.api, id);
      world.later(STEP);
      await put(i, 100 + (i % 2) * 10 + ((i * 7) % 5));
      await newer(world.api, id, before);
    }
    assert.is((await instances(world.api, id, worse)).length, 0, 'as good as ever');
    for (let i = 140; i < 146; i++) {
      const before = await latest(world.api, id);
      world.later(STEP);
      await put(i, i % 2 ? 900 : -700);
      await newer(world.api, id, before);
    }
    await fired(world.api, id, worse);
  });
});
