import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { body, change, create, goal, HOUR, hours, made, openGoals, path, upToNow } from './goals.js';
import { has } from './training.js';
import { expected, places, refused, type World } from './world.js';

// The record of a goal: made, read, changed, listed, deleted (open-parts 0.1, 0.2, 13.1, 13.2, 29.4, 29.5,
// 29.14, 32.27, 32.29).

suite('acceptance: records of goals', test => {
  let world: World;
  test.before(async () => {
    world = await openGoals();
    await upToNow(world, 'demand', hours(60));
    await upToNow(world, 'supply', hours(60, { seed: 2 }));
  });
  test.after(() => world.close());
  const total = async (query = ''): Promise<number> =>
    expected(await world.api.get<Json>(`/v1/goals${query}`)).data.total;

  test('it has every member, and what was not said has its default', async () => {
    const { data } = expected(await create(world.api, body('demand')), 201);
    const found = await goal(world.api, data.goal_id);
    has(
      found,
      'goal_id name description target objective objective_params horizon step_s cadence_s timezone',
    );
    has(found, 'metric candidates status shock_state shock champion runner_up segment_id pipeline_id edges');
    has(found, 'accuracy latest_forecast health health_reasons options tags fleet_id owner');
    has(found, 'created_at updated_at activated_at version');
    assert.equal(
      [found.name, found.target, found.horizon, found.step_s],
      ['Hours of demand', 'demand', 3, 3_600],
    );
    assert.equal([found.cadence_s, found.metric], [3_600, 'crps'], 'a forecast each step, judged by crps');
    assert.equal([found.status, found.shock_state, found.shock], ['draft', 'normal', null]);
    assert.equal([found.champion, found.runner_up, found.latest_forecast], [null, null, null]);
    assert.equal([found.fleet_id, found.activated_at], [null, null]);
    has(found.options, 'quantiles calibration max_credit_per_month fallback');
    assert.equal([found.options.scheduled_events, found.options.shock_enabled], [true, true]);
    assert.is(found.options.importance_bar, null);
    assert.equal([found.options.auto_discovery, found.options.auto_tournament], ['on_drift', 'on_drift']);
    assert.equal([found.edges.validated, found.edges.weakening, found.edges.candidate], [0, 0, 0]);
    assert.ok(JSON.stringify(found.owner).includes(world.running.installed.uid));
    assert.equal(data, found, 'and the answer to its creation is the same record');
  });

  test('what is said is kept', async () => {
    const said = {
      name: 'All of it',
      description: 'Every field that is for people to set',
      objective: 'threshold',
      objective_params: { value: 120, direction: 'above' },
      cadence_s: 7_200,
      timezone: 'Europe/Berlin',
      metric: 'mae',
      candidates: { signals: ['supply'], event_streams: 'all', exclude: ['noise'] },
      tags: ['shop', 'north'],
    };
    const options = {
      scheduled_events: false,
      shock_enabled: false,
      importance_bar: 0.7,
      auto_discovery: 'weekly',
      auto_tournament: 'off',
      calibration: 'model',
      max_credit_per_month: 40,
      fallback: 'last_champion',
    };
    const found = await goal(world.api, await made(world.api, body('demand', { ...said, options })));
    for (const [name, value] of Object.entries(said))
      if (name === 'objective_params') assert.is(found[name].value, 120);
      else assert.equal(found[name], value, name);
    for (const [name, value] of Object.entries(options)) assert.equal(found.options[name], value, name);
  });

  test('a wrong body says which fields are wrong', async () => {
    const named = async (more: object, place: string) => {
      const found = places(await create(world.api, body('demand', more)));
      assert.ok(
        found.some(each => each.startsWith(place)),
        `${JSON.stringify(more)}: ${found} instead of ${place}`,
      );
    };
    for (const name of ['', 'n'.repeat(161), 7]) await named({ name }, 'body.name');
    for (const target of [undefined, 7, 'nobody.pushed']) await named({ target }, 'body.target');
    for (const horizon of [undefined, 0, 1_001, 2.5, 'long']) await named({ horizon }, 'body.horizon');
    for (const step_s of [0, 1.5, -60, 'hour']) await named({ step_s }, 'body.step_s');
    for (const cadence_s of [0, 1.5, 'daily']) await named({ cadence_s }, 'body.cadence_s');
    await named({ timezone: 'Europe/Atlantis' }, 'body.timezone');
    await named({ metric: 'luck' }, 'body.metric');
    await named({ objective: 'win' }, 'body.objective');
    await named({ candidates: { signals: 7 } }, 'body.candidates.signals');
    await named({ candidates: { event_streams: 'some' } }, 'body.candidates.event_streams');
    await named({ tags: 'shop' }, 'body.tags');
    await named({ options: { scheduled_events: 'yes' } }, 'body.options.scheduled_events');
    await named({ options: { shock_enabled: 1 } }, 'body.options.shock_enabled');
    for (const importance_bar of [-0.1, 1.1, 'high'])
      await named({ options: { importance_bar } }, 'body.options.importance_bar');
    await named({ options: { auto_discovery: 'daily' } }, 'body.options.auto_discovery');
    await named({ options: { auto_tournament: 'daily' } }, 'body.options.auto_tournament');
    await named({ options: { quantiles: [0.1, 1] } }, 'body.options.quantiles');
    await named({ options: { calibration: 'magic' } }, 'body.options.calibration');
    await named({ options: { max_credit_per_month: -1 } }, 'body.options.max_credit_per_month');
    await named({ options: { fallback: 'hope' } }, 'body.options.fallback');
    const both = places(await create(world.api, body('demand', { horizon: 0, metric: 'luck' })));
    assert.equal(both.toSorted(), ['body.horizon', 'body.metric'], 'all that is wrong is named at once');
  });

  test('a change touches what it names; null clears', async () => {
    const id = await made(
      world.api,
      body('demand', { description: 'First', tags: ['a'], options: { importance_bar: 0.7 } }),
    );
    const before = await goal(world.api, id);
    const patched = expected(
      await change(world.api, id, { name: 'Second', options: { shock_enabled: false } }),
    );
    const after = await goal(world.api, id);
    assert.equal([after.name, after.description, after.tags], ['Second', 'First', ['a']]);
    assert.equal([after.options.shock_enabled, after.options.importance_bar], [false, 0.7]);
    assert.ok(after.version > before.version);
    assert.ok(after.updated_at >= before.updated_at);
    assert.is(after.created_at, before.created_at);
    assert.equal(patched.data, after);
    expected(await change(world.api, id, { description: null, options: { importance_bar: null } }));
    const cleared = await goal(world.api, id);
    assert.equal([cleared.description, cleared.options.importance_bar], [null, null]);
    assert.equal(places(await change(world.api, id, { horizon: 0 })), ['body.horizon']);
    assert.equal((await goal(world.api, id)).version, cleared.version);
  });

  test('a change of what somebody else has changed meanwhile is refused', async () => {
    const id = await made(world.api, body('demand'));
    const { etag } = (await world.api.get<Json>(path(id))).headers;
    assert.ok(etag);
    assert.is((await world.api.get<Json>(path(id), { 'if-none-match': etag })).status, 304);
    expected(await change(world.api, id, { name: 'Mine' }, { 'if-match': etag }));
    const stale = { 'if-match': etag };
    refused(await change(world.api, id, { name: 'Theirs' }, stale), 409, 'version_conflict');
    const remove = { method: 'DELETE', path: path(id), headers: stale };
    refused(await world.api.send<Json>(remove), 409, 'version_conflict');
    assert.is((await goal(world.api, id)).name, 'Mine');
  });

  test('the list has pages, filters and an order', async () => {
    world.later(HOUR / 60);
    for (const name of ['Zebra', 'Aardvark', 'Mongoose'])
      await made(world.api, body('demand', { name: `${name} of the list`, tags: ['listed', name] }));
    const { data } = expected(await world.api.get<Json>('/v1/goals?tag=listed&per_page=2&page=1'));
    assert.equal([data.total, data.page, data.per_page, data.total_pages], [3, 1, 2, 2]);
    assert.is(data.goals.length, 2);
    assert.is(await total('?tag=Zebra'), 1);
    assert.is(await total('?search=mongoose'), 1);
    assert.is(await total('?status=active'), 0);
    assert.is(await total('?status=draft&tag=listed'), 3);
    assert.is(await total('?shock_state=normal&tag=listed'), 3);
    assert.is(await total('?shock_state=shock'), 0);
    assert.is(await total('?fleet_id=flt_nobodys'), 0);
    const sorted = expected(
      await world.api.get<Json>('/v1/goals?tag=listed&sort_by=name&sort_order=asc'),
    ).data.goals.map((each: Json) => each.name.split(' ')[0]);
    assert.equal(sorted, ['Aardvark', 'Mongoose', 'Zebra']);
    assert.is(expected(await world.api.get<Json>('/v1/goals?per_page=500')).data.per_page, 100);
    assert.equal(places(await world.api.get<Json>('/v1/goals?page=0')), ['query.page']);
    assert.equal(places(await world.api.get<Json>('/v1/goals?status=dreaming')), ['query.status']);
    assert.equal(places(await world.api.get<Json>('/v1/goals?sort_by=luck')), ['query.sort_by']);
  });

  test('under one Idempotency-Key it is made once; a dry run makes none', async () => {
    const before = await total();
    const make = (name = 'Once') =>
      create(world.api, body('demand', { name }), '', { 'idempotency-key': 'goal-once' });
    const [one, two] = [await make(), await make()];
    assert.equal(expected(two, 201), expected(one, 201));
    assert.is(two.headers['idempotency-replayed'], 'true');
    refused(await make('Another'), 409, 'idempotency_conflict');
    assert.is(await total(), before + 1);
    const dry = await create(world.api, body('demand'), '?dry_run=true');
    assert.ok(dry.status >= 200 && dry.status < 300, dry.text);
    assert.equal(places(await create(world.api, body('demand', { horizon: 0 }), '?dry_run=true')), [
      'body.horizon',
    ]);
    assert.is(await total(), before + 1);
  });

  test('deleted it is gone; what is not there is 404', async () => {
    const id = await made(world.api, body('demand'));
    const dry = await world.api.delete<Json>(path(id, '?dry_run=true'));
    assert.ok(dry.status >= 200 && dry.status < 300, dry.text);
    await goal(world.api, id);
    assert.is(expected(await world.api.delete<Json>(path(id))).status, 'deleted');
    for (const gone of [id, 'goa_nobodys']) {
      refused(await world.api.get<Json>(path(gone)), 404, 'not_found');
      refused(await change(world.api, gone, { name: 'Ghost' }), 404, 'not_found');
      refused(await world.api.delete<Json>(path(gone)), 404, 'not_found');
      refused(await world.api.post<Json>(path(gone, '/activate'), {}), 404, 'not_found');
    }
  });

  test('it is there after a restart', async () => {
    const id = await made(world.api, body('demand', { name: 'Kept', tags: ['kept'] }));
    const before = await goal(world.api, id);
    await world.restart();
    assert.equal(await goal(world.api, id), before);
  });
});
