import * as assert from 'uvu/assert';
import { scopes, type Scope } from '../../domain/tokens/scopes.js';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import {
  fleet,
  fleetBody,
  fleetIn,
  fleetsPath,
  goalsIn,
  goalsOf,
  keyOf,
  makeFleet,
  open,
  SHOPS,
  template,
} from './fleets.js';
import { body, made, openGoals, path, rows } from './goals.js';
import { expected, places, refused, type World } from './world.js';

// What a fleet may be asked for, how large it may be, and whose it is (open-parts 20, 24, 25, 27, 29.4,
// 29.14, 30.6, 32.36). Readings: where the plan has no room for all of them a fleet is refused (403) or
// `partial`, and `sync` makes the others when there is room; more entities than `max_goals` are 422 or
// `partial`.

suite('acceptance: rules of fleets', test => {
  let world: World;
  let other: Client;
  const drafts: string[] = [];
  const total = async (): Promise<number> =>
    expected(await world.api.get<Json>('/v1/goals?per_page=1')).data.total;
  /** Goals that count to the plan's cap. */
  const used = async (): Promise<number> => {
    const { quotas } = expected(await world.api.get<Json>('/v1/billing/quota')).data;
    return quotas.find((each: Json) => each.name === 'goals').used;
  };
  const list = async (api = world.api) =>
    rows(expected(await api.get<Json>(fleetsPath()))).filter(({ status }) => status !== 'deleted');
  test.before(async () => {
    world = await openGoals({ DEFAULT_PLAN: 'free' });
    other = await world.tenant();
    for (const shop of SHOPS) await open(world, shop, 60);
  });
  test.after(() => world.close());

  test('what is wrong with it is named, and nothing is made', async () => {
    const wrong = async (more: object, place: string) => {
      const found = places(await makeFleet(world.api, fleetBody(more)));
      assert.ok(
        found.some(each => each.startsWith(place)),
        `${JSON.stringify(more)}: ${found} instead of ${place}`,
      );
    };
    for (const name of ['', 7]) await wrong({ name }, 'body.name');
    for (const base_key of [undefined, 7, 'nobody.sells']) await wrong({ base_key }, 'body.base_key');
    for (const entities of [7, 'some', [7], ['atlantis']]) await wrong({ entities }, 'body.entities');
    await wrong({ template: template({ horizon: 0 }) }, 'body.template.horizon');
    await wrong({ template: template({ metric: 'luck' }) }, 'body.template.metric');
    await wrong({ reconciliation: { method: 'magic' } }, 'body.reconciliation.method');
    for (const max_goals of [0, 1.5, 'many']) await wrong({ max_goals }, 'body.max_goals');
    assert.equal([await list(), await total()], [[], 0]);
  });

  test('a dry run makes nothing', async () => {
    const answer = await makeFleet(world.api, fleetBody(), '?dry_run=true');
    assert.ok(answer.status >= 200 && answer.status < 300, answer.text);
    assert.equal([await list(), await total()], [[], 0]);
  });

  test('no more goals than it may have', async () => {
    const answer = await makeFleet(world.api, fleetBody({ max_goals: 2 }));
    if (answer.status === 422) assert.match(JSON.stringify(answer.body.detail), 'max_goals');
    else {
      const { data } = expected(answer, 202);
      await fleetIn(world.api, data.fleet_id, 'partial');
      assert.is((await goalsOf(world.api, data.fleet_id)).length, 2);
      const gone = await world.api.delete<Json>(fleetsPath(data.fleet_id));
      assert.ok(gone.status >= 200 && gone.status < 300, gone.text);
      await until(async () => (await used()) === 0, 'its goals being archived');
    }
  });

  test('where the plan has no room for all, none is lost silently', async () => {
    while ((await used()) < 8)
      drafts.push(await made(world.api, body(keyOf('rome'), { name: `Draft ${drafts.length}` })));
    const answer = await makeFleet(world.api, fleetBody());
    const room = async () => {
      for (const draft of drafts.splice(0, 2)) expected(await world.api.delete<Json>(path(draft)));
    };
    if (answer.status === 403) {
      refused(answer, 403, 'plan_limit_reached');
      await room();
      const { data } = expected(await makeFleet(world.api, fleetBody()), 202);
      await goalsIn(world.api, data.fleet_id, 4);
    } else {
      const { data } = expected(answer, 202);
      const partial = await fleetIn(world.api, data.fleet_id, 'partial');
      assert.match(JSON.stringify(partial), 'plan_limit_reached', 'which failed, and why');
      assert.is((await goalsOf(world.api, data.fleet_id)).length, 2);
      await room();
      const again = await world.api.post<Json>(fleetsPath(data.fleet_id, '/sync'), {});
      assert.ok(again.status >= 200 && again.status < 300, again.text);
      await goalsIn(world.api, data.fleet_id, 4);
      await fleetIn(world.api, data.fleet_id, 'active');
    }
  });

  test('each call takes its scope and role; another workspace sees nothing', async () => {
    const [{ fleet_id: id }] = (await list()) as [Json];
    const reads = [fleetsPath(), fleetsPath(id), fleetsPath(id, '/goals'), fleetsPath(id, '/leaderboard')];
    const writes = async (api: Client) => [
      await api.patch<Json>(fleetsPath(id), { name: 'Theirs' }),
      await api.post<Json>(fleetsPath(id, '/sync'), {}),
      await api.post<Json>(fleetsPath(id, '/pause'), {}),
      await api.post<Json>(fleetsPath(id, '/resume'), {}),
      await api.delete<Json>(fleetsPath(id)),
    ];
    const without = (scope: Scope) => world.withScopes(scopes.filter(each => each !== scope));
    const [blind, mute] = [await without('goals.read'), await without('goals.write')];
    for (const each of reads) {
      expected(await mute.get<Json>(each));
      const { details } = refused(await blind.get<Json>(each), 403, 'insufficient_scope');
      assert.equal(details.required, ['goals.read']);
    }
    for (const answer of [...(await writes(mute)), await makeFleet(mute)])
      assert.equal(refused(answer, 403, 'insufficient_scope').details.required, ['goals.write']);
    for (const role of ['viewer', 'analyst'] as const) {
      const api = await world.member(role);
      for (const each of reads) expected(await api.get<Json>(each));
      for (const answer of [...(await writes(api)), await makeFleet(api)])
        refused(answer, 403, 'role_forbidden');
    }
    for (const each of reads.slice(1)) refused(await other.get<Json>(each), 404, 'not_found');
    for (const answer of await writes(other)) refused(answer, 404, 'not_found');
    assert.equal(await list(other), []);
    assert.is((await fleet(world.api, id)).name, 'Shops');
  });

  test('a change touches what it names', async () => {
    const [{ fleet_id: id }] = (await list()) as [Json];
    expected(await world.api.patch<Json>(fleetsPath(id), { name: 'All shops' }));
    const found = await fleet(world.api, id);
    assert.equal([found.name, found.base_key], ['All shops', 'shop.sales']);
    assert.equal(places(await world.api.patch<Json>(fleetsPath(id), { name: '' })), ['body.name']);
  });

  test('under one Idempotency-Key it is made once', async () => {
    const [{ fleet_id: first }] = (await list()) as [Json];
    const before = await used();
    const gone = await world.api.delete<Json>(fleetsPath(first));
    assert.ok(gone.status >= 200 && gone.status < 300, gone.text);
    await until(async () => (await used()) === before - 4, 'its goals being archived');
    const make = () =>
      makeFleet(world.api, fleetBody({ entities: ['rome'] }), '', { 'idempotency-key': 'fleet-once' });
    const [one, two] = [expected(await make(), 202), expected(await make(), 202)];
    assert.is(two.data.fleet_id, one.data.fleet_id);
    await goalsIn(world.api, one.data.fleet_id, 1);
    refused(await world.api.get<Json>(fleetsPath('flt_nobodys')), 404, 'not_found');
  });
});
