import * as assert from 'uvu/assert';
import { randomOf, seedFrom } from '../random.js';
import { suite } from '../suite.js';
import { at, signalsApi, T0, type SignalsApi } from './signals-world.js';
import type { Json } from '../json.js';
import { pushing } from './pushing.js';

suite('pushing odd points', test => {
  let world: SignalsApi;
  test.before(async () => {
    world = await signalsApi();
  });
  test.after(() => world.close());

  const { fresh, push, pushed, pointsOf, numbers, refused } = pushing(() => world);

  test('one bad point never sinks the rest, however bad it is', async () => {
    const key = fresh();
    const bad = [
      null,
      7,
      'text',
      true,
      [],
      {},
      [[]],
      { key },
      { key, value: '1' },
      { key, value: null },
      { value: 1 },
      { key: '', value: 1 },
      { key: 7, value: 1 },
      { key: 'k'.repeat(201), value: 1 },
      { key: 'k\n', value: 1 },
      { key, value: 1, timestamp: 'never' },
      { key, value: 1, timestamp: {} },
      { key, value: 1, timestamp: [] },
      { key, value: 1, timestamp: true },
      { key, value: 1, entity: '' },
      { key, value: 1, entity: 7 },
      { key, value: 1, entity: 'e'.repeat(200) },
      { key, value: 1, unit: 7 },
      { key, value: 1, unit: 'u'.repeat(41) },
      { key, value: 1, unit: 'a\u0000' },
      { key: 'mkt:x', value: 1 },
      { key: ['a'], value: 1 },
      { key: { toString: 'a' }, value: 1 },
    ];
    const { errors, ...rest } = await pushed({ points: [...bad, { key, value: 1, timestamp: T0 }] });
    assert.equal(numbers({ errors, ...rest }), {
      accepted: 1,
      revised: 0,
      duplicates: 0,
      rejected: bad.length,
    });
    assert.equal(
      errors.map(({ index }) => index),
      bad.map((_, i) => i),
    );
    const readOnly = errors.filter(({ code }) => code === 'signal_read_only').map(({ index }) => bad[index]);
    assert.equal(readOnly, [{ key: 'mkt:x', value: 1 }]);
    const columns = [
      null,
      7,
      'ab',
      [],
      [T0],
      [T0, 1, 2],
      {},
      { 0: T0, 1: 1, length: 2 },
      ['never', 1],
      [{}, 1],
      [null, 1],
      [T0, null],
      [T0, '1'],
      [T0, []],
    ];
    const told = await pushed({ key, values: [...columns, [T0 + 1, 1]] });
    assert.equal([told.accepted, told.rejected], [1, columns.length]);
    assert.equal(await pointsOf(key), [
      [T0, 1],
      [T0 + 1, 1],
    ]);
  });

  test('no more than 100 of them are listed', async () => {
    const { errors, rejected } = await pushed({
      points: [...Array.from({ length: 150 }, () => ({})), { key: fresh(), value: 1 }],
    });
    assert.equal([errors.length, rejected], [100, 150]);
  });

  test('when every point is bad the request is', async () => {
    await refused({ points: [{ key: 'a', value: '1' }, {}] }, ['body', 'points', 0, 'value']);
    await refused({ key: 'a', values: [['never', 1]] }, ['body', 'values', 0, 0]);
    await refused({ value: 1 }, ['body', 'key']);
    await refused({}, ['body', 'key']);
    await refused({ key: 'a' }, ['body', 'value']);
    await refused({ key: 'a', entity: '', value: 1 }, ['body', 'entity']);
    await refused({ key: '', values: [[T0, 1]] }, ['body', 'key']);
    await refused({ key: 'a', unit: 7, values: [[T0, 1]] }, ['body', 'unit']);
    for (const key of ['points', 'values'])
      for (const value of [null, 7, 'ab', {}, [], Array.from({ length: 5_001 }, () => [T0, 1])]) {
        assert.is(
          (await push({ key: 'a', [key]: value })).status,
          422,
          `${key}: ${JSON.stringify(value).slice(0, 50)}`,
        );
      }
    for (const key of ['mkt:x', 'mkt-evt:x']) {
      const one = { key, value: 1 };
      for (const form of [one, { points: [one, one] }, { key, values: [[T0, 1]] }]) {
        const { status, body } = await push(form);
        assert.equal([status, body.error.code], [403, 'signal_read_only'], JSON.stringify(form));
      }
    }
  });

  test('infinity is refused in all its forms; nearly infinite is kept to the last bit', async () => {
    const key = fresh();
    for (const value of ['1e999', '-1e999', '1e309', '9'.repeat(400)]) {
      const { status } = await world.client.send({
        method: 'POST',
        path: '/v1/signal/push',
        body: `{"key":"${key}","value":${value}}`,
      });
      assert.is(status, 422, value);
    }
    for (const value of ['NaN', 'Infinity', '-Infinity', '+1', '0x10', '.5', '1.']) {
      const { status } = await world.client.send({
        method: 'POST',
        path: '/v1/signal/push',
        body: `{"key":"${key}","value":${value}}`,
      });
      assert.is(status, 400, value);
    }
    const kept = [
      1.7976931348623157e308,
      -1.7976931348623157e308,
      5e-324,
      0.1,
      -0,
      123456789012345680000,
      2 ** 53 + 2,
    ];
    await pushed({ key, values: kept.map((value, i) => [T0 + i, value]) });
    assert.equal(
      (await pointsOf(key)).map(([, value]: [number, number]) => value),
      kept.map(value => value + 0),
    );
  });

  test('any text is a key, and no two of them meet', async () => {
    const odd = [
      '__proto__',
      'constructor',
      'toString',
      '__',
      'a__',
      '__b',
      'a/b',
      'a%2Fb',
      'a.b',
      '.',
      '..',
      'a b',
      ' ',
      '\u2028',
      '嵐',
      '\u{1f600}',
      '-',
      '$all',
      'w.x',
      'x'.repeat(200),
      '嵐'.repeat(200),
      '"',
      '\\',
      "'",
      '`',
      'a/0000000000',
      'null',
      '\u00a0',
      '\u0080',
      'é',
      'e\u0301',
    ];
    const { accepted } = await pushed({ points: odd.map((key, i) => ({ key, value: i, timestamp: T0 })) });
    assert.is(accepted, odd.length);
    for (const [i, key] of odd.entries()) {
      const { status, body, text } = await world.client.get<Json>(
        `/v1/signal/points?key=${encodeURIComponent(key)}`,
      );
      assert.is(status, 200, text);
      assert.equal(body.data.points, [[T0, i]], key);
    }
    assert.equal(numbers(await pushed({ points: odd.map((key, i) => ({ key, value: i, timestamp: T0 })) })), {
      accepted: 0,
      revised: 0,
      duplicates: odd.length,
      rejected: 0,
    });
    assert.is((await push({ key: 'a\ud800', value: 1 })).status, 422);
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined);
  });

  test('members with strange names do no harm', async () => {
    const odd = '"__proto__":{"value":2},"constructor":{"prototype":{"polluted":1}}';
    const body = `{"key":"k","value":1,"timestamp":${T0},${odd},"points":null}`;
    assert.is((await world.client.send({ method: 'POST', path: '/v1/signal/push', body })).status, 422);
    const { status } = await world.client.send({
      method: 'POST',
      path: '/v1/signal/push',
      body: body.replace(',"points":null', ''),
    });
    assert.is(status, 200);
    assert.is(({} as { polluted?: number }).polluted, undefined);
  });

  test('anything at all ends in an answer that is described, and never in a 5xx', async () => {
    const random = randomOf(seedFrom('BODY_SEED'));
    const odd = [
      null,
      true,
      '',
      'x',
      0,
      -1,
      1e308,
      1e-320,
      2 ** 53,
      [],
      {},
      [[]],
      'mkt:a',
      '__proto__',
      'a'.repeat(300),
      '\u0000',
      'NaN',
      at(T0),
      T0,
      '-1',
      '1e400',
    ];
    const names = ['key', 'value', 'timestamp', 'entity', 'unit', 'points', 'values', '__proto__', ''];
    const list = <T>(most: number, item: () => T): T[] => Array.from({ length: random.below(most) }, item);
    const any = (depth = 0): unknown => {
      const roll = random.below(10);
      if (depth > 3 || roll < 6) return random.pick(odd);
      return roll < 8
        ? list(4, () => any(depth + 1))
        : Object.fromEntries(list(5, () => [random.pick(names), any(depth + 1)]));
    };
    const mostly = (chance: number, right: unknown): unknown => (random.chance(chance) ? right : any());
    const point = () => mostly(0.5, { key: 'g', value: 1, timestamp: any() });
    const pair = () => [mostly(0.5, T0), mostly(0.5, 1)];
    const body = (): unknown =>
      random.chance(0.3)
        ? any()
        : {
            ...(random.chance(0.8) && { key: mostly(0.8, 'f') }),
            ...(random.chance(0.5) && { value: mostly(0.7, random.next()) }),
            ...(random.chance(0.3) && { timestamp: mostly(0.5, T0) }),
            ...(random.chance(0.3) && { entity: any() }),
            ...(random.chance(0.3) && { unit: any() }),
            ...(random.chance(0.3) && { points: mostly(0.7, list(6, point)) }),
            ...(random.chance(0.3) && { values: mostly(0.5, list(6, pair)) }),
          };
    const seen = new Map<number, number>();
    for (let n = 0; n < 1_500; n++) {
      const text = JSON.stringify(body());
      const { status } = await world.client.send({ method: 'POST', path: '/v1/signal/push', body: text });
      assert.ok(status < 500, `${status}: ${text}`);
      seen.set(status, (seen.get(status) ?? 0) + 1);
    }
    assert.ok((seen.get(200) ?? 0) > 50 && (seen.get(422) ?? 0) > 100, JSON.stringify([...seen]));
  });
});
