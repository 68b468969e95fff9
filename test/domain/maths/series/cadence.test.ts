import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { cadenceOf, gapsIn, isStale, sparkOf } from '../../../../domain/maths/series/cadence.js';
import { DAY, HOUR, MINUTE } from '../../../../domain/time.js';
import { suite } from '../../../suite.js';
import { gasoline } from './extracts.js';
import { anySeries, every, firstsOfMonths } from './some.js';

suite('cadence', test => {
  test('is the median interval, half way between the two middle ones of an even number', () => {
    assert.is(cadenceOf([0, 10, 20, 1000]), 10);
    assert.is(cadenceOf([0, 10, 30]), 15);
    assert.is(cadenceOf(Float64Array.of(5, 6)), 1);
  });
  test('needs two points', () => {
    assert.is(cadenceOf([]), null);
    assert.is(cadenceOf([7]), null);
  });
  test('of months is a month', () => assert.is(cadenceOf(gasoline.times)! / DAY, 31));
});

suite('gaps', test => {
  const gaps = (times: readonly number[]) => gapsIn(times, cadenceOf(times));
  test('are intervals of more than 1.5 cadences, whatever their length', () => {
    assert.is(gapsIn([0, 10, 25, 35], 10), 0);
    assert.is(gapsIn([0, 10, 26, 36, 1e12], 10), 2);
  });
  test('months, quarters and years of any length are none', () => {
    assert.is(gaps(gasoline.times as number[]), 0);
    for (const [count, step] of [
      [1200, 1],
      [400, 3],
      [100, 12],
      [3, 1],
    ] as const)
      assert.is(gaps(firstsOfMonths(1904, 1, count, step)), 0);
    assert.is(gaps(Array.from({ length: 48 }, (_, i) => Date.UTC(2020, i + 1, 0))), 0, 'month ends');
  });
  test('one month missing is one, a February too', () => {
    for (let missing = 1; missing < 23; missing++)
      assert.is(gaps(firstsOfMonths(2023, 1, 24).filter((_, i) => i !== missing)), 1, `month ${missing}`);
  });
  test('the hour of daylight saving is none, a missing day is one', () => {
    const days = [0, 24, 48, 71, 95, 119, 144, 168].map(h => h * HOUR);
    assert.is(gaps(days), 0);
    assert.is(gaps(days.filter((_, i) => i !== 2)), 1);
  });
  test('without a cadence there is none', () => {
    assert.is(gaps([]), 0);
    assert.is(gaps([1]), 0);
  });
});

suite('stale', test => {
  test('after more than three cadences without a point', () => {
    assert.is(isStale(0, MINUTE, 3 * MINUTE), false);
    assert.is(isStale(0, MINUTE, 3 * MINUTE + 1), true);
    assert.is(isStale(HOUR, MINUTE, 0), false, 'a point in the future');
  });
  test('never without a cadence', () => assert.is(isStale(0, null, 1e15), false));
});

suite('spark', test => {
  test('of few points is their values', () => {
    assert.equal(sparkOf(every(1, [])), []);
    assert.equal(sparkOf(every(1, [3])), [3]);
    assert.equal(sparkOf(every(1, [3, 1, 2]), 3), [3, 1, 2]);
  });
  test('of many the means of equal spans of time, without the empty ones', () => {
    assert.equal(sparkOf(every(1, [1, 2, 3, 4, 5, 6]), 3), [1.5, 3.5, 5.5]);
    assert.equal(sparkOf({ times: [0, 1, 2, 3, 99, 100], values: [1, 1, 1, 1, 8, 10] }, 4), [1, 9]);
    assert.equal(sparkOf(every(1, [4, 4, 4]), 1), [4]);
  });
  test('has at most so many finite numbers between the lowest and the highest value', () => {
    fc.assert(
      fc.property(anySeries(), fc.integer({ min: 1, max: 20 }), (series, max) => {
        const spark = sparkOf(series, max);
        const { values } = series;
        assert.ok(spark.length <= max && spark.length > 0 === values.length > 0);
        const slack = 1e-12 * Math.max(...Array.from(values, Math.abs), 0);
        for (const x of spark)
          assert.ok(x >= Math.min(...values) - slack && x <= Math.max(...values) + slack);
      }),
    );
  });
});
