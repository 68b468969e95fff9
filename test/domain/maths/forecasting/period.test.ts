import * as assert from 'uvu/assert';
import { periodOf } from '../../../../domain/maths/forecasting/period.js';
import { fixed, months } from '../../../../domain/maths/series/grid.js';
import { DAY, HOUR, MINUTE, SECOND } from '../../../../domain/time.js';
import { suite } from '../../../suite.js';
import { normals, sine } from './toys.js';

const noise = (length: number): Float64Array => {
  const next = normals(7);
  return Float64Array.from({ length }, next);
};

suite('period of a series', test => {
  test('is that of its season, also where another is more usual', () => {
    assert.is(periodOf(sine(600, 168), fixed(HOUR)), 168);
    assert.is(periodOf(sine(400, 12), months(1)), 12);
  });

  test('is the usual one of its step where it shows none', () => {
    for (const [step, period] of [
      [fixed(HOUR), 24],
      [fixed(30 * MINUTE), 48],
      [fixed(4 * HOUR), 6],
      [fixed(DAY), 7],
      [fixed(7 * DAY), 52],
      [months(1), 12],
      [months(3), 4],
      [months(12), 1],
      [fixed(7 * SECOND), 1],
    ] as const)
      assert.is(periodOf(noise(500), step), period, JSON.stringify(step));
  });

  test('is one that fits twice into the series', () => {
    const minutes = fixed(MINUTE);
    assert.equal(
      [3_000, 2_000, 100].map(length => periodOf(noise(length), minutes)),
      [1_440, 60, 1],
    );
    assert.equal(
      [104, 103].map(length => periodOf(noise(length), fixed(7 * DAY))),
      [52, 1],
    );
    assert.is(periodOf(noise(30), fixed(30 * MINUTE)), 1);
  });
});
