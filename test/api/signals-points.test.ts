import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { at, HOUR, signalsApi, T0, type SignalsApi } from './signals-world.js';
import type { Json } from '../json.js';

suite('points of signals, and values that were replaced', test => {
  let world: SignalsApi;
  const value = (i: number) => (i === 17 ? 1_700 : i);
  test.before(async () => {
    world = await signalsApi();
    await world.push(
      'k/1 ü',
      Array.from({ length: 4_500 }, (_, i) => i),
    );
    world.now += HOUR;
    await world.push('k/1 ü', [-1], { from: T0 + 17 * HOUR });
    world.now += HOUR;
    await world.push('k/1 ü', [1_700], { from: T0 + 17 * HOUR });
    await world.push(
      'k/1 ü',
      Array.from({ length: 300 }, (_, i) => i + 0.5),
      { from: T0 + 1_000 * HOUR },
    );
  });
  test.after(() => world.close());

  const stands = (i: number) => (i >= 1_000 && i < 1_300 ? i - 1_000 + 0.5 : value(i));
  const all = Array.from({ length: 4_500 }, (_, i) => [T0 + i * HOUR, stands(i)]);
  const pages = async (path: string, list: string, query: string) => {
    const found: Json[] = [];
    for (let next = ''; ; ) {
      const page = await world.get(`${path}?key=k/1 ü&${query}${next}`);
      found.push(...page[list]);
      assert.is(page.has_more, page.next_cursor !== null);
      if (!page.has_more) return found;
      next = `&cursor=${page.next_cursor}`;
    }
  };
  const points = (query: string) => pages('/v1/signal/points', 'points', query);
  const revisions = (query: string) => pages('/v1/signal/revisions', 'revisions', query);

  for (const limit of [700, 1_000, 10_000])
    test(`all points, newest or oldest first, in pages of ${limit}`, async () => {
      assert.equal(await points(`limit=${limit}&sort_order=asc`), all);
      assert.equal(await points(`limit=${limit}`), all.toReversed());
    });

  test('a span has both its ends, and times may be said in each form', async () => {
    const [from, to] = [T0 + 10 * HOUR, T0 + 20 * HOUR];
    const expected = all.slice(10, 21);
    for (const [a, b] of [
      [at(from), at(to)],
      [from, to],
      [from / 1000, to / 1000],
    ]) {
      assert.equal(await points(`from=${a}&to=${b}&sort_order=asc&limit=4`), expected);
      assert.equal(await points(`from=${a}&to=${b}&limit=4`), expected.toReversed());
    }
    assert.equal(await points(`to=${at(T0 - 1)}`), []);
  });

  test('a page says how many points there are in all', async () => {
    const { count, key, points: page } = await world.get('/v1/signal/points?key=k/1 ü&limit=2');
    assert.equal([count, key, page], [4_500, 'k/1 ü', all.slice(-2).reverse()]);
  });

  test('what stood where another value stands, since when and until when', async () => {
    const pushed = world.now - 2 * HOUR;
    const [first, second] = [
      { timestamp: at(T0 + 17 * HOUR), value: 17, recorded_at: at(pushed), replaced_at: at(pushed + HOUR) },
      {
        timestamp: at(T0 + 17 * HOUR),
        value: -1,
        recorded_at: at(pushed + HOUR),
        replaced_at: at(pushed + 2 * HOUR),
      },
    ];
    const block = Array.from({ length: 300 }, (_, i) => ({
      timestamp: at(T0 + (1_000 + i) * HOUR),
      value: 1_000 + i,
      recorded_at: at(pushed),
      replaced_at: at(pushed + 2 * HOUR),
    }));
    for (const limit of [1, 2, 7, 300, 1_000]) {
      const expected = [first, second, ...block];
      if (limit > 2) {
        assert.equal(await revisions(`limit=${limit}&sort_order=asc`), expected, `asc in pages of ${limit}`);
        assert.equal(await revisions(`limit=${limit}`), expected.toReversed(), `desc in pages of ${limit}`);
      }
      const span = `from=${at(T0)}&to=${at(T0 + 1_001 * HOUR)}&limit=${limit}`;
      assert.equal(
        await revisions(span),
        [first, second, ...block.slice(0, 2)].toReversed(),
        `a span in pages of ${limit}`,
      );
    }
    assert.equal(await revisions(`from=${at(T0 + 18 * HOUR)}&to=${at(T0 + 999 * HOUR)}`), []);
  });

  for (const path of ['points', 'revisions']) {
    for (const query of [
      '',
      'key=',
      'key=k/1 ü&limit=0',
      'key=k/1 ü&from=soon',
      'key=k/1 ü&sort_order=x',
      'key=k/1 ü&cursor=x',
      'key=k/1 ü&cursor=e30',
      `key=k/1 ü&cursor=${Buffer.from('["x"]').toString('base64url')}`,
      `key=k/1 ü&cursor=${Buffer.from('[1,2,3]').toString('base64url')}`,
      `key=k/1 ü&cursor=${Buffer.from('[1]').toString('base64url')}~~`,
      'key=k/1 ü&as_of=soon',
      'key=k/1 ü&as_of=2099-01-01',
      'key=k/1 ü&asof=2026-01-01',
      'key=k/1 ü&vintage_date=2026-01-01',
    ])
      test(`${path}?${query} is refused`, async () =>
        assert.is((await world.client.get(encodeURI(`/v1/signal/${path}?${query}`))).status, 422));
    test(`${path} of a signal that is not there, or another's: 404`, async () => {
      const stranger = await world.stranger();
      for (const answer of [
        await world.client.get(`/v1/signal/${path}?key=no`),
        await world.client.get(`/v1/signal/${path}?key=mkt:lst_1:k`),
        await stranger.get(encodeURI(`/v1/signal/${path}?key=k/1 ü`)),
      ])
        assert.equal(
          [answer.status, answer.body.error.code, answer.body.error.message],
          [404, 'not_found', 'Signal not found'],
        );
    });
  }

  test('a cursor from beyond the ends of time is harmless', async () => {
    for (const ms of [-9_007_199_254_740_991, 9_007_199_254_740_991])
      for (const order of ['asc', 'desc']) {
        const cursor = Buffer.from(`[${ms}]`).toString('base64url');
        assert.is(
          (
            await world.client.get(
              encodeURI(`/v1/signal/points?key=k/1 ü&sort_order=${order}&cursor=${cursor}&limit=5`),
            )
          ).status,
          200,
        );
      }
  });
});
