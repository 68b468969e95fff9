import { createHash, randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { temporaryFolder } from '../platform.js';
import { suite } from '../suite.js';
import type { Answered } from './client.js';
import { TOY_LIMIT } from './toy-uploads.js';
import { WORKSPACE, worldOf, type World } from './world.js';

type Part = { readonly head: string; readonly content: string | Buffer };
const file = (content: string | Buffer, head = 'filename="a b.csv"\r\nContent-Type: text/csv'): Part => ({
  head: `name="file"; ${head}`,
  content,
});
const field = (name: string, content: string, type = ''): Part => ({
  head: `name="${name}"${type && `\r\nContent-Type: ${type}`}`,
  content,
});
const BOUNDARY = 'toys-boundary';
const bodyOf = (parts: readonly Part[], end = `--${BOUNDARY}--\r\n`): Buffer =>
  Buffer.concat([
    ...parts.flatMap(({ head, content }) => [
      Buffer.from(`--${BOUNDARY}\r\nContent-Disposition: form-data; ${head}\r\n\r\n`),
      Buffer.from(content),
      Buffer.from('\r\n'),
    ]),
    Buffer.from(end),
  ]);
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`;
const sha256 = (content: string | Buffer): string => createHash('sha256').update(content).digest('hex');

suite('uploads', test => {
  const folder = temporaryFolder();
  const uploads = join(folder.path, 'uploads');
  let world: World;
  test.before(async () => {
    world = await worldOf({ uploads, limits: { upload: { limit: 1_000, windowS: 60, per: 'token' } } });
  });
  test.after(async () => {
    await world.close();
    folder.remove();
  });
  const upload = (parts: readonly Part[], headers: Record<string, string> = {}): Promise<Answered> =>
    world.api.post('/v1/toys/files', bodyOf(parts), { 'content-type': MULTIPART, ...headers });
  const left = () => (existsSync(uploads) ? readdirSync(uploads) : []);
  const fault = ({ status, body }: Answered) => [
    status,
    body.detail?.[0]?.loc.join('.') ?? body.error.code,
    body.detail?.[0]?.msg ?? '',
  ];

  test('a file and what is said of it arrive as they were sent, and nothing is left behind', async () => {
    const { status, body } = await upload([
      field('label', 'grüße 🌩'),
      file('a,b\r\n1,2\r\n'),
      field('size', '3'),
    ]);
    assert.is(status, 200);
    const { path, ...data } = body.data;
    assert.equal(data, {
      ...{ name: 'a b.csv', bytes: 10, sha256: sha256('a,b\r\n1,2\r\n'), text: 'a,b\r\n1,2\r\n' },
      body: { label: 'grüße 🌩', size: 3 },
    });
    assert.not(existsSync(String(path)));
    assert.equal(left(), []);
  });

  test('members that are no texts come as JSON; a file may lack its type, a text may have one', async () => {
    const { body } = await upload([
      field('parts', '{"left":"x","lost":1}', 'application/json'),
      field('on', 'true'),
      field('label', 'x', 'text/plain'),
      file('x', 'filename="a.csv"'),
    ]);
    assert.equal(body.data.body, { parts: { left: 'x', lost: 1 }, on: true, label: 'x' });
  });

  test('a file of any bytes up to the limit, by a form as browsers and fetch send it', async () => {
    const content = Buffer.concat([Buffer.from(`\r\n--${BOUNDARY}`), randomBytes(TOY_LIMIT - 100)]);
    const form = new FormData();
    form.set('label', 'x');
    form.set('file', new Blob([content]), 'toy.bin');
    const answer = await fetch(`${world.api.base}/v1/toys/files`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.token}`, 'x-workspace-id': WORKSPACE },
      body: form,
    });
    const { data } = (await answer.json()) as { data: Record<string, unknown> };
    assert.equal([data.bytes, data.sha256, data.name], [content.length, sha256(content), 'toy.bin']);
  });

  const label = field('label', 'x');
  const faults: readonly [string, readonly Part[], readonly unknown[]][] = [
    ['no file', [label], [422, 'body.file', 'is required']],
    ['an empty file without a label', [file('')], [422, 'body.label', 'is required']],
    ['no label', [file('x')], [422, 'body.label', 'is required']],
    [
      'a member of another kind',
      [label, field('size', '"many"'), file('x')],
      [422, 'body.size', 'must be an integer'],
    ],
    [
      'a member that is no JSON',
      [label, field('parts', '{'), file('x')],
      [422, 'body.parts', 'must be JSON'],
    ],
    ['a member twice', [label, label, file('x')], [422, 'body.label', 'must be given once']],
    [
      'two files',
      [label, file('x'), file('y')],
      [422, 'body', "may hold one file only, under the name 'file'"],
    ],
    [
      'a file of another name',
      [label, { head: 'name="data"; filename="x"', content: 'x' }],
      [422, 'body', "may hold one file only, under the name 'file'"],
    ],
    [
      'many parts',
      Array.from({ length: 60 }, (_, i) => field(`f${i}`, 'x')),
      [422, 'body', 'has more than 50 parts'],
    ],
    ['a file that is too large', [label, file(Buffer.alloc(TOY_LIMIT + 1))], [413, 'payload_too_large', '']],
    [
      'a text that is too large',
      [field('label', 'x'.repeat(1_100_000)), file('x')],
      [413, 'payload_too_large', ''],
    ],
    [
      'a part whose head never ends',
      [label, { head: `name="${'x'.repeat(2_000_000)}`, content: '' }],
      [422, 'body', 'has a part without an end of its head'],
    ],
  ];
  for (const [name, parts, expected] of faults)
    test(`${name} is refused, and nothing is left behind`, async () => {
      assert.equal(fault(await upload(parts)), expected);
      assert.equal(left(), []);
    });

  test('what is no form is 415, what breaks off in itself 422', async () => {
    const json = await world.api.post('/v1/toys/files', { label: 'x' });
    const bare = await world.api.post('/v1/toys/files', 'x', { 'content-type': 'multipart/form-data' });
    assert.equal([json.status, bare.status], [415, 415]);
    const cut = await world.api.post('/v1/toys/files', bodyOf([label, file('abc')], ''), {
      'content-type': MULTIPART,
    });
    assert.equal(fault(cut), [422, 'body', 'is not a whole multipart/form-data body']);
    assert.equal(left(), []);
  });

  test('unknown members are named in the answer', async () => {
    const { headers } = await upload([label, field('lable', 'y'), file('x')]);
    assert.is(headers['x-ignored-fields'], 'lable');
  });

  test('under a key the same upload is answered again, another one refused', async () => {
    const key = { 'idempotency-key': 'upload-1' };
    const first = await upload([label, file('x')], key);
    const again = await upload([label, file('x')], key);
    assert.equal(
      [again.status, again.headers['idempotency-replayed'], again.body],
      [200, 'true', first.body],
    );
    const other = await upload([label, file('y')], key);
    assert.equal([other.status, other.body.error.code], [409, 'idempotency_conflict']);
  });

  test('a client that goes away in the midst leaves nothing behind, and logs nothing', async () => {
    const { hostname, port } = new URL(world.api.base);
    const socket = connect(Number(port), hostname);
    const whole = bodyOf([label, file(Buffer.alloc(1_000_000))]);
    socket.write(
      `POST /v1/toys/files HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${world.token}\r\n`
        + `X-Workspace-Id: ${WORKSPACE}\r\nContent-Type: ${MULTIPART}\r\n`
        + `Content-Length: ${whole.length}\r\n\r\n`,
    );
    socket.write(whole.subarray(0, 500_000));
    await until(() => left().length === 1);
    socket.destroy();
    await until(() => left().length === 0);
    assert.equal(world.logged, []);
  });

  test('a fifth upload of one user waits its turn', async () => {
    const slow = Array.from({ length: 4 }, () => held(world));
    await until(() => left().length === 4);
    const refused = await upload([label, file('x')]);
    assert.equal(
      [refused.status, refused.body.error.code, refused.headers['retry-after']],
      [503, 'overloaded', '1'],
    );
    for (const { finish } of slow) finish();
    assert.equal(await Promise.all(slow.map(each => each.status)), [200, 200, 200, 200]);
    assert.equal(left(), []);
  });
});

/** An upload that ends when it is told to. */
function held(world: World): { readonly finish: () => void; readonly status: Promise<number> } {
  let finish = (): void => undefined;
  const body = bodyOf([field('label', 'x'), file('abc')]);
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(body.subarray(0, 120));
      finish = () => {
        controller.enqueue(body.subarray(120));
        controller.close();
      };
    },
  });
  const init = {
    method: 'POST',
    headers: {
      authorization: `Bearer ${world.token}`,
      'x-workspace-id': WORKSPACE,
      'content-type': MULTIPART,
    },
    body: stream,
    duplex: 'half',
  };
  const status = fetch(`${world.api.base}/v1/toys/files`, init as RequestInit).then(answer => answer.status);
  return { finish: () => finish(), status };
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setImmediate(resolve));
}
