import * as assert from 'uvu/assert';
import { startPlatform, temporaryFolder, until, type Running } from '../platform.js';
import { suite } from '../suite.js';
import { broken, whole } from './utf8.js';
import { frame, wire, type Wire } from './wire.js';

// RFC 6455 byte by byte, with the numbers of the cases of Autobahn's suite that they were written after. That
// suite asks an echo; here a message is taken when the gateway answers it. Its cases 9 (large messages), 12
// and 13 (compression, which is not offered) do not apply.

const [TEXT, BINARY, CLOSE, PING, PONG] = [1, 2, 8, 9, 10];
const GOING_ON = 0;
const PROTOCOL = 1002;
const ping = (ref: string): string => JSON.stringify({ type: 'ping', ref });
const text = (payload: Buffer | string, more: object = {}) => frame({ opcode: TEXT!, payload, ...more });
const closing = (code: number | null, reason: Buffer | string = '') => {
  const head = Buffer.alloc(code === null ? 0 : 2);
  if (code !== null) head.writeUInt16BE(code);
  return frame({ opcode: CLOSE!, payload: Buffer.concat([head, Buffer.from(reason)]) });
};

suite('RFC 6455 on the realtime gateway', test => {
  const folder = temporaryFolder();
  let api: Running;
  test.before(async () => {
    api = await startPlatform(folder.path, { running: ['api', 'projections'] });
  });
  test.after(async () => {
    await api.stop();
    folder.remove();
  });
  const on = async (body: (wire: Wire) => Promise<void>): Promise<void> => {
    const connection = await wire(api.base, api.installed.token);
    try {
      await body(connection);
    } finally {
      connection.end();
    }
  };
  const answered = (connection: Wire, ref: string) =>
    until(async () => connection.json().find(each => each['ref'] === ref), `an answer to ${ref}`);
  /** What is written is taken, and the connection goes on. */
  const fine = (...bytes: Buffer[]) =>
    on(async connection => {
      for (const each of bytes) connection.write(each);
      connection.write(text(ping('end')));
      await answered(connection, 'end');
      assert.not(connection.isGone());
    });
  /** What is written ends the connection with a code. */
  const ends = (code: number, ...bytes: Buffer[]) =>
    on(async connection => {
      for (const each of bytes) connection.write(each);
      assert.is(
        await connection.code(),
        code,
        bytes.map(each => each.toString('hex').slice(0, 60)).join(' '),
      );
    });
  const inBytes = (bytes: Buffer): Buffer[] => Array.from(bytes, (_, i) => bytes.subarray(i, i + 1));

  test('1.1: messages of text of all lengths, whole and in pieces', async () => {
    for (const size of [30, 125, 126, 127, 128, 65_535, 65_536])
      await on(async connection => {
        const message = text(ping('r').padEnd(size));
        for (let i = 0; i < message.length; i += 997) connection.write(message.subarray(i, i + 997));
        await answered(connection, 'r');
      });
    await fine(text(''));
  });

  test('1.2: binary messages are taken, as no frame of ours', () =>
    on(async connection => {
      for (const size of [0, 125, 126, 128, 65_536])
        connection.write(frame({ opcode: BINARY!, payload: Buffer.alloc(size, 0xfe) }));
      await until(async () => connection.json().filter(({ code }) => code === 'bad_frame').length === 5);
    }));

  test('2: a ping is answered with its bytes; a pong that nobody asked for is not', async () => {
    for (const payload of [
      Buffer.alloc(0),
      Buffer.from('Hello'),
      Buffer.from([0, 255, 254, 253, 0, 128]),
      Buffer.alloc(125, 254),
    ])
      await on(async connection => {
        connection.write(frame({ opcode: PONG!, payload: 'unasked' }));
        for (const byte of inBytes(frame({ opcode: PING!, payload }))) connection.write(byte);
        const [pong] = await until(async () => connection.frames().length > 0 && connection.frames());
        assert.equal([pong!.opcode, pong!.payload], [PONG, payload]);
      });
    await ends(PROTOCOL, frame({ opcode: PING!, payload: Buffer.alloc(126) }));
    await on(async connection => {
      const many = Array.from({ length: 10 }, (_, i) => `payload-${i}`);
      connection.write(Buffer.concat(many.map(payload => frame({ opcode: PING!, payload }))));
      await until(async () => connection.frames().length === many.length);
      assert.equal(
        connection.frames().map(({ payload }) => String(payload)),
        many,
      );
    });
  });

  test('3: reserved bits end the connection, behind what was right', async () => {
    for (let reserved = 1; reserved < 8; reserved++) {
      await ends(PROTOCOL, text('x', { reserved }));
      await ends(PROTOCOL, frame({ opcode: PING!, reserved }));
      await ends(PROTOCOL, frame({ opcode: CLOSE!, reserved }));
    }
    await on(async connection => {
      connection.write(Buffer.concat([text(ping('first')), text(ping('second'), { reserved: 4 })]));
      assert.is(await connection.code(), PROTOCOL);
      assert.equal(
        connection.json().map(({ ref }) => ref),
        ['first'],
      );
    });
  });

  test('4: reserved opcodes, too', async () => {
    for (const opcode of [3, 4, 5, 6, 7, 11, 12, 13, 14, 15]) {
      await ends(PROTOCOL, frame({ opcode }));
      await ends(PROTOCOL, text(ping('a')), frame({ opcode, payload: 'x' }));
    }
  });

  test('5: messages in parts, with control frames between them', async () => {
    await on(async connection => {
      const [a, b, c] = [ping('parts').slice(0, 5), ping('parts').slice(5, 9), ping('parts').slice(9)];
      const more = { fin: false };
      const parts = [
        text(a!, more),
        frame({ opcode: PING!, payload: 'one' }),
        frame({ opcode: GOING_ON, payload: b!, ...more }),
        frame({ opcode: GOING_ON, ...more }),
        frame({ opcode: PING!, payload: 'two' }),
        frame({ opcode: GOING_ON, payload: c! }),
      ];
      for (const byte of inBytes(Buffer.concat(parts))) connection.write(byte);
      await answered(connection, 'parts');
      assert.equal(
        connection.frames().map(({ opcode }) => opcode),
        [PONG, PONG, TEXT],
      );
    });
    await ends(PROTOCOL, frame({ opcode: PING!, fin: false }));
    await ends(PROTOCOL, frame({ opcode: PONG!, fin: false }));
    for (const fin of [true, false]) await ends(PROTOCOL, frame({ opcode: GOING_ON, payload: 'x', fin }));
    await ends(PROTOCOL, text('{', { fin: false }), text('}'));
    await ends(PROTOCOL, text('a'), frame({ opcode: GOING_ON, payload: 'x' }));
  });

  test('6: text is UTF-8, in whatever parts it comes', async () => {
    for (const good of whole) {
      await fine(text(good));
      const parts = inBytes(good).map((payload, i) =>
        frame({ opcode: i === 0 ? TEXT! : GOING_ON, payload, fin: false }),
      );
      await fine(...parts, frame({ opcode: GOING_ON }));
    }
    for (const bad of broken) {
      await ends(1007, text(bad));
      const half = bad.length >> 1;
      const parts = [
        text(bad.subarray(0, half), { fin: false }),
        frame({ opcode: GOING_ON, payload: bad.subarray(half) }),
      ];
      await ends(1007, ...parts);
    }
  });

  test('7: the closing handshake', async () => {
    await ends(1005, closing(null));
    for (const code of [1000, 1001, 1002, 1003, 1007, 1008, 1009, 1010, 1011, 3000, 3999, 4000, 4999])
      await ends(code, closing(code, 'a reason'));
    await ends(1000, closing(1000, 'x'.repeat(123)));
    await ends(PROTOCOL, closing(1000, 'x'.repeat(124)));
    await ends(PROTOCOL, frame({ opcode: CLOSE!, payload: 'x' }));
    for (const code of [0, 999, 1004, 1005, 1006, 1016, 1100, 2000, 2999, 5000, 65_535])
      await ends(PROTOCOL, closing(code, 'a reason'));
    for (const bad of broken.slice(0, 10)) await ends(1007, closing(1000, bad));
    // What comes behind it is not looked at
    await on(async connection => {
      connection.write(
        Buffer.concat([closing(1000), text(ping('late')), frame({ opcode: PING! }), closing(1001)]),
      );
      assert.is(await connection.code(), 1000);
      assert.equal(
        connection.frames().map(({ opcode }) => opcode),
        [CLOSE],
      );
    });
  });

  test('frames of a client are masked, and no length is beyond what there can be', async () => {
    await ends(PROTOCOL, text(ping('a'), { masked: false }));
    const huge = Buffer.from([0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 2, 3, 4]);
    await ends(4413, huge);
    await ends(4413, Buffer.from([0x81, 0xff, 0, 0, 0, 0, 0, 1, 0, 1, 1, 2, 3, 4]));
    // Gone without a word, in the midst of a frame
    await on(async connection => void connection.write(text(ping('half')).subarray(0, 9)));
    await fine();
  });
});
