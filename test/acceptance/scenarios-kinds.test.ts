import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { edgeOf, edges, FIRE, happens, summary } from './discovery.js';
import { close, forecasts, goal, hour, HOUR, latest, path, upToNow } from './goals.js';
import { contributions, deltas, finished, imagined, total } from './scenarios.js';
import { above, byTime, episodes, forecastThat, watched, type Watched } from './shock.js';
import { pointsOf } from './sources.js';
import { has } from './training.js';
import { at, expected, type World } from './world.js';

// What would be if (open-parts 17, 32.30): each kind of assumption, alone and together, moves the base
// forecast the way that is known, and nothing real. Incidents take from the plant's output, orders of six
// hours before add to it. Readings: `delta` is what the points lie above the base at the same time;
// `total_delta` is the sum of its means over the horizon, or their mean; an event assumed has its effect from
// its time on.

suite('acceptance: assumptions of scenarios', test => {
  let here: Watched;
  let world: World;
  let id = '';
  let base: Json;
  let scheduled = '';
  let due = 0;
  const STREAM = 'plant.incidents';
  const ask = (assumptions: readonly object[], more: object = {}) =>
    imagined(world.api, id, assumptions, { base: base.forecast_id, ...more });
  const fire = (occurred_at: number, more: object = {}) => ({
    ...{ kind: 'event_add', stream: STREAM, occurred_at: at(occurred_at) },
    ...{ importance: 0.75, impact: -0.37, ...more },
  });
  const orders = () => ({
    key: 'plant.orders',
    from: at(hour(world) - 12 * HOUR),
    to: at(hour(world) + 12 * HOUR),
  });
  /** All that is real of the workspace. */
  const real = async () => ({
    goal: await goal(world.api, id),
    edges: await edges(world.api, id),
    forecasts: await forecasts(world.api, id),
    episodes: await episodes(world.api, id),
    stream: await summary(world.api, STREAM),
    upcoming: expected(await world.api.get<Json>('/v1/event/upcoming')).data.events,
    orders: await pointsOf(world.api, 'plant.orders'),
    output: await pointsOf(world.api, 'plant.output'),
  });
  let before: Json;
  test.before(async () => {
    here = await watched({}, {}, true);
    ({ world, id } = here);
    assert.is((await edgeOf(world.api, id, 'plant.orders')).status, 'validated');
    due = hour(world) + 2 * HOUR;
    scheduled = await happens(world.api, STREAM, FIRE, { occurred_at: due });
    base = await forecastThat(
      world.api,
      id,
      ({ metadata }) => metadata.applied_events.length === 1,
      'a base with the scheduled fire',
    );
    before = await real();
  });
  test.after(() => world.close());

  test('what changes nothing changes nothing, and it has every member', async () => {
    const found = await ask([{ kind: 'signal_shift', ...orders(), add: 0 }]);
    has(found, 'scenario_id status base_forecast_id points delta total_delta by_assumption');
    has(found, 'extrapolation_warnings');
    assert.is(found.base_forecast_id, base.forecast_id);
    assert.equal(found.extrapolation_warnings, []);
    for (const delta of deltas(found)) close(delta, 0, 'nothing', 1e-9);
    const points = byTime(found);
    assert.is(found.points.length, base.points.length);
    for (const { ts, mean } of base.points) close(points.get(ts).mean, mean, ts, 1e-9);
    assert.equal(
      found.delta.map((each: Json) => each.ts),
      base.points.map((each: Json) => each.ts),
    );
    for (const each of found.delta) has(each, 'ts mean quantiles');
  });

  test('event_add: one more fire takes from its time on, two take more', async () => {
    const time = hour(world);
    const one = await ask([fire(time)]);
    for (const { ts, by } of above(one, base)) assert.ok(by < -0.5, `${ts}: ${by}`);
    for (const [i, { by }] of above(one, base).entries()) close(deltas(one)[i]!, by, `step ${i}`);
    assert.ok(total(one) < 0);
    const two = await ask([fire(time, { count: 2 })]);
    assert.ok(total(two) < total(one), `${total(two)} of two, ${total(one)} of one`);
    const later = await ask([fire(hour(world) + 4 * HOUR)]);
    for (const { ts, by } of above(later, base))
      if (ts < at(hour(world) + 4 * HOUR)) close(by, 0, `${ts}, before it`, 1e-6);
    assert.ok(total(later) < 0 && total(later) > total(one), 'less of it lies in the horizon');
    const past = await ask([fire(hour(world) - 100 * 24 * HOUR)]);
    close(total(past), 0, 'what is long over', 1e-3);
  });

  test('event_remove: without the scheduled fire there is more', async () => {
    const gone = await ask([{ kind: 'event_remove', event_id: scheduled }]);
    for (const { ts, by } of above(gone, base)) {
      if (ts < at(due)) close(by, 0, ts, 1e-6);
      if (ts > at(due)) assert.ok(by > 1, `${ts}: ${by}`);
    }
    const window = { stream: STREAM, from: at(due - HOUR), to: at(due + HOUR) };
    const all = await ask([{ kind: 'event_remove', ...window }]);
    close(total(all), total(gone), 'by its stream and time as by its id');
  });

  test('event_move: later it takes less from the horizon', async () => {
    const moved = await ask([{ kind: 'event_move', event_id: scheduled, occurred_at: at(due + 3 * HOUR) }]);
    const [first] = above(moved, base).filter(({ ts }) => ts > at(due));
    assert.ok(first!.by > 1, 'where it was there is more');
    assert.ok(total(moved) > 0);
    const away = await ask([{ kind: 'event_move', event_id: scheduled, occurred_at: at(due + 900 * HOUR) }]);
    const gone = await ask([{ kind: 'event_remove', event_id: scheduled }]);
    close(total(away), total(gone), 'beyond the horizon it is as if it were gone');
  });

  test('edge_off: what acts by it acts no more', async () => {
    const off = await ask([{ kind: 'edge_off', edge_id: here.edgeId }]);
    const gone = await ask([{ kind: 'event_remove', event_id: scheduled }]);
    close(total(off), total(gone), 'the scheduled fire is all that acts by it');
  });

  test('signals: set, scaled and shifted they act through their edge', async () => {
    const more = [
      { kind: 'signal_set', ...orders(), value: 58 },
      { kind: 'signal_scale', ...orders(), factor: 1.2 },
      { kind: 'signal_shift', ...orders(), add: 6 },
    ];
    for (const each of more) {
      const found = await ask([each]);
      assert.ok(total(found) > 1, `${each.kind}: ${total(found)} for more orders`);
    }
    const less = await ask([{ kind: 'signal_shift', ...orders(), add: -6 }]);
    const twice = await ask([{ kind: 'signal_shift', ...orders(), add: -12 }]);
    assert.ok(total(less) < -1 && total(twice) < total(less));
    const values = Array.from({ length: 24 }, () => 58);
    const listed = await ask([{ kind: 'signal_set', ...orders(), values }]);
    assert.ok(total(listed) > 1);
  });

  test('what was never seen is called an extrapolation', async () => {
    const wild = await ask([{ kind: 'signal_set', ...orders(), value: 9_000 }]);
    assert.ok(wild.extrapolation_warnings.length > 0);
    assert.match(JSON.stringify(wild.extrapolation_warnings), 'plant.orders');
    const tame = await ask([{ kind: 'signal_set', ...orders(), value: 52 }]);
    assert.equal(tame.extrapolation_warnings, []);
  });

  test('several are told apart, and add up', async () => {
    const found = await ask([
      fire(hour(world)),
      { kind: 'signal_shift', ...orders(), add: 6 },
      { kind: 'event_remove', event_id: scheduled },
    ]);
    const [one, two, three] = contributions(found);
    assert.is(contributions(found).length, 3);
    assert.ok(one! < 0 && two! > 0 && three! > 0, `${contributions(found)}`);
    const nothing = await ask([{ kind: 'signal_shift', ...orders(), add: 0 }, fire(hour(world))]);
    close(contributions(nothing)[0]!, 0, 'the first of them', 1e-9);
  });

  test('nothing of it is real', async () => {
    assert.equal(await real(), before);
  });

  test('it knows what its base knew, whatever came since', async () => {
    const assumptions = [fire(hour(world))];
    const first = await ask(assumptions);
    world.later(1_000);
    await upToNow(world, 'plant.output', [900]);
    const again = await ask(assumptions);
    assert.equal([again.points, again.delta], [first.points, first.delta]);
    const run = await world.api.post<Json>(path(id, `/scenarios/${first.scenario_id}/run`), {});
    assert.ok(run.status >= 200 && run.status < 300, run.text);
    assert.equal((await finished(world.api, id, first.scenario_id)).points, first.points);
    const newest = await imagined(world.api, id, assumptions);
    assert.is(newest.base_forecast_id, (await latest(world.api, id)).forecast_id, '`latest` is the base');
  });
});
