import * as assert from 'uvu/assert';
import { eventsProjection } from '../../projections/events/projection.js';
import type { Projection } from '../../projections/engine/projection.js';
import { signalsProjection } from '../../projections/signals/projection.js';
import type { Rebuilding } from '../../workers/engine/filling.js';
import { rebuild } from '../../workers/engine/rebuild.js';
import { verify } from '../../workers/engine/verify.js';
import { suite } from '../suite.js';
import { signalsApi, T0, type SignalsApi } from './signals-world.js';
import type { Json } from '../json.js';

const KEYS = ['shop.orders', 'shop.price_eur', 'plant/a b.temp', '日本.売上__東京', 'plain', '"quoted"'];

suite('units, groups and display names', test => {
  let world: SignalsApi;
  test.before(async () => {
    world = await signalsApi();
    for (const key of KEYS) await world.push(key, [1, 2]);
    await world.push('plant/a b.temp', [3], { from: T0 + 1e8, unit: 'K' });
    await world.record('outages', 'Storm', T0);
    await world.record('plant/events.x', 'Stop', T0);
    await world.record('shop.orders', 'Sale', T0);
  });
  test.after(() => world.close());

  const units = async () => (await world.get('/v1/signal/units')).units;
  const groups = async () => {
    const { groups: all, assignments } = await world.get('/v1/signal/groups');
    return {
      assignments,
      groups: Object.fromEntries(all.map(({ name, count, origins }: Json) => [name, { count, origins }])),
    };
  };
  const names = () => world.get('/v1/signal/display-names');
  const row = async (key: string, type: string) =>
    (await world.get(`/v1/signal?limit=100&type=${type}`)).signals.find(
      (each: { key: string }) => each.key === key,
    );
  const labelled = (updated: number, ...unknown_keys: string[]) => ({ updated, unknown_keys });

  test("units: a person's before the source's before the key's; a cleared one gives way", async () => {
    assert.equal(await units(), {
      'shop.orders': { unit: 'count', origin: 'inferred' },
      'shop.price_eur': { unit: 'EUR', origin: 'inferred' },
      'plant/a b.temp': { unit: 'K', origin: 'source' },
    });
    const assign = (keys: string[], unit?: string | null) =>
      world.post('/v1/signal/units/assign', { keys, ...(unit !== undefined && { unit }) });
    assert.equal(
      await assign(
        ['plant/a b.temp', 'shop.price_eur', 'plain', 'no such', 'outages', 'shop.price_eur'],
        '°C',
      ),
      labelled(3, 'no such', 'outages'),
    );
    const mine = { unit: '°C', origin: 'user' };
    assert.equal(await units(), {
      'shop.orders': { unit: 'count', origin: 'inferred' },
      'shop.price_eur': mine,
      'plant/a b.temp': mine,
      plain: mine,
    });
    assert.is((await row('plain', 'signal')).unit, '°C');
    await world.push('plant/a b.temp', [4], { from: T0 + 2e8, unit: 'F' });
    assert.equal((await units())['plant/a b.temp'], mine);
    assert.equal(await assign(['plant/a b.temp', 'shop.price_eur'], ''), labelled(2));
    assert.equal(await assign(['plain']), labelled(1));
    assert.equal(await assign(['plain'], null), labelled(1));
    assert.equal(await units(), {
      'shop.orders': { unit: 'count', origin: 'inferred' },
      'shop.price_eur': { unit: 'EUR', origin: 'inferred' },
      'plant/a b.temp': { unit: 'F', origin: 'source' },
    });
  });

  test('groups: by what stands before the first dot, unless a person assigns another', async () => {
    const inferred = (count: number) => ({ count, origins: { inferred: count } });
    const before = await groups();
    assert.equal(before.groups, {
      shop: inferred(3),
      'plant/a b': inferred(1),
      日本: inferred(1),
      ungrouped: inferred(3),
      'plant/events': inferred(1),
    });
    assert.equal(before.assignments['shop.orders'], { group: 'shop', origin: 'inferred' });
    assert.equal(Object.keys(before.assignments).sort(), [...KEYS, 'outages', 'plant/events.x'].sort());
    assert.equal(
      await world.post('/v1/signal/groups/assign', {
        keys: ['shop.orders', '日本.売上__東京', 'outages', 'nope'],
        group: 'mine 私',
      }),
      labelled(3, 'nope'),
    );
    const after = await groups();
    assert.equal(after.groups['mine 私'], { count: 4, origins: { user: 4 } });
    assert.equal(after.groups.shop, inferred(1));
    assert.is(after.groups['日本'], undefined);
    for (const key of ['shop.orders', '日本.売上__東京', 'outages'])
      assert.equal(after.assignments[key], { group: 'mine 私', origin: 'user' });
    assert.equal(
      [(await row('shop.orders', 'signal')).group, (await row('shop.orders', 'event')).group],
      ['mine 私', 'mine 私'],
    );
    const { signals, total } = await world.get('/v1/signal?group=mine 私&sort_by=key&sort_order=asc');
    assert.equal(
      signals.map(({ key, type }: Json) => [key, type]),
      [
        ['outages', 'event'],
        ['shop.orders', 'event'],
        ['shop.orders', 'signal'],
        ['日本.売上__東京', 'signal'],
      ],
    );
    assert.is(total, after.groups['mine 私'].count);
    assert.equal(
      await world.post('/v1/signal/groups/unassign', {
        keys: ['shop.orders', '日本.売上__東京', 'outages', 'nope'],
      }),
      labelled(3, 'nope'),
    );
    assert.equal(await groups(), before);
  });

  test("a key is put by hand where it is by itself: the word is the user's", async () => {
    await world.post('/v1/signal/groups/assign', { keys: ['shop.price_eur'], group: 'shop' });
    assert.equal((await groups()).groups.shop, { count: 3, origins: { inferred: 2, user: 1 } });
    await world.post('/v1/signal/groups/unassign', { keys: ['shop.price_eur'] });
  });

  test('display names: of signals and streams, cleared by an empty one, the key stays as it is', async () => {
    const name = (key: string, given?: string | null) =>
      world.post('/v1/signal/display-name', { key, ...(given !== undefined && { name: given }) });
    assert.equal(await names(), {});
    assert.equal(await name('日本.売上__東京', 'Umsatz "Tokio" </x>'), {
      key: '日本.売上__東京',
      display_name: 'Umsatz "Tokio" </x>',
    });
    assert.equal(await name('outages', 'Ausfälle'), { key: 'outages', display_name: 'Ausfälle' });
    assert.equal(await name('shop.orders', 'Both'), { key: 'shop.orders', display_name: 'Both' });
    assert.equal(await names(), {
      '日本.売上__東京': 'Umsatz "Tokio" </x>',
      outages: 'Ausfälle',
      'shop.orders': 'Both',
    });
    assert.equal(
      [(await row('outages', 'event')).display_name, (await row('outages', 'event')).key],
      ['Ausfälle', 'outages'],
    );
    assert.equal(await name('shop.orders', ''), { key: 'shop.orders', display_name: null });
    await name('plain', 'x');
    assert.equal(await name('plain', '  '), { key: 'plain', display_name: null });
    assert.equal(await name('plain', null), { key: 'plain', display_name: null });
    assert.equal(await names(), { '日本.売上__東京': 'Umsatz "Tokio" </x>', outages: 'Ausfälle' });
  });

  test('keys that mean something to JavaScript are keys as others are', async () => {
    const odd = ['__proto__', 'constructor', 'toString'];
    for (const key of odd) await world.push(key, [1]);
    assert.equal(await world.post('/v1/signal/units/assign', { keys: odd, unit: 'x' }), labelled(3));
    assert.equal(
      await world.post('/v1/signal/groups/assign', { keys: odd, group: '__proto__' }),
      labelled(3),
    );
    for (const key of odd) await world.post('/v1/signal/display-name', { key, name: `name of ${key}` });
    const of = (map: object) =>
      Object.entries(map)
        .filter(([key]) => odd.includes(key))
        .map(([key, value]) => `${key} ${JSON.stringify(value)}`)
        .sort();
    assert.equal(
      of(await units()),
      odd.map(key => `${key} {"unit":"x","origin":"user"}`),
    );
    assert.equal(
      of(await names()),
      odd.map(key => `${key} "name of ${key}"`),
    );
    const { assignments, groups: all } = await world.get('/v1/signal/groups');
    assert.equal(
      of(assignments),
      odd.map(key => `${key} {"group":"__proto__","origin":"user"}`),
    );
    assert.equal(
      all.find((group: { name: string }) => group.name === '__proto__'),
      { name: '__proto__', count: 3, origins: { user: 3 } },
    );
    await world.post('/v1/signal/delete', { keys: odd });
    assert.equal(
      [...of(await units()), ...of(await names()), ...of((await world.get('/v1/signal/groups')).assignments)],
      [],
    );
  });

  test('a deleted signal or stream loses what was said of it, and begins anew without', async () => {
    const all = ['shop.orders', 'outages'];
    await world.post('/v1/signal/groups/assign', { keys: all, group: 'kept' });
    await world.post('/v1/signal/units/assign', { keys: ['shop.orders'], unit: 'kg' });
    await world.post('/v1/signal/display-name', { key: 'shop.orders', name: 'N' });
    await world.post('/v1/signal/delete', { keys: ['shop.orders'], event_streams: all });
    const { assignments, groups: there } = await groups();
    assert.equal(
      [assignments['shop.orders'], assignments.outages, there.kept],
      [undefined, undefined, undefined],
    );
    assert.equal([(await names())['shop.orders'], (await units())['shop.orders']], [undefined, undefined]);
    await world.push('shop.orders', [1]);
    await world.record('outages', 'Again', T0);
    assert.equal(
      [(await groups()).assignments['shop.orders'], (await groups()).assignments.outages],
      [
        { group: 'shop', origin: 'inferred' },
        { group: 'ungrouped', origin: 'inferred' },
      ],
    );
    assert.equal(
      [(await names())['shop.orders'], (await names()).outages, (await units())['shop.orders']],
      [undefined, undefined, { unit: 'count', origin: 'inferred' }],
    );
  });

  test('all of it is there after a restart, is what the facts say, and survives a rebuild', async () => {
    await world.post('/v1/signal/groups/assign', { keys: ['outages', 'plant/a b.temp'], group: 'kept' });
    await world.post('/v1/signal/display-name', { key: 'outages', name: 'Kept' });
    await world.post('/v1/signal/units/assign', { keys: ['plain'], unit: 'kept' });
    const before = [await groups(), await names(), await units(), await world.get('/v1/signal?limit=100')];
    await world.restart();
    const after = async () => [
      await groups(),
      await names(),
      await units(),
      await world.get('/v1/signal?limit=100'),
    ];
    assert.equal(await after(), before);
    for (const projection of [signalsProjection, eventsProjection]) {
      assert.equal((await ended(verify(on(world, projection)))).differences, []);
      await ended(rebuild(on(world, projection)));
    }
    assert.equal(await after(), before);
  });
});

const on = ({ api: { platform } }: SignalsApi, projection: Projection): Rebuilding => ({
  store: platform.stores.events,
  models: platform.stores.models,
  generations: platform.generations,
  projection,
  projector: platform.projectors.of(projection),
  graceMs: 0,
  signal: new AbortController().signal,
});

async function ended<T>(steps: AsyncGenerator<unknown, T>): Promise<T> {
  for (;;) {
    const step = await steps.next();
    if (step.done) return step.value;
  }
}
