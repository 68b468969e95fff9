import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import type { Body } from './client.js';
import { inWorld, worldOf, type World } from './world.js';

suite('answers and errors', test => {
  let world: World;
  test.before(async () => {
    world = await worldOf();
  });
  test.after(() => world.close());
  const trouble = (kind: string) => world.api.get(`/v1/toys/trouble?kind=${kind}`);

  test('a fault of ours is 500, logged once with request id and stack, and says nothing', async () => {
    const { status, body, text, headers } = await trouble('fault');
    assert.equal([status, body.error.code, body.error.message], [500, 'internal_error', 'Internal error']);
    assert.not.match(text, /secret|Type|at /);
    assert.is(world.logged.length, 1);
    const { requestId, err, path } = world.logged[0]!.fields;
    assert.equal([requestId, path], [headers['x-request-id'], '/v1/toys/trouble?kind=fault']);
    assert.match((err as Error).stack!, /secret inner trouble\n\s+at /);
  });

  test('what is secret in a query is not logged, however its name is written', async () => {
    for (const name of ['signature', '%73ignature', 'X-Amz-Signature', 'access_token', 'Code', 'api_key'])
      await world.api.get(`/v1/toys/trouble?kind=fault&${name}=abc123&key=shop.orders`);
    const paths = world.logged.splice(1).map(({ fields }) => String(fields['path']));
    assert.is(paths.length, 6);
    for (const path of paths) assert.match(path, /\?kind=fault&[\w-]+=\*\*\*&key=shop\.orders$/);
  });

  test('a store that does not answer is 503 overloaded with Retry-After', async () => {
    for (const kind of ['store', 'outcome']) {
      const { status, body, headers } = await trouble(kind);
      assert.equal(
        [status, body.error.code, headers['retry-after'], body.error.details.retry_after_s],
        [503, 'overloaded', '1', 1],
      );
      assert.is(world.logged.at(-1)!.fields.requestId, headers['x-request-id']);
    }
  });

  test('what the store cannot take is 413', async () => {
    const { status, body } = await trouble('large');
    assert.equal(
      [status, body.error.code, body.error.details.limit_bytes, body.error.details.limit_of],
      [413, 'payload_too_large', 1_048_576, 'write'],
    );
    assert.match(body.error.message, /writes at once/);
  });

  test('a refusal has its code, message and details, the message twice', async () => {
    const { status, body } = await trouble('gone');
    assert.equal(
      [status, body.error.code, body.error.message, body.status],
      [410, 'download_expired', 'The download has expired', 'The download has expired'],
    );
    const missing = await world.api.get('/v1/toys/none');
    assert.equal([missing.status, missing.body.error.code], [404, 'toy_not_found']);
  });

  test("a caller's request id is taken where it is fit to be one", async () => {
    const id = async (given: string) =>
      (await world.api.get('/v1/toys/none', { 'x-request-id': given })).headers['x-request-id'];
    for (const fit of ['a', 'A.b_c-9', 'x'.repeat(64)]) assert.is(await id(fit), fit);
    for (const unfit of ['', 'x'.repeat(65), 'a b', 'a"b', 'ä', 'a/b'])
      assert.match(String(await id(unfit)), /^req_[0-9a-z]+$/);
    const ids = await Promise.all(Array.from({ length: 50 }, () => id('')));
    assert.is(new Set(ids).size, 50);
  });

  test('security headers stand on every answer', async () => {
    const { api } = world;
    const item = '/v1/toys/1';
    const answers = [
      await api.get(item),
      await trouble('gone'),
      await api.as({}).get(item),
      await api.get('/health'),
    ];
    for (const { headers } of answers) {
      assert.equal(
        [
          headers['x-content-type-options'],
          headers['cache-control'],
          headers['referrer-policy'],
          headers['content-type'],
        ],
        ['nosniff', 'no-store', 'no-referrer', 'application/json; charset=utf-8'],
      );
      assert.match(headers['content-security-policy'] as string, /default-src 'none'/);
      const absent = ['x-powered-by', 'server', 'access-control-allow-origin', 'set-cookie'];
      assert.ok(absent.every(name => headers[name] === undefined));
    }
  });

  test('an item has an ETag, and 304 for those who know it', async () => {
    assert.is((await world.api.get('/v1/toys/1')).headers.etag, '"3"');
    for (const known of ['"3"', '"2", "3"', 'W/"3"', '*']) {
      assert.is((await world.api.get('/v1/toys/1', { 'if-none-match': known })).status, 304);
    }
    assert.is((await world.api.get('/v1/toys/1', { 'if-none-match': '"2"' })).status, 200);
  });

  test('one that nobody changes has an ETag made from all that is answered', async () => {
    const { status, headers, body } = await world.api.get('/v1/toys/1/parts');
    assert.equal([status, body], [200, { id: '1' }]);
    assert.match(headers.etag as string, /^"[0-9a-f]{16}"$/);
    const known = { 'if-none-match': headers.etag };
    const again = await world.api.get('/v1/toys/1/parts', known);
    assert.equal([again.status, again.text, again.headers.etag], [304, '', headers.etag]);
    const other = await world.api.get('/v1/toys/2/parts', known);
    assert.equal([other.status, other.body], [200, { id: '2' }]);
    assert.is.not(other.headers.etag, headers.etag);
  });

  test('If-Match reaches the command, which refuses', async () => {
    const put = (ifMatch?: string) =>
      world.api.put<{ seen: string | null }>('/v1/toys/1', {}, { 'if-match': ifMatch });
    const meanings = [
      [undefined, null],
      ['*', null],
      ['"3"', '3'],
      ['"3-a"', '3-a'],
      ['3', '3'],
      ['W/"3"', 'W/"3"'],
    ] as const;
    for (const [sent, seen] of meanings) {
      assert.is((await put(sent)).body.seen, seen);
    }
    const { status, body, headers } = await world.api.put('/v1/toys/1', {}, { 'if-match': '"2"' });
    assert.equal(
      [status, body.error.code, body.error.details.version, headers.etag],
      [409, 'version_conflict', 3, undefined],
    );
  });

  test('ready text is sent as it is', async () => {
    assert.is((await world.api.get('/v1/toys/heavy')).text, '{"ready":"text"}');
  });

  test('a long list is streamed whole', async () => {
    const { status, headers, body } = await world.api.get<{ data: number[] }>('/v1/toys/stream');
    assert.equal([status, headers['transfer-encoding'], body.data.length], [200, 'chunked', 20_000]);
  });

  test('a list that breaks off cuts the connection, so that it cannot pass for whole', async () => {
    const before = world.logged.length;
    const error = await world.api.get('/v1/toys/stream?fail=true').catch((thrown: unknown) => thrown);
    assert.is((error as NodeJS.ErrnoException).code, 'ECONNRESET');
    assert.is(world.logged.length, before + 1);
  });

  test('a client that goes away ends the stream and its signal', async () => {
    world.toys.seen.length = 0;
    const socket = connect(world.listening.port, '127.0.0.1');
    socket.write(
      [
        'GET /v1/toys/stream HTTP/1.1',
        'Host: x',
        `Authorization: Bearer ${world.token}`,
        'X-Workspace-Id: wsp_toys',
        '\r\n',
      ].join('\r\n'),
    );
    await new Promise(resolve => socket.once('data', resolve));
    socket.destroy();
    for (let i = 0; i < 100 && world.toys.seen.length < 2; i++)
      await new Promise(resolve => setTimeout(resolve, 10));
    assert.equal([...world.toys.seen].sort(), ['aborted', 'stream ended']);
    assert.ok(world.toys.streamed!.destroyed);
  });

  test('headers that are too large are 431, as every operation says', async () => {
    const socket = connect(world.listening.port, '127.0.0.1');
    socket.write(`GET /health HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(40_000)}\r\n\r\n`);
    const text = String(await new Promise(resolve => socket.once('data', resolve)));
    assert.match(text, /^HTTP\/1.1 431 [\s\S]*"code":"headers_too_large"/);
    for (const item of Object.values(world.api.description.paths))
      for (const { responses } of Object.values(item)) assert.ok(responses[431]);
    socket.destroy();
  });

  test('what is not HTTP gets the envelope, too', async () => {
    const socket = connect(world.listening.port, '127.0.0.1');
    socket.write('NOT HTTP AT ALL\r\n\r\n');
    const text = String(await new Promise(resolve => socket.once('data', resolve)));
    assert.match(text, /^HTTP\/1.1 400 Bad Request\r\n/);
    const { error, status } = JSON.parse(text.split('\r\n\r\n')[1]!) as Body;
    assert.equal([error.code, error.message, status], ['bad_request', 'Bad Request', 'Bad Request']);
    assert.match(String(error.details.request_id), /^req_/);
  });
});

suite('cors', test => {
  test('off unless configured', async () => {
    await inWorld({}, async world => {
      const { headers } = await world.api.get('/v1/toys/1', { origin: 'https://app.example' });
      assert.is(headers['access-control-allow-origin'], undefined);
    });
  });

  test('for the origins named, on answers and errors, and their questions before', async () => {
    await inWorld({ corsOrigins: ['https://app.example'] }, async world => {
      const from = (origin: string, path = '/v1/toys/1') => world.api.get(path, { origin });
      assert.is(
        (await from('https://app.example')).headers['access-control-allow-origin'],
        'https://app.example',
      );
      assert.is(
        (await from('https://app.example', '/v1/toys/none')).headers['access-control-allow-origin'],
        'https://app.example',
      );
      assert.match(
        (await from('https://app.example')).headers['access-control-expose-headers']!,
        /X-Request-Id/,
      );
      assert.is((await from('https://evil.example')).headers['access-control-allow-origin'], undefined);
      const response = await fetch(`${world.api.base}/v1/toys`, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://app.example',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      });
      assert.equal(
        [response.status, response.headers.get('access-control-allow-headers')],
        [204, 'authorization'],
      );
    });
  });
});
