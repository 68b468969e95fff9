import * as assert from 'uvu/assert';
import { factAt } from '../../domain/analyst/fact.js';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { connect } from '../realtime/client.js';
import { suite } from '../suite.js';
import * as world from './discovery-world.js';
import { push, hours } from './segments-world.js';

suite('discoveries and edges over HTTP', test => {
  const folder = temporaryFolder();
  let api: Running;
  let goalId: string;
  /** The run of the activation, and the edge that it found. */
  let first: Json;
  let edge: Json;
  const path = (below: string): string => `/v1/goals/${goalId}${below}`;
  const turn = (how: string) => api.call('POST', path(`/edges/${edge.edge_id}/${how}`), { body: {} });
  const now = async (): Promise<Json> =>
    (await api.call('GET', path(`/edges/${edge.edge_id}`))).json.data as Json;
  test.before(async () => {
    api = await startPlatform(folder.path);
    await world.plant(api);
    goalId = await world.goalOf(api);
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('a goal at rest is not looked through', async () => {
    const answer = await world.discover(api, goalId);
    assert.equal([answer.status, answer.json.error.code], [409, 'invalid_state']);
  });

  test('an activation looks for what drives the goal first', async () => {
    const { status } = await api.call('POST', path('/activate'), { body: {} });
    assert.is(status, 202);
    assert.ok(['discovering', 'competing'].includes((await world.goal(api, goalId)).status));
    await until(async () => (await world.goal(api, goalId)).status !== 'discovering', 'the run to be over');
    const { discoveries, total } = (await api.call('GET', path('/discovery'))).json.data;
    assert.is(total, 1);
    first = await world.run(api, goalId, discoveries[0].discovery_id);
    assert.equal(
      [first.status, first.kind, first.trigger, first.progress],
      ['completed', 'search', 'activation', 1],
    );
    assert.equal([first.candidates, first.tested, first.found, first.rejected], [2, 2, 1, 1]);
    assert.equal(first.multiple_testing, { method: 'benjamini_hochberg', alpha: 0.05, tests: 2 });
    assert.is(first.settings.reference, 'seasonal_level');
    const [failures, visits] = first.results;
    assert.equal([failures.source_key, failures.verdict], ['plant.failures', 'validated']);
    assert.equal([visits.source_key, visits.verdict, visits.edge_id], ['plant.visits', 'rejected', null]);
    assert.ok(visits.reasons.length > 0 && visits.reasons.every(({ text }: Json) => text.length > 0));
    const kinds = (await api.call('GET', path('/timeline'))).json.data.timeline.map(
      (each: Json) => each.kind,
    );
    for (const kind of ['discovery.started', 'edge.validated', 'discovery.completed', 'goal.discovered'])
      assert.ok(kinds.includes(kind), `${kind} among ${kinds}`);
  });

  test('a stream that drives an active goal is deleted by force alone', async () => {
    await until(async () => (await world.goal(api, goalId)).status === 'active', 'the goal to be active');
    const remove = (body: object) => api.call('POST', '/v1/signal/delete?dry_run=true', { body });
    const named = { event_streams: ['plant.failures'] };
    const { status, json } = await remove(named);
    assert.equal([status, json.error.code], [409, 'IN_USE']);
    assert.equal(
      json.error.details.users.map(({ kind, id, keys }: Json) => [kind, id, keys]),
      [['goal', goalId, ['plant.failures']]],
    );
    assert.is((await remove({ ...named, force: true })).status, 200);
    assert.is((await remove({ event_streams: ['plant.visits'] })).status, 200, 'it drives nothing');
    const { signals } = (await api.call('GET', '/v1/signal?search=plant')).json.data;
    const used = signals.map(({ key, in_use_by }: Json) => [key, in_use_by.goals]).sort();
    assert.equal(used, [
      ['plant.failures', 1],
      ['plant.output', 1],
      ['plant.visits', 0],
    ]);
  });

  test('what was found is an edge, with its response', async () => {
    edge = await world.edgeOf(api, goalId, 'plant.failures');
    assert.equal(await now(), edge);
    assert.equal(
      [edge.goal_id, edge.kind, edge.status, edge.direction],
      [goalId, 'event_stream', 'validated', 'negative'],
    );
    assert.is(edge.n_occurrences, world.FAILURES.length);
    const [low, high] = edge.lift_interval;
    assert.ok(0 < low && low <= edge.lift && edge.lift <= high);
    assert.ok(edge.half_life_s > 1.5 * 3_600 && edge.half_life_s < 9 * 3_600, `${edge.half_life_s}`);
    const { points, scale } = edge.response_curve;
    const atPeak = points.find((each: Json) => each.offset_s === edge.optimal_lag_s);
    assert.ok(Math.abs(atPeak.effect * scale - edge.effect_peak) < 1e-6 * Math.abs(edge.effect_peak));
    assert.ok(edge.effect_peak < -5 && edge.effect_peak > -15, `${edge.effect_peak}`);
    assert.equal(
      edge.history.map((each: Json) => each.status),
      ['validated'],
    );
    const { data } = (await api.call('GET', path('/edges?status=rejected'))).json;
    assert.equal([data.edges, data.total], [[], 0]);
  });

  test('streams, signals and the goal tell of it', async () => {
    const told = { goals_affected: 1, max_lift: edge.lift, half_life_s: edge.half_life_s, weakening: 0 };
    assert.equal(await world.summaries(api, 'plant.failures'), [told, told]);
    assert.equal(await world.summaries(api, 'plant.visits'), [null, null]);
    assert.equal((await world.goal(api, goalId)).edges, { validated: 1, weakening: 0, candidate: 0 });
  });

  test('the analyst tells what was found of a stream that it is asked about, and of no other', async () => {
    const ask = async (question: string): Promise<Json> =>
      (await api.call('POST', path('/analyst/ask'), { body: { question } })).json.data;
    const { answer, facts, confidence } = await ask('What effect do events of plant.visits have?');
    const { reasons } = first.results[1];
    assert.match(answer, `says rejected. Against it stands ${reasons[0].code}: ${reasons[0].text}.`);
    assert.not.match(answer, 'Events of plant.failures');
    assert.is(confidence, 'medium');
    for (const { kind, id, field, value } of facts) {
      assert.equal([kind, id], ['discovery', first.discovery_id]);
      assert.is(factAt({ kind, id, shown: first }, field)?.value, value);
    }
    assert.match((await ask('What effect do events of plant.failures have?')).answer, 'act on the goal');
    assert.match(
      (await ask('What effect do events of plant.picnics have?')).answer,
      'no source that is known',
    );
  });

  test('wrong bodies are refused by name', async () => {
    const wrong = async (body: object, ...loc: (string | number)[]) => {
      const { status, json } = await world.discover(api, goalId, body);
      assert.is(status, 422, JSON.stringify(body));
      assert.equal(json.detail[0].loc, loc);
    };
    await wrong({ method: 'pcmci' }, 'body', 'method');
    await wrong({ max_lag_s: 60 }, 'body', 'max_lag_s');
    await wrong({ alpha: 0.5 }, 'body', 'alpha');
    await wrong({ signals: ['plant.output', 'nobody'] }, 'body', 'signals', 1);
    await wrong({ event_streams: ['plant.output'] }, 'body', 'event_streams', 0);
    assert.is((await world.discover({ call: api.call }, 'goa_none')).status, 404);
  });

  test('another run of what is named finds the same edge again', async () => {
    const body = { event_streams: ['plant.failures'], signals: [], alpha: 0.01 };
    const found = await world.discovered(api, goalId, body);
    assert.equal([found.status, found.tested, found.found], ['completed', 1, 1]);
    assert.equal([found.settings.alpha, found.settings.event_streams], [0.01, ['plant.failures']]);
    const after = await now();
    assert.equal([after.edge_id, after.status, after.history.length], [edge.edge_id, 'validated', 2]);
    assert.is(after.validated_at, edge.validated_at);
    const cancelled = await api.call('POST', path(`/discovery/${found.discovery_id}/cancel`));
    assert.equal([cancelled.status, cancelled.json.error.code], [409, 'invalid_state']);
  });

  test('a look again asks for what the edge was validated with', async () => {
    const body = { event_streams: ['plant.failures'], signals: [], alpha: 0.1 };
    await world.discovered(api, goalId, body);
    const { status, json } = await turn('recheck');
    assert.is(status, 202);
    const recheck = await world.over(api, goalId, json.data.discovery_id);
    assert.equal(
      [recheck.status, recheck.settings.alpha, recheck.multiple_testing.alpha],
      ['completed', 0.1, 0.1],
    );
    assert.is((await now()).status, 'validated');
  });

  test('pinned, blocked, and looked at again when it is unblocked', async () => {
    assert.is((await turn('unblock')).json.error.code, 'invalid_state');
    assert.is((await turn('pin')).json.data.status, 'pinned');
    assert.equal((await world.goal(api, goalId)).edges, { validated: 1, weakening: 0, candidate: 0 });
    assert.is((await turn('block')).json.data.status, 'blocked');
    const [summary] = await world.summaries(api, 'plant.failures');
    assert.equal([summary.goals_affected, summary.max_lift], [0, 0]);
    assert.is((await turn('recheck')).json.error.code, 'invalid_state');
    const passedOver = await world.discovered(api, goalId);
    assert.equal(
      passedOver.results.map((each: Json) => each.source_key),
      ['plant.visits'],
    );
    const client = await connect(api.base, { token: api.installed.token });
    const channel = `goal:${goalId}`;
    assert.equal((await client.subscribe(channel))['denied'], []);
    const { status, json } = await turn('unblock');
    assert.equal([status, json.data.status], [200, 'candidate']);
    const recheck = await world.over(api, goalId, json.discovery_id);
    assert.equal([recheck.kind, recheck.trigger, recheck.found], ['recheck', 'unblocked', 1]);
    assert.equal(recheck.settings.edge_ids, [edge.edge_id]);
    assert.is((await now()).status, 'validated');
    const told = await client.event(({ event }) => event === 'edge.validated');
    const { lift } = await now();
    const is = { kind: 'event_stream', source_key: 'plant.failures', lift };
    assert.equal(told.data, { edge_id: edge.edge_id, goal_id: goalId, ...is });
    const isOver = await client.event(
      ({ event, data }) => event === 'discovery.updated' && data['progress'] === 1,
    );
    const run = { discovery_id: json.discovery_id, goal_id: goalId, status: 'completed', progress: 1 };
    assert.equal(isOver.data, run);
    await world.record(api, 'plant.failures', [595]);
    const recorded = await client.event(({ event }) => event === 'event.recorded');
    assert.equal([recorded.channel, recorded.data['key']], [channel, 'plant.failures']);
    await client.end();
    const { total } = (await api.call('GET', path('/discovery?per_page=1'))).json.data;
    assert.is(total, 6, 'it is looked at once more, not twice');
  });

  test('a goal of another series keeps nothing of it', async () => {
    await push(
      api,
      'plant.other',
      hours(120, i => i % 24),
    );
    const other = await world.goalOf(api, { options: { auto_discovery: 'off' } });
    await api.call('POST', `/v1/goals/${other}/activate`, { body: {} });
    const found = await until(() => world.edgeOf(api, other, 'plant.failures'), 'an edge of it');
    assert.not.equal(found.edge_id, edge.edge_id);
    await until(async () => (await world.goal(api, other)).status === 'active', 'the goal to be active');
    await api.call('POST', `/v1/goals/${other}/pause`, { body: {} });
    const patched = await api.call('PATCH', `/v1/goals/${other}`, { body: { target: 'plant.other' } });
    assert.is(patched.status, 200, patched.text);
    const gone = await until(async () => {
      const after = await world.edgeOf(api, other, 'plant.failures');
      return after.status === 'retired' && after;
    }, 'it to be retired');
    assert.equal([gone.lift, gone.response_curve], [null, null]);
    assert.is((await now()).status, 'validated');
    assert.is((await api.call('GET', `/v1/goals/${other}/edges/${edge.edge_id}`)).status, 404);
  });
});
