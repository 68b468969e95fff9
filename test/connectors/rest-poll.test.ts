import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { heldBytes } from '../../adapters/connectors/held-bytes.js';
import { restPoll } from '../../adapters/connectors/rest-poll.js';
import { asksHere, failure, polled, type Over } from '../servers/polled.js';
import { suite } from '../suite.js';

type Asked = {
  readonly method: string;
  readonly url: string;
  readonly text: string;
  readonly headers: object;
};
type Respond = (response: ServerResponse, asked: Asked, request: IncomingMessage) => void;

/** Polls a server that answers as it is told to. */
async function served(respond: Respond, over: object = {}, more: Over = {}) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const one = { method, url, headers, text: Buffer.concat(parts).toString() };
    asked.push(one);
    respond(response, one, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const config = { url: `http://127.0.0.1:${port}/items?fixed=1`, ...over };
  const work = polled(restPoll(asksHere(), heldBytes()), config, more);
  const settled = await Promise.allSettled([work]);
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
  return {
    asked,
    work: settled[0]!.status === 'fulfilled' ? settled[0]!.value : null,
    failed: failure(work),
  };
}
const json =
  (body: unknown): Respond =>
  response =>
    response.end(JSON.stringify(body));
const urls = (asked: readonly Asked[]) => asked.map(({ url }) => url);

/** Pages of two of the numbers below 10, by the number to go on from. */
const paging: Respond = (response, { url }) => {
  const from = Number(new URL(url, 'http://x').searchParams.get('after') ?? 0);
  const items = [from, from + 1].filter(each => each < 7);
  const next = from + 2 < 7 ? from + 2 : null;
  response.end(JSON.stringify({ items, next }));
};
const cursors = { cursor_path: 'next', cursor_param: 'after', max_pages: 50 };

