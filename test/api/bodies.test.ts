import { connect } from 'node:net';
import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import type { Answered } from './client.js';
import { WORKSPACE, worldOf, type World } from './world.js';

const good = { key: 'a', text: 'b' };
const fault = ({ status, body }: Answered) => [
  status,
  body.detail[0]?.loc.join('.'),
  body.detail[0]?.type,
  body.detail[0]?.msg,
];

suite('bodies', test => {
  let world: World;
  test.before(async () => {
    world = await worldOf();
  });
  test.after(() => world.close());
  const make = (body: unknown, headers = {}) => world.api.post('/v1/toys', body, headers);
  const seen = async (body: object) => (await make(body)).body.data.body;

  test('a whole body arrives as it was sent', async () => {
    const body = {
      ...good,
      text: 'emoji 🌩 العربية \0 "\\',
      size: 3,
      note: null,
      config: { path: 'x' },
      parts: [{ label: 'y' }],
      raw: { any: [1, null] },
    };
    assert.equal(await seen(body), body);
    assert.equal(await seen({ ...good, text: 'x'.repeat(100_000) }), { ...good, text: 'x'.repeat(100_000) });
  });

  const demands: readonly [object | undefined, string, string][] = [
    [undefined, 'toy_key_required', "Toy key ('key') is required"],
    [{}, 'toy_key_required', "Toy key ('key') is required"],
    [{ key: null, text: 'b' }, 'toy_key_required', "Toy key ('key') is required"],
    [{ key: ' \t\n', text: 'b' }, 'toy_key_required', "Toy key ('key') is required"],
    [{ key: '', text: 5 }, 'toy_key_required', "Toy key ('key') is required"],
    [{ key: 'a' }, 'toy_text_required', "Toy 'text' is required"],
    [{ key: 'a', text: '' }, 'toy_text_required', "Toy 'text' is required"],
    [{ key: 'a', size: 'many' }, 'toy_text_required', "Toy 'text' is required"],
  ];
  for (const [body, code, message] of demands)
    test(`${JSON.stringify(body)} is 400 ${code}`, async () => {
      const answer = await make(body);
      assert.equal(
        [answer.status, answer.body.error.code, answer.body.error.message, answer.body.status],
        [400, code, message, message],
      );
    });

  const faults: readonly [unknown, string, string, string][] = [
    [{ ...good, key: 5 }, 'body.key', 'string_type', 'must be a string'],
    [{ ...good, size: 2.5 }, 'body.size', 'integer_type', 'must be an integer'],
    [{ ...good, size: 0 }, 'body.size', 'greater_than_equal', 'must be >= 1'],
    [
      { ...good, key: 'x'.repeat(41) },
      'body.key',
      'string_too_long',
      'must NOT have more than 40 characters',
    ],
    [{ ...good, colour: 'blue' }, 'body.colour', 'enum', 'must be one of red, green'],
    [{ ...good, note: 5 }, 'body.note', 'string_type', 'must be a string or null'],
    [{ ...good, parts: [{ label: 'a' }, {}] }, 'body.parts.1.label', 'missing', 'is required'],
    [
      { ...good, config: { deep: { on: 'yes' } } },
      'body.config.deep.on',
      'boolean_type',
      'must be true or false',
    ],
    [[], 'body', 'object_type', 'must be an object'],
    ['text', 'body', 'object_type', 'must be an object'],
    [null, 'body', 'object_type', 'must be an object'],
    [5, 'body', 'object_type', 'must be an object'],
  ];
  for (const [body, loc, type, msg] of faults)
    test(`${JSON.stringify(body).slice(0, 60)} is 422 at ${loc}`, async () => {
      const answer = await make(JSON.stringify(body));
      assert.equal(fault(answer), [422, loc, type, msg]);
      assert.equal(
        [answer.body.error.code, answer.body.error.message],
        ['validation_error', '1 field is not valid'],
      );
    });

  test('all faults are listed, with what was sent, but no secret', async () => {
    const { body } = await make({ ...good, size: 77, colour: 'blue', pin: 'abc', parts: 1 });
    assert.is(body.error.message, '4 fields are not valid');
    const byPlace = Object.fromEntries(body.detail.map(({ loc, input }) => [loc[1], input]));
    assert.equal(byPlace, { size: 77, colour: 'blue', pin: undefined, parts: 1 });
  });

  test('at most 50 faults are listed; of a large body one', async () => {
    const many = await make({ ...good, parts: Array.from({ length: 300 }, () => ({})) });
    assert.equal([many.body.detail.length, many.body.error.message], [50, '300 fields are not valid']);
    const large = await make({
      ...good,
      text: 'x'.repeat(200_000),
      parts: Array.from({ length: 300 }, () => ({})),
    });
    assert.is(large.body.detail.length, 1);
  });

  test('names that are not known are passed over and named', async () => {
    const { status, headers } = await make({
      ...good,
      colours: 1,
      config: { path: 'x', tpyo: 1, deep: { off: 1 } },
      parts: [
        { label: 'a', q: 1 },
        { label: 'b', q: 2 },
      ],
      raw: { free: 1 },
      'ü,%': 1,
    });
    assert.is(status, 200);
    assert.is(headers['x-ignored-fields'], 'colours, config.tpyo, config.deep.off, parts[].q, %C3%BC%2C%25');
    assert.is((await make(good)).headers['x-ignored-fields'], undefined);
    const many = await make({
      ...good,
      ...Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`${'ü'.repeat(30)}${i}`, i])),
    });
    assert.ok(many.headers['x-ignored-fields']!.length < 1100);
    assert.is((await make({ ...good, ['x'.repeat(5000)]: 1 })).headers['x-ignored-fields'], '...');
  });

  test('what is not JSON in UTF-8 is 400 invalid_json', async () => {
    for (const text of [
      '{',
      '{"key":}',
      'key=a',
      "{'key':'a'}",
      '\ufeff{}',
      Buffer.from([0x22, 0xff, 0x22]),
    ]) {
      const { status, body } = await make(text);
      assert.equal([status, body.error.code], [400, 'invalid_json'], String(text));
    }
  });

  test('the position is said where reading failed', async () => {
    const position = async (text: string) => (await make(text)).body.error.details['position'];
    assert.equal([await position('{"key":"a",}'), await position('{"key":')], [11, 7]);
  });

  test('another type than JSON is 415, and a compressed body', async () => {
    const others = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'application/jsonp',
      'application/json; charset=latin1',
    ];
    for (const type of [undefined, ...others]) {
      const { status, body } = await make(JSON.stringify(good), { 'content-type': type });
      assert.equal([status, body.error.code], [415, 'unsupported_media_type'], String(type));
    }
    const json = [
      'application/json; charset=utf8',
      'application/json;charset="UTF-8"',
      'Application/JSON',
      'application/a+json',
    ];
    for (const type of json) {
      assert.is((await make(JSON.stringify(good), { 'content-type': type })).status, 200, type);
    }
    assert.is((await make(JSON.stringify(good), { 'content-encoding': 'gzip' })).status, 415);
  });

  const nested = (depth: number) => `${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}`;
  test('64 levels are taken, 65 are not, and a million end in an answer too', async () => {
    assert.is((await make(`{"key":"a","text":"b","raw":${nested(64)}}`)).status, 200);
    assert.equal(fault(await make(`{"key":"a","text":"b","raw":${nested(65)}}`)).slice(0, 3), [
      422,
      'body',
      'json_depth',
    ]);
    assert.equal(fault(await make(`{"key":"a","text":"b","raw":${nested(900_000)}}`)).slice(0, 3), [
      422,
      'body',
      'json_depth',
    ]);
  });

  test('half a pair of surrogates is 422, in a value and in a name; whole pairs are fine', async () => {
    assert.equal(fault(await make('{"key":"a","text":"\\ud83d"}')).slice(0, 3), [
      422,
      'body.text',
      'string_unicode',
    ]);
    assert.equal(fault(await make('{"key":"a","text":"b","raw":{"\\uDC00":1}}')).slice(0, 3), [
      422,
      'body.raw',
      'string_unicode',
    ]);
    assert.equal(fault(await make('{"key":"a","text":"b","raw":[1,["\\ud800x"]]}')).slice(0, 3), [
      422,
      'body.raw.1.0',
      'string_unicode',
    ]);
    assert.is((await make('{"key":"a","text":"\\ud83c\\udf29"}')).body.data.number !== undefined, true);
  });

  test('prototypes cannot be reached', async () => {
    const { status } = await make(
      '{"key":"a","text":"b","__proto__":{"size":"x"},"raw":{"__proto__":{"polluted":1}}}',
    );
    assert.equal([status, ({} as Record<string, unknown>).polluted], [200, undefined]);
  });

  test('a body that is too large is 413, said before it is read', async () => {
    const answer = await make({ ...good, text: 'x'.repeat(2_000_000) });
    assert.equal(
      [answer.status, answer.body.error.code, answer.body.error.details.limit_bytes],
      [413, 'payload_too_large', 2_000_000],
    );
    assert.is((await make({ ...good, text: 'x'.repeat(1_900_000) })).status, 200);
    assert.is((await world.api.get('/v1/toys/1')).status, 200);
  });

  test('also one that does not say its length', async () => {
    const { text } = await chunked(world, 2_100_000);
    assert.match(text, /^HTTP\/1.1 413 /);
    assert.match(text, /"limit_bytes":2000000/);
  });

  test('an endless body is cut off', async () => {
    const { text, taken } = await chunked(world, 200_000_000);
    assert.match(text, /^HTTP\/1.1 413 /);
    assert.ok(taken < 100_000_000, `${taken} bytes were taken`);
  });

  test('the bytes of a delivery come unread, whatever they are', async () => {
    const bytes = Buffer.from([0, 255, 123, 10]);
    const { body } = await world.api
      .as({})
      .post<{ bytes: string }>('/v1/deliveries/s1', bytes, { 'content-type': 'text/plain' });
    assert.is(body.bytes, bytes.toString('hex'));
    assert.is((await world.api.as({}).post('/v1/deliveries/s1', Buffer.alloc(101))).status, 413);
  });

  test('a client that goes away in the middle is no fault of ours', async () => {
    const socket = connect(world.listening.port, '127.0.0.1');
    socket.write(`${head(world)}Content-Length: 100\r\n\r\n{"key":`);
    await new Promise(resolve => setTimeout(resolve, 50));
    socket.destroy();
    await new Promise(resolve => setTimeout(resolve, 50));
    assert.equal(world.logged, []);
    assert.is((await world.api.get('/v1/toys/1')).status, 200);
  });
});

const head = (world: World): string =>
  'POST /v1/toys HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
  + `Authorization: Bearer ${world.token}\r\nX-Workspace-Id: ${WORKSPACE}\r\n`;

/** Sends `bytes` bytes in chunks of 64 kB, as far as the server takes them, and gives what it answered. */
function chunked(world: World, bytes: number): Promise<{ text: string; taken: number }> {
  const socket = connect(world.listening.port, '127.0.0.1');
  const chunk = `10000\r\n${'x'.repeat(65_536)}\r\n`;
  let left = bytes;
  let text = '';
  return new Promise(resolve => {
    const push = (): void => {
      while (left > 0 && !socket.destroyed) {
        left -= 65_536;
        if (!socket.write(chunk)) return void socket.once('drain', push);
      }
      if (!socket.destroyed) socket.end('0\r\n\r\n');
    };
    socket.on('data', data => {
      text += data.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve({ text, taken: socket.bytesWritten }));
    socket.write(`${head(world)}Transfer-Encoding: chunked\r\n\r\n`);
    push();
  });
}
