import * as assert from 'uvu/assert';
import { benjaminiHochberg, simes } from '../../../../domain/maths/statistics/multiple.js';
import { suite } from '../../../suite.js';
import { near, recorded } from './recorded.js';

suite('multiple testing', test => {
  recorded.fdr_bh.forEach(({ p, q }, i) =>
    test(`q values equal statsmodels' fdr_bh, set ${i + 1} of ${p.length}`, () => {
      const ours = benjaminiHochberg(p);
      q.forEach((expected, j) => near(ours[j], expected, `q${j}`, 1e-12));
    }),
  );
  test('tests that were not made count nowhere', () => {
    assert.equal([...benjaminiHochberg([NaN, 0.02, NaN, 0.03])], [NaN, 0.03, NaN, 0.03]);
    assert.equal([...benjaminiHochberg([])], []);
    assert.is(simes([NaN, 0.02]), 0.02);
    assert.ok(Number.isNaN(simes([NaN])));
  });
  test('Simes: between Bonferroni and the smallest, and the smallest BH q', () => {
    assert.is(simes([0.01, 0.04, 0.9]), 0.03);
    assert.is(simes([0.03, 0.03, 0.03]), 0.03);
    assert.is(simes([1, 1]), 1);
    for (const { p } of recorded.fdr_bh) near(simes(p), Math.min(...benjaminiHochberg(p)), 'simes', 1e-14);
  });
});
