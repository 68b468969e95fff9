import * as assert from 'uvu/assert';
import { analyseCorrelation } from '../../../domain/maths/correlation/analysis.js';
import type { CorrelationAnswer, CorrelationInput } from '../../../domain/maths/correlation/answer.js';
import { benjaminiHochberg } from '../../../domain/maths/statistics/multiple.js';
import { randomOf } from '../../random.js';
import { suite } from '../../suite.js';
import { near, recorded, seriesOf } from './statistics/recorded.js';

const analyse = (
  variables: Readonly<Record<string, Float64Array>>,
  settings: Partial<Omit<CorrelationInput, 'variables'>> = {},
): CorrelationAnswer =>
  analyseCorrelation({
    variables: Object.entries(variables).map(([key, values]) => ({ key, values })),
    method: 'pearson',
    maxLag: 0,
    difference: false,
    ...settings,
  });
const of = (...values: number[]): Float64Array => Float64Array.from(values);

suite('correlation', test => {
  for (const { a, b, n, pearson, spearman } of recorded.correlation)
    for (const [method, [r, p]] of Object.entries({ pearson, spearman }) as [
      'pearson' | 'spearman',
      [number, number],
    ][])
      test(`${method} of ${a} and ${b}: equals scipy`, () => {
        const [pair] = analyse({ x: seriesOf(a, n), y: seriesOf(b, n) }, { method }).pairs;
        assert.is(pair?.n, n);
        near(pair?.r, r, 'r');
        near(pair?.p_value, p, 'p');
      });

  const random = randomOf(2);
  const a = Float64Array.from({ length: 120 }, () => random.next());
  const c = a.map(() => random.next());
  const b = a.map((_, i) => -(a[i - 3] ?? 0) + random.next() / 9);

  test('pairs by size, the matrix in the order of the keys, q over all pairs', () => {
    const { keys, matrix, pairs, observations } = analyse({ a, c, twice: a.map(x => -2 * x) });
    assert.equal(keys, ['a', 'c', 'twice']);
    assert.equal([pairs[0]?.a, pairs[0]?.b], ['a', 'twice']);
    near(pairs[0]?.r, -1, 'r', 1e-14);
    assert.is(matrix[0]![2], pairs[0]?.r);
    assert.equal(
      matrix.map((row, i) => row[i]),
      [1, 1, 1],
    );
    assert.equal(
      pairs.map(x => x.q_value),
      [...benjaminiHochberg(pairs.map(x => x.p_value!))],
    );
    assert.is(observations, 120);
  });
  test('b follows a by three rows: best lag 3, and -3 seen from b', () => {
    for (const method of ['pearson', 'spearman'] as const) {
      const [pair] = analyse({ a, b }, { method, maxLag: 10 }).pairs;
      const [turned] = analyse({ b, a }, { method, maxLag: 10 }).pairs;
      assert.is(pair?.best_lag, 3);
      assert.ok(pair!.r_at_best_lag! < -0.9);
      assert.is(turned?.best_lag, -3);
      near(turned?.r_at_best_lag, pair!.r_at_best_lag!, 'r', 1e-12);
    }
    assert.ok(Math.abs(analyse({ a, b }, { maxLag: 2 }).pairs[0]!.best_lag!) < 3);
  });
  test('a shift that leaves less than half of the rows does not count', () => {
    const { best_lag } = analyse(
      { x: of(1, 2, 9, 4, 7, 1, 3, 5), y: of(3, 8, 1, 2, 2, 1, 2, 9) },
      { maxLag: 50 },
    ).pairs[0]!;
    assert.ok(Math.abs(best_lag!) <= 4);
  });
  test('rows without a value are left out pair by pair', () => {
    const gaps = a.map((x, i) => (i % 4 === 0 ? NaN : x));
    const kept = [...a.keys()].filter(i => i % 4 !== 0);
    const { pairs, observations } = analyse({ gaps, c });
    const at = (v: Float64Array) => Float64Array.from(kept, i => v[i]!);
    assert.is(pairs[0]?.n, 90);
    assert.is(observations, 90);
    near(pairs[0]?.r, analyse({ x: at(a), y: at(c) }).pairs[0]!.r!, 'r', 1e-12);
    assert.is(analyse({ gaps, c }, { difference: true }).pairs[0]?.n, 60);
  });
  test('two series that trend are warned of, and not so their differences', () => {
    const x = seriesOf('walk_a');
    const y = seriesOf('trend');
    const z = seriesOf('noise_a');
    const { warnings } = analyse({ x, y, z });
    assert.equal(warnings, [{ code: 'both_nonstationary', keys: ['x', 'y'] }]);
    assert.equal(analyse({ x, y, z }, { difference: true }).warnings, []);
  });
  test('differences equal those made by hand', () => {
    const x = seriesOf('indpro');
    const y = seriesOf('oilprice');
    const change = (v: Float64Array) => v.slice(1).map((w, i) => w - v[i]!);
    for (const method of ['pearson', 'spearman'] as const) {
      const byHand = analyse({ x: change(x), y: change(y) }, { method }).pairs[0]!.r!;
      near(analyse({ x, y }, { method, difference: true }).pairs[0]?.r, byHand, 'r', 1e-10);
    }
  });
  test('constant and nearly empty series have no correlation, and come last', () => {
    const empty = new Float64Array(120).fill(NaN).fill(1, 0, 1).fill(2, 1, 2);
    const { pairs, matrix, warnings } = analyse({ flat: new Float64Array(120).fill(3), empty, a, c });
    assert.equal([pairs[0]?.a, pairs[0]?.b], ['a', 'c']);
    for (const { r, p_value, q_value, best_lag, r_at_best_lag } of pairs.slice(1))
      assert.equal([r, p_value, q_value, best_lag, r_at_best_lag], [null, null, null, null, null]);
    assert.equal(matrix[0], [null, null, null, null]);
    assert.equal(
      warnings.map(w => [w.code, ...w.keys]),
      [
        ['constant', 'flat'],
        ['insufficient_data', 'empty', 'a'],
        ['insufficient_data', 'empty', 'c'],
      ],
    );
    assert.not.ok(/NaN/.test(JSON.stringify(analyse({ flat: a.map(() => 0), a }))));
  });
  test('ranks keep numbers apart that lie close together far from the mean', () => {
    const x = of(1e-20, 2e-20, 3e-20, 1, 2);
    const y = of(1, 2, 3, 4, 5);
    near(analyse({ x, y }, { method: 'spearman' }).pairs[0]?.r, 1, 'rho', 1e-15);
  });
  test('nothing, one series, no rows', () => {
    assert.equal(analyse({}).pairs, []);
    assert.equal(analyse({ a }).matrix, [[1]]);
    assert.is(analyse({ x: of(), y: of() }, { difference: true }).observations, 0);
    assert.is(
      analyse({ x: of(1), y: of(2) }, { difference: true, method: 'spearman', maxLag: 3 }).pairs[0]?.r,
      null,
    );
  });
});
