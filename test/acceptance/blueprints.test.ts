import * as assert from 'uvu/assert';
import type { Client } from '../api/client.js';
import type { Json } from '../json.js';
import { suite } from '../suite.js';
import { deploy, expected, openWorld, places, refused, type World } from './world.js';

// The public catalogue and models of one's own (specification 2.5, 4.5; open-parts 8, 32.16-19).
// Readings: `in_use_by` counts deployments that are not retired; a rating is 1 to 5, one for each user, who
// may change it; a private model is 404 for everybody else; names are searched in upper and lower case alike.

suite('acceptance: blueprints', test => {
  let world: World;
  let other: Client;
  test.before(async () => {
    world = await openWorld();
    other = await world.tenant();
  });
  test.after(() => world.close());

  const listed = async (query = '', api = world.api): Promise<Json> =>
    expected(await api.get<Json>(`/v1/models/public${query}`)).data;
  const everything = async (): Promise<Json[]> => {
    const { models, total } = await listed('?limit=100');
    assert.is(models.length, total);
    return models;
  };
  const one = async (uid: string, api = world.api): Promise<Json> =>
    expected(await api.get<Json>(`/v1/models/${uid}`)).data;
  const create = async (body: object, api = world.api): Promise<Json> =>
    expected(await api.post<Json>('/v1/models', body)).data;
  const foundation = (more: object = {}) => ({
    kind: 'foundation',
    name: 'Orders of the shop',
    purpose: 'forecast',
    description: 'fitted to our orders',
    visibility: 'private',
    categories: ['retail'],
    tags: ['orders'],
    metadata: { team: 'shop' },
    family: 'presage',
    ...more,
  });

  test('the public list has the backbones and the algorithms, in pages', async () => {
    const rows = await everything();
    const uids = rows.map(row => row.blueprint_uid);
    assert.ok(uids.includes('presage__nano') && uids.includes('presage__mini'), String(uids));
    for (const row of rows) {
      assert.is(row.uid, row.blueprint_uid);
      assert.type(row.name, 'string');
      assert.ok(Array.isArray(row.categories) && Array.isArray(row.tags));
      assert.type(row.owner.name, 'string');
      assert.ok(row.rating === null || (row.rating >= 0 && row.rating <= 5));
      assert.is(row.rating === null, row.rating_count === 0);
      assert.ok(Number.isInteger(row.in_use_by));
      assert.match(row.created_at, /^\d{4}-.*\.\d{3}Z$/);
    }
    const [nano] = rows.filter(row => row.uid === 'presage__nano');
    assert.is(nano.kind, 'foundation_backbone');
    assert.is(nano.slug, 'nano');
    assert.is(nano.supports.max_horizon, 720);
    const first = await listed();
    assert.is(first.limit, 10);
    assert.is(first.page, 1);
    assert.is(first.total_pages, Math.ceil(first.total / 10));
    const paged: Json[] = [];
    for (let page = 1; paged.length < rows.length; page++) {
      const { models } = await listed(`?limit=2&page=${page}`);
      assert.ok(models.length > 0);
      paged.push(...models);
    }
    const byName = (all: Json[]) => all.map(row => row.uid).sort();
    assert.equal(byName(paged), byName(rows));
    assert.is((await listed('?limit=5000')).limit, 100);
    for (const [name, value] of [
      ['limit', '0'],
      ['page', 'x'],
      ['sort_by', 'charm'],
      ['sort_order', 'sideways'],
    ])
      assert.equal(places(await world.api.get<Json>(`/v1/models/public?${name}=${value}`)), [
        `query.${name}`,
      ]);
  });

  test('each filter shows exactly the rows that have what it names', async () => {
    const rows = await everything();
    const check = async (query: string, fits: (row: Json) => boolean) => {
      const { models, total } = await listed(`?limit=100&${query}`);
      const names = (all: Json[]) => all.map(row => row.uid).sort();
      assert.equal(names(models), names(rows.filter(fits)), query);
      assert.is(total, models.length);
    };
    const values = (name: string) => [...new Set(rows.flatMap(row => row[name] ?? []))] as string[];
    for (const name of ['framework', 'training_environment'])
      for (const value of values(name))
        await check(`${name}=${encodeURIComponent(value)}`, row => row[name] === value);
    for (const name of ['categories', 'tags']) {
      const all = values(name);
      for (const value of all)
        await check(`${name}=${encodeURIComponent(value)}`, row => row[name].includes(value));
      const two = all.slice(0, 2);
      const query = two.map(value => `${name}=${encodeURIComponent(value)}`).join('&');
      if (two.length === 2) await check(query, row => two.some(value => row[name].includes(value)));
    }
    await check('search=NANO', row => row.name.toLowerCase().includes('nano'));
    await check('search=no%20such%20name', () => false);
    await check('owner=usr_nobody', () => false);
  });

  test('the list is sorted as asked, both ways', async () => {
    for (const [field, of] of [
      ['name', (row: Json) => row.name],
      ['created_at', (row: Json) => row.created_at],
      ['rating', (row: Json) => row.rating ?? -1],
      ['in_use_by', (row: Json) => row.in_use_by],
    ] as const)
      for (const order of ['asc', 'desc']) {
        const { models } = await listed(`?limit=100&sort_by=${field}&sort_order=${order}`);
        const found = models.map(of);
        const lower = (value: Json) => (typeof value === 'string' ? value.toLowerCase() : value);
        for (const [i, value] of found.slice(1).entries()) {
          const [a, b] = order === 'asc' ? [found[i], value] : [value, found[i]];
          assert.ok(a <= b || lower(a) <= lower(b), `${field} ${order}: ${found}`);
        }
      }
  });

  test('one blueprint says more, and an unknown one is 404', async () => {
    const nano = await one('presage__nano');
    for (const name of ['metadata', 'hyperparameters', 'inputs', 'outputs', 'versions', 'license'])
      assert.ok(nano[name] !== undefined, name);
    assert.type(nano.owner.user_id, 'string');
    refused(await world.api.get<Json>('/v1/models/presage__colossus'), 404);
    refused(await world.api.get<Json>('/v1/models/mdl_nobodys'), 404);
  });

  test('nothing is recommended before there is evidence, and that is said', async () => {
    const { data } = expected(await world.api.get<Json>('/v1/models/recommended'));
    assert.is(data.blueprint, null);
    assert.type(data.reason, 'string');
  });

  test('a fine-tune is stored, and says what it waits for and what it will cost', async () => {
    const data = await create(foundation());
    assert.type(data.uid, 'string');
    assert.match(data.message, /train|pipeline|segment/i);
    assert.is(data.charge.ledger_id, null);
    assert.ok(data.charge.credits !== undefined);
    assert.is(data.adapter_id, null);
    const model = await one(data.uid);
    assert.is(model.kind, 'foundation');
    assert.is(model.name, 'Orders of the shop');
    assert.equal([model.family, model.slug], ['presage', 'nano'], 'the slug follows from the task');
    assert.equal([model.task, model.intensity], ['forecast', 'adapt']);
    assert.equal([model.lookback, model.horizon], [2048, 128]);
    assert.equal(model.metadata, { team: 'shop' });
    const given = { slug: 'mini', intensity: 'forge', lookback: 512, horizon: 36 };
    const second = await one((await create(foundation(given))).uid);
    for (const [name, value] of Object.entries(given)) assert.equal(second[name], value, name);
  });

  test('what a fine-tune may not ask for is refused by name', async () => {
    const ask = (more: object) => world.api.post<Json>('/v1/models', foundation(more));
    const lookback = refused(await ask({ lookback: 5_000 }), 400, 'lookback_above_cap').message;
    for (const part of [/lookback/, /presage/, /2048/]) assert.match(lookback, part);
    const horizon = refused(await ask({ horizon: 5_000 }), 400, 'horizon_above_cap').message;
    for (const part of [/horizon/, /presage/, /720/]) assert.match(horizon, part);
    assert.match(
      refused(await ask({ family: 'nobodys', slug: 'x' }), 400, 'family_unavailable').message,
      'nobodys',
    );
    assert.match(
      refused(await ask({ slug: 'colossus' }), 404, 'model_not_available').message,
      'presage/colossus',
    );
    assert.equal(places(await ask({ intensity: 'mild' })), ['body.intensity']);
    assert.equal(places(await ask({ task: 'divine' })), ['body.task']);
    assert.equal(places(await ask({ horizon: 0 })), ['body.horizon']);
    assert.equal(places(await ask({ family: undefined })), ['body.family']);
    assert.equal(places(await ask({ kind: 'clairvoyant' })), ['body.kind']);
    const able = (await everything()).filter(row => row.kind === 'foundation_backbone');
    for (const task of ['embed', 'classify', 'multivariate']) {
      if (able.some(row => row.family === 'presage' && row.supports.tasks.includes(task))) continue;
      const { message } = refused(await ask({ task }), 400);
      assert.match(message, task);
      assert.match(message, 'presage');
    }
  });

  test('a custom model names an algorithm, whose schema checks its hyperparameters', async () => {
    const custom = (more: object) => ({
      kind: 'custom',
      name: 'Theta of ours',
      visibility: 'private',
      ...more,
    });
    const { uid } = await create(custom({ algorithm: 'theta', hyperparameters: {} }));
    const model = await one(uid);
    assert.equal([model.kind, model.algorithm], ['custom', 'theta']);
    const wrong = await world.api.post<Json>(
      '/v1/models',
      custom({ algorithm: 'theta', hyperparameters: { crystal_ball: true } }),
    );
    assert.match(places(wrong).join(), 'body.hyperparameters');
    assert.match(wrong.text, 'crystal_ball');
    const unknown = await world.api.post<Json>('/v1/models', custom({ algorithm: 'divination' }));
    assert.match(places(unknown).join(), 'body.algorithm');
  });

  test('a private model is its workspace alone, a public one everybody sees and may find', async () => {
    const secret = await create(foundation({ name: 'Hidden thing' }));
    refused(await other.get<Json>(`/v1/models/${secret.uid}`), 404);
    assert.equal((await listed('?search=hidden', other)).total, 0);
    assert.equal((await listed('?search=hidden')).total, 0);
    const open = await create(
      foundation({ name: 'Shown thing', visibility: 'public', categories: ['gifts'] }),
    );
    const found = await listed('?search=shown&categories=gifts', other);
    assert.equal(
      found.models.map((row: Json) => row.uid),
      [open.uid],
    );
    const { owner } = await one(open.uid, other);
    const me = expected(await world.api.get<Json>('/v1/user/me')).data;
    assert.is(owner.user_id, me.uid);
    assert.is(JSON.stringify(found).includes(me.email), false, "addresses are nobody else's business");
    assert.equal((await listed(`?owner=${me.uid}`, other)).total, 1);
  });

  test('members rate public models, one rating each', async () => {
    const path = Object.keys(world.api.description.paths).find(
      name => name.startsWith('/v1/models/{') && name.endsWith('/rating'),
    );
    assert.ok(path, 'a path to rate a model');
    const verb = Object.keys(world.api.description.paths[path]!).find(
      name => name !== 'get' && name !== 'delete',
    );
    const rate = (api: Client, rating: unknown, uid = 'presage__mini') =>
      api.send<Json>({
        method: verb!.toUpperCase(),
        path: path.replace(/\{\w+\}/, uid),
        body: { rating },
      });
    expected(await rate(world.api, 2));
    expected(await rate(world.api, 5));
    expected(await rate(other, 4));
    const mini = await one('presage__mini');
    assert.equal([mini.rating, mini.rating_count], [4.5, 2]);
    const [top] = (await listed('?sort_by=rating')).models;
    assert.is(top.uid, 'presage__mini');
    for (const wrong of [6, -1, 'good', null])
      assert.equal(places(await rate(world.api, wrong)), ['body.rating']);
    refused(await rate(world.api, 3, 'mdl_nobodys'), 404);
  });

  test('deployments count as use until they are retired', async () => {
    const used = async () => (await one('presage__nano')).in_use_by;
    const before = await used();
    const id = await deploy(world.api);
    await deploy(other);
    assert.is(await used(), before + 2);
    const [top] = (await listed('?sort_by=in_use_by&sort_order=desc')).models;
    assert.is(top.uid, 'presage__nano');
    expected(await world.api.post<Json>(`/v1/deployments/${id}/unpromote`, {}));
    assert.is(await used(), before + 1);
  });
});
