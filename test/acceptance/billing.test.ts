import * as assert from 'uvu/assert';
import type { Role } from '../../domain/groups/roles.js';
import { scopes } from '../../domain/tokens/scopes.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { addsUp, balance, ledger, milli, operator, organizationOf } from './money.js';
import { daily } from './series.js';
import { deploy, expected, forecast, openWorld, places, push, refused, type World } from './world.js';

// Balance, rates, estimates, quota, usage and grants, before and after work (specification 8; open-parts 0.1,
// 23, 25, 27, 29.13, 32.16, 32.25, 32.36).
// Readings: a new organization has the plan `free` and its credits at once; an estimate of inference is asked
// by `series` and `steps`; the threshold of a low balance is an amount as the others are; recorded events are
// rows, too.

const series = [{ id: 'a', start: '2026-01-01T00:00:00Z', step_s: 86_400, values: daily(60) }];

suite('acceptance: credits', test => {
  let world: World;
  const data = async (path: string, api = world.api): Promise<Json> =>
    expected(await api.get<Json>(`/v1/billing/${path}`)).data;
  const estimate = (operation: string, params: object) =>
    world.api.post<Json>('/v1/billing/estimates', { operation, params });
  test.before(async () => {
    world = await openWorld();
  });
  test.after(() => world.close());

  test('somebody new has the credits of the free plan, and a ledger that says why', async () => {
    const found = await data('balance');
    assert.equal(await balance(world.api), { credits: 100_000, held: 0, available: 100_000 });
    assert.equal([found.currency, found.plan.id], ['credits', 'free']);
    assert.type(found.plan.name, 'string');
    assert.ok(Date.parse(found.plan.renews_at) > world.now());
    assert.is(Number(found.low_balance_threshold), 10, '10% of what the plan gives');
    assert.match(found.as_of, /Z$/);
    const [entry, ...more] = await ledger(world.api);
    assert.equal([entry.kind, milli(entry.amount), milli(entry.balance_after)], ['grant', 100_000, 100_000]);
    assert.equal(more, []);
    assert.match(entry.ledger_id, /./);
    assert.match(entry.at, /Z$/);
    await addsUp(world.api);
  });

  test('the rates have a version and name what costs', async () => {
    const { version, effective_from, rates } = await data('rates');
    assert.ok(version !== undefined && Date.parse(effective_from) <= world.now());
    const items = Object.fromEntries(rates.map((rate: Json) => [rate.item, rate]));
    for (const item of [
      'training.custom',
      'finetune.adapt',
      'finetune.specialize',
      'finetune.forge',
      'deployment.replica_hour',
      'inference.series_step',
      'tournament.contestant',
      'storage.gb_month',
    ]) {
      assert.ok(Number(items[item].credits) >= 0, item);
      assert.type(items[item].unit, 'string');
      assert.ok('note' in items[item]);
    }
    const depth = ['adapt', 'specialize', 'forge'].map(each => Number(items[`finetune.${each}`].credits));
    assert.equal(
      depth,
      depth.toSorted((a, b) => a - b),
      'deeper costs more',
    );
    assert.ok(depth[0]! < depth[2]!);
  });

  test('an estimate is what a forecast costs then, and changes nothing', async () => {
    const before = await ledger(world.api);
    const told = expected(await estimate('inference', { series: 1, steps: 48 })).data;
    assert.is(told.rates_version, (await data('rates')).version);
    assert.is(told.within_budget, true);
    assert.ok(Date.parse(told.valid_until) > world.now());
    assert.is(
      Math.round(Number(told.available_after) * 1e3),
      100_000 - Math.round(Number(told.credits) * 1e3),
    );
    assert.ok(told.breakdown.some((line: Json) => line.item === 'inference.series_step'));
    assert.equal(await ledger(world.api), before);
    const id = await deploy(world.api);
    const answer = await forecast(world.api, { promotion_id: id, series, horizon: 48 });
    assert.ok(answer.usage.credits > 0);
    assert.is(answer.usage.credits, Number(told.credits));
    assert.is((await balance(world.api)).credits, 100_000 - Math.round(Number(told.credits) * 1e3));
    await addsUp(world.api);
  });

  test('an estimate beyond the purse says so', async () => {
    const told = expected(await estimate('inference', { series: 1_000, steps: 720, calls: 100 }));
    assert.is(told.data.within_budget, false);
    assert.ok(Number(told.data.available_after) < 0 || told.data.available_after === null);
  });

  test('what an estimate does not know is passed over, and named', async () => {
    const told = await estimate('inference', { series: 1, steps: 48, horizon: 48 });
    assert.is(Number(expected(told).data.credits), 0.005);
    assert.is(told.headers['x-ignored-fields'], 'params.horizon');
  });

  test('what cannot be estimated is refused by name', async () => {
    assert.equal(places(await estimate('divination', {})), ['body.operation']);
    assert.match(places(await estimate('inference', { series: -1, steps: 12 })).join(), 'body.params.series');
    assert.match(places(await estimate('inference', { series: 1, steps: 0 })).join(), 'body.params.steps');
    assert.match(places(await estimate('finetune', { intensity: 'mild' })).join(), 'body.params.intensity');
    assert.match(places(await world.api.post<Json>('/v1/billing/estimates', {})).join(), 'body.operation');
    const deeper = [];
    for (const intensity of ['adapt', 'specialize', 'forge'])
      deeper.push(Number(expected(await estimate('finetune', { intensity })).data.credits));
    assert.ok(deeper[0]! < deeper[1]! && deeper[1]! < deeper[2]!);
  });

  test('quotas say what is used, of how much, until when', async () => {
    const quotas = async (): Promise<Record<string, Json>> =>
      Object.fromEntries((await data('quota')).quotas.map((each: Json) => [each.name, each]));
    const before = await quotas();
    assert.equal(
      Object.keys(before).sort(),
      ['pipelines streaming_rows events storage_bytes goals deployments inference_calls members tokens'][0]!
        .split(' ')
        .sort(),
    );
    for (const { used, limit, unit, period, resets_at } of Object.values(before)) {
      assert.ok(Number.isInteger(used) && used >= 0 && (limit === null || limit >= 0));
      assert.type(unit, 'string');
      assert.ok(['month', 'total', 'minute'].includes(period));
      assert.ok(period === 'total' ? resets_at === null : Date.parse(resets_at) > world.now());
    }
    const limits = [before.pipelines, before.goals, before.streaming_rows].map(each => each.limit);
    assert.equal(limits, [3, 10, 100_000]);
    assert.equal([before.deployments.used, before.members.used], [1, 1]);
    await push(world.api, 'orders', daily(30), { from: Date.UTC(2026, 0, 1) });
    for (const text of ['Strike in Hamburg', 'Strike in Bremen', 'Strike in Kiel'])
      expected(await world.api.post<Json>('/v1/event/record', { key: 'ports', text }));
    await world.member('viewer');
    const [{ promotion_id }] = expected(await world.api.get<Json>('/v1/deployments')).deployments;
    await forecast(world.api, { promotion_id, key: 'orders' });
    const after = await quotas();
    const grown = (name: string) => after[name].used - before[name].used;
    assert.equal(['events', 'streaming_rows', 'inference_calls', 'members'].map(grown), [3, 33, 1, 1]);
    assert.ok(grown('storage_bytes') > 0);
    expected(await world.api.post<Json>('/v1/user/api-tokens', { name: 'one more' }));
    assert.is((await quotas()).tokens.used - after.tokens.used, 1);
  });

  test('usage is grouped by day, item, pipeline and goal, and adds up to what was charged', async () => {
    const charged = (await ledger(world.api))
      .filter(entry => entry.kind === 'charge')
      .reduce((total, entry) => total - milli(entry.amount), 0);
    for (const group of ['day', 'item', 'pipeline', 'goal']) {
      const { buckets } = await data(`usage?group_by=${group}`);
      const sum = buckets.reduce((total: number, row: Json) => total + Number(row.credits) * 1e3, 0);
      assert.is(Math.round(sum), charged, group);
    }
    const [item] = (await data('usage?group_by=item')).buckets;
    assert.is(item.key, 'inference.series_step');
    assert.is(
      (await data('usage?group_by=day')).buckets[0].key,
      new Date(world.now()).toISOString().slice(0, 10),
    );
    assert.equal(places(await world.api.get<Json>('/v1/billing/usage?group_by=mood')), ['query.group_by']);
  });

  test('the ledger is read in pages, and by kind', async () => {
    const first = await data('ledger?per_page=2');
    assert.equal([first.entries.length, first.page, first.per_page], [2, 1, 2]);
    assert.is(first.total_pages, Math.ceil(first.total / 2));
    const ids = (await ledger(world.api)).map(entry => entry.ledger_id);
    assert.equal([ids.length, new Set(ids).size], [first.total, first.total]);
    const holds = await ledger(world.api, '&kind=hold');
    assert.ok(holds.length > 0 && holds.every(entry => entry.kind === 'hold'));
    assert.equal(places(await world.api.get<Json>('/v1/billing/ledger?kind=gift')), ['query.kind']);
  });

  test('an operator grants credits and sets the plan', async () => {
    const before = await balance(world.api);
    const organization = await organizationOf(world.api);
    await operator(world, 'credits', 'grant', organization, '250.125', '--note', 'for the talk');
    const after = await balance(world.api);
    assert.is(after.credits, before.credits + 250_125);
    const entry = (await ledger(world.api)).at(-1);
    assert.equal([entry.kind, milli(entry.amount), entry.note], ['grant', 250_125, 'for the talk']);
    await operator(world, 'plan', 'set', organization, 'team');
    assert.is((await data('balance')).plan.id, 'team');
    const { quotas } = await data('quota');
    const limits = Object.fromEntries(quotas.map((each: Json) => [each.name, each.limit]));
    assert.equal([limits.pipelines, limits.goals, limits.streaming_rows], [25, 200, 10_000_000]);
    await addsUp(world.api);
    for (const args of [
      ['credits', 'grant', 'org_nobodys', '1'],
      ['credits', 'grant', organization, 'much'],
      ['credits', 'grant', organization, '0.0001'],
      ['plan', 'set', organization, 'golden'],
    ])
      await operator(world, ...args).then(
        () => assert.unreachable(args.join(' ')),
        (error: Error) => assert.match(error.message, /presage/),
      );
  });

  test('who may read it: admins and owners, with the scope, of their own', async () => {
    const paths = ['balance', 'quota', 'rates', 'ledger', 'usage?group_by=day'].map(
      path => `/v1/billing/${path}`,
    );
    for (const role of ['viewer', 'analyst', 'editor', 'operator'] as Role[]) {
      const api = await world.member(role);
      for (const path of paths) refused(await api.get<Json>(path), 403, 'role_forbidden');
    }
    const admin = await world.member('admin');
    for (const path of paths) expected(await admin.get<Json>(path));
    const without = await world.withScopes(scopes.filter(scope => scope !== 'workspaces.read'));
    for (const path of paths) {
      const { details } = refused(await without.get<Json>(path), 403, 'insufficient_scope');
      assert.equal(details.required, ['workspaces.read']);
    }
    const other = await world.tenant();
    assert.equal(await balance(other), { credits: 100_000, held: 0, available: 100_000 });
    assert.is((await ledger(other)).length, 1);
    assert.equal((await data('usage?group_by=item', other)).buckets, []);
    for (const path of paths)
      refused(await other.get<Json>(path, { 'x-workspace-id': world.running.installed.workspaceId }), 403);
  });
});
