import * as assert from 'uvu/assert';
import { leastSquares, nestedFits } from '../../../../domain/maths/statistics/regression.js';
import { randomOf } from '../../../random.js';
import { suite } from '../../../suite.js';
import { near } from './recorded.js';

const random = randomOf(11);
const column = (rows: number, value: (i: number) => number = () => random.next() - 0.5): Float64Array =>
  Float64Array.from({ length: rows }, (_, i) => value(i));
const ones = (rows: number): Float64Array => column(rows, () => 1);

/** y - X b, and its sum of squares. */
const residuals = (
  columns: readonly Float64Array[],
  y: Float64Array,
  coefficients: Float64Array,
): Float64Array =>
  y.map((value, i) => columns.reduce((left, x, j) => left - coefficients[j]! * x[i]!, value));
const squares = (values: Float64Array): number => values.reduce((sum, x) => sum + x * x, 0);

suite('least squares', test => {
  test('finds the coefficients that made y', () => {
    const columns = [ones(30), column(30), column(30)];
    const y = column(30, i => 3 - 2 * columns[1]![i]! + 0.5 * columns[2]![i]!);
    const { coefficients, rss, rank } = leastSquares(columns, y);
    [3, -2, 0.5].forEach((b, j) => near(coefficients[j], b, `b${j}`, 1e-12));
    assert.ok(rss < 1e-28);
    assert.is(rank, 3);
  });
  test('what is left stands at a right angle to every column', () => {
    const columns = [ones(40), column(40), column(40, i => i ** 3), column(40)];
    const y = column(40);
    const { coefficients, rss } = leastSquares(columns, y);
    const left = residuals(columns, y, coefficients);
    near(squares(left), rss, 'rss', 1e-10);
    for (const x of columns)
      assert.ok(Math.abs(x.reduce((sum, v, i) => sum + v * left[i]!, 0)) < 1e-10 * Math.sqrt(squares(x)));
  });
  test('a dependent column gets 0 and changes nothing', () => {
    const a = column(25);
    const b = column(25);
    const y = column(25);
    const whole = leastSquares([ones(25), a, b], y);
    const more = leastSquares([ones(25), a, b, a.map((x, i) => 2 * x - b[i]! + 7)], y);
    assert.is(more.rank, 3);
    near(more.rss, whole.rss, 'rss', 1e-12);
    assert.is([...more.coefficients].filter(x => x === 0).length, 1);
    near(
      squares(residuals([ones(25), a, b, a.map((x, i) => 2 * x - b[i]! + 7)], y, more.coefficients)),
      whole.rss,
      'fit',
      1e-10,
    );
  });
  test('Longley (1967): the certified values of NIST, known to break normal equations', () => {
    const { columns, y, certified, deviation } = longley;
    const { coefficients, rss } = leastSquares(columns, y);
    certified.forEach((b, j) => near(coefficients[j], b, `b${j}`, 1e-9));
    near(Math.sqrt(rss / 9), deviation, 'residual standard deviation', 1e-10);
  });
  test('no columns, columns of zeros, more columns than rows', () => {
    const y = column(5);
    assert.equal(leastSquares([], y), {
      coefficients: new Float64Array(0),
      rss: leastSquares([], y).rss,
      rank: 0,
    });
    near(leastSquares([], y).rss, squares(y), 'rss', 1e-14);
    assert.equal(leastSquares([new Float64Array(5)], y).coefficients, new Float64Array(1));
    const many = leastSquares(
      Array.from({ length: 9 }, () => column(5)),
      y,
    );
    assert.is(many.rank, 5);
    assert.ok(many.rss < 1e-25);
  });
  test('leaves its input as it is', () => {
    const columns = [ones(10), column(10)];
    const y = column(10);
    const before = JSON.stringify([columns, y]);
    leastSquares(columns, y);
    nestedFits(columns, y);
    assert.is(JSON.stringify([columns, y]), before);
  });
});

suite('nested fits', test => {
  test('are the fits on the first columns, one by one', () => {
    const columns = [ones(50), column(50), column(50, i => i), column(50), column(50)];
    const y = column(50);
    const { rss, rank, effects } = nestedFits(columns, y);
    for (let j = 0; j <= columns.length; j++) {
      const alone = leastSquares(columns.slice(0, j), y);
      near(rss[j], alone.rss, `rss ${j}`, 1e-12);
      assert.is(rank[j], j);
      if (j > 0) assert.is(Math.sign(effects[j - 1]!), Math.sign(alone.coefficients[j - 1]!));
    }
  });
  test('a dependent column has no effect and no rank', () => {
    const a = column(20);
    const { rss, rank, effects } = nestedFits([ones(20), a, a.map(x => 4 - x), column(20)], column(20));
    assert.equal([...rank], [0, 1, 2, 2, 3]);
    assert.is(effects[2], 0);
    assert.is(rss[2], rss[3]);
  });
});

// Longley, "An appraisal of least squares programs", JASA 62 (1967); certified values: NIST Statistical
// Reference Datasets
const longley = (() => {
  const rows = [
    [60323, 83, 234289, 2356, 1590, 107608, 1947],
    [61122, 88.5, 259426, 2325, 1456, 108632, 1948],
    [60171, 88.2, 258054, 3682, 1616, 109773, 1949],
    [61187, 89.5, 284599, 3351, 1650, 110929, 1950],
    [63221, 96.2, 328975, 2099, 3099, 112075, 1951],
    [63639, 98.1, 346999, 1932, 3594, 113270, 1952],
    [64989, 99, 365385, 1870, 3547, 115094, 1953],
    [63761, 100, 363112, 3578, 3350, 116219, 1954],
    [66019, 101.2, 397469, 2904, 3048, 117388, 1955],
    [67857, 104.6, 419180, 2822, 2857, 118734, 1956],
    [68169, 108.4, 442769, 2936, 2798, 120445, 1957],
    [66513, 110.8, 444546, 4681, 2637, 121950, 1958],
    [68655, 112.6, 482704, 3813, 2552, 123366, 1959],
    [69564, 114.2, 502601, 3931, 2514, 125368, 1960],
    [69331, 115.7, 518173, 4806, 2572, 127852, 1961],
    [70551, 116.9, 554894, 4007, 2827, 130081, 1962],
  ];
  const of = (j: number) => column(rows.length, i => rows[i]![j]!);
  return {
    y: of(0),
    columns: [ones(rows.length), ...[1, 2, 3, 4, 5, 6].map(of)],
    deviation: 304.854073561965,
    certified: [
      -3482258.63459582, 15.0618722713733, -0.35819179292591e-1, -2.02022980381683, -1.03322686717359,
      -0.511041056535807e-1, 1829.15146461355,
    ],
  };
})();
