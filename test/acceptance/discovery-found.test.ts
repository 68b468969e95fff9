import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import {
  DEPTH,
  discovered,
  discover,
  driven,
  edge,
  edgeOf,
  edges,
  HALVING,
  LEAD,
  plant,
  run,
  runs,
  signalRow,
  summary,
} from './discovery.js';
import { goal, openGoals, timeline } from './goals.js';
import { item } from './inbox.js';
import { has } from './training.js';
import { expected, places, refused, type World } from './world.js';

// What drives a goal is found, with how much it is worth, when and for how long (specification 2.7; open-
// parts 13.3, 15, 32.28). A plant loses 20 deviations of its noise in the hour after each incident and half
// of that four hours later, and follows the orders of six hours before; its visits and the weather do
// nothing. Readings: events recorded afterwards count for discovery; what is only a candidate or rejected
// may be in the list, what does nothing is never validated.

suite('acceptance: what drives a goal', test => {
  let world: World;
  let id = '';
  let incidents: Json;
  let orders: Json;
  const IN_FORCE = ['validated', 'weakening', 'pinned'];
  test.before(async () => {
    world = await openGoals({ RATE_HEAVY: '10000' });
    await plant(world);
    id = await driven(world.api);
    incidents = await edgeOf(world.api, id, 'plant.incidents');
    orders = await edgeOf(world.api, id, 'plant.orders');
  });
  test.after(() => world.close());

  test('activating it looks for its drivers first, in a run that is there to be read', async () => {
    const [first, ...others] = await runs(world.api, id);
    assert.equal(others, []);
    const found = await run(world.api, id, first!.discovery_id);
    has(found, 'discovery_id status progress tested found rejected started_at finished_at settings results');
    has(found, 'warnings multiple_testing');
    assert.equal([found.status, found.progress], ['completed', 1]);
    assert.ok(found.tested >= 4, `tested ${found.tested} of the four`);
    assert.ok(found.found >= 2);
    assert.ok(found.finished_at >= found.started_at);
    assert.is(found.multiple_testing.method, 'benjamini_hochberg');
    assert.is(found.multiple_testing.alpha, 0.05);
    assert.ok(found.multiple_testing.tests >= found.tested);
    assert.ok(Object.keys(found.settings).length > 0, 'the reference forecaster is named in them');
    const sources = found.results.map((each: Json) => each.source_key);
    for (const key of ['plant.incidents', 'plant.orders']) assert.ok(sources.includes(key), `${sources}`);
    const happened = JSON.stringify(await timeline(world.api, id));
    assert.match(happened, 'discovery');
  });

  test('the stream that moves it has an edge with every member', async () => {
    has(incidents, 'edge_id goal_id kind source_key status direction lift lift_interval p_value q_value');
    has(incidents, 'placebo_p n_occurrences optimal_lag_s half_life_s half_life_interval response_curve');
    has(incidents, 'stability strength relationship_type importance_bar confounders validated_at');
    has(incidents, 'last_checked_at weakening_since history');
    assert.equal(await edge(world.api, id, incidents.edge_id), incidents);
    assert.equal(
      [incidents.goal_id, incidents.kind, incidents.status, incidents.direction],
      [id, 'event_stream', 'validated', 'negative'],
    );
    assert.ok(incidents.n_occurrences >= 8 && incidents.n_occurrences <= 23, `${incidents.n_occurrences}`);
    assert.equal([incidents.weakening_since, typeof incidents.validated_at], [null, 'string']);
    assert.ok(incidents.history.length >= 1);
    for (const each of incidents.history) has(each, 'at lift status');
    assert.ok(
      ['very_strong', 'strong', 'moderate', 'weak', 'very_weak'].includes(incidents.relationship_type),
    );
    assert.ok(incidents.importance_bar >= 0.6 && incidents.importance_bar <= 0.95);
    assert.is(orders.importance_bar, null, 'only events begin shocks');
  });

  test('its lift is what it takes off the error, surely more than nothing', () => {
    for (const each of [incidents, orders]) {
      const [low, high] = each.lift_interval;
      assert.ok(0 < low && low <= each.lift && each.lift <= high && high <= 1, JSON.stringify(each));
      assert.ok(each.lift > 0.05, `${each.lift}`);
      assert.ok(each.q_value < 0.05 && each.p_value <= each.q_value);
      assert.ok(each.placebo_p < 0.05);
      assert.ok(each.stability >= 0.6 && each.stability <= 1);
    }
  });

  test('its curve falls at once, by what an incident takes, and is half of that four hours later', () => {
    const { step_s, points, pre_trend_p, ...more } = incidents.response_curve;
    assert.ok(step_s >= 1);
    const scale: number = more.scale ?? incidents.scale;
    assert.ok(scale > 0, 'effects are in deviations of the residuals, of which one is `scale`');
    for (const point of points) {
      has(point, 'offset_s effect lower upper n');
      assert.ok(point.lower <= point.effect && point.effect <= point.upper, JSON.stringify(point));
    }
    assert.ok(
      points.some((point: Json) => point.offset_s < 0),
      'what was before is kept',
    );
    assert.ok(pre_trend_p >= 0.05, `${pre_trend_p}: nothing foretells an incident`);
    const after = points.filter((point: Json) => point.offset_s >= 0);
    const peak = after.reduce((best: Json, point: Json) => (point.effect < best.effect ? point : best));
    assert.ok(peak.offset_s <= 4 * 3_600, `the peak after ${peak.offset_s} s`);
    assert.is(incidents.optimal_lag_s, peak.offset_s);
    const units = peak.effect * scale;
    assert.ok(units < -0.5 * DEPTH && units > -1.5 * DEPTH, `a peak of ${units}`);
    const halving = incidents.half_life_s / 3_600;
    assert.ok(halving > HALVING / 2.5 && halving < HALVING * 2.5, `half of it after ${halving} h`);
    const [low, high] = incidents.half_life_interval;
    assert.ok(low <= incidents.half_life_s && incidents.half_life_s <= high);
  });

  test('the signal that leads it has an edge at its lag, without a curve', () => {
    assert.equal(
      [orders.kind, orders.status, orders.half_life_s, orders.response_curve],
      ['signal', 'validated', null, null],
    );
    assert.is(orders.direction, 'positive');
    const lag = orders.optimal_lag_s / 3_600;
    assert.ok(Math.abs(lag - LEAD) <= 1, `${lag} h`);
  });

  test('what does nothing is not in force', async () => {
    const inForce = (await edges(world.api, id)).filter(each => IN_FORCE.includes(each.status));
    assert.equal(inForce.map(each => each.source_key).sort(), ['plant.incidents', 'plant.orders']);
    const found = await goal(world.api, id);
    assert.equal([found.edges.validated, found.edges.weakening], [2, 0]);
  });

  test('streams and their rows among the signals tell of it', async () => {
    const { half_life_s, lift } = incidents;
    const told = { goals_affected: 1, max_lift: lift, half_life_s, weakening: 0 };
    assert.equal((await summary(world.api, 'plant.incidents')).edges, told);
    assert.equal((await signalRow(world.api, 'plant.incidents', 'event')).edges, told);
    assert.is((await summary(world.api, 'plant.visits')).edges, null);
    assert.is((await signalRow(world.api, 'plant.visits', 'event')).edges, null);
    assert.is((await signalRow(world.api, 'plant.orders', 'signal')).edges, null, 'of a signal never');
    const { event_streams } = expected(await world.api.get<Json>('/v1/signal/overview')).data;
    const row = event_streams.find((each: Json) => each.key === 'plant.incidents');
    assert.equal(row.edges, told, 'the rows of the overview are those of the list');
  });

  test('people are told', async () => {
    const told = await item(world.api, 'edge.validated', each => each.data.source_key === 'plant.incidents');
    assert.equal([told.goal_id, told.data.edge_id], [id, incidents.edge_id]);
  });

  test('methods that make no edges are refused by name', async () => {
    for (const method of ['granger', 'pcmci']) {
      const signals = ['plant.orders', 'plant.weather'];
      const answer = await discover(world.api, id, { signals, event_streams: [], method });
      assert.equal(places(answer), ['body.method']);
    }
  });

  test('found again it is the same edge, and what was not asked for keeps what is known of it', async () => {
    const answer = await discovered(world.api, id, { event_streams: ['plant.incidents'], signals: [] });
    assert.is(answer.tested, 1);
    const after = await edgeOf(world.api, id, 'plant.incidents');
    assert.equal([after.edge_id, after.status], [incidents.edge_id, 'validated']);
    assert.is((await edgeOf(world.api, id, 'plant.orders')).status, 'validated');
    refused(await world.api.get<Json>(`/v1/goals/${id}/edges/edg_nobodys`), 404, 'not_found');
  });

  test('all of it is there after a restart', async () => {
    const before = await edges(world.api, id);
    const all = await runs(world.api, id);
    await world.restart();
    assert.equal(await edges(world.api, id), before);
    assert.equal(await runs(world.api, id), all);
  });
});
