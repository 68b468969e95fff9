import * as assert from 'uvu/assert';
import type { Caller } from '../../api/edge/row.js';
import { Buckets, nameOf, neighbourhood } from '../../api/edge/limits.js';
import { suite } from '../suite.js';
import { WORKSPACE, inWorld } from './world.js';

type Described = { paths: Record<string, { get: { 'x-rate-limit-calls'?: number } }> };

suite('buckets', test => {
  const limit = { limit: 60, windowS: 60, per: 'token' } as const;

  test('fill evenly and never above the limit', () => {
    const buckets = new Buckets('default', limit);
    for (let i = 59; i >= 0; i--) assert.is(buckets.take('a', 0), i);
    assert.is(buckets.take('a', 0), -1);
    assert.is(buckets.take('a', 1000), 0);
    assert.is(buckets.take('a', 3_600_000), 59);
    assert.is(buckets.take('b', 0), 59);
  });

  test('a clock that steps back takes nothing away and gives nothing', () => {
    const buckets = new Buckets('default', limit);
    buckets.take('a', 100_000, 60);
    assert.is(buckets.take('a', 0), -1);
    assert.is(buckets.take('a', 1000), 0);
  });

  test('say what is left, and when all of it is there again', () => {
    const buckets = new Buckets('default', limit);
    assert.equal([buckets.policy, buckets.full], ['"default";q=60;w=60', '"default";r=60;t=0']);
    assert.is(buckets.state(buckets.take('a', 0, 20)), '"default";r=40;t=20');
    const left = buckets.take('a', 0, 50);
    assert.equal(buckets.refusal(left).details, {
      policy: 'default',
      limit: 60,
      window_s: 60,
      retry_after_s: 10,
    });
    assert.is(buckets.state(left + 50), '"default";r=40;t=20');
  });

  test('memory is bounded however many names there are', () => {
    const buckets = new Buckets('auth', limit);
    let most = 0;
    for (let i = 0; i < 400_000; i++) {
      buckets.take(`address ${i}`, i);
      most = Math.max(most, buckets.size);
    }
    assert.ok(most <= 50_000, `${most}`);
    assert.is(buckets.take('address 399999', 400_000), 58 + 1 / 1000);
  });

  test('in whose name a call counts', () => {
    const caller = { tokenId: 'tok', workspace: 'wsp' } as Caller;
    const nobody = { tokenId: '', workspace: null } as Caller;
    const name = (per: 'token' | 'workspace' | 'address' | 'source', who: Caller, source?: string) =>
      nameOf({ ...limit, per }, who, () => '10.0.0.1', source);
    assert.equal(
      [name('token', caller), name('workspace', caller), name('source', nobody, 's1')],
      ['tok', 'wsp', 's1'],
    );
    assert.equal(
      [name('token', nobody), name('workspace', nobody), name('address', caller), name('source', nobody)],
      Array(4).fill('10.0.0.1'),
    );
    assert.is(neighbourhood('2001:db8:1:2:3:4:5:6'), neighbourhood('2001:db8:1:2:ffff::1'));
    assert.is(neighbourhood('::ffff:10.0.0.1'), '::ffff:10.0.0.1');
  });
});

