import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { temporaryFolder, until } from '../platform.js';
import { suite } from '../suite.js';
import { FleetsWorld, LENGTH, soldBy } from './fleets-world.js';
import { hours, push } from './segments-world.js';

suite('fleets over HTTP', test => {
  const folder = temporaryFolder();
  const world = new FleetsWorld();
  const stores = ['north-1', 'north-2', 'south-1'];
  const call = (method: string, path: string, body?: object) =>
    world.running.call(method, `/v1/goals/fleets${path}`, body ? { body } : undefined);
  const body = (over: object = {}): object => ({
    ...{ name: 'Stores', base_key: 'sales', skip_discovery: true },
    template: { horizon: 6, options: { auto_tournament: 'off' } },
    ...over,
  });
  let id: string;

  test.before(async () => {
    await world.open(folder.path);
    await world.have('sales', stores);
  });
  test.after(async () => {
    await world.close();
    folder.remove();
  });

  test('what is wrong is said with its place', async () => {
    for (const [over, loc] of [
      [{ base_key: 'nobody' }, ['body', 'base_key']],
      [{ base_key: 'sales__north-1' }, ['body', 'base_key']],
      [{ entities: { pattern: 'west*' } }, ['body', 'entities', 'pattern']],
      [{ entities: ['north-1', 'nobody'] }, ['body', 'entities', 1]],
      [{ template: {} }, ['body', 'template', 'horizon']],
      [{ template: { horizon: 6, timezone: 'Moon/Base' } }, ['body', 'template', 'timezone']],
      [{ template: { horizon: 6, segment_id: 'seg_none' } }, ['body', 'template', 'segment_id']],
      [{ shared_pipeline: true }, ['body', 'shared_pipeline']],
      [{ max_goals: 501 }, ['body', 'max_goals']],
      [{ reconciliation: { method: 'magic' } }, ['body', 'reconciliation', 'method']],
      [
        { reconciliation: { levels: [{ name: 'total', group_by: { prefix: 1 } }] } },
        ['body', 'reconciliation', 'levels', 0, 'name'],
      ],
    ] as const) {
      const { status, json, text } = await call('POST', '', body(over));
      assert.is(status, 422, text);
      assert.equal(json.detail[0].loc, loc, text);
    }
    assert.is((await call('GET', '')).json.data.total, 0);
  });

  test('a dry run says which entities would get a goal, and makes none', async () => {
    const path = '/v1/goals/fleets?dry_run=true';
    const sent = body({ entities: { pattern: 'north-*' }, max_goals: 1 });
    const { status, body: answer } = await world.client.post<Json>(path, sent);
    assert.is(status, 200);
    assert.equal(answer.data.plan, { entities: ['north-1'], beyond: 1, room: 10 });
    assert.is(answer.data.status, 'creating');
    assert.is((await call('GET', '')).json.data.total, 0);
  });

  test('one that would cost more than the caller is ready to pay is not made', async () => {
    const priced = async (entities: string[]): Promise<number> => {
      const path = '/v1/goals/fleets';
      const { status, body: answer } = await world.client.post<Json>(
        path,
        body({ entities, max_credits: 0 }),
      );
      assert.equal([status, answer.error.code], [402, 'price_above_max']);
      return answer.error.details.price;
    };
    assert.is(await priced(['north-1', 'north-2']), 2 * (await priced(['north-1'])));
    assert.is((await call('GET', '')).json.data.total, 0);
  });

  test('each entity gets a goal, which is activated; what cannot have one is listed', async () => {
    await push(world.running, 'sales__young', hours(39, soldBy(3), LENGTH - 39));
    id = await world.begin(body({ entities: [...stores, 'young', 'nobody'], auto_sync: true }));
    const made = await world.becomes(id, 'partial', ({ status }) => status === 'partial');
    const dear = await call('POST', `/${id}/sync`, { max_credits: 0 });
    assert.equal([dear.status, dear.json.error.code], [402, 'price_above_max']);
    assert.equal(
      made.failures.map(({ entity, code }: Json) => [entity, code]),
      [
        ['nobody', 'not_found'],
        ['young', 'insufficient_history'],
      ],
    );
    await world.forecastOf(id, 3);
    const { goals } = (await call('GET', `/${id}/goals`)).json.data;
    assert.equal(
      goals.map(({ name, target, fleet_id, step_s, horizon }: Json) => [
        name,
        target,
        fleet_id,
        step_s,
        horizon,
      ]),
      stores.map(entity => [`Stores ${entity}`, `sales__${entity}`, id, 3_600, 6]),
    );
    const listed = (await world.running.call('GET', `/v1/goals?fleet_id=${id}`)).json.data.goals;
    assert.is(listed.length, 3);
    const told: Json[] = await until(async () => {
      const path = '/v1/notifications?kind=goal.activated';
      const { notifications } = (await world.running.call('GET', path)).json.data;
      return notifications[0]?.count === 3 && notifications;
    }, 'one notification of all');
    assert.equal(
      told.map(each => [each.title, each.goal_id, each.group_key, each.data.fleet_id]),
      [['Goals of fleet Stores are active', null, `goal.activated/${id}`, id]],
    );
    assert.ok(listed.some(({ goal_id }: Json) => goal_id === told[0].data.goal_id));
    const all = (await world.client.get<Json>('/v1/goals/fleets?status=partial')).body.data.fleets;
    assert.equal([all.length, all[0].fleet_id], [1, id]);
  });

  test('a sync tries again, and a fleet that looks by itself finds who is new', async () => {
    const would = (await call('POST', `/${id}/sync?dry_run=true`)).json.data;
    assert.equal(would.plan.entities, ['nobody', 'young']);
    assert.is((await call('POST', `/${id}/sync`)).status, 202);
    await world.becomes(
      id,
      'tried again',
      ({ status, failures }) => status === 'partial' && failures.length === 2,
    );
    await push(world.running, 'sales__young', hours(1, soldBy(3), LENGTH - 40));
    const { failures } = await world.becomes(
      id,
      'brought up to date',
      ({ status, failures: left }) => status === 'partial' && left.length === 1,
    );
    assert.is(failures[0].entity, 'nobody');
    const path = `/v1/goals/fleets/${id}`;
    const changed = await world.client.patch<Json>(path, { entities: 'all' });
    assert.equal([changed.status, changed.body.data.version], [200, 2]);
    await world.becomes(id, 'active', ({ status }) => status === 'active');
    await push(world.running, 'sales__west-1', hours(LENGTH, soldBy(4)));
    await world.forecastOf(id, 5);
  });

  test('how its goals do, the best and the worst, is as each goal says', async () => {
    for (const [place, entity] of [...stores, 'young', 'west-1'].entries())
      await push(
        world.running,
        `sales__${entity}`,
        hours(1, i => soldBy(place)(i) + place, LENGTH),
      );
    const path = `/v1/goals/fleets/${id}/leaderboard`;
    const goals: Json[] = await until(async () => {
      const found = (await world.client.get<Json>(path)).body.data.goals;
      return found.every(({ graded_steps: n }: Json) => n > 0) && found;
    }, 'grades of all');
    assert.equal(
      goals.map(({ rank }) => rank),
      [1, 2, 3, 4, 5],
    );
    const skills = goals.map(({ skill_vs_naive: skill }) => skill as number);
    assert.equal(
      skills,
      [...skills].sort((a, b) => b - a),
    );
    for (const { goal_id, value_30d, skill_vs_naive, coverage_80_30d } of goals) {
      const { accuracy } = (await world.running.call('GET', `/v1/goals/${goal_id}`)).json.data;
      assert.equal(accuracy.coverage_80_30d, coverage_80_30d);
      for (const [own, shown] of [
        [accuracy.value_30d, value_30d],
        [accuracy.skill_vs_naive, skill_vs_naive],
      ])
        assert.ok(Math.abs(own - shown) < 1e-12, `${own} ${shown}`);
    }
    const { accuracy, worst, shock_count } = await world.fleet(id);
    const values = goals.map(({ value_30d: value }) => value as number).sort((a, b) => a - b);
    assert.equal([accuracy.metric, accuracy.goals, shock_count], ['crps', 5, 0]);
    assert.is(accuracy.median, values[2]);
    assert.ok(values[0]! < accuracy.p10 && accuracy.p90 < values[4]!);
    assert.equal(
      worst.map(({ rank }: Json) => rank),
      [5, 4, 3, 2, 1],
    );
  });

  test('paused it rests with all its goals, and goes on with those that it paused', async () => {
    const { goals } = (await call('GET', `/${id}/goals`)).json.data;
    const byHand = `/v1/goals/${goals[0].goal_id}`;
    assert.is((await world.running.call('POST', `${byHand}/pause`)).status, 200);
    const tried = await world.client.post<Json>(`/v1/goals/fleets/${id}/pause?dry_run=true`, {});
    assert.equal([tried.body.data.dry_run, tried.body.data.status], [true, 'paused']);
    assert.is((await call('GET', `/${id}`)).json.data.status, 'active');
    const paused = await world.client.post<Json>(`/v1/goals/fleets/${id}/pause`, {});
    assert.equal([paused.status, paused.body.data.status], [200, 'paused']);
    await world.becomes(id, 'at rest', ({ goal_counts: counts }) => counts.paused === 5);
    assert.is((await call('POST', `/${id}/pause`)).json.error.code, 'invalid_state');
    assert.is((await call('POST', `/${id}/sync`)).status, 409);
    assert.is((await call('POST', `/${id}/resume`)).status, 200);
    await world.becomes(
      ...([id, 'going on'] as const),
      ({ status, goal_counts: counts }) => status === 'active' && counts.active === 4 && counts.paused === 1,
    );
    // It is through with them: nothing more goes on by itself
    await until(async () => (await call('POST', `/${id}/pause`)).status === 200, 'a second pause');
    await world.becomes(id, 'at rest', ({ goal_counts: counts }) => counts.paused === 5);
    assert.is((await call('POST', `/${id}/resume`)).status, 200);
    await world.becomes(id, 'going on', ({ goal_counts: counts }) => counts.active === 4);
    assert.is((await world.running.call('GET', byHand)).json.data.status, 'paused');
    assert.is((await world.running.call('POST', `${byHand}/resume`)).status, 200);
  });

  test('what the plan has no room for fails; without any room a fleet is refused', async () => {
    const many = Array.from({ length: 7 }, (_, i) => `e${i}`);
    await world.have('visits', many, 60);
    const other = await world.begin(body({ base_key: 'visits', name: 'Visits' }));
    const full = await world.becomes(other, 'partial', ({ status }) => status === 'partial');
    assert.equal(
      full.failures.map(({ entity, code }: Json) => [entity, code]),
      [
        ['e5', 'plan_limit_reached'],
        ['e6', 'plan_limit_reached'],
      ],
    );
    const { quotas } = (await world.running.call('GET', '/v1/billing/quota')).json.data;
    assert.is(quotas.find(({ name }: Json) => name === 'goals').used, 10);
    const refused = await call('POST', '', body({ base_key: 'visits' }));
    assert.equal([refused.status, refused.json.error.code], [403, 'plan_limit_reached']);
    assert.is((await call('DELETE', `/${other}`)).status, 202);
    await until(async () => (await call('GET', `/${other}`)).status === 404, 'it to be gone');
  });

  test('deleted it is once its goals are archived; they stay, and name it', async () => {
    const would = await world.client.send<Json>({
      ...{ method: 'DELETE', path: `/v1/goals/fleets/${id}?dry_run=true` },
    });
    assert.equal(would.body.data, { dry_run: true, fleet_id: id, goals: 5 });
    const stale = await world.client.send<Json>({
      ...{ method: 'DELETE', path: `/v1/goals/fleets/${id}`, headers: { 'If-Match': '"1-x"' } },
    });
    assert.equal([stale.status, stale.body.error.code], [409, 'version_conflict']);
    assert.is((await call('DELETE', `/${id}`)).status, 202);
    await until(async () => (await call('GET', `/${id}`)).status === 404, 'it to be gone');
    const { goals } = (await world.running.call('GET', `/v1/goals?fleet_id=${id}`)).json.data;
    assert.equal([...new Set(goals.map(({ status }: Json) => status))], ['archived']);
    assert.is(goals.length, 5);
    const { quotas } = (await world.running.call('GET', '/v1/billing/quota')).json.data;
    assert.is(quotas.find(({ name }: Json) => name === 'goals').used, 0);
  });
});
