import * as assert from 'uvu/assert';
import { circularProductsWith } from '../../../../domain/maths/statistics/circular.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';

suite('products of a column with another that goes round', test => {
  for (const n of [1, 2, 3, 7, 8, 9, 100, 257])
    test(`${n} numbers: each is the sum that it says`, () => {
      const { next } = randomOf(n);
      const [x, y] = [0, 1].map(() => Float64Array.from({ length: n }, () => 2 * next() - 1)) as [
        Float64Array,
        Float64Array,
      ];
      circularProductsWith(x)(y).forEach((found, k) => {
        const sum = x.reduce((total, value, t) => total + value * y[(t - k + n) % n]!, 0);
        assert.ok(Math.abs(found - sum) < 1e-12 * n, `${k}: ${found} ${sum}`);
      });
    });
});
