import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { longestLag, pairTable, residualDegrees } from '../../../../domain/maths/causality/granger.js';
import { directions, ownPast } from '../../../../domain/maths/causality/own-past.js';
import {
  emptyReduction,
  reduceByProducts,
  reduceByRows,
} from '../../../../domain/maths/causality/reduction.js';
import { products } from '../../../../domain/maths/statistics/columns.js';
import { leastSquares } from '../../../../domain/maths/statistics/regression.js';
import { standardised } from '../../../../domain/maths/statistics/series.js';
import { suite } from '../../../suite.js';
import { near, recorded, seriesOf } from '../statistics/recorded.js';
import { analyse, pairOf } from './analyse.js';

suite('Granger tests', test => {
  const title = ({ cause, effect, maxlag }: (typeof recorded.granger)[number]) =>
    `${cause} -> ${effect}, ${maxlag} lags`;
  for (const one of recorded.granger)
    test(`${title(one)}: equals statsmodels`, () => {
      const { effect, cause, maxlag, f, p } = one;
      const rows = Math.min(recorded.series[effect]!.length, recorded.series[cause]!.length);
      const answer = analyse(
        { [effect]: seriesOf(effect, rows), [cause]: seriesOf(cause, rows) },
        { windows: 1, signalCount: rows, maxLag: maxlag },
      );
      const ours = pairOf(answer, `${cause} -> ${effect}`);
      assert.is(ours.status, 'tested');
      assert.is(ours.f_statistics.length, maxlag);
      f.forEach((expected, i) => near(ours.f_statistics[i], expected, `F at lag ${i + 1}`));
      p.forEach((expected, i) => near(ours.p_values[i], expected, `p at lag ${i + 1}`));
      assert.is(ours.min_p_value, Math.min(...ours.p_values));
      assert.is(ours.optimal_lag, ours.p_values.indexOf(ours.min_p_value!) + 1);
    });

  test('strength is the partial R2 that belongs to F', () => {
    const answer = analyse(
      { x: seriesOf('lead'), y: seriesOf('follows_2') },
      { windows: 1, signalCount: 160, maxLag: 4 },
    );
    const ours = pairOf(answer, 'x -> y');
    const lag = ours.optimal_lag!;
    const scaled = (ours.f_statistics[lag - 1]! * lag) / (160 - 3 * lag - 1);
    assert.is(lag, 2);
    near(ours.strength, scaled / (1 + scaled), 'strength', 1e-12);
  });

  test('location and scale, however great, change nothing', () => {
    const x = seriesOf('lead');
    const y = seriesOf('follows_2');
    const ask = { windows: 1, signalCount: 160, maxLag: 3 };
    const { f_statistics } = pairOf(analyse({ x, y }, ask), 'x -> y');
    const moved = pairOf(
      analyse({ x: x.map(v => v * 2 ** 1000), y: y.map(v => v * 2 ** -900) }, ask),
      'x -> y',
    );
    f_statistics.forEach((f, i) => near(moved.f_statistics[i], f, 'F', 1e-13));
    const lifted = pairOf(analyse({ x: x.map(v => v + 1e6), y: y.map(v => v - 1e6) }, ask), 'x -> y');
    f_statistics.forEach((f, i) => near(lifted.f_statistics[i], f, 'F', 1e-8));
  });
});

suite('the pairs of a table', test => {
  /**
   * F at one lag by two regressions; null where a regressor depends on others or the effect follows from its
   * own past.
   */
  const plainF = (effect: Float64Array, cause: Float64Array, lag: number): number | null => {
    const past = (v: Float64Array) =>
      Array.from({ length: lag }, (_, j) => v.slice(lag - 1 - j, v.length - 1 - j));
    const y = effect.slice(lag);
    const own = [new Float64Array(y.length).fill(1), ...past(effect)];
    const both = [...own, ...past(cause)];
    const restricted = leastSquares(own, y);
    const { rss, rank } = leastSquares(both, y);
    const degrees = y.length - both.length;
    return rank < both.length || restricted.rss < 1e-20
      ? null
      : (((restricted.rss - rss) / Math.max(rss, 1e-20)) * degrees) / lag;
  };
  const close = (a: number, b: number) =>
    Math.abs(a - b) <= 1e-7 * Math.abs(b) + 1e-10 || (a > 1e12 && b > 1e12);

  test('equal plain regressions for any rows and lags, also of few different values', () => {
    const few = fc.integer({ min: 0, max: 2 }).map(x => x / 2);
    const many = fc.integer({ min: -50, max: 50 }).map(x => x / 50);
    const value = fc.oneof({ weight: 3, arbitrary: many }, few, fc.constant(0));
    const rows = fc
      .integer({ min: 5, max: 40 })
      .chain(n => fc.array(fc.array(value, { minLength: n, maxLength: n }), { minLength: 2, maxLength: 3 }));
    fc.assert(
      fc.property(rows, fc.integer({ min: 1, max: 6 }), (lists, most) => {
        const series = lists.map(v => Float64Array.from(v));
        const maxLag = Math.min(most, longestLag(lists[0]!.length));
        const table = pairTable(
          series.map(v => standardised(v)),
          { from: 0, rows: lists[0]!.length },
          maxLag,
        );
        const degrees = (lag: number) => residualDegrees(lists[0]!.length, lag);
        series.forEach((effect, e) =>
          series.forEach((cause, c) => {
            if (e === c || standardised(effect) === null || standardised(cause) === null) return;
            const pair = c * series.length + e;
            const tested = table.tested[pair]!;
            for (let lag = 1; lag <= tested; lag++) {
              const at = pair * maxLag + lag - 1;
              const f = ((table.share[at]! / table.rest[at]!) * degrees(lag)) / lag;
              const expected = plainF(effect, cause, lag);
              assert.ok(expected !== null && close(f, expected), `lag ${lag}: ${f} is not ${expected}`);
            }
            if (tested < maxLag) assert.is(plainF(effect, cause, tested + 1), null);
          }),
        );
      }),
      { numRuns: 400 },
    );
  });

  test('the quick way and that of the rows agree, and the quick way gives up on what is too alike', () => {
    const maxLag = 4;
    const span = { from: 0, rows: 100 };
    const width = directions(maxLag);
    const x = standardised(seriesOf('lead', 100))!.values;
    const reductions = (noise: number) => {
      const y = standardised(seriesOf('noise_a', 100).map((e, i) => noise * e + x[i]!))!.values;
      const effect = ownPast(x, span, maxLag, false);
      const cause = ownPast(y, span, maxLag, false);
      const m = new Float64Array(width * width);
      products(effect.basis, effect.common, cause.basis, cause.common, effect.common, width, m);
      const quick = emptyReduction(maxLag);
      const exact = emptyReduction(maxLag);
      reduceByRows(effect, cause, exact);
      return {
        could: reduceByProducts(effect, cause, m, new Float64Array(maxLag * maxLag), quick),
        quick,
        exact,
      };
    };
    const size = (v: Float64Array, j: number) => Math.hypot(...v.slice(j * maxLag, j * maxLag + maxLag));
    const { could, quick, exact } = reductions(0.3);
    assert.ok(could);
    quick.along.forEach((value, i) => assert.ok(Math.abs(value - exact.along[i]!) < 1e-12));
    for (let j = 0; j < maxLag; j++) near(size(quick.beneath, j), size(exact.beneath, j), 'left', 1e-11);
    assert.not.ok(reductions(1e-3).could);
  });
});
