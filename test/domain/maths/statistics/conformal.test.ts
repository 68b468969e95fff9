import * as assert from 'uvu/assert';
import { conformalQuantile } from '../../../../domain/maths/statistics/conformal.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';

const scores = [0.42, 1.7, 0.03, 2.9, 0.88, 1.1, 0.51, 0.07, 3.4, 0.66, 1.25, 0.19, 2.2];
const ascending = Float64Array.from(scores).sort();

suite('conformal quantiles', test => {
  // numpy 2.4.6: quantile(scores, min(1, ceil((n + 1) * inside) / n), method='inverted_cdf'), n = 13
  for (const [inside, distance] of [
    [0.1, 0.07],
    [0.25, 0.42],
    [0.5, 0.88],
    [0.6, 1.25],
    [0.8, 2.9],
    [0.9, 3.4],
    [0.95, 3.4],
  ] as const)
    test(`${inside} of 13`, () => assert.is(conformalQuantile(ascending, inside), distance));

  test('the ends', () => {
    assert.is(conformalQuantile(ascending, 0), 0);
    assert.is(conformalQuantile(ascending, 1), 3.4);
    assert.ok(Number.isNaN(conformalQuantile(new Float64Array(), 0.8)));
  });

  test('a new one is within as often as it says', () => {
    const { next } = randomOf(5);
    let within = 0;
    for (let round = 0; round < 4_000; round++) {
      const seen = Float64Array.from({ length: 19 }, next).sort();
      if (next() <= conformalQuantile(seen, 0.8)) within++;
    }
    // 20 places of which 16 count; four standard errors
    assert.ok(Math.abs(within / 4_000 - 0.8) < 0.026, `${within}`);
  });
});
