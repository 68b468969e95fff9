import * as assert from 'uvu/assert';
import type { Json } from '../json.js';
import { TINY } from '../projections/models-world.js';
import { suite } from '../suite.js';
import { deprecated, imported, modelsApi, refusal, type ModelsApi } from './models-world.js';

const MINI = { family: 'presage', slug: 'mini' };

suite('public and private models', test => {
  let world: ModelsApi;
  const made = new Map<string, string>();
  const make = async (name: string, more: object = {}, who = world.ann): Promise<string> => {
    world.clock.now += 1_000;
    const body = { kind: 'custom', algorithm: 'theta', name, visibility: 'public', ...more };
    const { uid } = await world.post('/v1/models', body, who);
    made.set(name, uid);
    return uid;
  };
  test.before(async () => {
    world = await modelsApi();
    await world.tell('foundation_model-extfm__other__tiny', imported(TINY));
    await make('Ärger', { categories: ['retail'], tags: ['a'] });
    await make('banana', { categories: ['retail', 'food'], tags: ['b'] }, world.bob);
    await make('Banana', { algorithm: 'ets', hyperparameters: { period: 12 } });
    await make('Orders', { kind: 'foundation', algorithm: undefined, family: 'presage', tags: ['a', 'b'] });
    await make('Hidden', { visibility: 'private', categories: ['retail'] });
    const rate = (uid: string, rating: number, who = world.bob) =>
      world.post(`/v1/models/${uid}/rating`, { rating }, who);
    await rate(made.get('Ärger')!, 2);
    await rate(made.get('Banana')!, 5);
    await rate('presage__mini', 3);
  });
  test.after(() => world.close());

  const list = (query: string, who = world.ann) => world.get(`/v1/models/public?${query}`, who);
  const names = async (query: string, who = world.ann): Promise<string[]> =>
    (await list(query, who)).models.map(({ name }: Json) => name);
  const BACKBONES = ['Other tiny', 'Presage mini', 'Presage nano'];
  const BUILTIN = [
    ...['Naive', 'Drift', 'Seasonal naive', 'Theta', 'ETS', 'ARIMA', 'Ridge'],
    ...['Gradient-boosted trees', 'MSTL with ETS', 'Network'],
  ];

  test('the list has what is public, whoever made it, and foundation models', async () => {
    const all = ['Banana', 'Orders', ...BACKBONES, ...BUILTIN, 'banana', 'Ärger'];
    assert.equal(await names('sort_by=name&sort_order=asc&limit=50'), all.toSorted());
    assert.equal(await names('sort_by=name&limit=50', world.bob), all.toSorted().reverse());
  });

  test('pages of any size, in any order, are pieces of the whole', async () => {
    for (const by of ['name', 'created_at', 'rating', 'in_use_by'])
      for (const order of ['asc', 'desc'])
        for (const filter of ['', '&search=a', '&tags=a&tags=forecast']) {
          const sorted = `sort_by=${by}&sort_order=${order}${filter}`;
          const whole = await list(`${sorted}&limit=100`);
          assert.is(whole.total, whole.models.length);
          for (const limit of [1, 2, 3, 5]) {
            const pieces: Json[] = [];
            for (let page = 1; page <= whole.total / limit + 2; page++) {
              const piece = await list(`${sorted}&limit=${limit}&page=${page}`);
              assert.equal([piece.total, piece.page, piece.limit], [whole.total, page, limit]);
              assert.is(piece.total_pages, Math.ceil(whole.total / limit));
              pieces.push(...piece.models);
            }
            const uids = (rows: Json[]) => rows.map(({ uid }) => uid);
            assert.equal(uids(pieces), uids(whole.models), `${sorted} by ${limit}`);
          }
        }
  });

  test('the best rated one comes first, what nobody rated last', async () => {
    const rated = (await list('sort_by=rating')).models.map(({ name, rating }: Json) => [name, rating]);
    assert.equal(rated.slice(0, 3), [
      ['Banana', 5],
      ['Presage mini', 3],
      ['Ärger', 2],
    ]);
    assert.is(rated[3][1], null);
  });

  test('filters', async () => {
    assert.equal(await names('search=BANANA&sort_by=name'), ['banana', 'Banana']);
    assert.equal(await names('categories=food&categories=none'), ['banana']);
    assert.equal(await names('tags=a&categories=retail'), ['Ärger']);
    const onnx = [...BACKBONES, 'Gradient-boosted trees', 'Network', 'Orders'];
    assert.equal(await names('framework=onnx&sort_by=name'), onnx.toSorted().reverse());
    assert.equal(await names('categories=naive&sort_by=name'), ['Seasonal naive', 'Naive', 'Drift']);
    assert.equal((await names('owner=presage&training_environment=cpu')).length, BUILTIN.length);
    assert.equal(await names('training_environment=pretrained&search=nano'), ['Presage nano']);
    assert.equal(await names(`owner=${world.other.uid}`), ['banana']);
    assert.equal(await names('owner=other'), ['Other tiny']);
    assert.equal(await names('framework=tea'), []);
  });

  test("a private model is its workspace's alone, also for those who rate", async () => {
    const path = `/v1/models/${made.get('Hidden')}`;
    assert.is((await world.get(path)).visibility, 'private');
    const [status, code, message] = refusal(await world.bob.get(path));
    assert.equal([status, code, message], [404, 'not_found', `There is no model ${made.get('Hidden')}`]);
    assert.is((await world.bob.post(`${path}/rating`, { rating: 1 })).status, 404);
  });

  test('nobody rates their own model', async () => {
    const path = `/v1/models/${made.get('Banana')}/rating`;
    assert.equal(refusal(await world.ann.post(path, { rating: 5 })).slice(0, 2), [409, 'own_model']);
    assert.equal(await world.post(path, { rating: 4 }, world.bob), {
      uid: made.get('Banana'),
      rating: 4,
      rating_count: 1,
      your_rating: 4,
    });
    await world.post(path, { rating: 5 }, world.bob);
  });

  test('one model says how it is made', async () => {
    const banana = await world.get(`/v1/models/${made.get('Banana')}`);
    assert.equal(banana.hyperparameter_values, { period: 12 });
    assert.is(banana.hyperparameters.properties.period.default, 12);
    assert.is(banana.hyperparameters.properties.period.maximum, 24);
    const orders = await world.get(`/v1/models/${made.get('Orders')}`);
    assert.equal([orders.slug, orders.license, orders.versions], ['nano', 'Apache-2.0', []]);
    const nano = await world.get('/v1/models/presage__nano');
    assert.is(nano.benchmarks.all.forecasts, 6520);
    assert.is(nano.versions[0].sha256.slice(0, 12), nano.versions[0].version);
  });

  test('each algorithm is there with its defaults, for everybody, and is rated like others', async () => {
    const path = '/v1/models/blueprint__gradient_boosting';
    const trees = await world.get(path, world.bob);
    assert.equal(
      [trees.kind, trees.algorithm, trees.owner, trees.visibility],
      ['custom', 'gradient_boosting', { user_id: 'presage', name: 'Presage' }, 'public'],
    );
    assert.is(trees.hyperparameters.properties.trees.default, trees.hyperparameter_values.trees);
    await world.post(`${path}/rating`, { rating: 4 }, world.bob);
    await world.post(`${path}/rating`, { rating: 2 });
    const { rating, rating_count } = await world.get(path);
    assert.equal([rating, rating_count], [3, 2]);
    assert.is((await list('search=boosted')).models[0].rating, 3);
    assert.equal(refusal(await world.ann.get('/v1/models/blueprint__none')).slice(0, 2), [404, 'not_found']);
  });

  test('what cannot be an id is 400, and what has no name gets one', async () => {
    for (const uid of ['a%20b', '%2e%2e%2fx', 'x'.repeat(200)])
      assert.equal(refusal(await world.ann.get(`/v1/models/${uid}`)).slice(0, 2), [400, 'bad_request']);
    const { uid } = await world.post('/v1/models', { kind: 'custom', algorithm: 'naive' });
    assert.is((await world.get(`/v1/models/${uid}`)).name, 'Naive');
    const long = { kind: 'custom', algorithm: 'naive', metadata: { text: 'x'.repeat(20_000) } };
    const refused = await world.ann.post('/v1/models', long);
    assert.equal([refused.status, refused.body.detail[0]?.loc], [422, ['body', 'metadata']]);
  });

  test('a deprecated foundation model is not in the list, and takes no fine-tune', async () => {
    await world.tell('foundation_model-presage__mini', deprecated(MINI, null));
    assert.ok(!(await names('limit=100')).includes('Presage mini'));
    assert.is((await world.get('/v1/models/presage__mini')).deprecated, true);
    const body = { kind: 'foundation', ...MINI };
    assert.equal(refusal(await world.ann.post('/v1/models', body)).slice(0, 2), [409, 'MODEL_DEPRECATED']);
  });
});
