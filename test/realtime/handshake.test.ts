import { connect as tcp } from 'node:net';
import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { connect } from './client.js';

/** What is answered to texts, each sent once the one before was, until it ends or enough was said. */
function said(base: string, texts: string | readonly string[], enough: RegExp): Promise<string> {
  const [first, ...later] = [texts].flat();
  const socket = tcp(Number(new URL(base).port), '127.0.0.1', () => socket.write(first!));
  let answer = '';
  return new Promise(resolve => {
    const done = () => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('data', data => {
      answer += String(data);
      if (enough.test(answer)) return done();
      const next = later.shift();
      if (next) socket.write(next);
    });
    socket.on('close', done).on('error', done);
  });
}
const request = (line: string, ...headers: string[]): string =>
  [`${line} HTTP/1.1`, 'Host: api.example', ...headers, '\r\n'].join('\r\n');
const offer = ['Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
const bodyOf = (answer: string) => JSON.parse(answer.slice(answer.indexOf('\r\n\r\n')));
const ENDED = /never/;

suite('handshake of the realtime gateway', test => {
  const folder = temporaryFolder();
  let now = Date.now();
  let api: Running;
  let token: string;
  let own: string[];
  test.before(async () => {
    const env = { CORS_ORIGINS: 'https://app.example' };
    api = await startPlatform(folder.path, { env, clock: () => now });
    token = api.installed.token;
    own = [`Authorization: Bearer ${token}`, `X-Workspace-Id: ${api.installed.workspaceId}`];
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });

  test('a handshake that is none is refused in the envelope of all errors', async () => {
    for (const [headers, message] of [
      [[...offer, 'Sec-WebSocket-Version: 7'], 'Missing or invalid Sec-WebSocket-Version header'],
      [[...offer.slice(0, 2), 'Sec-WebSocket-Version: 13'], 'Missing or invalid Sec-WebSocket-Key header'],
      [
        [...offer, 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Protocol: v1,,v1'],
        'Invalid Sec-WebSocket-Protocol header',
      ],
    ] as const) {
      const answer = await said(api.base, request('GET /v1/ws', ...headers), ENDED);
      assert.match(answer, /^HTTP\/1.1 400 Bad Request\r\n/);
      assert.match(answer, /\r\nSec-WebSocket-Version: 13\r\n/);
      const { error, status } = bodyOf(answer);
      assert.equal([error.code, error.message, status], ['bad_handshake', message, message]);
      assert.match(error.details.request_id, /^req_/);
    }
  });

  test('only pages that may call may connect, and programs, which have no origin', async () => {
    const from = (origin: string) => connect(api.base, { token, headers: { origin } });
    for (const origin of ['https://app.example', api.base]) await (await from(origin)).end();
    for (const origin of ['https://evil.example', 'null', 'http://app.example']) {
      const handshake = [...offer, 'Sec-WebSocket-Version: 13', `Origin: ${origin}`, ...own];
      const answer = await said(api.base, request('GET /v1/ws?x=1', ...handshake), ENDED);
      assert.match(answer, /^HTTP\/1.1 403 Forbidden\r\n/);
      assert.is(bodyOf(answer).error.code, 'origin_forbidden');
    }
  });

  test('an offer to leave HTTP elsewhere is passed over: the request is answered', async () => {
    const other = request('GET /v1/nowhere', ...offer, 'Sec-WebSocket-Version: 13', ...own);
    const missing = await said(api.base, other, /\}$/);
    assert.match(missing, /^HTTP\/1.1 404 Not Found\r\n/);
    assert.is(bodyOf(missing).error.code, 'not_found');
    // As curl sends with --http2
    const h2c = ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQCAAAA'];
    const body = JSON.stringify({ key: 'offered', text: 'Strike' });
    const lines = [...h2c, ...own, 'Content-Type: application/json', `Content-Length: ${body.length}`];
    const recorded = await said(api.base, request('POST /v1/event/record', ...lines) + body, /\}$/);
    assert.match(recorded, /^HTTP\/1.1 200 OK\r\n/);
    assert.is(bodyOf(recorded).data.stream, 'offered');
    // The connection goes on as every other; newer Nodes read on once an offer is answered
    const health = [request('GET /health', ...h2c), request('GET /health', 'Connection: close')];
    assert.is((await said(api.base, health, ENDED)).match(/HTTP\/1.1 200 OK/g)?.length, 2);
    const posted = request('POST /v1/ws', ...offer, ...own, 'Content-Length: 0');
    assert.match(await said(api.base, posted, /\}$/), /^HTTP\/1.1 405 /);
    const plain = await said(api.base, request('GET /v1/ws', ...own), /\}$/);
    assert.match(plain, /^HTTP\/1.1 426 Upgrade Required\r\n[\s\S]*\r\nUpgrade: websocket\r\n/);
  });

  test('who brings no token in time, or says something else first, is let go with 4401', async () => {
    const [silent, talking] = [await connect(api.base), await connect(api.base)];
    talking.send({ type: 'ping' });
    assert.equal(await talking.closed(), { code: 4401, reason: 'authorization_required' });
    assert.ok(silent.isOpen());
    now += 5_000;
    assert.equal(await silent.closed(), { code: 4401, reason: 'authorization_required' });
  });

  test('a subprotocol that is not ours is not taken, and a token never echoed', async () => {
    const alone = await connect(api.base, { protocols: [`bearer.${token}`] }).catch(error => String(error));
    assert.match(String(alone), /Server sent no subprotocol/);
  });

  test('a token that is at home elsewhere is told where, then 4409', async () => {
    const elsewhere = temporaryFolder();
    const us = await startPlatform(elsewhere.path, {
      running: ['api', 'projections'],
      env: { CELL: 'us-1', CELLS: `local=${api.base}` },
    });
    const byFrame = await connect(us.base);
    byFrame.send({ type: 'auth', token });
    const details = { home_cell: 'local', redirect_api_base_url: api.base };
    for (const client of [byFrame, await connect(us.base, { token })]) {
      assert.equal(await client.closed(), { code: 4409, reason: 'wrong_cell' });
      const [{ message, ...frame }, ...more] = client.frames as [{ message: string; type: string }];
      assert.match(message, /local/);
      assert.equal([frame, more], [{ type: 'error', code: 'wrong_cell', details, ref: null }, []]);
    }
    // And a workspace, where it was the only channel
    const here = await connect(us.base, { token: us.installed.token });
    const ack = await here.subscribe(`workspace:${api.installed.workspaceId}`);
    assert.is((ack['denied'] as { code: string }[])[0]!.code, 'wrong_cell');
    assert.is((await here.closed()).code, 4409);
    assert.equal((await here.error('wrong_cell'))['details'], details);
    await us.stop();
    elsewhere.remove();
  });
});
