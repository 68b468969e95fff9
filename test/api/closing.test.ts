import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { listen } from '../../api/edge/listen.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { WORKSPACE, inWorld, type World } from './world.js';

const requestTo = ({ token }: World, path: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${token}`,
    `X-Workspace-Id: ${WORKSPACE}`,
    '\r\n',
  ].join('\r\n');

/** All that a socket says until it ends. */
const whole = (socket: Socket): Promise<string> =>
  new Promise(resolve => {
    let text = '';
    socket.on('data', data => {
      text += data.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });

/** Resolves when no new connection is taken. */
const refusing = ({ listening: { port } }: World): Promise<true> =>
  until(
    () =>
      new Promise(resolve => {
        const late = connect(port, '127.0.0.1');
        late.on('connect', () => {
          late.destroy();
          resolve(null);
        });
        late.on('error', error => resolve((error as NodeJS.ErrnoException).code === 'ECONNREFUSED'));
      }),
    'connections are refused',
  );

suite('closing', test => {
  test('a request under way is finished, then its connection ends', () =>
    inWorld({}, async world => {
      const socket = connect(world.listening.port, '127.0.0.1');
      const said = whole(socket);
      socket.write(requestTo(world, '/v1/toys/wait'));
      await world.toys.waiting;
      const closed = world.listening.close(10);
      await refusing(world);
      world.toys.release();
      const text = await said;
      assert.match(text, /^HTTP\/1.1 200 OK/);
      assert.match(text, /\{"done":true\}$/);
      await closed;
    }));

  test('no new connections; open ones are asked to close with their next answer', () =>
    inWorld({}, async world => {
      const socket = connect(world.listening.port, '127.0.0.1');
      const said = whole(socket);
      socket.write(requestTo(world, '/v1/toys/1'));
      await once(socket, 'data');
      const closed = world.listening.close(5_000);
      await refusing(world);
      socket.write(requestTo(world, '/v1/toys/2'));
      const answers = (await said).split(/(?=HTTP\/1.1)/);
      assert.is(answers.length, 2);
      assert.match(answers[0]!, /Connection: keep-alive/);
      assert.match(answers[1]!, /^HTTP\/1.1 200 [\s\S]*Connection: close/);
      await closed;
    }));

  test('silent connections are cut, and what outlasts the limit, too', () =>
    inWorld({}, async world => {
      const idle = whole(connect(world.listening.port, '127.0.0.1'));
      const socket = connect(world.listening.port, '127.0.0.1');
      const stuck = whole(socket);
      socket.write(requestTo(world, '/v1/toys/wait'));
      await world.toys.waiting;
      await world.listening.close(10, 100);
      assert.equal([await idle, await stuck], ['', '']);
      world.toys.release();
    }));

  test('under load no request is cut off', () =>
    inWorld({}, async world => {
      let answered = 0;
      let going = true;
      const failures: string[] = [];
      const client = async (): Promise<void> => {
        while (going) {
          try {
            await world.api.get('/v1/toys/1');
            answered++;
          } catch (error) {
            if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') return;
            failures.push(String(error));
          }
        }
      };
      const clients = Array.from({ length: 8 }, client);
      await until(async () => answered > 100, 'answers');
      await world.listening.close();
      going = false;
      await Promise.all(clients);
      assert.equal(failures, []);
      assert.ok(answered > 0);
    }));

  test('a port that is taken is said', () =>
    inWorld({}, async world => {
      const taken = listen({ callback: () => async () => {} } as never, '127.0.0.1', world.listening.port);
      const error = await taken.catch((thrown: unknown) => thrown);
      assert.is((error as NodeJS.ErrnoException).code, 'EADDRINUSE');
    }));
});
