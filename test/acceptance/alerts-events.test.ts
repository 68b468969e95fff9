import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { alert, alerting, alertsPath, fired, instances } from './alerts.js';
import { edge, edgeFits, FIRE, goesOn, happens, INCIDENT, record, ROUTINE, turn } from './discovery.js';
import { goal, hour, HOUR } from './goals.js';
import { item } from './inbox.js';
import { effectOn, inShockState, watched, type Watched } from './shock.js';
import { event } from './sources.js';
import { expected, type World } from './world.js';

// Alerts on what happens: events, shocks, edges that weaken (specification 3; open-parts 19, 32.31). A
// scheduled event alerts when its time comes, not when it is recorded. Readings: each event that fits makes
// an instance of its own where the rule has no cooldown and the one before is over; rules without a goal look
// at events of the whole workspace.

suite('acceptance: alerts on events', test => {
  let here: Watched;
  let world: World;
  let id = '';
  let now = 0;
  const STREAM = 'plant.incidents';
  const of = { stream: STREAM, min_importance: 0.6 };
  const count = async (alertId: string): Promise<number> => (await instances(world.api, id, alertId)).length;
  test.before(async () => {
    here = await watched();
    ({ world, id } = here);
    now = here.of.now;
  });
  test.after(() => world.close());

  test('an event of its stream that is important enough fires it, no other', async () => {
    const rule = await alerting(world.api, id, 'event', of);
    const elsewhere = await alerting(world.api, id, 'event', { stream: 'canteen', min_importance: 0.1 });
    const plain = await happens(world.api, STREAM, ROUTINE);
    await effectOn(world.api, plain, id);
    assert.is(await count(rule), 0);
    world.later(1_000);
    const eventId = await happens(world.api, STREAM, INCIDENT);
    const { instance_id } = await fired(world.api, id, rule);
    assert.is(await count(elsewhere), 0);
    const told = await item(world.api, 'alert.fired', ({ data }) => data.instance_id === instance_id);
    assert.equal([told.data.alert_id, told.goal_id], [rule, id]);
    assert.match(JSON.stringify([told, await instances(world.api, id, rule)]), eventId);
    for (const each of [rule, elsewhere]) expected(await world.api.delete<Json>(alertsPath(id, `/${each}`)));
  });

  test('a rule of the workspace looks at events, too', async () => {
    const rule = await alerting(world.api, null, 'event', { stream: 'canteen', min_importance: 0.6 });
    await happens(world.api, 'canteen', FIRE);
    await item(world.api, 'alert.fired', ({ data }) => data.alert_id === rule);
  });

  test('a scheduled event fires it when it comes due, and not when it is recorded', async () => {
    const rule = await alerting(world.api, id, 'event', of);
    const due = hour(world) + 2 * HOUR;
    const eventId = await happens(world.api, STREAM, FIRE, { occurred_at: due });
    await goesOn(world, here.of, ++now);
    assert.is(await count(rule), 0);
    assert.is((await event(world.api, eventId)).fired_at, null);
    await goesOn(world, here.of, ++now);
    await fired(world.api, id, rule);
    assert.is(await count(rule), 1);
    expected(await world.api.delete<Json>(alertsPath(id, `/${rule}`)));
  });

  test('a shock fires its rule', async () => {
    await inShockState(world.api, id, 'shock');
    const exits = await world.api.post<Json>(`/v1/goals/${id}/shock/exit`, { reason: 'For the test' });
    assert.ok(exits.status >= 200 && exits.status < 300, exits.text);
    const rule = await alerting(world.api, id, 'shock');
    world.later(60_000);
    await happens(world.api, STREAM, FIRE);
    await inShockState(world.api, id, 'shock');
    await fired(world.api, id, rule);
    assert.is((await alert(world.api, id, rule)).state, 'firing');
  });

  test('an edge that weakens fires its rule', async () => {
    const rule = await alerting(world.api, id, 'edge_weakening');
    const quiet = Array.from({ length: 200 }, (_, k) => here.of.from + (30 + 8 * k) * HOUR + 1_000);
    await record(world.api, STREAM, INCIDENT, quiet);
    for (let checks = 0; checks < 5; checks++) {
      const found = await edge(world.api, id, here.edgeId);
      if (found.status !== 'validated') break;
      world.later(61_000);
      expected(await turn(world.api, id, here.edgeId, 'recheck'), 202);
      const later = (next: Json) => next.last_checked_at > found.last_checked_at;
      await edgeFits(world.api, id, here.edgeId, later, 'a later check');
    }
    await fired(world.api, id, rule);
    assert.is((await goal(world.api, id)).status, 'active');
  });
});
