import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { downsample } from '../../../../domain/maths/series/downsample.js';
import { suite } from '../../../suite.js';
import { houses } from './extracts.js';
import { anySeries, every } from './some.js';

const marks = (of: readonly number[]) => [of[0], of.at(-1), Math.min(...of), Math.max(...of)];

suite('down-sampling', test => {
  test('keeps the first, last, lowest and highest point of maxPoints / 4 buckets of equal time', () => {
    const series = every(1, [5, 1, 7, 6, 4, 4, 9, 2, 3, 3]);
    assert.equal(downsample(series, 8), {
      times: [0, 1, 2, 4, 5, 6, 7, 9],
      values: [5, 1, 7, 4, 4, 9, 2, 3],
    });
  });
  test('buckets are of equal time, not of equal numbers', () => {
    const times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 100];
    const values = [0, 1, 2, 3, 9, 3, 2, 1, 5, 7];
    assert.equal(downsample({ times, values }, 8), { times: [0, 4, 8, 100], values: [0, 9, 5, 7] });
  });
  test('few points stay as they are', () => {
    for (const values of [[], [1], [1, 1, 1]])
      assert.equal(downsample(every(1, values), 3), every(1, values));
    assert.is(downsample(houses, 120), houses);
  });
  test('with room for less than four, what matters most stays', () => {
    const series = every(1, [3, 0, 9, 4, 5]);
    assert.equal(downsample(series, 3).values, [3, 9, 5]);
    assert.equal(downsample(series, 2).values, [3, 5]);
    assert.equal(downsample(series, 1).values, [5]);
    assert.equal(downsample(series, 0).values, []);
  });
  test('a constant is the ends of its buckets', () =>
    assert.equal(downsample(every(1, Array<number>(20).fill(7)), 8).times, [0, 9, 10, 19]));
  test('the highest and lowest month of housing starts survive', () => {
    const { times, values } = downsample(houses, 12);
    assert.ok(times.length <= 12);
    const ends = (of: ArrayLike<number>) => [Math.min(...Array.from(of)), Math.max(...Array.from(of))];
    assert.equal(ends(values), ends(houses.values));
  });

  test('always: no more than allowed, in order without repetition, both ends and both extremes', () => {
    fc.assert(
      fc.property(anySeries(200), fc.integer({ min: 0, max: 60 }), (series, maxPoints) => {
        const { times, values } = downsample(series, maxPoints);
        assert.ok(times.length <= maxPoints && times.length === values.length);
        const known = new Map(Array.from(series.times, (time, i) => [time, series.values[i]!]));
        Array.from(times).forEach((time, i) => {
          assert.is(values[i], known.get(time));
          if (i) assert.ok(time > times[i - 1]!);
        });
        if (!series.times.length || maxPoints < 4) return;
        assert.is(times[0], series.times[0]);
        assert.is(times[times.length - 1], series.times[series.times.length - 1]);
        assert.is(Math.max(...values), Math.max(...series.values));
        assert.is(Math.min(...values), Math.min(...series.values));
      }),
      { numRuns: 500 },
    );
  });
  test('always: every bucket has its own first, last, lowest and highest point', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 41, maxLength: 200 }), values => {
        const kept = downsample(every(1, values), 40);
        const span = values.length - 1;
        for (let bucket = 0; bucket < 10; bucket++) {
          const inBucket = (_: number, time: number) =>
            Math.min(9, Math.floor((time / span) * 10)) === bucket;
          const all = values.filter(inBucket);
          const some = Array.from(kept.values).filter((value, i) => inBucket(value, kept.times[i]!));
          assert.equal(marks(some), marks(all));
        }
      }),
    );
  });
});
