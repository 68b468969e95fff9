import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { edgeOf, FIRE, happens, INCIDENT, ROUTINE, summary } from './discovery.js';
import {
  change,
  close,
  forecastNow,
  forecasts,
  goal,
  happened,
  HOUR,
  latest,
  means,
  path,
  widths,
} from './goals.js';
import { item } from './inbox.js';
import { above, effectOn, episodes, exit, inShockState, simulate, watched, type Watched } from './shock.js';
import { open } from './socket.js';
import { event } from './sources.js';
import { has } from './training.js';
import { expected, places, refused, type World } from './world.js';

// A fresh and important event on a stream with a validated edge puts a goal into shock (specification 3;
// open-parts 14.1 to 14.3, 21, 22, 32.27). Readings: with the entry a forecast is issued at once; `exit`
// takes a reason, and answers 2xx; in `normal` it is 409 invalid_state; what an event did to a goal is
// among its `effects`, and nothing is told before.

suite('acceptance: shocks', test => {
  let here: Watched;
  let world: World;
  let id = '';
  let before: Json;
  let shocked: Json;
  let fire = '';
  const STREAM = 'plant.incidents';
  const state = async (): Promise<string> => (await goal(world.api, id)).shock_state;
  test.before(async () => {
    here = await watched();
    ({ world, id } = here);
  });
  test.after(() => world.close());

  test('what is not important does nothing', async () => {
    const eventId = await happens(world.api, STREAM, ROUTINE);
    assert.is.not((await effectOn(world.api, eventId, id)).action, 'shock');
    assert.is(await state(), 'normal');
  });

  test('what is told long after it occurred does not shock', async () => {
    const eventId = await happens(world.api, STREAM, FIRE, { occurred_at: world.now() - 5 * HOUR });
    assert.is((await effectOn(world.api, eventId, id)).action, 'history_revision');
    assert.is(await state(), 'normal');
  });

  test('what is of a stream without an edge does not shock', async () => {
    await happens(world.api, 'canteen', FIRE);
    const eventId = await happens(world.api, STREAM, ROUTINE, { occurred_at: world.now() - 1_000 });
    await effectOn(world.api, eventId, id);
    assert.is(await state(), 'normal');
  });

  test('where shocks are switched off it does not shock', async () => {
    expected(await change(world.api, id, { options: { shock_enabled: false, importance_bar: 0.5 } }));
    const eventId = await happens(world.api, STREAM, INCIDENT);
    assert.is.not((await effectOn(world.api, eventId, id)).action, 'shock');
    assert.is(await state(), 'normal');
    expected(await change(world.api, id, { options: { shock_enabled: true } }));
  });

  test('a bar of the goal’s own is what counts', async () => {
    expected(await change(world.api, id, { options: { importance_bar: 0.9 } }));
    world.later(1_000);
    const eventId = await happens(world.api, STREAM, FIRE);
    assert.is.not((await effectOn(world.api, eventId, id)).action, 'shock');
    assert.is(await state(), 'normal');
    assert.is((await edgeOf(world.api, id, STREAM)).importance_bar, 0.9);
    expected(await change(world.api, id, { options: { importance_bar: null } }));
  });

  test('simulated it changes nothing', async () => {
    const count = (await forecasts(world.api, id)).length;
    const { count: events } = await summary(world.api, STREAM);
    const of = { stream: STREAM, importance: 0.9, occurred_at: world.now() };
    const { data } = expected(await simulate(world.api, id, of));
    assert.ok(Object.keys(data).length > 0);
    assert.ok(data.importance_bar >= 0.6 && data.importance_bar <= 0.95);
    const { importance_bar: shown } = await edgeOf(world.api, id, STREAM);
    assert.is(shown, data.importance_bar, 'its edge shows the bar that was learned');
    assert.is(await state(), 'normal');
    assert.is((await forecasts(world.api, id)).length, count);
    assert.is((await summary(world.api, STREAM)).count, events);
    assert.equal(await episodes(world.api, id), []);
    for (const importance of [-0.1, 1.1, 'high'])
      assert.equal(places(await simulate(world.api, id, { ...of, importance })), ['body.importance']);
    assert.equal(places(await simulate(world.api, id, { ...of, occurred_at: 'soon' })), ['body.occurred_at']);
    assert.match(places(await simulate(world.api, id, { importance: 0.9 })).join(), 'body.stream');
  });

  test('a fresh fire puts the goal into shock, and a forecast is issued at once', async () => {
    const socket = await open(world.running.base, {
      headers: { authorization: `Bearer ${world.running.installed.token}` },
    });
    await socket.subscribe(`goal:${id}`);
    world.later(1_000);
    before = await forecastNow(world.api, id);
    assert.equal([before.shock_state, before.metadata.shock?.state ?? 'normal'], ['normal', 'normal']);
    world.later(1_000);
    fire = await happens(world.api, STREAM, FIRE);
    const { shock } = await inShockState(world.api, id, 'shock');
    has(shock, 'since until_estimate causes remaining depth weights band_factor reason_entered');
    assert.is(shock.depth, 1);
    const [cause, ...others] = shock.causes;
    assert.equal(others, []);
    has(cause, 'event_id stream edge_id importance occurred_at remaining');
    assert.equal([cause.event_id, cause.stream, cause.edge_id], [fire, STREAM, here.edgeId]);
    const { scores, occurred_at } = await event(world.api, fire);
    assert.equal([cause.importance, cause.occurred_at], [scores.importance, occurred_at]);
    close(shock.remaining, 1, 'all of it is to come');
    close(shock.weights.champion, 0.4, 'the champion');
    close(shock.weights.generalist, 0.25, 'the generalist');
    close(shock.weights.response, 0.35, 'the response');
    close(shock.band_factor, 2, 'the bands');
    assert.ok(shock.until_estimate > shock.since);
    shocked = await until(async () => {
      const found = await latest(world.api, id);
      return found.shock_state === 'shock' && found;
    }, 'a forecast in shock');
    const frame = await socket.heard('goal.shock_entered');
    assert.equal([frame.data.goal_id, frame.data.shock_state], [id, 'shock']);
    socket.close();
  });

  test('the forecast says so, falls as the plant did before, and is less sure', () => {
    const { state: said, since, weights, remaining } = shocked.metadata.shock;
    assert.equal([said, typeof since], ['shock', 'string']);
    close(weights.champion + weights.generalist + weights.response, 1, 'weights add up');
    assert.ok(remaining > 0.9 && remaining <= 1);
    const lowest = Math.min(...above(shocked, before).map(({ by }) => by));
    assert.ok(lowest < -3 && lowest > -25, `${lowest} in the hours after the fire`);
    const [one, other] = [widths(shocked), widths(before)];
    for (const [i, width] of one.entries()) assert.ok(width > other[i]!, `step ${i}: ${width} ${other[i]}`);
    assert.ok(one[0]! > 1.3 * other[0]!, `${one[0]} of ${other[0]}`);
    for (const { quantiles } of shocked.points) {
      const levels = Object.entries(quantiles as Record<string, number>)
        .sort(([a], [b]) => Number(a) - Number(b))
        .map(([, value]) => value);
      assert.equal(
        levels,
        levels.toSorted((a, b) => a - b),
      );
    }
  });

  test('its explanation names the shock, and adds up', async () => {
    const at = path(id, `/forecasts/${shocked.forecast_id}/explain`);
    const { data } = expected(await world.api.get<Json>(at));
    const { components } = data.explanation ?? data;
    const value = (points: Json[], i: number): number => points[i]?.value ?? points[i];
    const shock = components.find((each: Json) => each.name === 'shock');
    const parts = shocked.points.map((_: Json, i: number) => value(shock.points, i));
    assert.ok(Math.min(...parts) < -3, `${parts}`);
    for (const [i, mean] of means(shocked).entries())
      close(
        components.reduce((sum: number, { points }: Json) => sum + value(points, i), 0),
        mean,
        `step ${i}`,
      );
  });

  test('people, the event, the list of goals and the timeline tell of it', async () => {
    const told = await item(world.api, 'goal.shock_entered', each => each.goal_id === id);
    assert.match(JSON.stringify(told.data), fire);
    const effect = await effectOn(world.api, fire, id);
    assert.equal([effect.action, effect.edge_id], ['shock', here.edgeId]);
    const { data } = expected(await world.api.get<Json>('/v1/goals?shock_state=shock'));
    assert.equal([data.total, data.goals[0].goal_id], [1, id]);
    assert.is(expected(await world.api.get<Json>('/v1/goals?shock_state=normal')).data.total, 0);
    assert.ok((await happened(world.api, id, 'shock')).length > 0);
    const [episode, ...others] = await episodes(world.api, id);
    assert.equal(others, []);
    const at = path(id, `/shocks/${episode!.episode_id}`);
    assert.match(JSON.stringify(expected(await world.api.get<Json>(at)).data), fire);
    refused(await world.api.get<Json>(path(id, '/shocks/eps_nobodys')), 404, 'not_found');
  });

  test('another fire adds to it', async () => {
    const { shock } = await goal(world.api, id);
    world.later(60_000);
    const second = await happens(world.api, STREAM, FIRE);
    const after = await until(async () => {
      const found = await goal(world.api, id);
      return found.shock.depth === 2 && found.shock;
    }, 'a second cause');
    assert.equal(after.causes.map((each: Json) => each.event_id).sort(), [fire, second].sort());
    assert.ok(after.until_estimate >= shock.until_estimate);
    assert.is(after.since, shock.since, 'one episode');
    const both = await until(async () => {
      const found = await forecastNow(world.api, id);
      return found.issued_at > shocked.issued_at && found;
    }, 'a forecast of both');
    const further = Math.min(...above(both, shocked).map(({ by }) => by));
    assert.ok(further < -2, `${further}: responses add up`);
    assert.is((await episodes(world.api, id)).length, 1);
  });

  test('it outlives a restart', async () => {
    const { shock } = await goal(world.api, id);
    await world.restart();
    const after = await goal(world.api, id);
    assert.equal([after.shock_state, after.shock.causes.length], ['shock', 2]);
    assert.is(after.shock.since, shock.since);
  });

  test('somebody ends it, with a reason', async () => {
    assert.match(places(await exit(world.api, id, { reason: 7 })).join(), 'body.reason');
    const answer = await exit(world.api, id, { reason: 'The fire is out' });
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    assert.is((await inShockState(world.api, id, 'recovering', 'normal')).status, 'active');
    const told = await happened(world.api, id, 'The fire is out');
    assert.ok(told.length > 0, 'why is kept');
    assert.match(JSON.stringify(told), /token:tok_/, 'and who');
  });

  test('from recovering it is shocked again', async () => {
    assert.is(await state(), 'recovering');
    world.later(60_000);
    const third = await happens(world.api, STREAM, FIRE);
    assert.is((await effectOn(world.api, third, id)).action, 'shock');
    await inShockState(world.api, id, 'shock');
  });

  test('a goal that is not in shock is not taken out of it', async () => {
    const { data } = expected(
      await world.api.post<Json>('/v1/goals', {
        ...{ name: 'Calm', target: 'plant.output', horizon: 3, step_s: 3_600 },
      }),
      201,
    );
    refused(await exit(world.api, data.goal_id), 409, 'invalid_state');
    assert.equal(await episodes(world.api, data.goal_id), []);
  });
});
