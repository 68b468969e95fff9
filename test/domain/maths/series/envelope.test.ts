import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { envelopeOf } from '../../../../domain/maths/series/envelope.js';
import { median, quantile, robustScale } from '../../../../domain/maths/series/quantile.js';
import { DAY } from '../../../../domain/time.js';
import { suite } from '../../../suite.js';
import { gasoline, harbour, houses } from './extracts.js';
import { anySeries, every, near } from './some.js';

suite('quantile', test => {
  test('is that of numpy 2.4.6, quantile(x, p), by linear interpolation (type 7)', () => {
    const cases: [number[], number[], number[]][] = [
      [
        [1, 2, 3],
        [0.1, 0.5, 0.9],
        [1.2, 2, 2.8],
      ],
      [
        [-4.5, 0, 0, 2.25, 7, 19],
        [0, 0.1, 0.25, 0.5, 0.9, 1],
        [-4.5, -2.25, 0, 1.125, 13, 19],
      ],
      [[5], [0.1, 0.9], [5, 5]],
    ];
    for (const [values, shares, expected] of cases)
      shares.forEach((p, i) =>
        assert.ok(near(quantile(values, p), expected[i]!), `${p} of ${values}: ${quantile(values, p)}`),
      );
  });
  test('of nothing is nothing', () => assert.ok(Number.isNaN(quantile([], 0.5))));
  test('the median takes values in any order and leaves them', () => {
    const values = [3, 1, 2];
    assert.is(median(values), 2);
    assert.equal(values, [3, 1, 2]);
  });
});

suite('robust scale', test => {
  test('1.4826 MAD, else 1.2533 times the mean deviation, else 1', () => {
    assert.equal(robustScale([1, 2, 3, 4, 10]), { middle: 3, scale: 1.4826 });
    assert.equal(robustScale([0, 0, 0, 0, 5]), { middle: 0, scale: 1.2533 });
    assert.equal(robustScale([7, 7, 7]), { middle: 7, scale: 1 });
    assert.is(robustScale([]).scale, 1);
  });
  test('rounding is no deviation', () => {
    assert.is(robustScale([0.1 + 0.2, 0.3, 0.3]).scale, 1);
    assert.ok(near(robustScale([5e-324, 0, 5e-324, 0, 1]).scale, 1.2533 / 5));
  });
});

suite('envelope', test => {
  test('is as numpy 2.4.6 has it: percentile(z, [50, 10, 90], axis=0) of the normalised series', () => {
    const group = [
      [1, 2, 3, 4, 10],
      [100, 90, 95, 80, 85],
      [7, 7, 7, 7, 7],
      [0, 0, 0, 0, 5],
      [-1.5, 2.25, 0.5, 8, -3],
    ];
    const {
      median: middle,
      lower,
      upper,
    } = envelopeOf(
      group.map(values => every(DAY, values)),
      0,
      4 * DAY,
    );
    const expected = [
      [0, 0, 0, 0, 0],
      [-1.0791852151625523, -0.40469445568595713, 0, -0.8093889113719143, -0.9780116012410631],
      [0.8093889113719144, 0.35410764872521255, 0.4046944556859572, 1.7874005126129773, 4.428648311799625],
    ];
    [middle, lower, upper].forEach((line, i) =>
      line.forEach(([ms, value], k) => {
        assert.is(ms, k * DAY);
        assert.ok(near(value, expected[i]![k]!), `${value} is not ${expected[i]![k]}`);
      }),
    );
    assert.is(upper.length, 5);
  });
  test('scale and place of a series leave no trace', () => {
    const values = [3, 1, 4, 1, 5, 9, 2, 6];
    const one = envelopeOf([every(DAY, values)], 0, 7 * DAY);
    const other = envelopeOf(
      [
        every(
          DAY,
          values.map(x => 1e6 * x - 4096),
        ),
      ],
      0,
      7 * DAY,
    );
    other.median.forEach(([, value], k) => assert.ok(near(value, one.median[k]![1], 1e-9)));
    assert.equal([one.median, one.upper], [one.lower, one.lower]);
    assert.is(other.median.length, 8);
  });
  test('a month is a step where that fits, else the window is cut into equal ones', () => {
    const first = gasoline.times[0]!;
    const last = gasoline.times[119]!;
    assert.equal(
      envelopeOf([gasoline, harbour], first, last).median.map(([ms]) => ms),
      gasoline.times,
    );
    const few = envelopeOf([gasoline, harbour], first, last, 10).median;
    assert.ok(few.length >= 9 && few.length <= 10);
    assert.is(new Set(few.map(([ms], k) => ms - (few[k - 1]?.[0] ?? NaN)).slice(1)).size, 1);
  });
  test('no month is lost where they are one too many', () => {
    const times = [...Array.from({ length: 11 }, (_, i) => Date.UTC(2001, i + 1, 0)), Date.UTC(2001, 11, 1)];
    const { median: line } = envelopeOf(
      [{ times, values: times.map((_, i) => i) }],
      times[0]!,
      times[11]!,
      11,
    );
    assert.ok(line[0]![0] <= times[0]! && line.length <= 11);
  });
  test('only the window counts', () => {
    const { times } = houses;
    const window = envelopeOf([houses], times[24]!, times[47]!);
    const alone = envelopeOf(
      [{ times: times.slice(24, 48), values: houses.values.slice(24, 48) }],
      times[24]!,
      times[47]!,
    );
    assert.equal(window, alone);
    assert.is(window.median.length, 24);
  });
  test('a slower series keeps its value until it is stale', () => {
    const daily = every(
      DAY,
      Array.from({ length: 40 }, (_, i) => i),
    );
    const tenth = every(10 * DAY, [1, 2]);
    const only = envelopeOf([tenth, every(DAY, [1, 1])], 0, 60 * DAY, 100).median;
    assert.is(only.length, 1 + 10 + 30);
    assert.is(envelopeOf([daily, tenth], 0, 60 * DAY, 100).median.length, 40 + 3);
  });
  test('no series, no points, no length of time', () => {
    assert.equal(envelopeOf([], 0, DAY), { median: [], lower: [], upper: [] });
    assert.equal(envelopeOf([every(1, [])], 0, DAY).median, []);
    assert.equal(envelopeOf([every(1, [5])], 0, 0), { median: [[0, 0]], lower: [[0, 0]], upper: [[0, 0]] });
  });
  test('always: at most so many steps in order, finite, lower <= median <= upper', () => {
    fc.assert(
      fc.property(
        fc.array(anySeries(30), { maxLength: 6 }),
        fc.integer({ min: 2, max: 50 }),
        (series, maxSteps) => {
          const times = series.flatMap(each => Array.from(each.times));
          const from = Math.min(...times, 0);
          const to = Math.max(...times, 0);
          const { median: middle, lower, upper } = envelopeOf(series, from, to, maxSteps);
          assert.ok(middle.length <= maxSteps && middle.length > 0 === times.length > 0);
          middle.forEach(([ms, value], k) => {
            assert.ok(Number.isFinite(value) && lower[k]![1] <= value && value <= upper[k]![1]);
            assert.ok(k === 0 || ms > middle[k - 1]![0]);
          });
        },
      ),
    );
  });
});
