import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import {
  act,
  alert,
  alertIn,
  alerting,
  changeAlert,
  fired,
  hourOf,
  instances,
  quietUntil,
} from './alerts.js';
import { active, body, goal, HOUR, hours, latest, move, newer, openGoals, upToNow } from './goals.js';
import { feedOf, item } from './inbox.js';
import { open } from './socket.js';
import { has } from './training.js';
import { at, expected, places, refused, type World } from './world.js';

// The states of an alert, of what it made, and what people do about it (open-parts 19, 21, 22, 32.31).
// Readings: a rule and an instance have `state`; what was acknowledged, resolved or snoozed by somebody
// answers 2xx; an instance that is over is not acknowledged (409 invalid_state); with a cooldown of 0 a rule
// that is resolved is normal with its next check.

suite('acceptance: states of alerts', test => {
  let world: World;
  let id = '';
  const over = { value: 150, direction: 'above' };
  const hour = async (value: number) => {
    const before = await latest(world.api, id);
    await hourOf(world, 'demand', value);
    await newer(world.api, id, before);
  };
  const quiet = (alertId: string, ...states: string[]) => quietUntil(world, 'demand', id, alertId, ...states);
  const state = async (alertId: string): Promise<string> => (await alert(world.api, id, alertId)).state;
  const count = async (alertId: string): Promise<number> => (await instances(world.api, id, alertId)).length;
  const drop = async (alertId: string) =>
    expected(await world.api.delete<Json>(`/v1/goals/${id}/alerts/${alertId}`));
  test.before(async () => {
    world = await openGoals();
    await upToNow(world, 'demand', hours(100));
    id = await active(world.api, body('demand'));
  });
  test.after(() => world.close());

  test('what comes true fires at once, is told, and is resolved when it is over', async () => {
    const listening = async () => {
      const socket = await open(world.running.base, {
        headers: { authorization: `Bearer ${world.running.installed.token}` },
      });
      await socket.subscribe(`goal:${id}`);
      return socket;
    };
    const rule = await alerting(world.api, id, 'threshold', over);
    assert.is(await state(rule), 'normal');
    await hour(100);
    assert.equal([await state(rule), await count(rule)], ['normal', 0]);
    // A connection that is silent for an hour ends
    world.later(HOUR);
    const socket = await listening();
    await upToNow(world, 'demand', [170]);
    const instance = await fired(world.api, id, rule);
    has(instance, 'instance_id state');
    assert.is(instance.state, 'firing');
    assert.is((await alertIn(world.api, id, rule, 'firing')).state, 'firing');
    const told = await item(world.api, 'alert.fired', ({ data }) => data.alert_id === rule);
    assert.equal([told.goal_id, told.severity], [id, 'warning']);
    assert.is(told.data.instance_id, instance.instance_id);
    const frame = await socket.heard('alert.fired');
    assert.equal(
      [frame.data.alert_id, frame.data.instance_id, frame.data.severity],
      [rule, instance.instance_id, 'warning'],
    );
    socket.close();
    await quiet(rule, 'resolved', 'normal');
    assert.is((await instances(world.api, id, rule))[0]!.state, 'resolved');
    await item(world.api, 'alert.resolved', ({ data }) => data.alert_id === rule);
    await quiet(rule, 'normal');
    await hour(170);
    await fired(world.api, id, rule, 2);
    await drop(rule);
  });

  test('with `for_seconds` it waits for so long, and fires when it is still so', async () => {
    await hour(100);
    const rule = await alerting(world.api, id, 'threshold', over, { for_seconds: 9_000 });
    await hour(170);
    await alertIn(world.api, id, rule, 'pending');
    await hour(100);
    await alertIn(world.api, id, rule, 'normal');
    assert.is(await count(rule), 0, 'what passed in time fired nothing');
    await hour(170);
    await alertIn(world.api, id, rule, 'pending');
    await hour(171);
    assert.is(await state(rule), 'pending');
    await hour(172);
    await hour(173);
    await alertIn(world.api, id, rule, 'firing');
    assert.is(await count(rule), 1);
    await drop(rule);
  });

  test('acknowledged it is not repeated, and is resolved when it is over', async () => {
    await hour(100);
    const rule = await alerting(world.api, id, 'threshold', over);
    await hour(170);
    const { instance_id } = await fired(world.api, id, rule);
    const answer = await act(world.api, id, rule, instance_id, 'acknowledge');
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    await alertIn(world.api, id, rule, 'acknowledged');
    await hour(175);
    await hour(175);
    assert.equal([await state(rule), await count(rule)], ['acknowledged', 1]);
    await quiet(rule, 'resolved', 'normal');
    assert.equal([await count(rule), (await instances(world.api, id, rule))[0]!.state], [1, 'resolved']);
    refused(await act(world.api, id, rule, instance_id, 'acknowledge'), 409, 'invalid_state');
    refused(await act(world.api, id, rule, 'ali_nobodys', 'acknowledge'), 404, 'not_found');
    await drop(rule);
  });

  test('somebody resolves it by hand', async () => {
    const rule = await alerting(world.api, id, 'threshold', over, { cooldown_seconds: 7_200 });
    await hour(170);
    const { instance_id } = await fired(world.api, id, rule);
    const socket = await open(world.running.base, {
      headers: { authorization: `Bearer ${world.running.installed.token}` },
    });
    await socket.subscribe(`goal:${id}`);
    const answer = await act(world.api, id, rule, instance_id, 'resolve');
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    assert.is((await socket.heard('alert.resolved')).data.alert_id, rule);
    socket.close();
    assert.is((await instances(world.api, id, rule))[0]!.state, 'resolved');
    assert.is(await state(rule), 'resolved');
    await drop(rule);
  });

  test('within its cooldown it does not fire again', async () => {
    await hour(100);
    const rule = await alerting(world.api, id, 'threshold', over, { cooldown_seconds: 5 * 3_600 });
    await hour(170);
    await fired(world.api, id, rule);
    await quiet(rule, 'resolved');
    await hour(170);
    assert.equal([await state(rule), await count(rule)], ['resolved', 1]);
    for (let i = 0; i < 5 && (await state(rule)) !== 'normal'; i++) await hour(100);
    await quiet(rule, 'normal');
    await hour(170);
    await fired(world.api, id, rule, 2);
    assert.is(await count(rule), 2);
    await drop(rule);
  });

  test('muted it makes nothing, until the mute is over', async () => {
    await hour(100);
    const rule = await alerting(world.api, id, 'threshold', over);
    const mute_until = at(world.now() + 3 * HOUR);
    expected(await changeAlert(world.api, id, rule, { mute_until }));
    await alertIn(world.api, id, rule, 'muted');
    await hour(170);
    assert.equal([await state(rule), await count(rule)], ['muted', 0]);
    expected(await changeAlert(world.api, id, rule, { mute_until: null }));
    assert.is.not(await state(rule), 'muted');
    await hour(170);
    await fired(world.api, id, rule);
    await drop(rule);
  });

  test('switched off it makes nothing', async () => {
    await hour(100);
    const rule = await alerting(world.api, id, 'threshold', over, { enabled: false });
    const beside = await alerting(world.api, id, 'threshold', over);
    await hour(170);
    await fired(world.api, id, beside);
    assert.is(await count(rule), 0);
    expected(await changeAlert(world.api, id, rule, { enabled: true }));
    await hour(170);
    await fired(world.api, id, rule);
    await drop(rule);
    await drop(beside);
  });

  test('snoozed it keeps still until then', async () => {
    await hour(100);
    const rule = await alerting(world.api, id, 'threshold', over);
    await hour(170);
    const { instance_id } = await fired(world.api, id, rule);
    const snooze = (of: object) => act(world.api, id, rule, instance_id, 'snooze', of);
    assert.match(places(await snooze({})).join(), 'body.until');
    assert.match(places(await snooze({ until: 'soon' })).join(), 'body.until');
    assert.match(places(await snooze({ until: at(world.now() - HOUR) })).join(), 'body.until');
    const answer = await snooze({ until: at(world.now() + 2 * HOUR) });
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    const told = (await feedOf(world.api, '?kind=alert.fired&per_page=100')).total;
    await hour(170);
    assert.is(await count(rule), 1);
    assert.is((await feedOf(world.api, '?kind=alert.fired&per_page=100')).total, told);
    await drop(rule);
  });

  test('a test of a rule fires nothing', async () => {
    await hour(100);
    const rule = await alerting(world.api, id, 'threshold', over);
    const answer = await world.api.post<Json>(`/v1/goals/${id}/alerts/${rule}/test`, {});
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    assert.equal([await state(rule), await count(rule)], ['normal', 0]);
    await drop(rule);
  });

  test('of a goal that is paused nothing fires', async () => {
    const rule = await alerting(world.api, id, 'threshold', over);
    expected(await move(world.api, id, 'pause'));
    await hourOf(world, 'demand', 170);
    expected(await move(world.api, id, 'resume'));
    assert.is(await count(rule), 0);
    await hour(100);
    await hour(170);
    await fired(world.api, id, rule);
    assert.is((await goal(world.api, id)).status, 'active');
  });

  test('states outlive a restart, and what fires is not told twice', async () => {
    const { alerts } = expected(await world.api.get<Json>(`/v1/goals/${id}/alerts`)).data;
    const [{ alert_id }] = alerts;
    await alertIn(world.api, id, alert_id, 'firing');
    await world.restart();
    assert.is(await state(alert_id), 'firing');
    await hour(170);
    assert.is(await count(alert_id), 1);
    await quiet(alert_id, 'resolved', 'normal');
  });
});
