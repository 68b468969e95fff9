import * as assert from 'uvu/assert';
import { eventually } from '../contract/opened.js';
import { suite } from '../suite.js';
import { inWorld, OWNER, worldOf, type World } from './world.js';

const HOUR = 3_600_000;
type Made = { readonly data: { readonly number: number; readonly secret: string | null } };

suite('idempotency', test => {
  let world: World;
  let count = 0;
  let key = '';
  test.before(async () => {
    world = await worldOf();
  });
  test.before.each(() => {
    key = `key-${count++}`;
    world.toys.made = 0;
  });
  test.after(() => world.close());
  const make = (body: object, as = world.api, path = '/v1/toys') =>
    as.post<Made>(path, body, { 'idempotency-key': key });

  test('the first answer is repeated, nothing is done again, and what is secret is not kept', async () => {
    const first = await make({ key: 'a', text: 'b' });
    const second = await make({ key: 'a', text: 'b' });
    assert.equal([first.body.data.number, second.body.data.number, world.toys.made], [1, 1, 1]);
    assert.equal(
      [first.headers['idempotency-replayed'], second.headers['idempotency-replayed']],
      [undefined, 'true'],
    );
    assert.equal([first.headers.etag, second.headers.etag], ['"1"', '"1"']);
    assert.equal([first.body.data.secret, second.body.data.secret], ['shown once', null]);
  });

  test('for 24 hours', async () => {
    await make({ key: 'a', text: 'b' });
    world.now += 24 * HOUR - 1;
    assert.is((await make({ key: 'a', text: 'b' })).body.data.number, 1);
    world.now += 1;
    assert.is((await make({ key: 'a', text: 'b' })).body.data.number, 2);
  });

  test('the same key for another request is a conflict', async () => {
    await make({ key: 'a', text: 'b' });
    for (const path of ['/v1/toys', '/v1/toys?x=1']) {
      const { status, body } = await world.api.post(
        path,
        { key: 'a', text: path === '/v1/toys' ? 'c' : 'b' },
        { 'idempotency-key': key },
      );
      assert.equal([status, body.error.code], [409, 'idempotency_conflict']);
    }
    assert.is(world.toys.made, 1);
  });

  test('while the first is under way the second is told so, and many at once are done once', async () => {
    const first = make({ key: 'slow', text: 'b' });
    while (world.toys.made === 0) await new Promise(resolve => setImmediate(resolve));
    const { status, body, headers } = await world.api.post(
      '/v1/toys',
      { key: 'slow', text: 'b' },
      { 'idempotency-key': key },
    );
    assert.equal([status, body.error.code, headers['retry-after']], [409, 'idempotency_in_progress', '1']);
    const many = await Promise.all(Array.from({ length: 20 }, () => make({ key: 'slow', text: 'b' })));
    assert.ok(many.every(answer => answer.status === 409));
    world.toys.release();
    assert.equal([(await first).body.data.number, world.toys.made], [1, 1]);
  });

  test('a refusal is repeated, too, with the request id of its repeat', async () => {
    for (const replayed of [undefined, 'true']) {
      const { status, body, headers } = await world.api.post(
        '/v1/toys',
        { key: 'forbidden', text: 'b' },
        { 'idempotency-key': key },
      );
      assert.equal(
        [status, body.error.code, headers['idempotency-replayed']],
        [403, 'toy_read_only', replayed],
      );
    }
    assert.is(world.toys.made, 1);
  });

  test('a fault of ours is not kept', async () => {
    assert.is((await make({ key: 'broken', text: 'b' })).status, 500);
    assert.is((await make({ key: 'broken', text: 'b' })).body.data.number, 2);
  });

  test('nor is a request that was not valid', async () => {
    assert.is((await make({ key: 'a', text: 'b', size: 'x' })).status, 422);
    assert.is((await make({ key: 'a', text: 'b' })).status, 200);
  });

  test('a key means nothing to another user, workspace or path', async () => {
    world.people.join('wsp_toys', 'usr_bob');
    world.people.join('wsp_more', OWNER);
    await make({ key: 'a', text: 'b' });
    const bob = world.api.as({ token: world.people.issue({ uid: 'usr_bob' }), workspace: 'wsp_toys' });
    assert.is((await make({ key: 'a', text: 'b' }, bob)).body.data.number, 2);
    assert.is(
      (await make({ key: 'a', text: 'b' }, world.api.as({ token: world.token, workspace: 'wsp_more' }))).body
        .data.number,
      3,
    );
    assert.is((await make({}, world.api, '/v1/toys/promote')).status, 200);
    assert.is(world.toys.made, 4);
    const otherToken = world.api.as({ token: world.people.issue(), workspace: 'wsp_toys' });
    assert.is((await make({ key: 'a', text: 'b' }, otherToken)).headers['idempotency-replayed'], 'true');
  });

  test('a claim that cannot be made is 503, logged, and nothing is done', async () => {
    const { get, set } = world.kv;
    const down = () => Promise.reject(new Error('the disk is full'));
    const refuses = () => Promise.resolve(null);
    for (const broken of [{ get: down }, { set: down }, { set: refuses }]) {
      world.logged.length = 0;
      Object.assign(world.kv, broken);
      const { status, headers, body } = await world.api.post(
        '/v1/toys',
        { key: 'a', text: 'b' },
        { 'idempotency-key': key },
      );
      Object.assign(world.kv, { get, set });
      assert.equal([status, body.error.code, headers['retry-after']], [503, 'overloaded', '1']);
      const { fields, message } = world.logged[0]!;
      assert.is(fields.requestId, headers['x-request-id']);
      assert.match(message, 'no claim on an Idempotency-Key');
    }
    assert.is(world.toys.made, 0);
    assert.is((await make({ key: 'a', text: 'b' })).body.data.number, 1);
  });

  test('a failure to keep an answer or to free a key is logged and changes no answer', async () => {
    const { set } = world.kv;
    for (const [what, status, message] of [
      ['a', 200, 'the outcome of an Idempotency-Key was not kept'],
      ['broken', 500, 'an Idempotency-Key was not freed'],
    ] as const) {
      world.toys.made = 0;
      world.logged.length = 0;
      let writes = 0;
      world.kv.set = (...wanted) => (++writes > 1 ? Promise.reject(new Error('gone')) : set(...wanted));
      const answer = await make({ key: what, text: 'b' });
      world.kv.set = set;
      assert.is(answer.status, status);
      const line = world.logged.find(one => one.message === message)!;
      assert.is(line.fields.requestId, answer.headers['x-request-id']);
      assert.is((line.fields.err as Error).message, 'gone');
      key += '-more';
    }
  });

  test('an answer that can no longer be kept, since its key is another request by now, is logged', () =>
    inWorld({}, async other => {
      const slow = { key: 'slow', text: 'b' };
      const first = other.api.post<Made>('/v1/toys', slow, { 'idempotency-key': key });
      while (other.toys.made < 1) await new Promise(resolve => setImmediate(resolve));
      // As if the process had slept for longer than its claim lasts
      other.now += 60_000;
      const second = other.api.post<Made>('/v1/toys', slow, { 'idempotency-key': key });
      while (other.toys.made < 2) await new Promise(resolve => setImmediate(resolve));
      other.toys.release();
      assert.equal([(await first).status, (await second).status], [200, 200]);
      const late = other.logged.filter(({ message }) => message.endsWith('another request holds the key'));
      assert.equal(
        late.map(({ fields }) => fields.requestId),
        [(await first).headers['x-request-id']],
      );
      const third = await other.api.post<Made>('/v1/toys', slow, { 'idempotency-key': key });
      assert.is(third.headers['idempotency-replayed'], 'true');
    }));

  test('a claim lasts as long as its request, whose answer is kept under it', () =>
    inWorld({ claimMs: 30 }, async other => {
      const slow = { key: 'slow', text: 'b' };
      const send = () => other.api.post<Made>('/v1/toys', slow, { 'idempotency-key': key });
      const { set } = other.kv;
      let renewed = 0;
      let fails = 0;
      other.kv.set = async (...wanted) => {
        const version = await set(...wanted);
        if (version !== null) renewed++;
        // Written, but the process does not learn of it
        if (fails-- > 0) throw new Error('late');
        return version;
      };
      const renewal = async () => {
        const before = renewed;
        await eventually('a renewal', () => renewed > before);
      };
      const first = send();
      // Where the test fails the server goes before it has answered
      first.catch(() => undefined);
      while (other.toys.made === 0) await new Promise(resolve => setImmediate(resolve));
      for (let i = 0; i < 5; i++) {
        other.now += 20;
        if (i === 2) fails = 1;
        await renewal();
      }
      assert.is((await send()).status, 409);
      other.toys.release();
      assert.is((await first).body.data.number, 1);
      other.now += 31;
      const again = await send();
      assert.equal([again.headers['idempotency-replayed'], other.toys.made], ['true', 1]);
      assert.equal(
        other.logged.map(({ message }) => message),
        ['the claim on an Idempotency-Key was not renewed'],
      );
    }));

  test('a claim whose process died is free after a minute', async () => {
    const set = world.kv.set;
    let claims = 0;
    // The process "dies" after its claim: the answer is never kept
    world.kv.set = (...given) => (++claims > 1 ? Promise.reject(new Error('gone')) : set(...given));
    assert.is((await make({ key: 'a', text: 'b' })).status, 200);
    world.kv.set = set;
    assert.is((await make({ key: 'a', text: 'b' })).status, 409);
    world.now += 60_000;
    assert.is((await make({ key: 'a', text: 'b' })).body.data.number, 2);
  });

  test('a key of 0 or more than 255 characters is 422', async () => {
    for (const bad of ['', 'x'.repeat(256)]) {
      const { status, body } = await world.api.post(
        '/v1/toys',
        { key: 'a', text: 'b' },
        { 'idempotency-key': bad },
      );
      assert.equal([status, body.detail[0]!.loc], [422, ['header', 'Idempotency-Key']]);
    }
    key = 'x'.repeat(255);
    assert.is((await make({ key: 'a', text: 'b' })).status, 200);
  });
});
