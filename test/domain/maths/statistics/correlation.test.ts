import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { pearson, ranked, scratchFor, spearman } from '../../../../domain/maths/statistics/correlation.js';
import { suite } from '../../../suite.js';

const scratch = scratchFor(100);
const of = (...values: number[]): Float64Array => Float64Array.from(values);

/** Spearman's rho by its definition: ranks of the rows both have, then Pearson. */
function naive(a: Float64Array, b: Float64Array, lag: number): number {
  const rows = [...a.keys()].filter(i => !Number.isNaN(a[i]!) && !Number.isNaN(b[i + lag] ?? NaN));
  const rank = (values: number[]) =>
    of(...values.map(x => values.filter(y => y < x).length + (values.filter(y => y === x).length + 1) / 2));
  return pearson(rank(rows.map(i => a[i]!)), rank(rows.map(i => b[i + lag]!)), 0, scratchFor(rows.length)).r;
}

suite('coefficients of correlation', test => {
  test('a shift pairs a[t] with b[t + lag]', () => {
    const a = of(1, 5, 2, 8, 3, 9);
    const b = of(0, 0, 1, 5, 2, 8);
    assert.is(pearson(a, b, 2, scratch).r, 1);
    assert.is(pearson(b, a, -2, scratch).r, 1);
    assert.is(pearson(a, b, 2, scratch).n, 4);
    assert.is(spearman(ranked(a), ranked(b), 2, scratch).r, 1);
    assert.is(spearman(ranked(b), ranked(a), -2, scratch).r, 1);
  });
  test('rows without a value on either side are left out', () => {
    const { r, n } = pearson(of(1, NaN, 2, 3, 9), of(2, 7, 4, 6, NaN), 0, scratch);
    assert.is(n, 3);
    assert.ok(Math.abs(r - 1) < 1e-15);
  });
  test('none of a constant or of two rows', () => {
    assert.ok(Number.isNaN(pearson(of(1, 1, 1, 1), of(1, 2, 3, 4), 0, scratch).r));
    assert.ok(Number.isNaN(pearson(of(1, 2), of(1, 2), 0, scratch).r));
    assert.ok(Number.isNaN(spearman(ranked(of(3, NaN, 3, 3)), ranked(of(1, 2, 3, 4)), 0, scratch).r));
    assert.is(pearson(of(1, 2, 3), of(1, 2, 3), 9, scratch).n, 0);
  });
  test('Spearman in one pass is Spearman by its definition, with ties, gaps and shifts', () => {
    const value = fc.oneof(fc.integer({ min: 0, max: 4 }), fc.constant(NaN));
    const series = fc.array(value, { minLength: 30, maxLength: 30 }).map(v => of(...v));
    fc.assert(
      fc.property(series, series, fc.integer({ min: -12, max: 12 }), (a, b, lag) => {
        const ours = spearman(ranked(a), ranked(b), lag, scratch).r;
        const expected = naive(a, b, lag);
        assert.ok(
          Number.isNaN(ours) ? Number.isNaN(expected) : Math.abs(ours - expected) < 1e-12,
          `${ours} ${expected}`,
        );
      }),
    );
  });
});
