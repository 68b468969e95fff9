import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { worldOf, type World } from './world.js';

suite('routing', test => {
  let world: World;
  test.before(async () => {
    world = await worldOf();
  });
  test.after(() => world.close());

  test('a fixed segment wins over a parameter', async () => {
    const { body } = await world.api.get<{ data: { toys: string[] } }>('/v1/toys/by-limit');
    assert.is(body.data.toys.length, 10);
  });

  const keys: readonly [string, string][] = [
    ['plain', 'plain'],
    ['a%2Fb', 'a/b'],
    ['a%252Fb', 'a%2Fb'],
    ['100%25', '100%'],
    ['%E2%82%AC', '€'],
    ['%F0%9F%8C%A9', '🌩'],
    ['a%20b', 'a b'],
    ['a+b', 'a+b'],
    ['%D7%A9%D7%9C%D7%95%D7%9D', 'שלום'],
    ['a%3Fb%23c', 'a?b#c'],
    ['..%2f..', '../..'],
    ['%00', '\0'],
  ];
  for (const [sent, meant] of keys)
    test(`${sent} means ${JSON.stringify(meant)}`, async () => {
      const { status, body } = await world.api.get<{ id: string }>(`/v1/toys/${sent}/parts`);
      assert.equal([status, body.id], [200, meant]);
    });

  for (const broken of ['%', '%2', '%zz', '%C3', '%ED%A0%80', 'a%FFb'])
    test(`broken encoding ${broken} is 404`, async () => {
      const { status, body } = await world.api.get(`/v1/toys/${broken}/parts`);
      assert.equal([status, body.error.code], [404, 'not_found']);
    });

  test('a parameter that its schema refuses is 422 with its place', async () => {
    const { status, body } = await world.api.get(`/v1/toys/${'x'.repeat(65)}/parts`);
    assert.is(status, 422);
    assert.equal(body.detail[0]!.loc, ['path', 'toy_id']);
  });

  const nowhere = [
    '/',
    '/v1',
    '/v1/',
    '/v1/nothing',
    '/v1/toys/',
    '/v1/toys//parts',
    '/v1/TOYS',
    '/v2/toys',
    '/health/',
    '/v1/toys/1/parts/2',
    '//health',
  ];
  for (const path of nowhere) {
    test(`${path} is 404 for a caller, 401 for others`, async () => {
      const known = await world.api.send({ method: 'GET', path, undescribed: true });
      assert.equal([known.status, known.body.error.code], [404, 'not_found']);
      const unknown = await world.api.as({}).send({ method: 'GET', path, undescribed: true });
      assert.equal([unknown.status, unknown.body.error.code], [401, 'authorization_required']);
    });
  }

  test('a known path with another method is 405 and says which', async () => {
    const answer = await world.api.send({ method: 'PATCH', path: '/v1/toys/1', undescribed: true });
    assert.equal(
      [answer.status, answer.body.error.code, answer.headers.allow],
      [405, 'method_not_allowed', 'GET, HEAD, OPTIONS, PUT'],
    );
    const post = await world.api.send({
      method: 'POST',
      path: '/v1/toys/by-page',
      body: {},
      undescribed: true,
    });
    assert.equal([post.status, post.headers.allow], [405, 'GET, HEAD, OPTIONS'], 'not those of a toy');
    const put = await world.api.send({
      method: 'PUT',
      path: '/v1/toys/by-page',
      body: {},
      undescribed: true,
    });
    assert.equal([put.status, put.headers.allow], [405, 'GET, HEAD, OPTIONS'], 'it is no toy');
    assert.is(
      (await world.api.as({}).send({ method: 'PATCH', path: '/v1/toys/1', undescribed: true })).status,
      401,
    );
    const account = world.api.as({ token: world.token });
    assert.is((await account.send({ method: 'PATCH', path: '/v1/toys/1', undescribed: true })).status, 400);
    assert.is(
      (await world.api.as({}).send({ method: 'POST', path: '/health', undescribed: true })).status,
      405,
    );
  });

  test('OPTIONS says the methods', async () => {
    const answer = await world.api.send({ method: 'OPTIONS', path: '/v1/toys', undescribed: true });
    assert.equal([answer.status, answer.headers.allow, answer.text], [204, 'OPTIONS, POST', '']);
    const fixed = await world.api.send({ method: 'OPTIONS', path: '/v1/toys/by-page', undescribed: true });
    assert.equal([fixed.status, fixed.headers.allow], [204, 'GET, HEAD, OPTIONS']);
    assert.is(
      (await world.api.send({ method: 'OPTIONS', path: '/v1/nothing', undescribed: true })).status,
      404,
    );
  });

  test('HEAD has the headers of GET and no body', async () => {
    const get = await world.api.get('/v1/toys/1');
    const head = await world.api.head('/v1/toys/1');
    assert.equal(
      [head.status, head.text, head.headers['content-length']],
      [200, '', get.headers['content-length']],
    );
    assert.is(head.headers.etag, '"3"');
    assert.is((await world.api.head('/v1/toys/none')).status, 404);
    assert.is((await world.api.head('/v1/toys/stream')).status, 200);
  });

  test('the absolute form of a target is understood', async () => {
    assert.is((await world.api.get(`${world.api.base}/health?x=1`)).status, 200);
    assert.is((await world.api.get<{ id: string }>(`${world.api.base}/v1/toys/a%2Fb/parts`)).body.id, 'a/b');
  });
});
