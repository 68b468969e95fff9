import * as assert from 'uvu/assert';
import { median, quantile, robustScale } from '../../../../domain/maths/series/quantile.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';

const sorted = (values: readonly number[]): number => quantile(Float64Array.from(values).sort(), 0.5);

/** Lengths around where a few values become many, and of a whole history. */
const LENGTHS = [0, 1, 2, 3, 15, 16, 17, 18, 31, 64, 999, 1_000, 4_096];
const KINDS: Readonly<Record<string, (i: number, of: number, chance: () => number) => number>> = {
  'any order': (_, __, chance) => chance() - 0.5,
  'many that are equal': (_, __, chance) => Math.floor(5 * chance()),
  'all equal': () => 7,
  ascending: i => i,
  descending: i => -i,
  'up and down': (i, of) => Math.min(i, of - i),
  'with infinities': (i, _, chance) => (i % 3 === 0 ? chance() : Infinity * (i % 2 === 0 ? 1 : -1)),
  'with what is no number': (i, _, chance) => (i % 10 === 3 ? NaN : chance()),
};

suite('medians and robust scales', test => {
  for (const [kind, numberAt] of Object.entries(KINDS))
    test(`the median is that of the values in order: ${kind}`, () => {
      const { next: chance } = randomOf(11);
      for (const length of LENGTHS) {
        const values = Array.from({ length }, (_, i) => numberAt(i, length, chance));
        const before = [...values];
        assert.equal(median(values), sorted(values), `${length} values`);
        assert.equal(values, before, 'the values stay as they are');
      }
    });

  test('the scale is that of the deviations in order, also where half of the values are equal', () => {
    const { next: chance } = randomOf(12);
    for (const rest of [0.1, 0.4, 0.5, 0.6, 1]) {
      const values = Array.from({ length: 501 }, () => (chance() < rest ? 100 * chance() : 50));
      const { middle, scale } = robustScale(values);
      const deviations = values.map(value => Math.abs(value - sorted(values))).sort((a, b) => a - b);
      const mean = deviations.reduce((sum, deviation) => sum + deviation / deviations.length, 0);
      assert.is(middle, sorted(values));
      assert.is(scale, 1.4826 * sorted(deviations) || 1.2533 * mean, `${rest} of them differ`);
    }
  });

  test('a constant has the scale 1', () => {
    assert.equal(robustScale(new Float64Array(100).fill(3)), { middle: 3, scale: 1 });
  });
});
