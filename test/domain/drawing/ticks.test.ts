import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { decimalsOf, numberText, numberTicks } from '../../../domain/drawing/ticks.js';
import { timeTicks } from '../../../domain/drawing/time-ticks.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const labels = (from: string, to: string, most = 8): string[] =>
  timeTicks(Date.parse(from), Date.parse(to), most).map(({ label }) => label);
const ascending = (numbers: readonly number[]): boolean =>
  numbers.every((number, i) => i === 0 || number > numbers[i - 1]!);

suite('what stands on the axes of a picture', test => {
  test('round numbers that hold all between them', () => {
    const texts = (low: number, high: number): string[] =>
      numberTicks(low, high, 5).map(({ label }) => label);
    assert.equal(texts(233, 692), ['200', '300', '400', '500', '600', '700']);
    assert.equal(texts(-0.3, 0.45), ['-0.4', '-0.2', '0.0', '0.2', '0.4', '0.6']);
    assert.equal(texts(0, 1_234_567), [
      '0',
      '200,000',
      '400,000',
      '600,000',
      '800,000',
      '1,000,000',
      '1,200,000',
      '1,400,000',
    ]);
    fc.assert(
      fc.property(
        fc.double({ min: -1e300, max: 1e300, noNaN: true }),
        fc.double({ min: 1e-6, max: 1e300, noNaN: true }),
        (low, size) => {
          const high = low + Math.max(size, Math.abs(low) * 1e-6);
          const ticks = numberTicks(low, high, 5);
          const slack = (high - low) * 1e-6;
          assert.ok(ticks.length >= 3 && ticks.length <= 10, `${ticks.length} ticks`);
          assert.ok(ticks[0]!.at <= low + slack && ticks.at(-1)!.at >= high - slack);
          assert.ok(ascending(ticks.map(({ at }) => at)));
        },
      ),
    );
  });

  test('numbers for people', () => {
    assert.equal(
      [
        numberText(1234.5, 2),
        numberText(-0.004, 2),
        numberText(-1234567, 0),
        numberText(2e15, 0),
        numberText(999, 1),
      ],
      ['1,234.50', '0.00', '-1,234,567', '2.00e+15', '999.0'],
    );
    assert.equal([0.25, 0.1, 1, 200, 0.001, 0].map(decimalsOf), [1, 1, 0, 0, 3, 0]);
  });

  test('dates say what is new in them, the first one more', () => {
    assert.equal(labels('1955-01-01', '1961-12-01'), [
      '1955',
      '1956',
      '1957',
      '1958',
      '1959',
      '1960',
      '1961',
    ]);
    assert.equal(labels('2027-04-20', '2028-08-06'), ['Jul 2027', 'Oct', '2028', 'Apr', 'Jul']);
    assert.equal(labels('2026-03-25', '2026-03-31T23:00Z'), [
      '25 Mar 2026',
      '26 Mar',
      '27 Mar',
      '28 Mar',
      '29 Mar',
      '30 Mar',
      '31 Mar',
    ]);
    assert.equal(labels('2026-03-25T17:20Z', '2026-03-26T13:00Z'), [
      '25 Mar 18:00',
      '21:00',
      '26 Mar',
      '03:00',
      '06:00',
      '09:00',
      '12:00',
    ]);
    assert.equal(labels('2026-03-25T17:20:01Z', '2026-03-25T17:20:30Z'), [
      '25 Mar 17:20:05',
      '17:20:10',
      '17:20:15',
      '17:20:20',
      '17:20:25',
      '17:20:30',
    ]);
    assert.equal(labels('0005-03-01', '0042-03-01'), ['10', '20', '30', '40']);
  });

  test('dates lie between the ends, in order, and no more than there is room for', () =>
    fc.assert(
      fc.property(
        fc.date({ min: new Date('1000-01-01'), max: new Date('3000-01-01'), noInvalidDate: true }),
        fc.tuple(fc.constantFrom(1, SECOND, MINUTE, HOUR, DAY, 365 * DAY), fc.integer({ min: 1, max: 900 })),
        fc.integer({ min: 2, max: 12 }),
        (date, [unit, count], most) => {
          const from = date.getTime();
          const to = from + unit * count;
          const ticks = timeTicks(from, to, most);
          assert.ok(ticks.length <= most, `${ticks.length} ticks`);
          assert.ok(ticks.every(({ at }) => at >= from && at <= to) && ascending(ticks.map(({ at }) => at)));
        },
      ),
    ));
});
