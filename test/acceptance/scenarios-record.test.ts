import * as assert from 'uvu/assert';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { active, body, hour, HOUR, hours, latest, made, openGoals, path, rows, upToNow } from './goals.js';
import { imagined, scenario, scenarioOf } from './scenarios.js';
import { at, expected, places, refused, type World } from './world.js';

// Scenarios as things: made, listed, compared, deleted, refused, and whose they are (open-parts 0.1, 17, 24,
// 25, 29.4, 30.6). Readings: an unknown base is 404 or 422; comparing takes two ids or more, of this goal.

suite('acceptance: records of scenarios', test => {
  let world: World;
  let id = '';
  const shift = (add: number) => ({
    ...{ kind: 'signal_shift', key: 'demand', add },
    ...{ from: at(hour(world) - 5 * HOUR), to: at(hour(world) + 5 * HOUR) },
  });
  const compare = (api: Client, ids: unknown) => api.post<Json>(path(id, '/scenarios/compare'), { ids });
  test.before(async () => {
    world = await openGoals({ RATE_HEAVY: '10000' });
    await upToNow(world, 'demand', hours(60));
    id = await active(world.api, body('demand'));
  });
  test.after(() => world.close());

  test('it is kept under its name, listed, and deleted', async () => {
    const one = await imagined(world.api, id, [shift(1)], {
      name: 'A little more',
      description: 'Of demand',
    });
    assert.equal([one.name, one.description, one.status], ['A little more', 'Of demand', 'completed']);
    const two = await imagined(world.api, id, [shift(2)]);
    const list = rows(expected(await world.api.get<Json>(path(id, '/scenarios'))));
    assert.equal(
      list.map(each => each.scenario_id),
      [two.scenario_id, one.scenario_id],
      'the newest first',
    );
    assert.equal(await scenarioOf(world.api, id, one.scenario_id), one);
    const page = expected(await world.api.get<Json>(path(id, '/scenarios?per_page=1&page=2'))).data;
    assert.equal([page.total, page.page, page.per_page], [2, 2, 1]);
    const { data } = expected(await compare(world.api, [one.scenario_id, two.scenario_id]));
    for (const each of [one, two]) assert.match(JSON.stringify(data), each.scenario_id);
    expected(await world.api.delete<Json>(path(id, `/scenarios/${one.scenario_id}`)));
    refused(await world.api.get<Json>(path(id, `/scenarios/${one.scenario_id}`)), 404, 'not_found');
    refused(await compare(world.api, [one.scenario_id, two.scenario_id]), 404, 'not_found');
    await world.restart();
    assert.equal(await scenarioOf(world.api, id, two.scenario_id), two);
  });

  test('under one Idempotency-Key it is made once', async () => {
    const make = () =>
      scenario(world.api, id, { assumptions: [shift(3)] }, { 'idempotency-key': 'scenario-once' });
    const [one, two] = [await make(), await make()];
    assert.ok([201, 202].includes(one.status), one.text);
    assert.is(two.body.data.scenario_id, one.body.data.scenario_id);
  });

  test('what is assumed wrongly is refused by its place', async () => {
    const wrong = async (of: object, place: string) => {
      const found = places(await scenario(world.api, id, of));
      assert.ok(
        found.some(each => each.startsWith(place)),
        `${JSON.stringify(of)}: ${found} instead of ${place}`,
      );
    };
    const one = (assumption: object, below = '') =>
      wrong({ assumptions: [assumption] }, `body.assumptions.0${below}`);
    await wrong({ assumptions: 7 }, 'body.assumptions');
    await wrong({}, 'body.assumptions');
    await wrong({ assumptions: [shift(1)], name: '' }, 'body.name');
    await wrong({ assumptions: [shift(1)], horizon: 0 }, 'body.horizon');
    await one({ ...shift(1), kind: 'wishes' });
    await one({ ...shift(1), add: 'more' });
    await one({ ...shift(1), key: 7 });
    await one({ ...shift(1), from: 'yesterday' });
    await one({ kind: 'event_add', stream: 's', occurred_at: 'soon', importance: 0.5, impact: 0.5 });
    await one({ kind: 'event_add', stream: 's', occurred_at: at(world.now()), importance: 5, impact: 0.5 });
    await one({ kind: 'event_add', stream: 's', occurred_at: at(world.now()), importance: 0.5, impact: 5 });
    await one({ kind: 'edge_off', edge_id: 7 });
    await wrong({ assumptions: [shift(1), { kind: 'wishes' }] }, 'body.assumptions.1');
    const base = await scenario(world.api, id, { assumptions: [shift(1)], base: 'fct_nobodys' });
    assert.ok([404, 422].includes(base.status), base.text);
  });

  test('each call takes its scope; comparing changes nothing', async () => {
    const { scenario_id } = await imagined(world.api, id, [shift(1)]);
    const at = path(id, `/scenarios/${scenario_id}`);
    const without = (scope: Scope) => world.withScopes(scopes.filter(each => each !== scope));
    const [blind, mute] = [await without('goals.read'), await without('goals.write')];
    for (const each of [path(id, '/scenarios'), at]) {
      expected(await mute.get<Json>(each));
      const { details } = refused(await blind.get<Json>(each), 403, 'insufficient_scope');
      assert.equal(details.required, ['goals.read']);
    }
    expected(await compare(mute, [scenario_id, scenario_id]));
    for (const answer of [
      await scenario(mute, id, { assumptions: [shift(1)] }),
      await mute.post<Json>(`${at}/run`, {}),
      await mute.delete<Json>(at),
    ])
      assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['goals.write']);
  });

  test('an analyst imagines, a viewer reads, another workspace sees nothing', async () => {
    const { scenario_id } = await imagined(await world.member('analyst'), id, [shift(1)]);
    const viewer = await world.member('viewer');
    expected(await viewer.get<Json>(path(id, `/scenarios/${scenario_id}`)));
    refused(await scenario(viewer, id, { assumptions: [shift(1)] }), 403, 'role_forbidden');
    const other = await world.tenant();
    refused(await other.get<Json>(path(id, '/scenarios')), 404, 'not_found');
    refused(await other.get<Json>(path(id, `/scenarios/${scenario_id}`)), 404, 'not_found');
    refused(await scenario(other, id, { assumptions: [shift(1)] }), 404, 'not_found');
    refused(await compare(other, [scenario_id, scenario_id]), 404, 'not_found');
  });

  test('a goal without a forecast has no base', async () => {
    const draft = await made(world.api, body('demand', { name: 'Draft' }));
    const answer = await scenario(world.api, draft, { assumptions: [shift(1)] });
    assert.ok([404, 409, 422].includes(answer.status), answer.text);
    assert.ok((await latest(world.api, id)).forecast_id);
  });
});
