import { connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { WaitingBodies, defaultBodyRules } from '../../api/edge/waiting-bodies.js';
import { Rejected } from '../../domain/rejected.js';
import { suite } from '../suite.js';
import { inWorld, WORKSPACE, type World } from './world.js';

const good = JSON.stringify({ key: 'a', text: 'b' });

suite('bodies that are slow in coming', test => {
  test('take the place of nobody', async () => {
    await inWorld({ maxInFlight: 2 }, async world => {
      const slow = await Promise.all(Array.from({ length: 5 }, () => halfSent(world)));
      assert.is((await world.api.post('/v1/toys', good)).status, 200);
      const answers = slow.map(async ({ socket, answer }) => {
        socket.write(good.slice(5));
        return answer;
      });
      for (const text of await Promise.all(answers)) assert.match(text, /^HTTP\/1.1 200 /);
      for (const { socket } of slow) socket.destroy();
    });
  });

  test('are refused with 408 when they have not come in time, and the connection closes', async () => {
    // The platform's clock stands still here, and may be set anywhere: it does not count
    await inWorld({ bodies: { graceMs: 1 } }, async world => {
      const { answer, socket } = await halfSent(world);
      const text = await answer;
      socket.destroy();
      assert.match(text, /^HTTP\/1.1 408 [\s\S]*Connection: close[\s\S]*"code":"request_timeout"/);
    });
  });

  test('are bounded in number for a user, who gets 503 and Retry-After', async () => {
    await inWorld({ bodies: { perUser: 2 } }, async world => {
      const held = await Promise.all([halfSent(world), halfSent(world)]);
      const refused = await world.api.post('/v1/toys', good);
      assert.equal(
        [refused.status, refused.body.error.code, refused.headers['retry-after']],
        [503, 'overloaded', '1'],
      );
      world.people.join(WORKSPACE, 'usr_bob');
      const bob = world.api.as({ token: world.people.issue({ uid: 'usr_bob' }), workspace: WORKSPACE });
      assert.is((await bob.post('/v1/toys', good)).status, 200);
      for (const { socket } of held) socket.destroy();
    });
  });
});

suite('bodies that wait', test => {
  const bodiesOf = (rules: object) => {
    const bodies = new WaitingBodies({ ...defaultBodyRules, ...rules });
    const refused: unknown[] = [];
    const enter = (uid: string, address: string) =>
      bodies.enter(uid, address, error => refused.push((error as Rejected).code));
    return { bodies, refused, enter };
  };

  test('one alone may be as large as its row lets it', () => {
    const { bodies, refused, enter } = bodiesOf({ bytes: 1_000 });
    const body = enter('ann', '::1');
    bodies.add(body, Buffer.alloc(5_000));
    assert.equal(refused, []);
    bodies.leave(body);
  });

  test('several share the memory: a quarter for a user, half for an address, all for all', () => {
    const shares: [string, string, number][] = [
      ['ann', '::2', 1_900],
      ['bob', '::1', 4_500],
      ['bob', '::2', 9_000],
    ];
    for (const [uid, address, bytes] of shares) {
      const { bodies, refused, enter } = bodiesOf({ bytes: 8_000 });
      const first = enter('ann', '::1');
      bodies.add(first, Buffer.alloc(100));
      const second = enter(uid, address);
      bodies.add(second, Buffer.alloc(bytes));
      assert.equal(refused, ['overloaded'], `${uid} ${address}`);
      assert.equal([second.chunks.length, second.ended, first.ended], [0, true, false]);
      bodies.leave(first);
    }
  });

  test('an address has so many at once, and those that left count no more', () => {
    const { bodies, enter } = bodiesOf({ perAddress: 2 });
    const held = [enter('', '::1'), enter('ann', '::1')];
    assert.throws(
      () => enter('bob', '::1'),
      (error: unknown) => error instanceof Rejected,
    );
    enter('bob', '::2');
    assert.ok(bodies.leave(held[0]!));
    assert.not(bodies.leave(held[0]!));
    enter('bob', '::1');
  });

  test('many tiny chunks do not pass for little', () => {
    const { bodies, refused, enter } = bodiesOf({ bytes: 8_000 });
    enter('ann', '::1');
    const body = enter('ann', '::1');
    for (let i = 0; i < 20; i++) if (!body.ended) bodies.add(body, Buffer.alloc(1));
    assert.equal(refused, ['overloaded']);
  });
});

/** Sends a request up to the middle of its body, and resolves when the server has read so far. */
async function halfSent(world: World): Promise<{ socket: Socket; answer: Promise<string> }> {
  const socket = connect(world.listening.port, '127.0.0.1');
  const before = world.people.lookUps;
  let text = '';
  socket.on('data', data => {
    text += data.toString();
  });
  socket.on('error', () => undefined);
  const answer = new Promise<string>(resolve => {
    socket.on('data', () => {
      if (text.includes('}')) resolve(text);
    });
    socket.on('close', () => resolve(text));
  });
  socket.write(
    'POST /v1/toys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
      + `Authorization: Bearer ${world.token}\r\nX-Workspace-Id: ${WORKSPACE}\r\n`
      + `Content-Length: ${good.length}\r\n\r\n${good.slice(0, 5)}`,
  );
  while (world.people.lookUps === before) await new Promise(resolve => setImmediate(resolve));
  return { socket, answer };
}
