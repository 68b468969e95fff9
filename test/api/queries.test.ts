import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { worldOf, type World } from './world.js';

type Listed = {
  readonly data: Record<string, unknown> & {
    readonly toys: string[];
    readonly query: Record<string, unknown>;
  };
};

suite('queries and lists', test => {
  let world: World;
  test.before(async () => {
    world = await worldOf();
  });
  test.after(() => world.close());
  const data = async (path: string) => (await world.api.get<Listed>(path)).body.data;

  test('page and per_page', async () => {
    const first = await data('/v1/toys/by-page');
    assert.equal(
      [first.toys.length, first.total, first.page, first.per_page, first.total_pages],
      [20, 45, 1, 20, 3],
    );
    const last = await data('/v1/toys/by-page?page=3');
    assert.equal([last.toys, last.page], [['toy40', 'toy41', 'toy42', 'toy43', 'toy44'], 3]);
    assert.equal((await data('/v1/toys/by-page?page=9&per_page=7')).toys, []);
  });

  test('page and limit', async () => {
    const { toys, total, page, limit, total_pages } = await data('/v1/toys/by-limit?limit=4');
    assert.equal([toys.length, total, page, limit, total_pages], [4, 45, 1, 4, 12]);
  });

  test('limit and offset', async () => {
    const { toys, total, limit, offset, has_more } = await data('/v1/toys/by-offset?offset=25');
    assert.equal([toys.length, total, limit, offset, has_more], [20, 45, 20, 25, false]);
    assert.is((await data('/v1/toys/by-offset?offset=24')).has_more, true);
  });

  test('limit and a cursor', async () => {
    const first = await data('/v1/toys/by-time');
    assert.equal([first.toys, first.next_before], [['toy0', 'toy1'], 7]);
    assert.equal((await data(`/v1/toys/by-time?cursor=${String(first.next_cursor)}`)).toys, ['toy2', 'toy3']);
  });

  test('above the maximum is clamped, and the used value said', async () => {
    assert.is((await data('/v1/toys/by-page?per_page=101')).per_page, 100);
    assert.is((await data('/v1/toys/by-offset?limit=99999999999999999999')).limit, 30);
  });

  const bad = [
    'per_page=0',
    'per_page=-1',
    'per_page=1.5',
    'per_page=ten',
    'per_page=',
    'per_page=%20',
    'per_page=0x10',
    'page=0',
    'per_page=1&per_page=2',
    'per_page=NaN',
    'per_page=Infinity',
    'deep=maybe',
    'deep=1',
    'ratio=1.01',
    'ratio=-0.01',
    'search=a&search=b',
  ];
  for (const query of bad)
    test(`${query} is 422`, async () => {
      const { status, body } = await world.api.get(`/v1/toys/by-page?${query}`);
      assert.equal([status, body.detail[0]!.loc], [422, ['query', query.split('=')[0]]]);
    });

  test('values have the types the schema says', async () => {
    const { query } = await data('/v1/toys/by-page?deep=true&ratio=0.25&tags=a&search=12&page=1e0');
    assert.equal(query, { page: 1, per_page: 20, deep: true, ratio: 0.25, tags: ['a'], search: '12' });
    assert.equal((await data('/v1/toys/by-page?tags=a&tags=b%2Cc')).query.tags, ['a', 'b,c']);
    assert.equal((await data('/v1/toys/by-page?search=a+b%26c')).query.search, 'a b&c');
  });

  test('unknown names are passed over and named', async () => {
    const { status, headers } = await world.api.get('/v1/toys/by-page?pgae=2&__proto__=1&%E2%82%AC=1');
    assert.equal([status, headers['x-ignored-fields']], [200, 'pgae, __proto__, %E2%82%AC']);
    assert.is((await world.api.get('/v1/toys/1?x=1')).headers['x-ignored-fields'], 'x');
  });

  for (const name of ['asof', 'as-of', 'asOf', 'AS_OF', 'as_of', 'vintage', 'vintage_date', 'vintageDate']) {
    test(`${name} is never passed over`, async () => {
      const plain = await world.api.get(`/v1/toys/1?${name}=2026-01-01`);
      assert.equal([plain.status, plain.body.detail[0]!.loc], [422, ['query', name]]);
      const able = await world.api.get(`/v1/toys/by-time?${name}=2026-01-01`);
      assert.is(able.status, name === 'as_of' ? 200 : 422);
      if (name !== 'as_of') assert.match(able.body.detail[0]!.msg, /did you mean as_of/);
    });
  }
});
