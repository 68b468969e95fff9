import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { edge, edgeOf, happens, INCIDENT, plant, turn, type Plant } from './discovery.js';
import { body, HOUR, made, move, openGoals, path, inStatus as goalInStatus } from './goals.js';
import { built, column, create, daily, inStatus, iso, near, rowsOf } from './tables.js';
import { expected, places, refused, type World } from './world.js';

// What events do to a target, as columns of tables (open-parts 7, 32.12): the plant's incidents by the curve
// of the edge that a goal over its output has found. Readings: a table is made by the curve that is known
// when it is built, says which that is, and is stale when it is another; without one the build fails and the
// table before stays. Events act from the step that they lie in on, as they do in forecasts.

const STREAM = 'plant.incidents';
const AROUND = 300;

/** What the curve of an edge does, in units of the target, so many hours after an event. */
function effectOf({ points, scale, step_s: step }: Json, hours: number): number {
  const after = points.filter(({ offset_s: offset }: Json) => offset >= 0);
  const end = { offset_s: after.at(-1).offset_s + step, effect: 0 };
  const at = hours * 3_600;
  const next = [...after, end].findIndex(({ offset_s: offset }) => offset > at);
  if (at < 0 || next < 0) return 0;
  const [low, high] = [[...after, end][next - 1], [...after, end][next]];
  const share = (at - low.offset_s) / (high.offset_s - low.offset_s);
  return scale * (low.effect + share * (high.effect - low.effect));
}

