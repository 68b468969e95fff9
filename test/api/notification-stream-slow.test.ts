import { connect, type Socket } from 'node:net';
import * as assert from 'uvu/assert';
import { Listener } from '../../api/notifications/listeners.js';
import { messages } from '../../api/notifications/messages.js';
import { DAY } from '../../domain/time.js';
import { until } from '../platform.js';
import { suite } from '../suite.js';
import { notificationsApi, type NotificationsApi } from './notifications-world.js';

const COUNT = 600;
const BYTES = 50_000;
/** Far more than this is told; what lies with the network, on both sides, is some megabytes. */
const MOST_AHEAD = 15_000_000;

suite('a stream that nobody reads', test => {
  let world: NotificationsApi;
  const sockets: Socket[] = [];
  test.before(async () => {
    world = await notificationsApi();
  });
  test.after(async () => {
    // The platform stops with streams open, one of them stuck
    await world.close();
    sockets.forEach(socket => socket.destroy());
  });

  /** A stream as bytes; nothing is read before somebody asks for data. */
  function listen(): Socket {
    const { base, installed } = world.api;
    const socket = connect(Number(new URL(base).port), '127.0.0.1');
    const lines = [
      'GET /v1/notifications/stream HTTP/1.1',
      'Host: h',
      `Authorization: Bearer ${installed.token}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
    sockets.push(socket);
    return socket;
  }
  /** So many large notifications, told as the reactor does. */
  async function tell(): Promise<void> {
    const { platform, installed } = world.api;
    const { commands } = platform.areas.notifications;
    const to = { uid: installed.uid, workspace: world.workspace, preferences: null, channels: [] };
    async function* recipients() {
      yield [{ ...to, timezone: 'UTC' }];
    }
    const context = {
      actor: 'operator',
      request: null,
      correlation: 'c',
      causation: null,
      at: world.clock.now,
    };
    for (let i = 0; i < COUNT; i++) {
      const data = { promotion_id: `prm_${i}`, message: 'x'.repeat(BYTES) };
      const notice = { kind: 'deployment.failed', to, goalId: null, data, groupKey: `g${i}` };
      // Each in a part of the inbox of its own: to look through all of it each time would take long
      const cause = { id: `slow ${i}`, at: world.clock.now - i * DAY, position: null };
      await commands.tell(notice, cause, recipients(), { ...context, workspace: world.workspace });
    }
    await platform.visible(await platform.stores.events.head());
  }

  test('costs what the network holds and a page, and misses nothing when it is read at last', async () => {
    const { queries } = world.api.platform.areas.notifications;
    const { toldSince } = queries;
    let read = 0;
    Object.assign(queries, {
      async toldSince(...asked: Parameters<typeof toldSince>) {
        const docs = await toldSince(...asked);
        read += docs.length;
        return docs;
      },
    });
    const socket = listen();
    await new Promise(resolve => socket.once('readable', resolve));
    await tell();
    let before = -1;
    await until(async () => {
      const stands = read > 0 && read === before;
      before = read;
      return stands;
    }, 'a standstill');
    assert.ok(read * BYTES < MOST_AHEAD, `${read} of ${COUNT} were read from the store`);

    let text = '';
    const seen: number[] = [];
    await new Promise<void>(resolve =>
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString('latin1');
        const found = [...text.matchAll(/"promotion_id":"prm_(\d+)"/g)];
        seen.push(...found.map(([, number]) => Number(number)));
        if (found.length > 0) text = text.slice(found.at(-1)!.index + 20);
        if (seen.length === COUNT) resolve();
      }),
    );
    assert.equal(
      seen,
      Array.from({ length: COUNT }, (_, i) => i),
    );
    Object.assign(queries, { toldSince });
    listen();
    listen().once('data', function (this: Socket) {
      this.pause();
    });
  });

  test('says that it is there where nothing is told', async () => {
    const { queries } = world.api.platform.areas.notifications;
    const listener = new Listener('usr_nobody', 'tok_none');
    let asked = 0;
    const blocks = messages({
      ...{ listener, queries, from: 0, begins: 'new', clock: () => 1000, pingMs: 5 },
      mayHear: async () => true,
      isAllowed: async () => ++asked < 3,
    });
    const said: string[] = [];
    for await (const block of blocks) said.push(block);
    assert.equal(said, ['retry: 3000\nid: 0-rs\nevent: listening\ndata: {}\n\n', ': ping\n\n', ': ping\n\n']);
  });

  test('asks whether it may go on, however much is told', async () => {
    const { areas, stores } = world.api.platform;
    const { queries } = areas.notifications;
    const { uid } = world.api.installed;
    const docs = await queries.toldSince(uid, 0, await stores.events.head(), 1);
    assert.is(docs.length, 1);
    const listener = new Listener(uid, 'tok');
    const busy = {
      ...queries,
      async toldSince() {
        listener.wake();
        return docs;
      },
    };
    const blocks = messages({
      ...{ listener, queries: busy, from: 0, begins: 'new', clock: () => 1000, pingMs: 20 },
      mayHear: async () => true,
      isAllowed: async () => false,
    });
    let told = 0;
    for await (const _ of blocks) if (++told > 200_000) break;
    assert.ok(told > 1 && told < 200_000, String(told));
  });
});
