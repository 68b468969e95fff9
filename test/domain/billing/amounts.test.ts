import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { amountOf, creditsIn, creditsText, isAbove } from '../../../domain/billing/amounts.js';
import { builtInRates, priceOf } from '../../../domain/billing/rates.js';
import { suite } from '../../suite.js';

const rate = fc
  .tuple(fc.integer({ min: 0, max: 99_999 }), fc.integer({ min: 0, max: 999_999 }))
  .map(([whole, part]) => ({ whole, part, text: `${whole}.${String(part).padStart(6, '0')}` }));

suite('amounts of credits', test => {
  test('are the exact product, rounded once, half away from zero', () => {
    const cases: [number, string, number][] = [
      [24, '0.0001', 2],
      [25, '0.0001', 3],
      [15, '0.0001', 2],
      [-15, '0.0001', -2],
      [14, '0.0001', 1],
      [0, '5', 0],
      [1, '0.0005', 1],
      [1, '0.00049999999999999999', 0],
      [0.1, '0.3', 30],
      [1e-7, '5000', 1],
      [3, '1.005', 3015],
      [1e21, '0.000000000001', 1_000_000_000_000],
    ];
    for (const [quantity, each, amount] of cases)
      assert.is(amountOf(quantity, each), amount, `${quantity} x ${each}`);
  });

  test('of what costs are never nothing, however little of it there is', () => {
    const of = (quantity: number, rate: string) => {
      const credits = { ...builtInRates.credits, 'inference.series_step': rate };
      return priceOf({ ...builtInRates, credits }, 'inference.series_step', quantity).amount;
    };
    const amounts = [of(1, '0.0001'), of(4, '0.0001'), of(14, '0.0001'), of(15, '0.0001')];
    assert.equal(amounts, [1, 1, 1, 2]);
    assert.equal([of(0, '0.0001'), of(7, '0'), of(7, '0.000')], [0, 0, 0]);
  });

  test('of whole quantities are what integers say', () =>
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), rate, (quantity, { whole, part, text }) => {
        const millionths = BigInt(quantity) * (BigInt(whole) * 1_000_000n + BigInt(part));
        const amount = BigInt(amountOf(quantity, text));
        // A thousandth of a credit is a thousand millionths; half of it is five hundred
        const off = millionths - amount * 1_000n;
        assert.ok(off < 500n && off >= -500n, `${quantity} x ${text} is not ${amount}`);
      }),
    ));

  test('refuse what is no decimal number, and what cannot be counted', () => {
    for (const text of ['', '1,5', 'NaN', '.5', '0x10', '1.', ' 1'])
      assert.throws(
        () => amountOf(1, text),
        (error: unknown) => error instanceof RangeError,
        text,
      );
    for (const quantity of [NaN, Infinity])
      assert.throws(
        () => amountOf(quantity, '1'),
        (error: unknown) => error instanceof RangeError,
      );
    assert.throws(
      () => amountOf(1e13, '1'),
      (error: unknown) => error instanceof RangeError,
    );
  });

  test('are text with three places, and read from text', () => {
    assert.equal([0, 5, 12_500, -1, -12_345].map(creditsText), [
      '0.000',
      '0.005',
      '12.500',
      '-0.001',
      '-12.345',
    ]);
    fc.assert(
      fc.property(fc.maxSafeInteger(), amount => {
        fc.pre(Math.abs(amount) < 1e15);
        assert.is(creditsIn(creditsText(amount)), amount);
      }),
    );
    assert.equal(['5', '+5.1', '-0.020', '0'].map(creditsIn), [5_000, 5_100, -20, 0]);
    assert.equal(['', '5.0001', '1e3', 'five', '5.', '.5', '-'].map(creditsIn), Array(7).fill(null));
  });

  test('are compared with numbers to the last digit', () => {
    assert.equal(
      [isAbove(3, 0.003), isAbove(3, 0.0029999), isAbove(3, 0), isAbove(0, 0)],
      [false, true, true, false],
    );
    assert.equal([isAbove(1, 1e-9), isAbove(1_000, 1e21), isAbove(100, 0.1)], [true, false, false]);
  });
});