suite('limits over HTTP', test => {
  test('headers on every answer, counted down per token', async () => {
    await inWorld({}, async world => {
      const first = await world.api.get('/v1/toys/1');
      const second = await world.api.get('/v1/toys/none');
      assert.equal(
        [first.headers['ratelimit-policy'], first.headers.ratelimit],
        ['"default";q=600;w=60', '"default";r=599;t=1'],
      );
      assert.is(second.headers.ratelimit, '"default";r=598;t=1');
      const other = world.api.as({ token: world.people.issue(), workspace: WORKSPACE });
      assert.is((await other.get('/v1/toys/1')).headers.ratelimit, '"default";r=599;t=1');
      assert.is((await world.api.get('/health')).headers.ratelimit, '"default";r=600;t=0');
    });
  });

  test('beyond it 429 with what and how long, for each policy by itself', async () => {
    await inWorld({ limits: { heavy: { limit: 2, windowS: 60, per: 'token' } } }, async world => {
      const statuses = [];
      for (let i = 0; i < 3; i++) statuses.push((await world.api.get('/v1/toys/heavy')).status);
      assert.equal(statuses, [200, 200, 429]);
      const { body, headers } = await world.api.get('/v1/toys/heavy');
      const { request_id: _, ...details } = body.error.details;
      assert.equal(
        [body.error.code, headers['retry-after'], details],
        ['rate_limited', '30', { policy: 'heavy', limit: 2, window_s: 60, retry_after_s: 30 }],
      );
      assert.is((await world.api.get('/v1/toys/1')).status, 200);
      world.now += 30_000;
      assert.is((await world.api.get('/v1/toys/heavy')).status, 200);
    });
  });

  test('a large answer counts as several calls: what is known only at its end is owed', async () => {
    await inWorld({ limits: { default: { limit: 4, windowS: 60, per: 'token' } } }, async world => {
      const large = await world.api.post('/v1/toys', { key: 'a', text: 'b'.repeat(250_000) });
      assert.equal([large.status, large.headers.ratelimit], [200, '"default";r=1;t=45']);
      const streamed = await world.api.get('/v1/toys/stream');
      assert.equal([streamed.status, streamed.headers.ratelimit], [200, '"default";r=0;t=60']);
      const refused = await world.api.get('/v1/toys/1');
      assert.equal(
        [refused.status, refused.headers.ratelimit, refused.headers['retry-after']],
        [429, '"default";r=0;t=75', '30'],
      );
      world.now += 30_000;
      assert.is((await world.api.get('/v1/toys/1')).status, 200);
    });
  });

  test('nobody owes more than a whole window', () => {
    const buckets = new Buckets('default', { limit: 60, windowS: 60, per: 'token' });
    assert.is(buckets.owe('a', 0, 1_000), -60);
    assert.is(buckets.take('a', 60_000), -1);
    assert.is(buckets.take('a', 61_000), 0);
  });

  test('a row may count as several calls, and the description says so', async () => {
    await inWorld({}, async world => {
      const { headers } = await world.api.get('/v1/toys/by-time');
      assert.is(headers.ratelimit, '"default";r=597;t=1');
      const { paths } = (await world.api.get('/openapi/v1.json')).body as unknown as Described;
      assert.is(paths['/v1/toys/by-time']!.get['x-rate-limit-calls'], 3);
      assert.is(paths['/v1/toys/heavy']!.get['x-rate-limit-calls'], undefined);
    });
  });

  test('a push counts its points, per workspace', async () => {
    await inWorld(
      { limits: { 'push-points': { limit: 10, windowS: 10, per: 'workspace' } } },
      async world => {
        const other = world.api.as({ token: world.people.issue(), workspace: WORKSPACE });
        const first = await world.api.post('/v1/toys/push', { points: [1, 2, 3, 4, 5, 6] });
        assert.equal(
          [first.status, first.headers['ratelimit-policy']],
          [200, '"push";q=1200;w=60, "push-points";q=10;w=10, "push-bytes";q=100000000;w=60'],
        );
        const second = await other.post('/v1/toys/push', { points: [1, 2, 3, 4, 5, 6] });
        assert.equal(
          [second.status, second.body.error.details.policy, second.headers['retry-after']],
          [429, 'push-points', '2'],
        );
        assert.equal(
          [second.headers.ratelimit, second.headers['ratelimit-policy']],
          ['"push-points";r=4;t=6', first.headers['ratelimit-policy']],
        );
        assert.is((await other.post('/v1/toys/push', { points: [1, 2, 3, 4] })).status, 200);
      },
    );
  });

  test('a push counts its bytes, per workspace; one body alone is never too large for it', async () => {
    await inWorld(
      { limits: { 'push-bytes': { limit: 1_000, windowS: 10, per: 'workspace' } } },
      async world => {
        const other = world.api.as({ token: world.people.issue(), workspace: WORKSPACE });
        const large = JSON.stringify({ points: [] }).padEnd(1_500);
        assert.is((await world.api.post('/v1/toys/push', large)).status, 200);
        const { status, headers, body } = await other.post('/v1/toys/push', large);
        const { request_id: _, ...details } = body.error.details;
        assert.equal(
          [status, body.error.code, headers.ratelimit, headers['retry-after']],
          [429, 'rate_limited', '"push-bytes";r=0;t=10', '10'],
        );
        assert.equal(details, { policy: 'push-bytes', limit: 1_000, window_s: 10, retry_after_s: 10 });
        assert.is((await other.post('/v1/toys', { key: 'a', text: 'b' })).status, 200);
        world.now += 10_000;
        assert.is((await other.post('/v1/toys/push', large)).status, 200);
      },
    );
  });

  test('a push that is refused for its points is not charged for its bytes', async () => {
    const points = { limit: 2, windowS: 10, per: 'workspace' } as const;
    const bytes = { limit: 100, windowS: 10, per: 'workspace' } as const;
    await inWorld({ limits: { 'push-points': points, 'push-bytes': bytes } }, async world => {
      const sized = (count: number, size: number) =>
        world.api.post('/v1/toys/push', JSON.stringify({ points: Array(count).fill(1) }).padEnd(size));
      const refused = await sized(3, 90);
      assert.equal([refused.status, refused.body.error.details.policy], [429, 'push-points']);
      assert.is((await sized(2, 90)).status, 200);
      const tooLarge = await sized(0, 90);
      assert.equal([tooLarge.status, tooLarge.body.error.details.policy], [429, 'push-bytes']);
    });
  });

  test('a delivery counts for its source, a wrong signature for its address', async () => {
    const one = { limit: 1, windowS: 60 };
    await inWorld(
      { limits: { webhook: { ...one, per: 'source' }, auth: { ...one, per: 'address' } } },
      async world => {
        const deliver = async (source: string, headers = {}) =>
          (await world.api.as({}).post(`/v1/deliveries/${source}`, '', headers)).status;
        assert.equal([await deliver('a'), await deliver('a'), await deliver('b')], [200, 429, 200]);
        const wrong = { 'x-signature': 'wrong' };
        assert.equal([await deliver('c', wrong), await deliver('d', wrong)], [401, 429]);
      },
    );
  });

  test('addresses come from the proxies that are trusted, and from no others', async () => {
    for (const [trustedProxies, statuses] of [
      [0, [401, 429]],
      [1, [401, 401]],
    ] as const) {
      await inWorld(
        { trustedProxies, limits: { auth: { limit: 1, windowS: 60, per: 'address' } } },
        async world => {
          const seen = [];
          for (const address of ['1.1.1.1', '2.2.2.2']) {
            seen.push(
              (await world.api.as({}).get('/v1/toys/1', { 'x-forwarded-for': `6.6.6.6, ${address}` })).status,
            );
          }
          assert.equal(seen, statuses);
        },
      );
    }
  });
});

suite('overload', test => {
  test('more at once than is allowed is 503 with Retry-After; health still answers', async () => {
    await inWorld({ maxInFlight: 2 }, async world => {
      const waiting = [world.api.get('/v1/toys/wait'), world.api.get('/v1/toys/wait')];
      let refused = await world.api.get('/v1/toys/1');
      for (let i = 0; i < 100 && refused.status === 200; i++) refused = await world.api.get('/v1/toys/1');
      assert.equal(
        [refused.status, refused.body.error.code, refused.headers['retry-after']],
        [503, 'overloaded', '1'],
      );
      assert.is((await world.api.get('/health')).status, 200);
      world.toys.release();
      assert.equal(
        (await Promise.all(waiting)).map(({ status }) => status),
        [200, 200],
      );
      assert.is((await world.api.get('/v1/toys/1')).status, 200);
    });
  });
});
