import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { validatedEdge } from './edges-world.js';
import { create, HOUR_S, hours, isoOf, push, recipe, settled, START_S } from './segments-world.js';
import { activeOf, draftOf, tournaments } from './tournaments-world.js';

const COUNT = 24 * 9;
const value = (i: number): number => 50 + 20 * Math.sin((2 * Math.PI * i) / 24) + ((i * 7919) % 13) / 5;
const NEWEST_S = START_S + (COUNT - 1) * HOUR_S;

suite('revisions of history over HTTP', test => {
  const folder = temporaryFolder();
  let api: Running;
  let goalId: string;
  let segmentId: string;
  let edgeId: string;
  const get = async (path: string): Promise<Json> => (await api.call('GET', path)).json.data;
  const all = async (id = goalId): Promise<Json[]> => (await get(`/v1/goals/${id}/revisions`)).revisions;
  /** The revision that came after so many of the goal, once it is over. */
  const after = (count: number): Promise<Json> =>
    until(async () => {
      const found = await all();
      return found.length > count && found[0].finished_at !== null && found[0];
    }, `a revision after ${count}`);
  const record = async (body: object): Promise<Json> => {
    const answer = await api.call('POST', '/v1/event/record', { body: { key: 'news', ...body } });
    assert.is(answer.status, 200, answer.text);
    return answer.json.data;
  };

  test.before(async () => {
    api = await startPlatform(folder.path, { env: { REVISION_MERGE_MS: '300' } });
    await push(api, 'shop.orders', hours(COUNT, value));
    await push(
      api,
      'shop.visits',
      hours(COUNT, i => i % 24),
    );
    await record({ text: 'A first event', occurred_at: START_S + 100 * HOUR_S });
    const event_streams = [{ stream: 'news', encoding: 'count' }];
    const made = await create(api, recipe({ inputs: [{ key: 'shop.visits' }], event_streams }));
    segmentId = made.segment_id;
    await settled(api, segmentId, 'ready');
    goalId = await activeOf(api, 'shop.orders');
    const patched = await api.call('PATCH', `/v1/goals/${goalId}`, { body: { segment_id: segmentId } });
    assert.is(patched.status, 200, patched.text);
    const champion = (await get(`/v1/goals/${goalId}`)).champion;
    assert.ok(champion, 'there is a champion to be judged again');
    edgeId = await validatedEdge(api, goalId, 'news');
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('a plain push in order is none', async () => {
    await push(api, 'shop.orders', hours(1, value, COUNT));
    await push(api, 'shop.unused', hours(10, value, 50));
    await push(api, 'shop.unused', hours(10, value, 0));
    assert.equal(await all(), []);
  });

  test('corrected points: the champion is judged again by what was known before and since', async () => {
    const before = await get(`/v1/goals/${goalId}/forecasts/latest`);
    const from = COUNT - 40;
    await push(
      api,
      'shop.orders',
      hours(20, i => 3 * value(i) + 100 * (i % 2), from),
    );
    const found = await after(0);
    assert.is(found.status, 'applied');
    assert.equal(found.cause, { key: 'shop.orders' });
    assert.equal(
      found.causes.map((each: Json) => [each.kind, each.event_id]),
      [['points_revised', null]],
    );
    const span = [isoOf(START_S + from * HOUR_S), isoOf(START_S + (from + 19) * HOUR_S)];
    assert.equal([found.from, found.to], span);
    const [goal] = found.goals;
    assert.is(goal.goal_id, goalId);
    assert.ok(goal.rows_changed >= 20);
    assert.ok(goal.score_after > 1.05 * goal.score_before, `${goal.score_before} ${goal.score_after}`);
    assert.is(goal.scored.cutoffs.length, 5);
    const [segment] = found.segments;
    assert.is(segment.segment_id, segmentId);
    assert.is.not(segment.table_hash_after, segment.table_hash_before);
    assert.is((await get(`/v1/segment/${segmentId}`)).table_hash, segment.table_hash_after);
    const id: string = found.revision_id;
    assert.equal(await get(`/v1/revisions/${id}`), found);
    // What was said stays said
    const same = await get(`/v1/goals/${goalId}/forecasts/${before.forecast_id}`);
    assert.equal(same.points, before.points);
    const { tournaments: list } = await tournaments(api, goalId);
    assert.equal(list[0].trigger, 'revision');
    assert.is(list[0].tournament_id, goal.tournament_id);
    const { timeline } = await get(`/v1/goals/${goalId}/timeline`);
    assert.is(timeline.find((each: Json) => each.kind === 'goal.revised').data.revision_id, id);
    const told = await until(async () => {
      const { notifications } = await get('/v1/notifications?kind=history_revised');
      return notifications[0];
    }, 'the notification');
    assert.equal([told.data.revision_id, told.goal_id], [id, goalId]);
    assert.equal(told.data.goals, found.goals);
    assert.equal([told.data.from, told.data.to, told.data.cause], [found.from, found.to, found.cause]);
  });

  test('a stale event, and points late by more than a step, together; never a shock', async () => {
    const event = await record({ text: 'It was long ago', occurred_at: START_S + 30 * HOUR_S });
    await push(api, 'shop.visits', [[START_S + 60 * HOUR_S + 1_800, 4]]);
    const found = await after(1);
    assert.is(found.status, 'applied');
    assert.equal(found.cause, { event_id: event.event_id, key: 'news' });
    assert.equal(
      found.causes.map((each: Json) => each.kind),
      ['event_recorded', 'points_recorded'],
    );
    const [goal] = found.goals;
    // From the occurrence onward
    assert.is(goal.from, isoOf(START_S + 30 * HOUR_S));
    assert.is(goal.to, found.causes[0].recorded_at);
    assert.equal(
      goal.edge_changes.map((each: Json) => [each.edge_id, each.source_key, each.status_before]),
      [[edgeId, 'news', 'validated']],
    );
    assert.is(goal.score_after, goal.score_before);
    assert.is(goal.tournament_id, null);
    assert.is.not(found.segments[0].table_hash_after, found.segments[0].table_hash_before);
    assert.is((await get(`/v1/goals/${goalId}`)).shock_state, 'normal');
  });

  test('an event that is edited, and one that is deleted', async () => {
    const { events } = await get('/v1/event/streams/news/events');
    const id: string = events.at(-1).event_id;
    const patched = await api.call('PATCH', `/v1/event/${id}`, { body: { value: 5 } });
    assert.is(patched.status, 200, patched.text);
    const edited = await after(2);
    assert.equal([edited.causes[0].kind, edited.causes[0].event_id], ['event_edited', id]);
    const moved = START_S + 5 * HOUR_S;
    await api.call('PATCH', `/v1/event/${id}`, { body: { occurred_at: moved } });
    const after3 = await after(3);
    assert.equal([after3.from, after3.to], [isoOf(moved), after3.causes[0].recorded_at]);
    const deleted = await api.call('DELETE', `/v1/event/${id}`);
    assert.is(deleted.status, 200, deleted.text);
    const last = await after(4);
    assert.equal([last.causes[0].kind, last.from], ['event_deleted', isoOf(moved)]);
  });

  test('what is fresh, and what is to come, is no history; neither is what no goal uses', async () => {
    const count = (await all()).length;
    await record({ text: 'Just now' });
    await record({ text: 'Not yet', occurred_at: Math.floor(Date.now() / 1_000) + 9_000 });
    await record({ key: 'elsewhere', text: 'Nobody looks here', occurred_at: START_S });
    // What comes after them is told of, and they are not in it
    await push(api, 'shop.orders', [[NEWEST_S - 50 * HOUR_S + 1_200, 70]]);
    const found = await after(count);
    assert.equal([found.causes.length, found.causes_total, found.cause], [1, 1, { key: 'shop.orders' }]);
  });

  test('of each goal its own, page by page, and what is wrong', async () => {
    const draft = await draftOf(api, 'shop.orders');
    assert.equal(await all(draft), []);
    const page = await get(`/v1/goals/${goalId}/revisions?per_page=2&page=2`);
    assert.equal([page.revisions.length, page.page], [2, 2]);
    assert.is(page.total, (await all()).length);
    assert.is((await api.call('GET', '/v1/goals/goa_no/revisions')).status, 404);
    const missing = await api.call('GET', '/v1/revisions/rev_no');
    assert.equal([missing.status, missing.json.error.code], [404, 'not_found']);
  });
});