suite('acceptance: what events do, in tables', test => {
  let world: World;
  let of: Plant;
  let goalId = '';
  let found: Json;
  let table: Json;
  let beforeAll = 0;
  const recipe = (more: object = {}) =>
    daily('plant.output', {
      ...{ step_s: 3_600, from: iso(of.from + (of.now - AROUND) * HOUR) },
      event_streams: [{ stream: STREAM, encoding: 'response_curve' }],
      ...more,
    });
  const rebuilt = async (status: string): Promise<Json> => {
    expected(await world.api.post<Json>(`/v1/segment/${table.segment_id}/rebuild`, {}), 202);
    return inStatus(world.api, table.segment_id, status);
  };
  const stale = (): Promise<Json> => inStatus(world.api, table.segment_id, 'stale');
  /** Worked out by hand from the curve that people see. */
  const expectedOf = (rows: readonly Json[], hours: readonly number[]): number[] =>
    rows.map(({ ts }) => {
      const hour = (Date.parse(ts) - of.from) / HOUR;
      return hours.reduce((sum, each) => sum + effectOf(found.response_curve, hour - each), 0);
    });
  test.before(async () => {
    world = await openGoals({ RATE_HEAVY: '10000' });
    of = await plant(world, { length: 1_200, more: false });
    beforeAll = world.now();
    world.later(1_000);
  });
  test.after(() => world.close());

  test('before an effect is validated it is refused by name, with what to do', async () => {
    const answer = await create(world.api, recipe());
    assert.equal(places(answer), ['body.event_streams.0.encoding']);
    assert.match(answer.text, /goal with this target.*discovery/);
    const plain = await built(world.api, recipe({ event_streams: [] }));
    const feature = { name: 'answer', kind: 'event_response', params: { stream: STREAM } };
    const added = await world.api.post<Json>(`/v1/segment/${plain.segment_id}/features`, feature);
    assert.equal(places(added), ['body.params.stream']);
    assert.is(plain.responses, null);
  });

  test('the column is the sum of the curve over the events, in units of the target', async () => {
    const candidates = { signals: [], event_streams: [STREAM], exclude: [] };
    goalId = await made(world.api, body('plant.output', { horizon: 6, candidates }));
    expected(await move(world.api, goalId, 'activate', {}), 202);
    await goalInStatus(world.api, goalId, 'competing', 'active');
    found = await edgeOf(world.api, goalId, STREAM);
    assert.is(found.status, 'validated');
    table = await built(world.api, recipe());
    const rows = await rowsOf(world.api, table.segment_id);
    const values = column(rows, `${STREAM}:response_curve`);
    const by = expectedOf(rows, of.incidents);
    assert.ok(Math.min(...by) < -5, 'incidents take something in these rows');
    near(
      values.map(value => Number(value!.toFixed(9))),
      by.map(value => Number(value.toFixed(9))),
    );
    const feature = { name: 'answer', kind: 'event_response', params: { stream: STREAM } };
    const path = `/v1/segment/${table.segment_id}/features`;
    expected(await world.api.post<Json>(path, feature), 201);
    table = await inStatus(world.api, table.segment_id, 'ready', 2);
    near(column(await rowsOf(world.api, table.segment_id), 'answer'), values, 'the same as a feature');
  });

  test('the table says by which edge, and as of when that shows the same curve', async () => {
    assert.equal(
      table.responses.map((each: Json) => [each.stream, each.entity, each.goal_id, each.edge_id]),
      [[STREAM, null, goalId, found.edge_id]],
    );
    const [{ checked_at: at, weighed_by: by }] = table.responses;
    const then = expected(
      await world.api.get<Json>(path(goalId, `/edges/${found.edge_id}?as_of=${encodeURIComponent(at)}`)),
    ).data;
    assert.equal([then.response_curve, by], [found.response_curve, 'none']);
    const { leakage_warnings: warnings } = table.quality;
    assert.equal(
      warnings.map((each: Json) => each.column),
      [`${STREAM}:response_curve`, 'answer'],
    );
  });

  test('as of a moment before it was found there is none, and after it is as it was then', async () => {
    const preview = (at: number) =>
      world.api.post<Json>(`/v1/segment/preview?as_of=${encodeURIComponent(iso(at))}`, recipe());
    assert.equal(places(await preview(beforeAll)), ['body.event_streams.0.encoding']);
    world.later(1_000);
    const then = world.now();
    world.later(1_000);
    expected(await turn(world.api, goalId, found.edge_id, 'block'));
    await stale();
    const rows = expected(await preview(then)).data.rows;
    near(
      column(rows, `${STREAM}:response_curve`).map(value => Number(value!.toFixed(9))),
      expectedOf(rows, of.incidents).map(value => Number(value.toFixed(9))),
    );
    refused(await create(world.api, recipe()), 422, 'validation_error');
  });

  test('what is lost makes it stale, and a build fails with the reason; its table stays', async () => {
    const failed = await rebuilt('failed');
    assert.match(failed.error.message, `no effect of ${STREAM} on plant.output is validated`);
    assert.is(failed.table_hash, table.table_hash);
    expected(await turn(world.api, goalId, found.edge_id, 'pin'));
    const again = await rebuilt('ready');
    assert.is(again.table_hash, table.table_hash, 'the same curve, the same table');
    assert.is((await edge(world.api, goalId, found.edge_id)).status, 'pinned');
  });

  test('an event that is recorded makes it stale, and acts in the table that is built then', async () => {
    await happens(world.api, STREAM, INCIDENT);
    await stale();
    await rebuilt('ready');
    const rows = await rowsOf(world.api, table.segment_id);
    near(
      column(rows, 'answer').map(value => Number(value!.toFixed(9))),
      expectedOf(rows, [...of.incidents, of.now]).map(value => Number(value.toFixed(9))),
    );
    assert.is(column(rows, 'answer').at(-1), column(rows, `${STREAM}:response_curve`).at(-1));
  });

  test('a goal that is deleted takes its curve along', async () => {
    await goalInStatus(world.api, goalId, 'active');
    expected(await move(world.api, goalId, 'pause'));
    expected(await world.api.delete<Json>(path(goalId)));
    await stale();
    assert.match((await rebuilt('failed')).error.message, 'no effect of');
  });
});
