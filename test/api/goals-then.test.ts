import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { startPlatform, temporaryFolder, until, type Answer, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { validatedEdge } from './edges-world.js';
import { hours, push } from './segments-world.js';
import { activeOf, draftOf } from './tournaments-world.js';

const COUNT = 24 * 4;
const value = (i: number): number => 50 + 20 * Math.sin((2 * Math.PI * i) / 24) + (i % 5);

suite('goals as of past moments', test => {
  const folder = temporaryFolder();
  let api: Running;
  /** Minutes that the clock is ahead. */
  let ahead = 0;
  let goalId: string;
  let edgeId: string;
  let first: Json;
  const moments: string[] = [];
  const moment = (): void => {
    ahead += 1;
    moments.push(new Date(api.platform.clock()).toISOString());
    ahead += 1;
  };
  const get = (path: string): Promise<Answer> => api.call('GET', path);
  const then = async (below: string, when: number): Promise<Json> => {
    const path = `${below}${below.includes('?') ? '&' : '?'}as_of=${moments[when]}`;
    const { status, text, json, headers } = await get(path);
    assert.is(status, 200, text);
    assert.equal([headers.get('x-as-of'), json.data.as_of], [moments[when], moments[when]]);
    return json.data;
  };
  const one = (below = ''): string => `/v1/goals/${goalId}${below}`;
  const now = async (below = ''): Promise<Json> => (await get(one(below))).json.data;

  test.before(async () => {
    api = await startPlatform(folder.path, { clock: () => Date.now() + ahead * 60_000 });
    await push(api, 'shop.orders', hours(COUNT, value));
    moment();
    goalId = await activeOf(api, 'shop.orders');
    first = await until(async () => {
      const { status, json } = await get(one('/forecasts/latest'));
      return status === 200 && json.data;
    }, 'a forecast');
    edgeId = await validatedEdge(api, goalId, 'news');
    const bar = async () => (await now(`/edges/${edgeId}`)).importance_bar;
    assert.is(await bar(), 0.6, 'nothing was learned of the stream');
    await api.call('PATCH', one(), { body: { options: { importance_bar: 0.7 } } });
    assert.is(await bar(), 0.7);
    await api.call('PATCH', one(), { body: { options: { importance_bar: null } } });
    moment();
    await push(api, 'shop.orders', hours(2, value, COUNT));
    const newest = hours(1, () => 1_000, COUNT - 1);
    await push(api, 'shop.orders', newest);
    await until(
      async () => (await now(`/forecasts/${first.forecast_id}`)).actuals.length === 2,
      'what came of it',
    );
    await api.call('PATCH', one(), { body: { name: 'Another name' } });
    await api.call('POST', one(`/edges/${edgeId}/block`), { body: {} });
    const paused = await api.call('POST', one('/pause'), { body: {} });
    assert.is(paused.status, 200, paused.text);
    moment();
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('a goal, and the list, are as they were; before it was made there is none', async () => {
    assert.is((await get(one(`?as_of=${moments[0]}`))).status, 404);
    assert.equal((await then('/v1/goals', 0)).goals, []);
    const active = await then(one(), 1);
    assert.equal([active.status, active.name, active.edges.validated], ['active', 'Orders', 1]);
    assert.is(active.latest_forecast.forecast_id, first.forecast_id);
    assert.is(active.accuracy.value_7d, null);
    const { as_of: _, ...paused } = await then(one(), 2);
    const { accuracy, ...today } = await now();
    assert.equal({ ...paused, accuracy }, { ...today, accuracy });
    assert.ok(paused.accuracy.value_7d > 0);
    const found = async (when: number, query: string) =>
      (await then(`/v1/goals?${query}`, when)).goals.map((each: Json) => each.name);
    assert.equal(await found(1, 'status=active'), ['Orders']);
    assert.equal(await found(1, 'status=paused&sort_by=name'), []);
    assert.equal(await found(2, 'search=another'), ['Another name']);
    assert.equal(await found(1, 'search=another'), []);
    const other = await draftOf(api, 'shop.orders');
    assert.is((await get(`/v1/goals/${other}?as_of=${moments[2]}`)).status, 404);
    assert.equal((await then('/v1/goals', 2)).total, 1);
  });

  test('a list reads the journals of its page alone, and accuracy is in the metric of then', async () => {
    const store = api.platform.stores.events;
    const read = store.read;
    const journals: string[] = [];
    // What reads as of a moment reads pages of a thousand
    store.read = (journal, after, limit) => {
      if (limit === 1_000) journals.push(journal);
      return read.call(store, journal, after, limit);
    };
    try {
      moment();
      await draftOf(api, 'shop.orders');
      moment();
      const before = await then('/v1/goals?per_page=1&page=2', 4);
      assert.equal([before.total, before.goals.length], [3, 1]);
      const goals = new Set(journals.filter(name => name.startsWith('goal-')));
      assert.is((await then('/v1/goals?per_page=1', 3)).total, 2);
      assert.is((await then('/v1/goals?sort_by=name', 3)).total, 2);
      assert.is(goals.size, 1, [...goals].join());
    } finally {
      store.read = read;
    }
    const was = (await then(one(), 2)).accuracy;
    const patched = await api.call('PATCH', one(), { body: { metric: 'mae' } });
    assert.is(patched.status, 200, patched.text);
    assert.is.not((await now()).accuracy.value_7d, was.value_7d);
    assert.equal((await then(one(), 2)).accuracy, was);
    await api.call('PATCH', one(), { body: { metric: 'crps' } });
  });

  test('forecasts have what had come of them', async () => {
    const path = `/forecasts/${first.forecast_id}`;
    const { as_of: _, ...early } = await then(one(path), 1);
    const { as_of: __, actuals, grade, ...same } = first;
    assert.equal([actuals, grade], [[], null]);
    assert.equal(early, { ...same, actuals: [], grade: null });
    const { as_of: ___, ...late } = await then(one(path), 2);
    const today = await now(path);
    assert.equal([late.actuals, late.grade], [today.actuals, today.grade]);
    const made = first.as_of;
    assert.equal([first.made_as_of, early.made_as_of, late.made_as_of], [made, made, made]);
    assert.is((await then(one('/forecasts/latest'), 1)).forecast_id, first.forecast_id);
    assert.is((await then(one('/forecasts'), 1)).total, 1);
    const before = await get(one(`/forecasts?as_of=${moments[0]}`));
    assert.is(before.status, 404);
  });

  test('edges are as they were', async () => {
    const statuses = async (when: number, query = '') =>
      (await then(one(`/edges${query}`), when)).edges.map((each: Json) => each.status);
    assert.equal([await statuses(1), await statuses(2)], [['validated'], ['blocked']]);
    assert.equal(await statuses(1, '?status=blocked'), []);
    const early = await then(one(`/edges/${edgeId}`), 1);
    assert.equal([early.status, early.importance_bar], ['validated', null]);
    assert.is((await now(`/edges/${edgeId}`)).importance_bar, null, 'it begins none');
    assert.is((await get(one(`/edges/edg_no?as_of=${moments[1]}`))).status, 404);
  });

  test('on one page stands what was known, served and believed', async () => {
    const at = async (when: number): Promise<Json> =>
      (await get(one(`/known-at?at=${moments[when]}`))).json.data;
    const early = await at(1);
    const { known, served, believed } = early;
    assert.equal([early.at, early.status, known.target], [moments[1], 'active', 'shop.orders']);
    assert.is(known.newest.at(-1).value, value(COUNT - 1));
    assert.is(known.data_cutoff, known.newest.at(-1).ts);
    assert.equal([served.forecast.forecast_id, served.forecast.actuals], [first.forecast_id, []]);
    assert.equal(served.champion, (await now()).champion);
    assert.equal(
      believed.edges.map((each: Json) => [each.edge_id, each.status]),
      [[edgeId, 'validated']],
    );
    assert.equal(believed.bands.next, first.points[0]);
    assert.is(believed.health, 'ok');
    const late = await at(2);
    assert.is(late.known.newest.at(-3).value, 1_000, 'what was corrected since');
    assert.is(late.served.forecast.actuals.length, 2);
    assert.is(late.believed.edges[0].status, 'blocked');
    assert.is((await get(one(`/known-at?at=${moments[0]}`))).status, 404);
  });

  test('what is no moment, or one to come, is refused', async () => {
    const to = new Date(api.platform.clock() + 3_600_000).toISOString();
    const places = async (path: string) => {
      const { status, json } = await get(path);
      return [status, json.detail?.map(({ loc }: Json) => loc.join('.'))];
    };
    for (const below of ['', '/forecasts', '/forecasts/latest', '/edges', `/edges/${edgeId}`]) {
      for (const wrong of ['yesterday', to])
        assert.equal(await places(one(`${below}?as_of=${wrong}`)), [422, ['query.as_of']]);
      assert.equal(await places(one(`${below}?asof=${moments[1]}`)), [422, ['query.asof']]);
    }
    for (const query of ['', '?at=then', `?at=${to}`])
      assert.equal(await places(one(`/known-at${query}`)), [422, ['query.at']]);
  });
});
