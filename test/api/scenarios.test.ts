import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { peopleOf } from '../people.js';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { clientOf, type Client } from './client.js';
import { activeGoal, forecastsOf, goalSettings } from './forecasts-world.js';
import { EFFECTS, validated } from './scenarios-world.js';
import { HOUR_S, hours, isoOf, push, START_S } from './segments-world.js';

const LENGTH = 120;
const HORIZON = 6;
const price = (i: number): number => 5 + ((i * 7919) % 13) / 4;
const sales = (i: number): number => 40 + 5 * Math.sin((i * Math.PI) / 12) - 2 * price(i - 1);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, x) => all + x, 0);
/** Beginnings of the steps ahead. */
const at = (h: number): string => isoOf(START_S + (LENGTH + h) * HOUR_S);

suite('scenarios over HTTP', test => {
  const folder = temporaryFolder();
  let now = (START_S + LENGTH * HOUR_S) * 1_000 + 60_000;
  let api: Running;
  let client: Client;
  let goalId: string;
  let edgeId: string;
  let base: Json;
  const path = (below = '') => `/v1/goals/${goalId}/scenarios${below}`;
  const post = async (body: object, below = ''): Promise<Json> =>
    (await client.post<Json>(path(below), body)).body;
  const make = async (assumptions: readonly object[], over: object = {}): Promise<Json> => {
    const { status, body } = await client.post<Json>(path(), { name: 'What if', assumptions, ...over });
    assert.is(status, 201, JSON.stringify(body));
    const { total_delta: total, by_assumption: parts, delta, points } = body.data;
    assert.is(sum(parts.map((one: Json) => one.contribution)), total);
    assert.ok(Math.abs(sum(delta.map((one: Json) => one.mean)) - total) < 1e-9);
    points.forEach(({ mean }: Json, h: number) =>
      assert.ok(Math.abs(mean - delta[h].mean - base.points[h].mean) < 1e-9),
    );
    return body.data;
  };
  const balance = async (): Promise<number> =>
    Number((await client.get<Json>('/v1/billing/balance')).body.data.credits);

  test.before(async () => {
    const env = { SERVING_THREADS: '1', COMPUTE_WORKERS: '1' };
    api = await startPlatform(folder.path, { clock: () => now, env });
    const description = (await api.call('GET', '/openapi/v1.json')).json;
    const { token, workspaceId: workspace } = api.installed;
    client = clientOf(api.base, description, { token, workspace });
    await push(api, 'price', hours(LENGTH, price));
    await push(api, 'sales', hours(LENGTH, sales));
    goalId = await activeGoal(api, goalSettings());
    await forecastsOf(api, goalId, 1);
    edgeId = await validated(api, goalId, 'event_stream', 'news');
    await validated(api, goalId, 'signal', 'price');
    const event = { key: 'news', text: 'Rates were cut', occurred_at: at(2) };
    const recorded = await api.call('POST', '/v1/event/record', { body: event });
    assert.is(recorded.status, 200, recorded.text);
    const { event_id: eventId } = recorded.json.data;
    const one = async () => (await api.call('GET', `/v1/event/${eventId}`)).json.data;
    await until(async () => (await one()).status === 'scored', 'the score');
    now += 1_000;
    const issued = await client.post<Json>(`/v1/goals/${goalId}/forecasts`, {});
    base = issued.body.data;
    assert.is(base.metadata.applied_events.length, 1, JSON.stringify(base.metadata));
  });
  test.after(async () => {
    client.close();
    await api.stop();
    folder.remove();
  });

  test('what is assumed of the target holds, is paid for, and is written nowhere', async () => {
    const before = await balance();
    const points = `/v1/signal/points?key=sales&limit=5`;
    const stored = (await api.call('GET', points)).text;
    const made = await make([
      { kind: 'signal_set', key: 'sales', value: 99, from: at(0), to: at(2) },
      { kind: 'signal_scale', key: 'sales', factor: 2, from: at(1), to: at(2) },
    ]);
    assert.is(made.status, 'completed');
    assert.equal([made.base, made.base_forecast_id], ['latest', base.forecast_id]);
    assert.equal(made.as_of, base.as_of);
    assert.equal([made.points[0].mean, made.points[1].mean], [99, 198]);
    assert.equal(Object.keys(made.points[0].quantiles), Object.keys(base.points[0].quantiles));
    assert.equal(
      made.extrapolation_warnings.map(({ index, key }: Json) => [index, key]),
      [
        [0, 'sales'],
        [1, 'sales'],
      ],
    );
    assert.ok(Math.abs(before - (await balance()) - made.usage.credits) < 1e-9);
    assert.ok(made.usage.credits > 0);
    assert.is((await api.call('GET', points)).text, stored);
    assert.equal((await client.get<Json>(path(`/${made.scenario_id}`))).body.data, made);
  });

  test('events and signals act by the edges that were there when the base was made', async () => {
    const [applied] = base.metadata.applied_events;
    const made = await make([
      { kind: 'event_remove', event_id: applied.event_id },
      { kind: 'event_add', stream: 'news', occurred_at: at(0), importance: 0.5 },
      { kind: 'signal_shift', key: 'price', add: 3, from: at(1), to: at(2) },
      { kind: 'edge_off', edge_id: edgeId },
      { kind: 'signal_shift', key: 'sales', add: 0 },
    ]);
    const parts = made.by_assumption.map((one: Json) => one.contribution);
    assert.ok(Math.abs(parts[0] + applied.weight * sum(EFFECTS)) < 1e-9, String(parts));
    assert.ok(Math.abs(parts[1] - sum(EFFECTS)) < 1e-9);
    assert.ok(parts[2] < -3 && parts[2] > -12, String(parts));
    assert.ok(Math.abs(parts[3] + sum(EFFECTS)) < 1e-9);
    assert.is(parts[4], 0);
    assert.ok(made.edges.includes(edgeId));
    // An edge that came later is not known to an older base
    const [first] = (await client.get<Json>(`/v1/goals/${goalId}/forecasts`)).body.data.forecasts.slice(-1);
    const late = await validated(api, goalId, 'event_stream', 'later');
    assert.ok(late);
    const off = {
      name: 'x',
      base: first.forecast_id,
      assumptions: [{ kind: 'edge_off', edge_id: 'edg_no' }],
    };
    assert.is((await client.post(path(), off)).status, 422);
  });

  test('one that waits is worked on, run once more, compared and deleted', async () => {
    const assumptions = [{ kind: 'signal_shift', key: 'sales', add: 5, from: at(0), to: at(HORIZON) }];
    const queued = await client.post<Json>(path(), { name: 'Later', assumptions, async: true, horizon: 4 });
    assert.is(queued.status, 202);
    const id = queued.body.data.scenario_id as string;
    assert.is(queued.body.data.poll_url, path(`/${id}`));
    const one = async (): Promise<Json> => (await client.get<Json>(path(`/${id}`))).body.data;
    await until(async () => (await one()).status === 'completed', 'the scenario');
    const done = await one();
    assert.equal([done.points.length, done.run, done.total_delta], [4, 1, 20]);
    const held = async () => Number((await client.get<Json>('/v1/billing/balance')).body.data.held);
    await until(async () => (await held()) === 0, 'the charge');
    const { etag } = (await client.get(path(`/${id}`))).headers;
    const again = await client.post<Json>(path(`/${id}/run`), {});
    assert.is(again.status, 200);
    assert.equal([again.body.data.run, again.body.data.points], [2, done.points]);
    const other = await make(assumptions);
    const { scenarios, points } = (await post({ ids: [id, other.scenario_id] }, '/compare')).data;
    assert.equal(
      scenarios.map((each: Json) => each.total_delta),
      [20, 30],
    );
    assert.is(points.length, 4);
    assert.equal(points[0].scenarios[0].mean, done.points[0].mean);
    const { total } = (await client.get<Json>(path('?status=completed'))).body.data;
    assert.ok(total >= 4);
    const late = await client.delete<Json>(path(`/${id}`), { 'if-match': etag! });
    assert.equal([late.status, late.body.error.details.version], [409, 2]);
    const would = await client.delete<Json>(path(`/${id}?dry_run=true`), { 'if-match': '"2"' });
    assert.equal(would.body.data, { dry_run: true, scenario_id: id });
    assert.is((await one()).run, 2);
    assert.is((await api.call('DELETE', path(`/${id}`))).status, 200);
    for (const gone of [await client.get(path(`/${id}`)), await client.post(path(`/${id}/run`), {})])
      assert.is(gone.status, 404);
    const { timeline } = (await client.get<Json>(`/v1/goals/${goalId}/timeline?per_page=100`)).body.data;
    assert.equal(
      timeline.filter(({ data }: Json) => data.scenario_id === id).map(({ kind }: Json) => kind),
      ['scenario.deleted', 'scenario.completed', 'scenario.completed', 'scenario.created'],
    );
  });

  test('what cannot be is refused, and says which field', async () => {
    const refused = async (body: object, status: number): Promise<string> => {
      const answer = await client.post<Json>(path(), { name: 'x', assumptions: [], ...body });
      assert.is(answer.status, status, JSON.stringify(answer.body));
      return (answer.body.detail ?? []).map((fault: Json) => fault.loc.join('.')).join();
    };
    const shift = { kind: 'signal_shift', key: 'sales', add: 1 };
    assert.is(await refused({}, 422), 'body.assumptions');
    assert.is(
      await refused({ assumptions: [{ ...shift, from: at(3), to: at(1) }] }, 422),
      'body.assumptions.0.from',
    );
    assert.is(
      await refused({ assumptions: [shift, { ...shift, key: 'no' }] }, 422),
      'body.assumptions.1.key',
    );
    assert.is(await refused({ assumptions: [shift], horizon: HORIZON + 1 }, 422), 'body.horizon');
    const unread = [
      { kind: 'signal_set', key: 'sales', from: 'soon', to: 'late' },
      shift,
      { kind: 'event_move', event_id: 'evt_no', occurred_at: 'then' },
    ];
    const places = ['0.value', '0.from', '0.to', '2.occurred_at'].map(place => `body.assumptions.${place}`);
    assert.is(await refused({ assumptions: unread }, 422), places.join());
    const unknown = [
      { kind: 'edge_off', edge_id: 'edg_no' },
      { ...shift, key: 'no' },
      { kind: 'event_remove', event_id: 'evt_no' },
      { kind: 'signal_set', key: 'sales', values: [1, 2, 3] },
      { kind: 'event_add', stream: 'no', occurred_at: at(0) },
    ];
    const fields = ['edge_id', 'key', 'event_id', 'values', 'stream'];
    const named = fields.map((field, place) => `body.assumptions.${place}.${field}`);
    assert.is(await refused({ assumptions: unknown }, 422), named.join());
    await refused({ assumptions: [shift], base: 'fct_none' }, 404);
    await refused({ assumptions: [shift], max_credits: 0 }, 402);
    assert.is(
      (await client.post('/v1/goals/goa_none/scenarios', { name: 'x', assumptions: [shift] })).status,
      404,
    );
    const draft = await client.post<Json>('/v1/goals', {
      name: 'D',
      target: 'sales',
      horizon: 3,
      step_s: HOUR_S,
    });
    const ofDraft = `/v1/goals/${draft.body.data.goal_id}/scenarios`;
    assert.is((await client.post(ofDraft, { name: 'x', assumptions: [shift] })).status, 404);
  });

  test('an analyst may, a viewer may look', async () => {
    const people = peopleOf(api.platform);
    const workspace = api.installed.workspaceId;
    const assumptions = [{ kind: 'signal_shift', key: 'sales', add: 1 }];
    for (const [role, status] of [
      ['viewer', 403],
      ['analyst', 201],
    ] as const) {
      const { uid, token } = await people.person(`${role}@example.org`);
      await people.join('workspace', workspace, uid, role);
      const body = { name: role, assumptions };
      const other = client.as({ token, workspace });
      assert.is((await other.post(path(), body)).status, status, role);
      assert.is((await other.get(path())).status, 200);
    }
  });
});
