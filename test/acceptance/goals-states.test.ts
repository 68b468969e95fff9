import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import {
  active,
  body,
  change,
  fits,
  forecasts,
  goal,
  happened,
  hour,
  HOUR,
  hours,
  inStatus,
  latest,
  made,
  move,
  newer,
  openGoals,
  path,
  upToNow,
} from './goals.js';
import { expected, push, refused, type World } from './world.js';

// The states of a goal and the moves between them (open-parts 13.3, 14.1, 25, 26, 32.29).

suite('acceptance: states of goals', test => {
  let world: World;
  test.before(async () => {
    world = await openGoals();
    await upToNow(world, 'demand', hours(120));
  });
  test.after(() => world.close());

  test('under 40 points a target is too short to begin with', async () => {
    await upToNow(world, 'short', hours(39));
    const id = await made(world.api, body('short'));
    const { details } = refused(await move(world.api, id, 'activate'), 422, 'insufficient_history');
    assert.equal([details.needed, details.got], [40, 39]);
    assert.is((await goal(world.api, id)).status, 'draft');
    await push(world.api, 'short', [100], { from: hour(world) - 39 * HOUR });
    expected(await move(world.api, id, 'activate', { skip_discovery: true }), 202);
  });

  test('paused it forecasts nothing; missed periods are not filled in', async () => {
    const id = await active(world.api, body('demand'));
    expected(await move(world.api, id, 'pause'));
    assert.is((await inStatus(world.api, id, 'paused')).status, 'paused');
    const before = await forecasts(world.api, id);
    world.later(5 * HOUR);
    refused(await move(world.api, id, 'pause'), 409, 'invalid_state');
    refused(await move(world.api, id, 'activate'), 409, 'invalid_state');
    assert.is((await forecasts(world.api, id)).length, before.length);
    expected(await move(world.api, id, 'resume'));
    assert.is((await goal(world.api, id)).status, 'active');
    world.later(HOUR);
    await newer(world.api, id, before[0]!);
    const after = await forecasts(world.api, id);
    assert.ok(after.length <= before.length + 2, `${after.length} forecasts after ${before.length}`);
    assert.equal(await happened(world.api, id, 'forecast.missed'), [], 'a pause misses nothing');
    refused(await move(world.api, id, 'resume'), 409, 'invalid_state');
    refused(await move(world.api, id, 'restore'), 409, 'invalid_state');
  });

  test('archived it is read only, and restored it is paused', async () => {
    const id = await active(world.api, body('demand'));
    expected(await move(world.api, id, 'archive'));
    assert.is((await goal(world.api, id)).status, 'archived');
    const before = await forecasts(world.api, id);
    assert.ok(before.length >= 1, 'what it said can be read');
    refused(await change(world.api, id, { name: 'Changed' }), 409, 'invalid_state');
    for (const to of ['activate', 'pause', 'resume', 'archive'])
      refused(await move(world.api, id, to), 409, 'invalid_state');
    refused(await world.api.post<Json>(path(id, '/forecasts'), {}), 409, 'invalid_state');
    expected(await move(world.api, id, 'restore'));
    assert.is((await goal(world.api, id)).status, 'paused');
    expected(await move(world.api, id, 'resume'));
    assert.is((await goal(world.api, id)).status, 'active');
  });

  test('an active goal is not deleted; a paused, an archived and a draft one are', async () => {
    const id = await active(world.api, body('demand'));
    refused(await world.api.delete<Json>(path(id)), 409, 'goal_active');
    expected(await move(world.api, id, 'pause'));
    assert.is(expected(await world.api.delete<Json>(path(id))).status, 'deleted');
    refused(await world.api.get<Json>(path(id)), 404, 'not_found');
    refused(await world.api.get<Json>(path(id, '/forecasts')), 404, 'not_found');
    const draft = await made(world.api, body('demand'));
    expected(await move(world.api, draft, 'archive'));
    assert.is((await goal(world.api, draft)).status, 'archived');
    assert.is(expected(await world.api.delete<Json>(path(draft))).status, 'deleted');
  });

  test('a draft neither forecasts nor pauses', async () => {
    const id = await made(world.api, body('demand'));
    for (const to of ['pause', 'resume', 'restore'])
      refused(await move(world.api, id, to), 409, 'invalid_state');
    refused(await world.api.post<Json>(path(id, '/forecasts'), {}), 409, 'invalid_state');
    refused(await world.api.get<Json>(path(id, '/forecasts/latest')), 404, 'not_found');
    assert.equal(await forecasts(world.api, id), []);
  });

  test('a signal that an active goal uses is deleted by force alone', async () => {
    await upToNow(world, 'supply', hours(60, { seed: 2 }));
    const id = await active(world.api, body('supply'));
    const { signals } = expected(await world.api.get<Json>('/v1/signal?search=supply')).data;
    assert.is(signals[0].in_use_by.goals, 1);
    const remove = { keys: ['supply'], event_streams: [] };
    const { details } = refused(await world.api.post<Json>('/v1/signal/delete', remove), 409, 'IN_USE');
    assert.match(JSON.stringify(details), id);
    expected(await move(world.api, id, 'archive'));
    assert.equal(expected(await world.api.post<Json>('/v1/signal/delete', remove)).data.deleted_keys, [
      'supply',
    ]);
  });

  test('a target without data for 10 cadences fails, and says why', async () => {
    await upToNow(world, 'silent', hours(60));
    const id = await active(world.api, body('silent'));
    assert.is.not((await goal(world.api, id)).health, 'failing');
    world.later(11 * HOUR);
    const found = await fits(world.api, id, ({ health }) => health === 'failing', 'its health failing');
    assert.is(found.status, 'active');
    assert.match(JSON.stringify(found.health_reasons), 'target_stale');
    await upToNow(world, 'silent', hours(11, { from: 60 }));
    await fits(world.api, id, ({ health }) => health !== 'failing', 'its health back');
  });

  test('states outlive a restart', async () => {
    const [running, paused, gone] = [
      await active(world.api, body('demand')),
      await active(world.api, body('demand')),
      await made(world.api, body('demand')),
    ];
    expected(await move(world.api, paused, 'pause'));
    expected(await move(world.api, gone, 'archive'));
    await world.restart();
    const statuses = [];
    for (const id of [running, paused, gone]) statuses.push((await goal(world.api, id)).status);
    assert.equal(statuses, ['active', 'paused', 'archived']);
    const before = await latest(world.api, running);
    world.later(HOUR);
    await newer(world.api, running, before);
  });
});
