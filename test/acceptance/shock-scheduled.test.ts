import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { edgeFits, FIRE, goesOn, happens, turn } from './discovery.js';
import { change, close, forecastNow, goal, HOUR, hour, latest, means, path } from './goals.js';
import { above, effectOn, forecastThat, inShockState, watched, type Watched } from './shock.js';
import { event } from './sources.js';
import { at, expected, type World } from './world.js';

// Events whose time is to come act in a forecast at their offset, and shock when they come due (specification
// 3; open-parts 5, 14.2, 14.4, 17, 32.27). Readings: the curve counts from the event on, so that steps up to
// it are as they were; which events count is known when a forecast is issued; `offset_s` counts from the
// forecast's issue or from its data cutoff; of skipped events there is a count or a list.

suite('acceptance: scheduled events', test => {
  let here: Watched;
  let world: World;
  let id = '';
  let without: Json;
  let scheduled = '';
  let due = 0;
  const STREAM = 'plant.incidents';
  const applied = (count: number): Promise<Json> =>
    forecastThat(
      world.api,
      id,
      ({ metadata }) => metadata.applied_events.length === count,
      `a forecast with ${count} applied events`,
    );
  /** So many events were skipped. */
  const skipped = ({ metadata: { skipped_events: of } }: Json): number =>
    Array.isArray(of) ? of.length : Number(of?.count ?? of);
  /** Nothing of the forecast is other than without the event. */
  const asWithout = (found: Json) => {
    for (const { ts, by } of above(found, without)) close(by, 0, ts, 1e-6);
  };
  test.before(async () => {
    here = await watched();
    ({ world, id } = here);
    without = await forecastNow(world.api, id);
  });
  test.after(() => world.close());

  test('without one a forecast has none', () => {
    assert.equal([without.metadata.applied_events, without.shock_state], [[], 'normal']);
  });

  test('one inside of the horizon is applied at its offset, and listed', async () => {
    due = hour(world) + 3 * HOUR;
    world.later(1_000);
    scheduled = await happens(world.api, STREAM, FIRE, { occurred_at: due });
    assert.is((await event(world.api, scheduled)).scheduled, true);
    const found = await applied(1);
    const [one] = found.metadata.applied_events;
    assert.equal(
      [one.event_id, one.stream, one.occurred_at, one.edge_id],
      [scheduled, STREAM, due, here.edgeId],
    );
    assert.ok(one.offset_s >= 2 * 3_600 && one.offset_s <= 3 * 3_600, `${one.offset_s}`);
    assert.ok(one.weight > 0, `${one.weight}`);
    assert.ok(one.effect_peak < -8 && one.effect_peak > -45, `${one.effect_peak} in units of the target`);
    for (const { ts, by } of above(found, without)) {
      if (ts < at(due)) close(by, 0, `${ts}, before it occurs`, 1e-6);
      if (ts > at(due)) assert.ok(by < -2, `${ts}: ${by}`);
    }
    const after = above(found, without).filter(({ ts }) => ts > at(due));
    assert.ok(Math.min(...after.map(({ by }) => by)) < 0.5 * one.effect_peak, 'the peak is inside');
    assert.equal([found.shock_state, (await goal(world.api, id)).shock_state], ['normal', 'normal']);
  });

  test('the explanation has a part for it, and adds up', async () => {
    const found = await latest(world.api, id);
    const of = path(id, `/forecasts/${found.forecast_id}/explain`);
    const { data } = expected(await world.api.get<Json>(of));
    const { components } = data.explanation ?? data;
    const value = (points: Json[], i: number): number => points[i]?.value ?? points[i];
    const events = components.find((each: Json) => each.name === 'events');
    close(value(events.points, 0), 0, 'before it');
    assert.ok(value(events.points, means(found).length - 1) < -1);
    for (const [i, mean] of means(found).entries())
      close(
        components.reduce((sum: number, { points }: Json) => sum + value(points, i), 0),
        mean,
        `step ${i}`,
      );
  });

  test('behind the horizon it is not applied', async () => {
    await happens(world.api, STREAM, FIRE, { occurred_at: hour(world) + 200 * HOUR });
    const found = await applied(1);
    assert.is(found.metadata.applied_events[0].event_id, scheduled);
  });

  test('on a stream without an edge, and with its edge blocked, it is not applied', async () => {
    await happens(world.api, 'canteen', FIRE, { occurred_at: due });
    assert.is((await applied(1)).metadata.applied_events.length, 1);
    expected(await turn(world.api, id, here.edgeId, 'block'));
    asWithout(await applied(0));
    expected(await turn(world.api, id, here.edgeId, 'unblock'));
    const inForce = ({ status }: Json) => status === 'validated';
    await edgeFits(world.api, id, here.edgeId, inForce, 'its check after being unblocked');
    assert.is((await applied(1)).metadata.applied_events[0].event_id, scheduled);
  });

  test('switched off for a goal none is applied, and they are counted', async () => {
    expected(await change(world.api, id, { options: { scheduled_events: false } }));
    const found = await applied(0);
    asWithout(found);
    assert.is(skipped(found), 1);
    expected(await change(world.api, id, { options: { scheduled_events: true } }));
    await applied(1);
  });

  test('moved, it is applied where it is now; deleted, it is gone', async () => {
    const other = await happens(world.api, STREAM, FIRE, { occurred_at: due + HOUR });
    const both = await applied(2);
    const peaks = both.metadata.applied_events.map((each: Json) => Math.abs(each.effect_peak));
    const lowest = Math.min(...above(both, without).map(({ by }) => by));
    assert.ok(lowest >= -3 * Math.max(...peaks) - 1e-6, 'their sum is limited');
    const of = { occurred_at: at(due + 300 * HOUR) };
    expected(await world.api.patch<Json>(`/v1/event/${other}`, of));
    assert.is((await applied(1)).metadata.applied_events[0].event_id, scheduled);
    expected(await world.api.delete<Json>(`/v1/event/${other}`));
    await applied(1);
  });

  test('until it is due it shocks nothing; then it does, as fresh as can be', async () => {
    for (const i of [1, 2]) {
      await goesOn(world, here.of, here.of.now + i);
      assert.is((await goal(world.api, id)).shock_state, 'normal');
    }
    assert.is((await event(world.api, scheduled)).fired_at, null);
    await goesOn(world, here.of, here.of.now + 3);
    const { shock } = await inShockState(world.api, id, 'shock');
    assert.equal(
      shock.causes.map((each: Json) => each.event_id),
      [scheduled],
    );
    assert.is(shock.causes[0].occurred_at, due);
    const found = await event(world.api, scheduled);
    assert.equal([found.scheduled, found.shape], [false, 'scheduled'], 'the shape is that of then');
    assert.ok(found.fired_at >= due);
    assert.is((await effectOn(world.api, scheduled, id)).action, 'shock');
    const inShock = await until(async () => {
      const newest = await latest(world.api, id);
      return newest.shock_state === 'shock' && newest;
    }, 'a forecast in shock');
    assert.equal(
      inShock.metadata.applied_events.filter((each: Json) => each.event_id === scheduled),
      [],
      'what has come is told by the shock, and not twice',
    );
  });

  test('one that came due while the platform was stopped shocks when it is back', async () => {
    world.later(1_000);
    const next = await happens(world.api, STREAM, FIRE, { occurred_at: world.now() + HOUR });
    await world.restart(async () => world.later(HOUR + 60_000));
    assert.is((await effectOn(world.api, next, id)).action, 'shock');
    assert.ok((await event(world.api, next)).fired_at !== null);
  });
});
