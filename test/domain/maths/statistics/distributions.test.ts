import * as assert from 'uvu/assert';
import {
  correlationTwoSided,
  fUpperTail,
  normalLowerTail,
  shareTail,
  tTwoSided,
  tTwoSidedQuantile,
} from '../../../../domain/maths/statistics/distributions.js';
import { incompleteBeta, logBeta, logGamma } from '../../../../domain/maths/statistics/special.js';
import { suite } from '../../../suite.js';
import { near, recorded } from './recorded.js';

suite('tail probabilities', test => {
  for (const [f, d1, d2, p] of recorded.f_upper_tail)
    test(`F(${d1}, ${d2}) above ${f}`, () => near(fUpperTail(f, d1, d2), p, 'p', 1e-11));
  for (const [t, degrees, p] of recorded.t_two_sided)
    test(`|t(${degrees})| above ${t}`, () => near(tTwoSided(t, degrees), p, 'p', 1e-11));
  for (const [z, p] of recorded.normal_lower_tail)
    test(`z below ${z}`, () => near(normalLowerTail(z), p, 'p', 1e-12));
  test('the t behind a probability', () => {
    for (const [t, degrees, p] of recorded.t_two_sided)
      if (p > 0 && p < 0.999) near(tTwoSidedQuantile(p, degrees), Math.abs(t), 't', 1e-9);
    near(tTwoSidedQuantile(0.1, 2), 2.9199855803537269, 't', 1e-12);
  });
  test('the ends', () => {
    assert.is(fUpperTail(0, 3, 10), 1);
    assert.is(fUpperTail(-1, 3, 10), 1);
    assert.is(fUpperTail(Infinity, 3, 10), 0);
    assert.is(tTwoSided(Infinity, 4), 0);
    assert.is(correlationTwoSided(1, 10), 0);
    assert.is(correlationTwoSided(0, 10), 1);
    assert.is(normalLowerTail(-60), 0);
    assert.is(normalLowerTail(60), 1);
  });
  test('one and the same: F of one degree, t squared, and the correlation that gives it', () => {
    for (const t of [0.1, 1, 3, 20]) {
      near(fUpperTail(t * t, 1, 40), tTwoSided(t, 40), 't', 1e-12);
      near(correlationTwoSided(t / Math.sqrt(40 + t * t), 42), tTwoSided(t, 40), 'r', 1e-11);
      near(shareTail((t * t) / (40 + t * t), 40 / (40 + t * t), 1, 40), tTwoSided(t, 40), 'share', 1e-12);
    }
  });
  test('p never rises with F', () => {
    for (let f = 0.01, before = 1; f < 1e6; f *= 1.1) {
      const p = fUpperTail(f, 5, 60);
      assert.ok(p <= before && p >= 0);
      before = p;
    }
  });
});

suite('special functions', test => {
  test('log-gamma of whole numbers is the logarithm of a factorial', () => {
    for (let n = 2, factorial = 2; n < 100; factorial *= ++n)
      near(logGamma(n + 1), Math.log(factorial), `${n}!`, 1e-13);
    for (const x of [1, 2]) assert.ok(Math.abs(logGamma(x)) < 1e-14);
    near(logGamma(0.5), Math.log(Math.sqrt(Math.PI)), 'half', 1e-13);
  });
  test('log-beta is symmetric, and 1/a for b = 1, also for millions', () => {
    for (const a of [0.5, 3, 9.5, 10, 250, 5e5, 1e9]) {
      assert.is(logBeta(a, 2.5), logBeta(2.5, a));
      near(logBeta(a, 1), -Math.log(a), `B(${a}, 1)`, 1e-12);
    }
  });
  test('the two sides of the incomplete beta function add up to 1', () => {
    for (const [a, b, x] of [
      [0.5, 0.5, 0.3],
      [2, 30, 0.05],
      [100, 1.5, 0.99],
      [7, 7, 0.5],
    ] as const)
      near(incompleteBeta(a, b, x, 1 - x) + incompleteBeta(b, a, 1 - x, x), 1, 'sum', 1e-13);
    assert.is(incompleteBeta(2, 3, 0, 1), 0);
    assert.is(incompleteBeta(2, 3, 1, 0), 1);
  });
});