suite('an address that is asked for JSON', test => {
  test('once, where there are no pages', async () => {
    const { asked, work } = await served(json([{ text: 'a' }, { text: 'b' }]));
    assert.equal(work?.items, [{ text: 'a' }, { text: 'b' }]);
    assert.equal([work?.cursor, work?.pages[0]?.isLast, work?.pages.length], [null, true, 1]);
    assert.equal(urls(asked), ['/items?fixed=1']);
    assert.is(work?.pages[0]?.bytes, 27);
  });

  test('ids and cursors of 64 bits stay what they are', async () => {
    const answers: Respond = (response, { url }) =>
      response.end(
        url.includes('after')
          ? '{"items":[]}'
          : '{"items":[{"id":1234567890123456789}],"next":1234567890123456790}',
      );
    const { asked, work } = await served(answers, cursors);
    assert.equal([work?.items, work?.cursor], [[{ id: '1234567890123456789' }], '1234567890123456790']);
    assert.is(urls(asked)[1]?.slice(14), '&after=1234567890123456790');
  });

  test('an answer without a body has no items', async () => {
    for (const code of [200, 204]) {
      const { work } = await served(response => response.writeHead(code).end(), cursors, { cursor: 5 });
      assert.equal([work?.items, work?.cursor, work?.pages.length], [[], 5, 1]);
    }
  });

  test('page after page, and the next run goes on at the last cursor that was one', async () => {
    const first = await served(paging, cursors);
    assert.equal(
      urls(first.asked).map(url => url.slice(14)),
      ['', '&after=2', '&after=4', '&after=6'],
    );
    assert.is(first.work?.cursor, 6);
    assert.equal(
      first.work?.pages.map(({ isLast }) => isLast),
      [false, false, false, true],
    );
    const next = await served(paging, cursors, { cursor: 6 });
    assert.equal([urls(next.asked).length, next.work?.cursor], [1, 6]);
  });

  test('so many pages and no more, those of before it was cut short among them', async () => {
    const two = await served(paging, { ...cursors, max_pages: 2 });
    assert.equal([two.asked.length, two.work?.cursor, two.work?.pages.at(-1)?.isLast], [2, 4, true]);
    const one = await served(paging, { ...cursors, max_pages: 2 }, { cursor: 2, pagesRead: 1 });
    assert.equal([one.asked.length, one.work?.cursor], [1, 4]);
  });

  test('no server leads in a circle, or on and on with nothing', async () => {
    const same = await served(json({ items: [1], next: 'here' }), cursors);
    assert.equal([same.asked.length, same.work?.cursor], [2, 'here']);
    let count = 0;
    const naming =
      (items: unknown[]): Respond =>
      response =>
        response.end(JSON.stringify({ items, next: ++count }));
    assert.is((await served(naming([1]), cursors)).asked.length, 50);
    assert.is((await served(naming([]), { ...cursors, max_pages: 3 })).asked.length, 3);
    for (const next of [{ a: 1 }, [], true, '', 'x'.repeat(3_000)]) {
      const odd = await served(json({ items: [1], next }), cursors);
      assert.equal([odd.asked.length, odd.work?.cursor], [1, null]);
    }
  });

  test('a large answer comes to the same as a small one', async () => {
    const odd = [null, -1.5e300, 'ä "\u2028', [], { __proto__: 1, a: [{ b: null }] }, true];
    const many = Array.from({ length: 400_000 }, (_, i) => (i % 1_000 === 0 ? { i, odd } : i));
    const small = await served(json({ items: many.slice(0, 2_500), next: null }), cursors);
    const large = await served(json({ items: many, next: null }), cursors);
    assert.ok(small.work!.pages[0]!.bytes < 1_048_576 && large.work!.pages[0]!.bytes > 2 * 1_048_576);
    assert.equal(small.work!.items, many.slice(0, 2_500));
    assert.equal(JSON.stringify(large.work!.items), JSON.stringify(many));
    const padding = 'x'.repeat(2_000_000);
    const next = await served(json({ items: [{ a: 1 }], next: 'there', padding }), cursors, {
      pagesRead: 49,
    });
    assert.equal([next.work!.items, next.work!.cursor], [[{ a: 1 }], 'there']);
    assert.equal((await served(json({ items: 'none', next: null, padding }), cursors)).work!.items, []);
  });

  test('a large answer that is no JSON, or whose item alone is large, is told by name', async () => {
    const text = `[${'1,'.repeat(1_000_000)}`;
    const broken = await served(response => response.end(text));
    assert.is(await broken.failed, 'invalid_json: The answer is not valid JSON');
    const item = await served(json([1, { text: 'x'.repeat(1_100_000) }]));
    assert.is(await item.failed, 'too_large: Item 1 of the answer has more than 1048576 bytes');
  });

  test('a POST carries its body, with the cursor in it', async () => {
    const post = { method: 'POST', body: { fixed: true }, ...cursors };
    const { asked } = await served(json({ items: [1], next: null }), post, { cursor: 'c"1' });
    assert.equal(
      [asked[0]?.url, JSON.parse(asked[0]!.text)],
      ['/items?fixed=1', { fixed: true, after: 'c"1' }],
    );
    const list = await served(json([]), { ...post, body: [1] }, { cursor: 'a&b' });
    assert.equal([list.asked[0]?.url, list.asked[0]?.text], ['/items?fixed=1&after=a%26b', '[1]']);
  });

  test('what it takes to be let in goes in headers', async () => {
    const sent = async (auth: object) =>
      (await served(json([]), { auth, headers: { 'X-Own': 'yes', Accept: 'text/json' } })).asked[0]!.headers;
    const has = async (auth: object, headers: object) => {
      const all = await sent(auth);
      for (const [name, value] of Object.entries({ ...headers, 'x-own': 'yes', accept: 'text/json' }))
        assert.is((all as Record<string, string>)[name], value);
    };
    await has({ type: 'none' }, {});
    await has({ type: 'bearer', token: 't' }, { authorization: 'Bearer t' });
    await has({ type: 'basic', username: 'u', password: 'p:ä' }, { authorization: 'Basic dTpwOsOk' });
    await has({ type: 'header', name: 'X-Key', value: 'k' }, { 'x-key': 'k' });
  });

  test('what is wrong is told, without what was sent', async () => {
    const auth = { type: 'bearer', token: 'hunter2' };
    const told = async (respond: Respond, over: object = {}) => {
      const message = await (await served(respond, { auth, ...over })).failed;
      assert.not.match(message, /hunter2/);
      return message;
    };
    const status =
      (code: number): Respond =>
      response =>
        response.writeHead(code).end('hunter2');
    for (const code of [400, 401, 404, 429, 500, 503])
      assert.is(await told(status(code)), `http_status: The address answered ${code}`);
    assert.is(await told(response => response.end('{"a":')), 'invalid_json: The answer is not valid JSON');
    assert.match(
      await told(response => response.writeHead(302, { location: 'http://x.test/' }).end()),
      /^redirect_refused/,
    );
    assert.match(await told(response => response.destroy()), /^unreachable/);
    assert.match(await told(() => undefined, { timeout_seconds: 0.1 }), /^timed_out/);
    const lies: Respond = response => {
      response.writeHead(200, { 'content-length': '100' });
      response.write('[1]');
      response.socket?.end();
    };
    assert.match(await told(lies), /^unreachable/);
    const long: Respond = response => {
      response.on('error', () => undefined);
      const more = () => {
        while (!response.destroyed && response.write('x'.repeat(1_000_000)));
      };
      response.on('drain', more);
      more();
    };
    assert.match(await told(long), /^answer_too_long/);
  });

  test('an answer of almost 20 MB is read, and a redirect within the origin followed', async () => {
    const items = Array.from({ length: 200_000 }, (_, n) => ({ n, text: 'x'.repeat(80) }));
    const there: Respond = (response, { url }) =>
      url === '/there'
        ? json(items)(response, {} as Asked, {} as IncomingMessage)
        : response.writeHead(307, { location: '/there' }).end();
    const { work } = await served(there);
    assert.is(work?.items.length, 200_000);
  });

  test('where it leads is looked at beforehand', async () => {
    const connector = restPoll(asksHere(), heldBytes());
    assert.is(await connector.refusal({ url: 'http://127.0.0.1:1/' }), null);
    const refused = await connector.refusal({ url: 'http://10.0.0.1/' });
    assert.is(refused?.field, 'url');
  });
});
