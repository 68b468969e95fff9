import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { until as becomes } from '../platform.js';
import { suite } from '../suite.js';
import { FIRE, goesOn, happens } from './discovery.js';
import { forecasts, goal, happened, issued, latest, named, newer, path, widths } from './goals.js';
import { item } from './inbox.js';
import { episodes, inShockState, watched, type Watched } from './shock.js';
import { has } from './training.js';
import { expected, type World } from './world.js';

// A shock fades as the clock goes on: to recovering, to normal, with an episode that says how it went
// (open-parts 14.2, 14.3, 21). Readings: an hour of the plant comes before its forecast is issued; weights
// move by phases and as the response fades, so that the champion's never falls; the episode's grade has the
// blend's loss and that of the champion alone.

suite('acceptance: how shocks fade', test => {
  let here: Watched;
  let world: World;
  let id = '';
  /** What the goal said hour by hour. */
  const said: Json[] = [];
  let fire = 0;
  let i = 0;
  /** An hour of the plant, which has had a fire, and a forecast after it. */
  const hour = async (): Promise<Json> => {
    const before = await latest(world.api, id);
    await goesOn(world, here.of, ++i, [fire]);
    return newer(world.api, id, before);
  };
  /** Hours until the goal is in a state. */
  const until = async (...states: string[]): Promise<Json> => {
    for (let hours = 0; hours < 60; hours++) {
      const found = await goal(world.api, id);
      if (states.includes(found.shock_state)) return found;
      await hour();
      said.push(await goal(world.api, id));
    }
    throw new Error(`after 60 hours it is not ${states}: ${JSON.stringify(said.at(-1)!.shock)}`);
  };
  test.before(async () => {
    here = await watched();
    ({ world, id } = here);
    fire = here.of.now;
    i = here.of.now;
    await happens(world.api, 'plant.incidents', FIRE);
    said.push(await inShockState(world.api, id, 'shock'));
  });
  test.after(() => world.close());

  test('it fades to recovering', async () => {
    const found = await until('recovering', 'normal');
    assert.is(found.shock_state, 'recovering', 'not at one stroke');
    assert.ok(found.shock.remaining < 0.9, `${found.shock.remaining}`);
    assert.ok(said.length > 2, 'not in the first hour');
  });

  test('and to normal, where nothing is left of it', async () => {
    const found = await until('normal');
    assert.is(found.shock, null);
    const told = await item(world.api, 'goal.shock_exited', each => each.goal_id === id);
    assert.is(told.data.goal_id ?? id, id);
    assert.ok((await happened(world.api, id, 'shock_exited')).length > 0);
  });

  test('all the while less of it was to come, and the champion counted for more', () => {
    const shocks = said.map(({ shock }) => shock).filter(shock => shock !== null);
    for (const [k, next] of shocks.slice(1).entries()) {
      const before = shocks[k];
      assert.ok(next.remaining <= before.remaining + 1e-9, `${next.remaining} after ${before.remaining}`);
      assert.ok(next.band_factor <= before.band_factor + 1e-9, 'bands narrow');
      assert.ok(next.band_factor >= 1);
      const { champion, generalist, response } = next.weights;
      assert.ok(Math.abs(champion + generalist + response - 1) < 1e-6);
      assert.ok(Math.min(champion, generalist, response) >= -1e-9);
    }
    assert.ok(shocks.at(-1)!.weights.champion > shocks[0]!.weights.champion);
    assert.ok(shocks.at(-1)!.remaining < 0.25);
  });

  test('there is one episode, with how it began, how it ended and how good the blend was', async () => {
    const [episode, ...others] = await episodes(world.api, id);
    assert.equal(others, []);
    const at = path(id, `/shocks/${episode!.episode_id}`);
    const { data } = expected(await world.api.get<Json>(at));
    has(data, 'episode_id causes grade');
    assert.equal(
      data.causes.map((each: Json) => each.stream),
      ['plant.incidents'],
    );
    const losses = Object.values(data.grade).filter(value => typeof value === 'number');
    assert.ok(losses.length >= 2 && losses.every(Number.isFinite), JSON.stringify(data.grade));
  });

  test('its forecasts were graded as any, and the next is a normal one', async () => {
    const next = await hour();
    const all = await forecasts(world.api, id);
    const states = new Set(all.map(each => each.shock_state));
    for (const state of ['normal', 'shock', 'recovering']) assert.ok(states.has(state), state);
    const shocked = all.filter(each => each.shock_state === 'shock');
    const isGraded = async (): Promise<boolean> =>
      (await issued(world.api, id, shocked[0]!.forecast_id)).grade.graded_steps === 6;
    await becomes(isGraded, 'that all its steps are graded');
    assert.equal([next.shock_state, next.metadata.shock?.state ?? 'normal'], ['normal', 'normal']);
    // Forecasts of the champion alone are not equally sure at every hour
    const widest = Math.max(...shocked.map(each => widths(each)[0]!));
    assert.ok(widths(next)[0]! < widest, 'surer than in the shock');
    assert.equal(
      named(next.metadata.shock, 'remaining').filter(value => value > 0.05),
      [],
    );
  });

  test('it outlives a restart', async () => {
    const before = await episodes(world.api, id);
    await world.restart();
    assert.equal(await episodes(world.api, id), before);
    assert.is((await goal(world.api, id)).shock_state, 'normal');
  });
});
