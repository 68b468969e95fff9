import * as assert from 'uvu/assert';
import { dot, subtract, subtractThenDot } from '../../../../domain/maths/statistics/columns.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';

suite('arithmetic on columns', test => {
  for (const n of [0, 1, 3, 4, 5, 8, 103])
    test(`${n} numbers: subtracting and a sum of products in one pass are the same to the bit`, () => {
      const { next } = randomOf(n);
      const column = (): Float64Array => Float64Array.from({ length: n }, () => 2 * next() - 1);
      const [x, y, z] = [column(), column(), column()];
      const left = y.slice();
      subtract(0.3, x, 0, left, 0, n);
      assert.is(subtractThenDot(0.3, x, y, z), dot(z, 0, left, 0, n));
      assert.equal(y, left);
    });
});
