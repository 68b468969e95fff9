import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { parseExactly } from '../../domain/exact-json.js';
import { suite } from '../suite.js';

suite('JSON with integers that a number cannot hold', test => {
  test('has the text of their digits in their place, and all else as ever', () => {
    const cases: [string, unknown][] = [
      ['1234567890123456789', '1234567890123456789'],
      ['[-1234567890123456789, 9007199254740993]', ['-1234567890123456789', '9007199254740993']],
      ['{"a":{"id" :\n12345678901234567890}}', { a: { id: '12345678901234567890' } }],
      // Numbers hold these
      [
        '[9007199254740992,1234567890123456,1234567890123456800]',
        [2 ** 53, 1_234_567_890_123_456, 1234567890123456800],
      ],
      // These are no integers, or no numbers
      [
        '[1.2345678901234567891,1234567890123456789.5,1234567890123456789e3,1e-1234567890123456]',
        [1.2345678901234567, 1234567890123456800, 1.2345678901234568e21, 0],
      ],
      [
        '["1234567890123456789","\\"1234567890123456789,","\\\\",12345678901234567]',
        ['1234567890123456789', '"1234567890123456789,', '\\', '12345678901234567'],
      ],
      [
        '{"1234567890123456789":": 1234567890123456789 ,"}',
        { '1234567890123456789': ': 1234567890123456789 ,' },
      ],
    ];
    for (const [json, value] of cases) assert.equal(parseExactly(json), value, json);
  });

  test('names nobody, also where it is rewritten', () => {
    const value = parseExactly('{"__proto__":{"id":1234567890123456789}}') as object;
    assert.is(Object.getPrototypeOf(value), Object.prototype);
    assert.equal(Object.keys(value), ['__proto__']);
  });

  test('is refused where it is no JSON, and no sooner done by many digits, quotes or backslashes', () => {
    for (const wrong of ['', '[1234567890123456789', '{"a":01234567890123456789}', '1234567890123456789,'])
      assert.throws(
        () => parseExactly(wrong),
        (error: unknown) => error instanceof SyntaxError,
      );
    const long = (part: string): string => part.repeat(1_000_000);
    assert.equal(parseExactly(`["${long('\\"')}",1234567890123456789]`), [long('"'), '1234567890123456789']);
    assert.equal(parseExactly(`["${long('\\\\')}",1234567890123456789]`), [
      long('\\'),
      '1234567890123456789',
    ]);
    assert.equal(parseExactly(`[${long('12')}]`), [long('12')]);
  });

  test('is any JSON: whatever is told as it was, and ids among it are found', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\\', '"', '1234567890123456789', ', 1234567890123456789 ]'),
    );
    const id = fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, fc.double({ noNaN: true, noDefaultInfinity: true }), id)), rows => {
        const json = `[${rows.map(([a, b, c]) => `{${JSON.stringify(a)}:[${JSON.stringify(b)},${c}]}`)}]`;
        const kept = (one: bigint): unknown =>
          String(Number(one)) === String(one) ? Number(one) : String(one);
        assert.equal(
          parseExactly(json),
          rows.map(([a, b, c]) =>
            JSON.parse(`{${JSON.stringify(a)}:[${JSON.stringify(b)},${JSON.stringify(kept(c))}]}`),
          ),
        );
      }),
    );
  });
});
