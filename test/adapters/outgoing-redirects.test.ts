import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { networksOf } from '../../adapters/outgoing/addresses.js';
import { outgoing } from '../../adapters/outgoing/client.js';
import type { Resolve } from '../../adapters/outgoing/names.js';
import { OutgoingFailed, RedirectRefused, type OutgoingRequest } from '../../commands/ports/outgoing.js';
import { suite } from '../suite.js';

const HERE = '127.0.0.1';
type Respond = (request: IncomingMessage, response: ServerResponse) => void;

async function withServer(
  respond: Respond,
  work: (port: number, asked: readonly string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    asked.push(`${request.method} ${request.url} ${Buffer.concat(parts).toString()}`.trim());
    respond(request, response);
  });
  server.listen(0, HERE);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  try {
    await work(port, asked);
  } finally {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
}
const to = (response: ServerResponse, location: string, status = 302): void => {
  response.writeHead(status, { location }).end('elsewhere');
};
const asking = (url: string, over: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  ...{ method: 'GET', url, headers: {}, withinMs: 60_000, maxBytes: 1_000, redirects: 5 },
  ...over,
});
const never: Resolve = async () => {
  throw new Error('nobody asks');
};
const here = { allowed: networksOf(HERE), resolve: never };

async function fault(work: Promise<unknown>): Promise<unknown> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  return null;
}

suite('redirects that are followed', test => {
  test('within the same origin, as many as are allowed, and no more', () =>
    withServer(
      ({ url = '' }, response) => {
        const left = Number(url.slice(1));
        if (left === 0) response.end('there');
        else to(response, `/${left - 1}`);
      },
      async (port, asked) => {
        const base = `http://${HERE}:${port}`;
        const { status, body } = await outgoing(here).send(asking(`${base}/5`));
        assert.equal([status, body.toString(), asked.length], [200, 'there', 6]);
        assert.instance(await fault(outgoing(here).send(asking(`${base}/6`))), RedirectRefused);
        assert.is(asked.length, 12);
        assert.instance(
          await fault(outgoing(here).send(asking(`${base}/1`, { redirects: 0 }))),
          RedirectRefused,
        );
      },
    ));

  test('never to another host, port or scheme, nor to what is no address', () =>
    withServer(
      (_, response) => response.end('secret'),
      async (other, seen) => {
        const targets = [
          `http://${HERE}:${other}/`,
          `//${HERE}:${other}/`,
          `http://localhost:${other}/`,
          'https://127.0.0.1/',
          'file:///etc/passwd',
          'http://',
        ];
        for (const target of targets)
          await withServer(
            (_, response) => to(response, target),
            async port => {
              const failed = await fault(outgoing(here).send(asking(`http://${HERE}:${port}/`)));
              assert.instance(failed, RedirectRefused, target);
            },
          );
        assert.equal(seen, []);
      },
    ));

  test('what is posted is posted again by 307 and 308 alone', async () => {
    for (const [status, then] of [
      [301, 'GET /then'],
      [302, 'GET /then'],
      [303, 'GET /then'],
      [307, 'POST /then {}'],
      [308, 'POST /then {}'],
    ] as const)
      await withServer(
        ({ url }, response) => (url === '/' ? to(response, 'then', status) : response.end()),
        async (port, asked) => {
          const post = asking(`http://${HERE}:${port}/`, { method: 'POST', body: '{}' });
          await outgoing(here).send(post);
          assert.equal(asked, ['POST / {}', then]);
        },
      );
  });

  test('each step is looked at again: a name that means another address by then is not followed', () =>
    withServer(
      (_, response) => to(response, '/again'),
      async (port, asked) => {
        const answers = [[HERE], ['10.0.0.1']];
        const client = outgoing({ ...here, resolve: async () => answers.shift() ?? [] });
        const failed = await fault(client.send(asking(`http://rebinding.test:${port}/`)));
        assert.instance(failed, OutgoingFailed);
        assert.is((failed as OutgoingFailed).reason, 'address_not_allowed');
        assert.is(asked.length, 1);
      },
    ));

  test('all steps share one deadline, and a loop ends', () =>
    withServer(
      ({ url }, response) => {
        if (url === '/') to(response, '/silent');
      },
      async port => {
        const failed = await fault(outgoing(here).send(asking(`http://${HERE}:${port}/`, { withinMs: 150 })));
        assert.is((failed as OutgoingFailed).reason, 'timed_out');
      },
    ));

  test('a redirect without a location is an answer', () =>
    withServer(
      (_, response) => response.writeHead(302).end('odd'),
      async port => {
        const { status } = await outgoing(here).send(asking(`http://${HERE}:${port}/`));
        assert.is(status, 302);
      },
    ));

  test('an address for other connections is looked at by the same rules', async () => {
    const resolve: Resolve = async name => (name === 'open.test' ? ['8.8.8.8'] : ['192.168.1.1']);
    const client = outgoing({ allowed: networksOf(''), resolve });
    assert.is(await client.addressOf('open.test', true), '8.8.8.8');
    for (const [host, isSecure] of [
      ['open.test', false],
      ['closed.test', true],
      ['localhost', true],
      ['[::1]', true],
      ['169.254.169.254', true],
    ] as const) {
      const failed = (await fault(client.addressOf(host, isSecure))) as OutgoingFailed;
      assert.is(failed.reason, 'address_not_allowed', host);
    }
    const nobody = outgoing({ ...here, resolve: async () => [] });
    assert.is(((await fault(nobody.addressOf('none.test', true))) as OutgoingFailed).reason, 'unreachable');
  });
});
