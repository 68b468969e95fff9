import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { inWorld, worldOf, type World } from './world.js';

suite('platform endpoints', test => {
  let world: World;
  test.before(async () => {
    world = await worldOf();
  });
  test.after(() => world.close());
  const bare = () => world.api.as({});
  const token = () => world.api.as({ token: world.token });

  test('/health needs nothing and names the cell', async () => {
    const { status, body } = await bare().get<object>('/health');
    assert.equal(
      [status, body],
      [200, { status: 'ok', cell: 'here', time: new Date(world.now).toISOString() }],
    );
  });

  test('/version needs nothing', async () => {
    const { status, body } = await bare().get<object>('/version');
    assert.equal(
      [status, body],
      [
        200,
        {
          api_version: 'v1',
          service_version: '0.1.0',
          openapi_version: '3.2.0',
          description_version: '1.4.83',
          commit: 'abc',
          built_at: '1970-01-01T00:00:00.000Z',
        },
      ],
    );
  });

  test('/ready needs a token but no workspace, and says what is missing', async () => {
    assert.is((await bare().get('/ready')).status, 401);
    const ready = await token().get<object>('/ready');
    assert.equal(
      [ready.status, ready.body],
      [200, { status: 'ready', checks: { event_log: 'ok' }, projection_lag_ms: 3 }],
    );
    world.ready = false;
    const not = await token().get<object>('/ready');
    assert.equal(
      [not.status, not.body],
      [503, { status: 'not_ready', checks: { event_log: 'unreachable' }, projection_lag_ms: 3 }],
    );
    world.ready = true;
  });

  test('/openapi/v1.json needs a token but no workspace; it may be kept for five minutes', async () => {
    assert.is((await bare().get('/openapi/v1.json')).status, 401);
    const { status, headers, body, text } = await token().get<{ openapi: string; info: { version: string } }>(
      '/openapi/v1.json',
    );
    assert.equal([status, body.openapi, body.info.version], [200, '3.2.0', '1.4.83']);
    assert.equal(
      [headers['cache-control'], headers['content-type']],
      ['max-age=300', 'application/json; charset=utf-8'],
    );
    assert.is(text, JSON.stringify(world.api.description));
    assert.is(
      (await token().get('/openapi/v1.json', { 'if-none-match': headers.etag as string })).status,
      304,
    );
  });

  test('both are open where configured so', async () => {
    await inWorld({ publicProbe: true }, async open => {
      assert.is((await open.api.as({}).get('/ready')).status, 200);
      assert.is((await open.api.as({}).get('/openapi/v1.json')).status, 200);
    });
  });
});
