import * as assert from 'uvu/assert';
import { linearAt, ridge } from '../../../../domain/maths/forecasting/ridge.js';
import { suite } from '../../../suite.js';
import { normals } from './toys.js';

const rowsOf = (count: number, columns: number, next: () => number): Float64Array[] =>
  Array.from({ length: count }, () =>
    Float64Array.from({ length: columns }, (_, j) => 1000 * j + (j + 1) * next()),
  );

suite('ridge regression', test => {
  test('a line through points is found, with little penalty', () => {
    const rows = rowsOf(40, 3, normals(1));
    const y = Float64Array.from(rows, ([a, b, c]) => 5 + 2 * a! - b! + 0.5 * c!);
    const fit = ridge(rows, [y]);
    rows.forEach((row, i) => assert.ok(Math.abs(linearAt(fit, row)[0]! - y[i]!) < 1e-2));
    assert.is(fit.lambda, 1e-4);
  });

  test('what a row left out gets is what a fit without it gives, at the same penalty', () => {
    const next = normals(2);
    const rows = rowsOf(25, 1, next);
    const y = Float64Array.from(rows, ([a]) => 1.5 * a! + 2 * next());
    const mean = (of: readonly number[]): number => of.reduce((sum, v) => sum + v, 0) / of.length;
    const { leftOut, lambda } = ridge(rows, [y]);
    const x = rows.map(([a]) => a!);
    const penalty = lambda * 25 * mean(x.map(v => (v - mean(x)) ** 2));
    for (const i of x.keys()) {
      const xs = x.filter((_, k) => k !== i);
      const ys = [...y].filter((_, k) => k !== i);
      const mx = mean(xs);
      const my = mean(ys);
      const slope =
        (24 * mean(xs.map((v, k) => (v - mx) * (ys[k]! - my))))
        / (24 * mean(xs.map(v => (v - mx) ** 2)) + penalty);
      assert.ok(Math.abs(leftOut[0]![i]! - my - slope * (x[i]! - mx)) < 1e-9, `row ${i}`);
    }
  });

  test('noise is not learnt: nearly the mean, also with more features than rows and constant columns', () => {
    const next = normals(3);
    const wide = (): Float64Array[] => rowsOf(20, 60, next).map(row => Float64Array.of(...row, 7));
    const rows = wide();
    const far = wide();
    const fit = ridge(rows, [Float64Array.from(rows, () => 10 + next())]);
    assert.ok(fit.lambda >= 1);
    for (const row of far) assert.ok(Math.abs(linearAt(fit, row)[0]! - 10) < 3);
  });
});
