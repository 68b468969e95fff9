import { createServer, type Server, type Socket } from 'node:net';
import { createServer as tlsServer } from 'node:tls';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { networksOf } from '../../adapters/outgoing/addresses.js';
import { outgoing } from '../../adapters/outgoing/client.js';
import type { Resolve } from '../../adapters/outgoing/names.js';
import { OutgoingFailed, type OutgoingRequest } from '../../commands/ports/outgoing.js';
import { suite } from '../suite.js';

const HERE = '127.0.0.1';
/** Longer than any of these exchanges takes, where it is not the point that it runs out. */
const PATIENT_MS = 60_000;

/** A server that says on each connection whatever it is told to; it counts them. */
async function listening(talk: (socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const heard: string[] = [];
  const server: Server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('data', data => heard.push(data.toString()));
    talk(socket);
  });
  server.listen(0, HERE);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  return {
    ...{ port, heard, url: `http://${HERE}:${port}/in?a=1` },
    connections: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
type Talk = Parameters<typeof listening>[0];
const answering =
  (text: string): Talk =>
  socket =>
    socket.once('data', () => socket.write(text));
const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi';
const never: Resolve = async () => {
  throw new Error('nobody asks');
};

const here = { allowed: networksOf(HERE), resolve: never };
const post = (url: string, over: Partial<OutgoingRequest> = {}): OutgoingRequest => ({
  ...{ method: 'POST', url, headers: { 'x-a': 'b' }, body: '{}', withinMs: PATIENT_MS, maxBytes: 1_000 },
  ...over,
});
const failing = async (sent: Promise<unknown>): Promise<string> => {
  try {
    await sent;
  } catch (error) {
    assert.instance(error, OutgoingFailed);
    return (error as OutgoingFailed).reason;
  }
  return 'sent';
};

/** Runs with a server that talks so, and ends both. */
async function withServer(
  talk: Talk,
  work: (server: Awaited<ReturnType<typeof listening>>) => Promise<void>,
) {
  const server = await listening(talk);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

suite('requests that leave', test => {
  test('what is sent comes, and the answer with it', () =>
    withServer(answering(ok), async ({ url, heard }) => {
      const { status, body } = await outgoing(here).send(post(url));
      assert.equal([status, body.toString()], [200, 'hi']);
      assert.match(heard.join(''), /^POST \/in\?a=1 HTTP\/1.1\r\n.*x-a: b\r\n.*\r\n\r\n\{\}$/s);
    }));

  test('a redirect is an answer, and is not followed', () =>
    withServer(answering(ok), async inner =>
      withServer(
        answering(`HTTP/1.1 302 Found\r\nlocation: ${inner.url}\r\ncontent-length: 0\r\n\r\n`),
        async ({ url }) => {
          assert.is((await outgoing(here).send(post(url))).status, 302);
          assert.is(inner.connections(), 0);
        },
      ),
    ));

  test('an address that is not public is not even connected to', () =>
    withServer(answering(ok), async ({ url, port, connections }) => {
      const closed = outgoing({ allowed: networksOf(''), resolve: never });
      const forms = ['127.0.0.1', '127.1', '0x7f.1', '2130706433', 'localhost', 'a.localhost', '[::1]'];
      const mapped = ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::]', '0.0.0.0', '0'];
      for (const host of [...forms, ...mapped])
        for (const scheme of ['http', 'https'])
          assert.is(await failing(closed.send(post(`${scheme}://${host}:${port}/`))), 'address_not_allowed');
      assert.is(await failing(closed.send(post(url))), 'address_not_allowed');
      assert.is(connections(), 0);
    }));

  test('a name that means another address when it is connected to is refused then', () =>
    withServer(answering(ok), async ({ port, connections }) => {
      const answers = [['8.8.8.8'], [HERE], ['::ffff:7f00:1'], ['169.254.169.254'], ['10.0.0.1', 'fe80::1']];
      const resolve: Resolve = async () => answers.shift() ?? [];
      const closed = outgoing({ allowed: networksOf(''), resolve });
      const url = `https://rebinding.test:${port}/`;
      assert.is(await closed.refusal(url), null);
      for (let left = answers.length; left > 0; left--)
        assert.is(await failing(closed.send(post(url))), 'address_not_allowed');
      assert.is(connections(), 0);
    }));

  test('of several addresses one that may be asked is', () =>
    withServer(answering(ok), async ({ port, heard }) => {
      const resolve: Resolve = async () => ['10.0.0.1', HERE];
      const { status } = await outgoing({ ...here, resolve }).send(post(`http://receiver.test:${port}/`));
      assert.is(status, 200);
      assert.match(heard.join(''), new RegExp(`host: receiver.test:${port}\r\n`));
    }));

  test('what is public is asked by TLS alone, and TLS asks for the name', async () => {
    const refuses = outgoing({ ...here, resolve: async () => ['8.8.8.8'] });
    assert.is(await refuses.refusal('http://example.test/'), 'must begin with https://');
    assert.is(await failing(refuses.send(post('http://example.test/'))), 'address_not_allowed');
    assert.is(await refuses.refusal('https://example.test/'), null);
    const names: string[] = [];
    const server = tlsServer({
      SNICallback: (name, done) => done(new Error(`asked for ${names.push(name)}`)),
    });
    server.on('tlsClientError', () => undefined).listen(0, HERE);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const named = outgoing({ ...here, resolve: async () => [HERE] });
    assert.is(await failing(named.send(post(`https://receiver.test:${port}/`))), 'unreachable');
    assert.equal(names, ['receiver.test']);
    server.close();
  });

  test('who never answers, never ends or trickles, is left at the deadline', async () => {
    const head = 'HTTP/1.1 200 OK\r\n';
    const trickle: Talk = socket => {
      const drop = setInterval(() => socket.write('x'), 5);
      socket.once('close', () => clearInterval(drop));
      socket.write(`${head}x-slow: `);
    };
    const silent: Talk = () => undefined;
    const half: Talk = answering(`${head}content-length: 100\r\n\r\nhalf`);
    for (const talk of [trickle, silent, half])
      await withServer(talk, async ({ url }) => {
        assert.is(await failing(outgoing(here).send(post(url, { withinMs: 100 }))), 'timed_out');
      });
    const stuck = outgoing({ ...here, resolve: () => new Promise(() => undefined) });
    assert.is(await failing(stuck.send(post('https://stuck.test/', { withinMs: 100 }))), 'timed_out');
  });

  test('an endless answer is read up to its limit, and not at all where nobody wants it', async () => {
    const endless: Talk = socket =>
      socket.once('data', () => {
        const more = () => {
          while (!socket.destroyed && socket.write('1000\r\n'.concat('y'.repeat(0x1000), '\r\n')));
        };
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n');
        socket.on('drain', more);
        more();
      });
    await withServer(endless, async ({ url }) => {
      assert.is(await failing(outgoing(here).send(post(url))), 'answer_too_long');
      assert.equal(await outgoing(here).send(post(url, { maxBytes: 0 })), {
        status: 200,
        body: Buffer.alloc(0),
      });
    });
    await withServer(
      answering(`HTTP/1.1 200 OK\r\nx-long: ${'z'.repeat(20_000)}\r\n\r\n`),
      async ({ url }) => {
        assert.is(await failing(outgoing(here).send(post(url))), 'unreachable');
      },
    );
  });

  test('who is not there, hangs up, talks nonsense or has no name is unreachable', async () => {
    await withServer(
      socket => socket.destroy(),
      async ({ url }) => {
        assert.is(await failing(outgoing(here).send(post(url))), 'unreachable');
      },
    );
    await withServer(answering('220 mail.test ESMTP\r\n'), async ({ url }) => {
      assert.is(await failing(outgoing(here).send(post(url))), 'unreachable');
    });
    const nameless = outgoing({ ...here, resolve: async () => [] });
    assert.is(await failing(nameless.send(post('https://nobody.test/'))), 'unreachable');
    assert.is(await nameless.refusal('https://nobody.test/'), null);
    assert.is(await failing(outgoing(here).send(post('https://nobody.test/'))), 'unreachable');
  });

  test('closing ends what is under way', () =>
    withServer(
      () => undefined,
      async ({ url, heard }) => {
        const client = outgoing(here);
        const sent = failing(client.send(post(url)));
        while (heard.length === 0) await new Promise(resolve => setImmediate(resolve));
        await client.close();
        assert.is(await sent, 'unreachable');
      },
    ));
});
