import * as assert from 'uvu/assert';
import { scopes } from '../../domain/tokens/scopes.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { edge, edgeOf, edges, FIRE, goesOn, happens, plant, turn, type Plant } from './discovery.js';
import {
  actualsOf,
  body,
  change,
  fits,
  forecasts,
  goal,
  HOUR,
  inStatus,
  issued,
  latest,
  made,
  move,
  newer,
  openGoals,
  path,
} from './goals.js';
import { inShockState } from './shock.js';
import { at, expected, places, refused, type World } from './world.js';

// What was known of a goal at a past moment, by when it was recorded (open-parts 29.1). Readings: before it
// was made a goal is 404; a forecast that was issued later is 404; of one that was issued before, actuals and
// grade are those of then; `known-at` has on one page what was known, served and believed.

suite('acceptance: goals as of a past moment', test => {
  let world: World;
  let of: Plant;
  let id = '';
  let edgeId = '';
  let [first, second]: Json[] = [];
  /** Before it was made; a draft; in use; in shock; with its edge blocked. */
  const [NONE, DRAFT, ACTIVE, SHOCK, BLOCKED] = [0, 1, 2, 3, 4] as const;
  const moments: string[] = [];
  const moment = () => {
    world.later(60_000);
    moments.push(at(world.now()));
    world.later(60_000);
  };
  const then = async (below: string, when: number): Promise<Json> => {
    const answer = await world.api.get<Json>(
      `${below}${below.includes('?') ? '&' : '?'}as_of=${moments[when]}`,
    );
    const { data } = expected(answer);
    assert.is(answer.headers['x-as-of'], moments[when]);
    assert.is(data.as_of, moments[when]);
    return data;
  };
  test.before(async () => {
    world = await openGoals({ RATE_HEAVY: '10000' });
    of = await plant(world, { more: false });
    moment();
    id = await made(world.api, body('plant.output', { horizon: 6, name: 'As it was called' }));
    moment();
    expected(await move(world.api, id, 'activate', {}), 202);
    await inStatus(world.api, id, 'competing', 'active');
    await fits(world.api, id, found => found.status === 'active' && found.latest_forecast, 'a forecast');
    edgeId = (await edgeOf(world.api, id, 'plant.incidents')).edge_id;
    first = await latest(world.api, id);
    moment();
    await goesOn(world, of, of.now + 1);
    await until(
      async () => actualsOf(await issued(world.api, id, first.forecast_id)).length > 0,
      'an actual',
    );
    second = await newer(world.api, id, first);
    await happens(world.api, 'plant.incidents', FIRE);
    await inShockState(world.api, id, 'shock');
    await until(async () => (await latest(world.api, id)).trigger === 'shock', 'a forecast of the shock');
    expected(await change(world.api, id, { name: 'As it is called' }));
    moment();
    expected(await turn(world.api, id, edgeId, 'block'));
    moment();
  });
  test.after(() => world.close());

  test('a goal is as it was', async () => {
    refused(await world.api.get<Json>(path(id, `?as_of=${moments[NONE]}`)), 404, 'not_found');
    const draft = await then(path(id), DRAFT);
    assert.equal(
      [draft.status, draft.name, draft.champion, draft.latest_forecast, draft.shock_state],
      ['draft', 'As it was called', null, null, 'normal'],
    );
    assert.equal([draft.edges.validated, draft.activated_at], [0, null]);
    const inUse = await then(path(id), ACTIVE);
    assert.equal([inUse.status, inUse.name, inUse.shock_state], ['active', 'As it was called', 'normal']);
    assert.equal([inUse.latest_forecast.forecast_id, inUse.edges.validated], [first.forecast_id, 1]);
    assert.equal([inUse.shock, inUse.goal_id], [null, id]);
    const shocked = await then(path(id), SHOCK);
    assert.equal([shocked.shock_state, shocked.name], ['shock', 'As it is called']);
    assert.is(shocked.shock.causes.length, 1);
    const { as_of: _, ...blocked } = await then(path(id), BLOCKED);
    assert.is(blocked.edges.validated, 0);
    assert.equal([blocked.status, blocked.name], ['active', 'As it is called']);
  });

  test('the list of goals is as it was', async () => {
    const found = async (when: number, query = '') =>
      (await then(`/v1/goals${query}`, when)).goals.map((each: Json) => [each.goal_id, each.status]);
    assert.equal(await found(NONE), []);
    assert.equal(await found(DRAFT), [[id, 'draft']]);
    assert.equal(await found(ACTIVE), [[id, 'active']]);
    assert.equal(await found(ACTIVE, '?status=draft'), []);
    assert.equal(await found(DRAFT, '?status=draft'), [[id, 'draft']]);
  });

  test('edges are as they were', async () => {
    const statuses = async (when: number) =>
      (await then(path(id, '/edges'), when)).edges
        .filter((each: Json) => each.source_key === 'plant.incidents')
        .map((each: Json) => each.status);
    assert.equal(await statuses(DRAFT), []);
    assert.equal(await statuses(ACTIVE), ['validated']);
    assert.equal(await statuses(BLOCKED), ['blocked']);
    assert.is((await edge(world.api, id, edgeId)).status, 'blocked');
    const one = await then(path(id, `/edges/${edgeId}`), ACTIVE);
    assert.equal([one.status, one.edge_id], ['validated', edgeId]);
    refused(
      await world.api.get<Json>(path(id, `/edges/${edgeId}?as_of=${moments[DRAFT]}`)),
      404,
      'not_found',
    );
    assert.ok((await edges(world.api, id)).length >= 1);
  });

  test('forecasts are those that had been issued, with the actuals that had come', async () => {
    const ids = async (when: number) =>
      (await then(path(id, '/forecasts?per_page=100'), when)).forecasts.map((each: Json) => each.forecast_id);
    assert.equal(await ids(DRAFT), []);
    assert.equal(await ids(ACTIVE), [first.forecast_id]);
    const all = (await forecasts(world.api, id)).map(each => each.forecast_id);
    assert.equal(await ids(BLOCKED), all);
    assert.is((await then(path(id, '/forecasts/latest'), ACTIVE)).forecast_id, first.forecast_id);
    const { as_of: _, ...one } = await then(path(id, `/forecasts/${first.forecast_id}`), ACTIVE);
    assert.equal([actualsOf(one), one.grade], [[], null]);
    assert.equal(one.points, first.points);
    const later = await then(path(id, `/forecasts/${first.forecast_id}`), SHOCK);
    assert.is(actualsOf(later).length, 1);
    const early = path(id, `/forecasts/${second.forecast_id}?as_of=${moments[ACTIVE]}`);
    refused(await world.api.get<Json>(early), 404, 'not_found');
  });

  test('on one page is what was known, served and believed then', async () => {
    const known = async (when: number): Promise<string> =>
      JSON.stringify(expected(await world.api.get<Json>(path(id, `/known-at?at=${moments[when]}`))).data);
    const inUse = await known(ACTIVE);
    for (const each of [first.forecast_id, edgeId, 'validated', 'plant.output', moments[ACTIVE]!])
      assert.match(inUse, each);
    assert.is(inUse.includes(second.forecast_id), false);
    assert.match(inUse, '"shock_state":"normal"');
    assert.match(await known(SHOCK), '"shock_state":"shock"');
    const blocked = await known(BLOCKED);
    assert.match(blocked, 'blocked');
    assert.is((await known(DRAFT)).includes(first.forecast_id), false);
    refused(await world.api.get<Json>(path(id, `/known-at?at=${moments[NONE]}`)), 404, 'not_found');
    assert.equal(places(await world.api.get<Json>(path(id, '/known-at'))), ['query.at']);
    assert.equal(places(await world.api.get<Json>(path(id, '/known-at?at=then'))), ['query.at']);
  });

  test('a past moment stays as it was, whatever comes, and after a restart', async () => {
    const all = async () => [
      await then(path(id), ACTIVE),
      await then(path(id, '/edges'), ACTIVE),
      await then(path(id, '/forecasts'), ACTIVE),
      expected(await world.api.get<Json>(path(id, `/known-at?at=${moments[ACTIVE]}`))).data,
    ];
    const before = await all();
    expected(await change(world.api, id, { name: 'As it will be called' }));
    world.later(HOUR);
    await newer(world.api, id, await latest(world.api, id));
    assert.equal(await all(), before);
    await world.restart();
    assert.equal(await all(), before);
    assert.is((await goal(world.api, id)).name, 'As it will be called');
  });

  test('a misspelt as_of, none, or one that is to come is refused, never passed over', async () => {
    for (const below of ['', '/edges', `/edges/${edgeId}`, '/forecasts', '/forecasts/latest']) {
      for (const name of ['asof', 'as-of', 'asOf', 'vintage', 'vintage_date'])
        assert.equal(places(await world.api.get<Json>(path(id, `${below}?${name}=${moments[ACTIVE]}`))), [
          `query.${name}`,
        ]);
      for (const wrong of ['yesterday', '2026-13-01T00:00:00Z', '', at(world.now() + HOUR)])
        assert.equal(places(await world.api.get<Json>(path(id, `${below}?as_of=${wrong}`))), ['query.as_of']);
    }
    assert.equal(places(await world.api.get<Json>('/v1/goals?asof=2026-01-01')), ['query.asof']);
  });

  test('it is as much guarded as today', async () => {
    const other = await world.tenant();
    const blind = await world.withScopes(scopes.filter(each => each !== 'goals.read'));
    for (const each of [path(id, `?as_of=${moments[ACTIVE]}`), path(id, `/known-at?at=${moments[ACTIVE]}`)]) {
      refused(await other.get<Json>(each), 404, 'not_found');
      refused(await blind.get<Json>(each), 403, 'insufficient_scope');
    }
  });
});
