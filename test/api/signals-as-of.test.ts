import * as assert from 'uvu/assert';
import { suite } from '../suite.js';
import { at, HOUR, signalsApi, T0, type SignalsApi } from './signals-world.js';

type Points = {
  readonly as_of: string | null;
  readonly count: number | null;
  readonly points: readonly (readonly [number, number])[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
};

suite('signals as they were known at a past moment', test => {
  let world: SignalsApi;
  /** When the first points were recorded; an hour later some of them were revised, and others came. */
  let first: number;
  test.before(async () => {
    world = await signalsApi();
    first = world.now;
    await world.push('k', [0, 1, 2, 3, 4, 5]);
    world.now = first + HOUR;
    await world.push('k', [10, 20], { from: T0 + HOUR });
    await world.push('k', [6, 7], { from: T0 + 6 * HOUR });
    world.now = first + 2 * HOUR;
    await world.push('k', [100], { from: T0 + HOUR });
  });
  test.after(() => world.close());
  const pairs = (...values: number[]) => values.map((value, i) => [T0 + i * HOUR, value]);
  const points = (query: string) => world.get<Points>(`/v1/signal/points?key=k&sort_order=asc&${query}`);

  test('points have the values that were known then, to the millisecond', async () => {
    for (const [ms, known] of [
      [first - 1, []],
      [first, pairs(0, 1, 2, 3, 4, 5)],
      [first + HOUR - 1, pairs(0, 1, 2, 3, 4, 5)],
      [first + HOUR, pairs(0, 10, 20, 3, 4, 5, 6, 7)],
      [first + 2 * HOUR, pairs(0, 100, 20, 3, 4, 5, 6, 7)],
    ] as const) {
      for (const said of [at(ms), String(ms)]) {
        const answer = await points(`as_of=${said}`);
        assert.equal([answer.points, answer.as_of, answer.count], [known, at(ms), null]);
      }
      const newest = await world.get<Points>(`/v1/signal/points?key=k&limit=3&as_of=${ms}`);
      assert.equal(newest.points, known.slice(-3).reverse());
    }
    assert.equal((await points('')).points, pairs(0, 100, 20, 3, 4, 5, 6, 7));
  });

  test('pages, spans and the header say the same moment', async () => {
    const moment = `as_of=${first}`;
    const page = await points(`${moment}&limit=4`);
    const rest = await points(`${moment}&limit=4&cursor=${page.next_cursor}`);
    assert.equal([...page.points, ...rest.points], pairs(0, 1, 2, 3, 4, 5));
    assert.not(rest.has_more);
    const span = await points(`${moment}&from=${T0 + 2 * HOUR}&to=${T0 + 7 * HOUR}`);
    assert.equal(span.points, pairs(0, 1, 2, 3, 4, 5).slice(2));
    const { headers } = await world.client.get(`/v1/signal/points?key=k&${moment}`);
    assert.is(headers['x-as-of'], at(first));
    const now = await world.client.get('/v1/signal/points?key=k');
    assert.equal([now.headers['x-as-of'], now.body.data['as_of']], [undefined, null]);
  });

  test('revisions are those that had been made by then', async () => {
    const values = async (query: string) =>
      (await world.get(`/v1/signal/revisions?key=k&${query}`)).revisions.map(
        ({ value }: { value: number }) => value,
      );
    assert.equal(await values(`as_of=${first + HOUR - 1}`), []);
    assert.equal(await values(`as_of=${first + HOUR}`), [2, 1]);
    assert.equal(await values(`as_of=${first + 2 * HOUR}`), [10, 2, 1]);
    assert.equal(await values(''), [10, 2, 1]);
  });

  test('the list has the signals of which a point was known then, as they were', async () => {
    await world.push('later', [1, 2]);
    const list = async (query: string) => {
      const { signals, total, as_of } = await world.get(`/v1/signal?${query}`);
      const rows = signals.map((row: Record<string, unknown>) =>
        ['key', 'count', 'last_at', 'last_value', 'cadence_s', 'spark'].map(name => row[name]),
      );
      return { rows, total, as_of };
    };
    const k = (count: number, last: number, value: number, spark: number[]) => [
      'k',
      count,
      at(T0 + last * HOUR),
      value,
      3600,
      spark,
    ];
    const later = ['later', 2, at(T0 + HOUR), 2, 3600, [1, 2]];
    assert.equal(await list(`as_of=${first - 1}`), { rows: [], total: 0, as_of: at(first - 1) });
    const then = { rows: [k(6, 5, 5, [0, 1, 2, 3, 4, 5])], total: 1, as_of: at(first) };
    assert.equal(await list(`as_of=${first}`), then);
    assert.equal(await list(`as_of=${first}&search=K&sort_by=count&type=signal`), then);
    assert.equal((await list(`as_of=${first}&search=other`)).rows, []);
    const now = [k(8, 7, 7, [0, 100, 20, 3, 4, 5, 6, 7]), later];
    assert.equal((await list(`as_of=${world.now}`)).rows, now);
    assert.equal((await list('')).rows, now);
    assert.equal((await list(`as_of=${world.now}&limit=1&offset=1&sort_by=key&sort_order=asc`)).rows, [
      later,
    ]);
    const { headers } = await world.client.get(`/v1/signal?as_of=${first}`);
    assert.is(headers['x-as-of'], at(first));
    const keys = Array.from({ length: 500 }, (_, i) => ({ key: `many.${i}`, value: i }));
    await world.post('/v1/signal/push', { points: keys });
    const many = await world.client.get(`/v1/signal?as_of=${first}`);
    assert.equal([many.status, many.body.error.code], [422, 'too_many_signals']);
    assert.equal((await list(`as_of=${first}&group=ungrouped`)).rows, then.rows);
  });

  for (const name of ['asof', 'as-of', 'asOf', 'vintage', 'vintage_date'])
    test(`${name} is not taken for today`, async () => {
      for (const list of ['points', 'revisions']) {
        const { status, body } = await world.client.get(`/v1/signal/${list}?key=k&${name}=2026-01-01`);
        assert.equal([status, body.detail[0]!.loc], [422, ['query', name]]);
        assert.match(body.detail[0]!.msg, /did you mean as_of/);
      }
    });

  test('a moment that is to come is refused', async () => {
    const { status, body } = await world.client.get(`/v1/signal/points?key=k&as_of=${world.now + 1}`);
    assert.equal(
      [status, body.detail[0]!.loc, body.detail[0]!.msg],
      [422, ['query', 'as_of'], 'must not lie in the future'],
    );
  });

  test('a restart and a deletion: what was deleted since is still there', async () => {
    await world.restart();
    const then = `as_of=${first + HOUR}`;
    const asked = [
      ...[`points?key=k&${then}`, `points?key=k&sort_order=asc&limit=3&${then}`],
      ...[`points?key=k&from=${at(T0 + HOUR)}&to=${at(T0 + 3 * HOUR)}&${then}`],
      ...[`revisions?key=k&${then}`, `revisions?key=k&sort_order=asc&limit=1&${then}`],
    ];
    const all = () => Promise.all(asked.map(each => world.get<object>(`/v1/signal/${each}`)));
    await world.post('/v1/signal/display-name', { key: 'k', name: 'Kay' });
    const [given, list] = [await all(), await world.get<object>(`/v1/signal?search=K&${then}`)];
    await world.post('/v1/signal/delete', { keys: ['k'] });
    const deleted = world.now;
    assert.equal(await all(), given);
    const after = await world.get<{ signals: { display_name: string | null }[] }>(
      `/v1/signal?search=K&${then}`,
    );
    // Its name is that of then
    assert.is(after.signals.find(row => 'key' in row && row.key === 'k')!.display_name, null);
    const unnamed = JSON.parse(JSON.stringify(list).replace('"Kay"', 'null')) as object;
    assert.equal(after, unnamed);
    assert.is((await world.client.get(`/v1/signal/points?key=k&as_of=${deleted}`)).status, 404);
    assert.is((await world.client.get(`/v1/signal/points?key=k&as_of=${first - 1}`)).status, 404);
    world.now += HOUR;
    await world.push('k', [9]);
    assert.equal(await all(), given);
    assert.equal((await points(`as_of=${deleted}`)).points, []);
    assert.equal((await points(`as_of=${world.now}`)).points, pairs(9));
  });

  test('of very many that were deleted since a search finds some', async () => {
    const then = world.now;
    const keys = ['later', ...Array.from({ length: 500 }, (_, i) => `many.${i}`)];
    world.now += HOUR;
    await world.post('/v1/signal/delete', { keys });
    for (const query of ['', '&group=ungrouped', '&search=a']) {
      const { status, body } = await world.client.get(`/v1/signal?as_of=${then}${query}`);
      assert.equal([status, body.error.code], [422, 'too_many_signals'], query);
      assert.match(body.error.message, /search for a part of the key, or name a later moment/);
    }
    const some = await world.get(`/v1/signal?as_of=${then}&search=many.49&sort_by=key&sort_order=asc`);
    assert.equal([some.total, some.signals[0].key, some.deleted_since], [11, 'many.49', []]);
    const after = await world.get(`/v1/signal?as_of=${world.now}`);
    assert.equal([after.total, after.signals[0].key], [1, 'k']);
  });
});

suite('signals of past moments', test => {
  test('are answered as they were at each, whatever was pushed, revised and deleted since', async () => {
    const world = await signalsApi();
    const draw = seeded(7);
    const keys = ['a', 'b', 'a,b'];
    const read = async (query: string) => {
      const answers: unknown[] = [];
      for (const key of keys.map(encodeURIComponent))
        for (const what of [
          'points?',
          'points?sort_order=asc&limit=2&',
          'revisions?',
          'revisions?limit=2&',
        ]) {
          const { status, body } = await world.client.get(`/v1/signal/${what}key=${key}${query}`);
          const { count: _, as_of: __, ...data } = body.data ?? {};
          answers.push(status === 404 ? [] : known(data));
        }
      const { signals, total } = await world.get(`/v1/signal?sort_by=key&sort_order=asc${query}`);
      return [answers, signals, total];
    };
    // Of a signal that came later, or has gone, there is nothing
    const known = (data: object) =>
      Object.values(data).some(each => Array.isArray(each) && each.length > 0) ? data : [];
    const given: { readonly moment: number; readonly said: unknown }[] = [];
    for (let step = 0; step < 40; step++) {
      const key = keys[draw(3)]!;
      if (draw(5) === 0) await world.client.post('/v1/signal/delete', { keys: [key] });
      else
        await world.push(
          key,
          Array.from({ length: 1 + draw(4) }, () => draw(3)),
          { from: T0 + draw(6) * HOUR },
        );
      given.push({ moment: world.now, said: await read('') });
      world.now += 1 + draw(3) * HOUR;
    }
    for (const { moment, said } of given)
      assert.equal(await read(`&as_of=${moment}`), said, `as of ${moment}`);
    await world.close();
  });
});

/** Whole numbers below a bound, always the same. */
function seeded(seed: number) {
  let state = seed;
  return (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * below);
  };
}
