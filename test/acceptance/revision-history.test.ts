import * as assert from 'uvu/assert';
import { scopes } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { edge, FIRE, goesOn, happens, INCIDENT, ROUTINE } from './discovery.js';
import { forecasts, goal, HOUR, latest, named, newer, path, rows, upToNow } from './goals.js';
import { feedOf, item } from './inbox.js';
import { effectOn, watched, type Watched } from './shock.js';
import { open } from './socket.js';
import { has } from './training.js';
import { at, expected, push, refused, type World } from './world.js';

// What is learned late changes what is known of the past, and nothing that was said then (specification 3,
// 6.2; open-parts 14.5, 22, 25, 32.32). Readings: a revision begins with its first cause, takes in what
// comes within 60 s of it by the platform's clock, and is worked on after that; a point that says what was
// known is none, nor is a newest one; `goals` of a revision and of its notification have the same members.

suite('acceptance: revisions of history', test => {
  let here: Watched;
  let world: World;
  let id = '';
  let other: Client;
  /** The hour that has begun, counted from the first of the plant. */
  let now = 0;
  const STREAM = 'plant.incidents';
  const revisions = async (api = world.api): Promise<Json[]> =>
    rows(expected(await api.get<Json>(path(id, '/revisions?per_page=100'))));
  const revision = async (revisionId: string, api = world.api): Promise<Json> =>
    expected(await api.get<Json>(`/v1/revisions/${revisionId}`)).data;
  /** The minute of causes goes by; waits until there are so many revisions, all of them applied. */
  const applied = async (count: number): Promise<Json> => {
    world.later(61_000);
    const all = await until(async () => {
      const found = await revisions();
      return found.length >= count && found.every(({ status }) => status === 'applied') && found;
    }, `${count} revisions being applied`);
    assert.is(all.length, count);
    return revision(all[0]!.revision_id);
  };
  const told = (revisionId: string): Promise<Json> =>
    item(world.api, 'history_revised', ({ data }) => data.revision_id === revisionId);
  const said = async (): Promise<Json[]> =>
    (await forecasts(world.api, id)).map(({ actuals: _, grade: __, ...each }) => each);
  test.before(async () => {
    here = await watched({}, { options: { auto_tournament: 'off', auto_discovery: 'off' } });
    ({ world, id } = here);
    other = await world.tenant();
    now = here.of.now;
  });
  test.after(() => world.close());

  test('what comes in its time revises nothing', async () => {
    const before = await latest(world.api, id);
    await goesOn(world, here.of, ++now);
    await newer(world.api, id, before);
    const eventId = await happens(world.api, STREAM, ROUTINE);
    assert.is.not((await effectOn(world.api, eventId, id)).action, 'history_revision');
    const points = [{ key: 'plant.output', value: 190, timestamp: at(world.now() - 90 * 60_000) }];
    expected(await other.post<Json>('/v1/signal/push', { points }));
    assert.equal(await revisions(), []);
  });

  test('an event that is told late revises it, and shocks nothing', async () => {
    const socket = await open(world.running.base, {
      headers: { authorization: `Bearer ${world.running.installed.token}` },
    });
    await socket.subscribe(`goal:${id}`);
    const before = await said();
    const checked = (await edge(world.api, id, here.edgeId)).last_checked_at;
    const occurred_at = world.now() - 30 * HOUR;
    const eventId = await happens(world.api, STREAM, FIRE, { occurred_at });
    const effect = await effectOn(world.api, eventId, id);
    assert.is(effect.action, 'history_revision');
    const found = await applied(1);
    has(found, 'revision_id status from to goals');
    assert.match(JSON.stringify(found), eventId);
    assert.ok(Date.parse(found.from) <= occurred_at, 'from its occurrence onward');
    assert.ok(Date.parse(found.to) > Date.parse(found.from));
    const [mine, ...others] = found.goals;
    assert.equal(others, []);
    has(mine, 'goal_id rows_changed score_before score_after edge_changes');
    assert.is(mine.goal_id, id);
    assert.ok(mine.rows_changed >= 1);
    const { data, goal_id } = await told(found.revision_id);
    has(data, 'revision_id cause from to goals');
    assert.is(data.cause.event_id, eventId);
    assert.equal(data.goals, found.goals);
    assert.ok(goal_id === null || goal_id === id);
    assert.equal(await said(), before, 'what was said stays as it was');
    const after = await goal(world.api, id);
    assert.equal([after.shock_state, after.status], ['normal', 'active']);
    assert.ok((await edge(world.api, id, here.edgeId)).last_checked_at >= checked, 'its edge was looked at');
    const frame = await socket.heard('goal.revised');
    assert.equal([frame.data.goal_id, frame.data.revision_id], [id, found.revision_id]);
    socket.close();
  });

  test('a corrected point of the target revises it, before and after are there', async () => {
    const before = await said();
    await push(world.api, 'plant.output', [400], { from: here.of.from + (now - 20) * HOUR });
    const found = await applied(2);
    assert.match(JSON.stringify(found), 'plant.output');
    const { data } = await told(found.revision_id);
    assert.is(data.cause.key, 'plant.output');
    const [mine] = found.goals;
    assert.ok(mine.rows_changed >= 1);
    for (const score of [mine.score_before, mine.score_after])
      assert.ok(Number.isFinite(score) && score >= 0, `${score}`);
    assert.is.not(mine.score_before, mine.score_after, 'a value that is off by half is no small thing');
    assert.equal(await said(), before);
    const [newest] = await revisions();
    assert.is(newest!.revision_id, found.revision_id, 'the newest first');
  });

  test('what is the same value again is no correction', async () => {
    await push(world.api, 'plant.output', [400], { from: here.of.from + (now - 20) * HOUR });
    await upToNow(world, 'nobody.uses', [1, 2, 3]);
    await push(world.api, 'nobody.uses', [7], { from: here.of.from });
    const items = (await feedOf(world.api, '?kind=history_revised')).notifications.length;
    // The next is a revision again, and there is none between
    await push(world.api, 'plant.output', [195], { from: here.of.from + (now - 20) * HOUR });
    const found = await applied(3);
    assert.is(JSON.stringify(found).includes('nobody.uses'), false);
    await told(found.revision_id);
    assert.ok((await feedOf(world.api, '?kind=history_revised')).notifications.length <= items + 1);
  });

  test('what comes within a minute is one revision', async () => {
    const one = await happens(world.api, STREAM, INCIDENT, { occurred_at: world.now() - 50 * HOUR });
    world.later(20_000);
    const two = await happens(world.api, STREAM, INCIDENT, { occurred_at: world.now() - 70 * HOUR });
    await push(world.api, 'plant.output', [197], { from: here.of.from + (now - 25) * HOUR });
    const found = await applied(4);
    for (const each of [one, two, 'plant.output']) assert.match(JSON.stringify(found), each);
    const first = world.now() - 70 * HOUR;
    assert.ok(Date.parse(found.from) <= first, 'from the earliest of them');
  });

  test('an event that is moved in the past revises it', async () => {
    const eventId = await happens(world.api, STREAM, INCIDENT, { occurred_at: world.now() - 90 * HOUR });
    await applied(5);
    const occurred_at = at(world.now() - 92 * HOUR);
    expected(await world.api.patch<Json>(`/v1/event/${eventId}`, { occurred_at }));
    const found = await applied(6);
    assert.match(JSON.stringify(found), eventId);
  });

  test('a stop in the midst of it loses none, and makes none twice', async () => {
    const eventId = await happens(world.api, STREAM, INCIDENT, { occurred_at: world.now() - 110 * HOUR });
    await world.restart(async () => world.later(61_000));
    const found = await applied(7);
    assert.match(JSON.stringify(found), eventId);
    assert.is(named(await revisions(), 'revision_id').length >= 7, true);
    await told(found.revision_id);
  });

  test('reading takes goals.read; to another workspace there is none', async () => {
    const [{ revision_id }] = (await revisions()) as [Json];
    const reader = await world.withScopes(['goals.read']);
    assert.is((await revision(revision_id, reader)).revision_id, revision_id);
    const blind = await world.withScopes(scopes.filter(each => each !== 'goals.read'));
    const stranger = await world.tenant();
    for (const each of [path(id, '/revisions'), `/v1/revisions/${revision_id}`]) {
      const { details } = refused(await blind.get<Json>(each), 403, 'insufficient_scope');
      assert.equal(details.required, ['goals.read']);
      refused(await stranger.get<Json>(each), 404, 'not_found');
    }
    refused(await world.api.get<Json>('/v1/revisions/rev_nobodys'), 404, 'not_found');
  });
});
