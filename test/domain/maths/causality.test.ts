import fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { CausalitySettings } from '../../../domain/maths/causality/input.js';
import { relationshipType } from '../../../domain/maths/causality/network.js';
import { benjaminiHochberg, simes } from '../../../domain/maths/statistics/multiple.js';
import { randomOf, type Random } from '../../random.js';
import { suite } from '../../suite.js';
import { analyse, pairOf } from './causality/analyse.js';
import { near, seriesOf } from './statistics/recorded.js';

const noise = (random: Random, rows: number): Float64Array =>
  Float64Array.from({ length: rows }, () => random.next() + random.next() + random.next() - 1.5);
/** y follows x by `lag` rows. */
const follower = (random: Random, x: Float64Array, lag: number, size: number): Float64Array =>
  noise(random, x.length).map((e, i) => e + size * (x[i - lag] ?? 0));

/** a leads b by 2 rows and c by 1, d is alone. */
function planted(rows: number, seed = 5): Readonly<Record<string, Float64Array>> {
  const random = randomOf(seed);
  const a = noise(random, rows);
  return { a, b: follower(random, a, 2, 0.8), c: follower(random, a, 1, 1.5), d: noise(random, rows) };
}

suite('causality analysis', test => {
  const answer = analyse(planted(250), { maxLag: 4 });
  const results = answer.causality_results;

  test('finds what was planted, with its lag, strongest first', () => {
    assert.is(answer.error, null);
    const [first, second] = results.significant_relationships;
    assert.equal([first?.cause, first?.effect, first?.optimal_lag], ['a', 'c', 1]);
    assert.equal([second?.cause, second?.effect, second?.optimal_lag], ['a', 'b', 2]);
    const strengths = results.significant_relationships.map(r => r.strength);
    assert.equal(
      strengths,
      [...strengths].sort((x, y) => y - x),
    );
  });
  test('every ordered pair has its result', () => {
    assert.is(Object.keys(results.granger_results).length, 12);
    for (const [name, pair] of Object.entries(results.granger_results)) {
      assert.is(name, `${pair.cause} -> ${pair.effect}`);
      assert.is(pair.is_significant, pair.min_p_value! < 0.05);
      near(pair.adjusted_p_value, simes(pair.p_values), 'Simes', 1e-15);
    }
  });
  test('q values are those of Benjamini and Hochberg over the pairs', () => {
    const pairs = Object.values(results.granger_results);
    const q = benjaminiHochberg(pairs.map(pair => pair.adjusted_p_value!));
    pairs.forEach((pair, i) => assert.is(pair.q_value, q[i]));
    for (const { from, to, q_value } of results.causality_network.edges)
      assert.is(q_value, pairOf(answer, `${from} -> ${to}`).q_value);
  });
  test('the network says the same in all its forms', () => {
    const { nodes, edges, adjacency_matrix, causality_scores, network_stats } = results.causality_network;
    assert.equal(nodes, ['a', 'b', 'c', 'd']);
    assert.is(edges.length, results.significant_relationships.length);
    assert.is(adjacency_matrix.flat().filter(x => x !== 0).length, edges.length);
    for (const { from, to, strength } of edges)
      assert.is(adjacency_matrix[nodes.indexOf(from)]![nodes.indexOf(to)], strength);
    const out = edges.filter(e => e.from === 'a').reduce((sum, e) => sum + e.strength, 0);
    near(causality_scores['a']!.outgoing, out, 'outgoing', 1e-15);
    near(causality_scores['a']!.net, out - causality_scores['a']!.incoming, 'net', 1e-12);
    assert.is(network_stats.network_density, edges.length / 12);
    assert.is(network_stats.significant_relationships, edges.length);
  });
  test('lags are counted over the significant relationships', () => {
    const { lag_distribution, lag_effectiveness, avg_optimal_lag } = results.lag_analysis;
    const found = results.significant_relationships;
    assert.equal(Object.keys(lag_distribution), ['1', '2', '3', '4']);
    assert.is(
      Object.values(lag_distribution).reduce((a, b) => a + b),
      found.length,
    );
    assert.is(lag_effectiveness['2']!.count, lag_distribution['2']);
    near(avg_optimal_lag, found.reduce((sum, r) => sum + r.optimal_lag, 0) / found.length, 'mean lag', 1e-15);
  });
  test('each window is an analysis of its own rows', () => {
    const all = planted(250);
    const { stability_scores, consistent_relationships, window_count } = results.window_stability;
    const rows = (w: number) =>
      Object.fromEntries(Object.entries(all).map(([key, v]) => [key, v.slice(w * 50, w * 50 + 50)]));
    const alone = [0, 1, 2, 3, 4].map(w => pairOf(analyse(rows(w), { windows: 1, maxLag: 4 }), 'a -> c'));
    const score = stability_scores['a -> c']!;
    const strengths = alone.map(pair => pair.strength);
    const mean = strengths.reduce((a, b) => a + b) / 5;
    assert.is(window_count, 5);
    near(score.mean_strength, mean, 'mean', 1e-9);
    near(
      score.std_strength,
      Math.sqrt(strengths.reduce((sum, x) => sum + (x - mean) ** 2, 0) / 5),
      'standard deviation',
      1e-9,
    );
    assert.is(score.windows_significant, alone.filter(pair => pair.is_significant).length);
    assert.is(score.stability_score, score.windows_significant / 5);
    assert.ok(consistent_relationships.includes('a -> c'));
  });
  test('a border value has the higher word', () => {
    assert.equal([1, 0.8, 0.79, 0.6, 0.4, 0.2, 0.19, 0].map(relationshipType), [
      'very_strong',
      'very_strong',
      'strong',
      'strong',
      'moderate',
      'weak',
      'very_weak',
      'very_weak',
    ]);
  });
  test('the same input gives the same answer', () => {
    assert.is(JSON.stringify(analyse(planted(250), { maxLag: 4 })), JSON.stringify(answer));
  });
});

suite('rows and windows', test => {
  test('the newest rows count', () => {
    const long = planted(400);
    const newest = Object.fromEntries(Object.entries(long).map(([key, v]) => [key, v.slice(-250)]));
    assert.equal(analyse(long), analyse(newest));
  });
  test('fewer rows: fewer whole windows, and all rows tested', () => {
    const { metadata, window_stability } = analyse(planted(130), { maxLag: 2 }).causality_results;
    assert.is(metadata.total_observations, 130);
    assert.is(metadata.windows_analyzed, 2);
    assert.is(window_stability.window_count, 2);
    assert.equal(metadata.warnings, [{ code: 'fewer_windows', keys: [] }]);
  });
  test('a lag with too few rows is left out', () => {
    const answer = analyse(planted(20), { windows: 1, signalCount: 20, maxLag: 15 });
    assert.is(answer.causality_results.metadata.max_lag_tested, 6);
    assert.is(pairOf(answer, 'a -> b').p_values.length, 6);
    assert.equal(answer.causality_results.metadata.warnings.at(-1), { code: 'max_lag_lowered', keys: [] });
  });
  test('too few rows even for one', () => {
    for (const rows of [0, 1, 4]) {
      const answer = analyse(planted(rows));
      assert.is(answer.error, 'insufficient_data');
      assert.is(answer.causality_results.causality_network.nodes.length, 4);
      if (rows > 1) assert.is(pairOf(answer, 'a -> b').status, 'insufficient_data');
    }
    assert.is(analyse({}).error, 'insufficient_data');
    assert.is(analyse({ a: noise(randomOf(1), 100) }).error, 'insufficient_data');
  });
  test('nothing significant: the error says so beside whole results', () => {
    const answer = analyse({ a: seriesOf('noise_a'), b: seriesOf('noise_b') }, { significanceLevel: 0 });
    assert.is(answer.error, 'no_significant_relationship');
    assert.is(pairOf(answer, 'a -> b').status, 'tested');
    assert.is(answer.causality_results.lag_analysis.avg_optimal_lag, 0);
  });
});

suite('the longest lag, when not said', test => {
  const lagOf = (
    variables: Readonly<Record<string, Float64Array>>,
    settings: Partial<CausalitySettings> = {},
  ) => analyse(variables, settings).causality_results.metadata.max_lag_tested;
  const random = randomOf(3);
  const x = noise(random, 250);
  test('noise gets 1', () =>
    assert.is(lagOf({ a: noise(random, 250), b: noise(random, 250), c: noise(random, 250) }), 1));
  test('a relationship at lag 4 gets 4', () =>
    assert.is(lagOf({ x, y: follower(random, x, 4, 1), z: noise(random, 250) }), 4));
  test('windows bound it', () => {
    const y = follower(random, x, 2, 1);
    assert.equal(
      [10, 12].map(signalCount => lagOf({ x, y }, { windows: 20, signalCount })),
      [1, 2],
    );
    assert.is(lagOf({ x: x.slice(0, 8), y: x.slice(8, 16) }), 1);
  });
});

suite('series that are hard to test', test => {
  const random = randomOf(9);
  const x = noise(random, 250);
  const y = follower(random, x, 1, 1);
  const status = (variables: Readonly<Record<string, Float64Array>>, name = 'x -> y', settings = {}) =>
    pairOf(analyse(variables, { maxLag: 3, ...settings }), name).status;

  test('constant', () => {
    const answer = analyse({ x, y: new Float64Array(250).fill(7), z: y }, { maxLag: 2 });
    assert.is(pairOf(answer, 'x -> y').status, 'constant');
    assert.is(pairOf(answer, 'y -> x').status, 'constant');
    assert.is(pairOf(answer, 'x -> z').status, 'tested');
    assert.equal(answer.causality_results.metadata.warnings[0], { code: 'constant', keys: ['y'] });
    assert.equal(
      answer.causality_results.correlation_matrix.matrix.map(row => row[1]),
      [null, null, null],
    );
  });
  test('identical, or one a multiple of the other', () => {
    for (const copy of [x, x.map(v => 3 * v - 2), x.map(v => v / 7 + 1000)]) {
      assert.is(status({ x, y: copy }), 'degenerate');
      assert.is(status({ x, y: copy }, 'y -> x'), 'degenerate');
    }
  });
  test('a straight line follows from its own past', () => {
    const line = x.map((_, i) => 0.1 * i);
    assert.is(status({ x, y: line }), 'degenerate');
    assert.is(status({ x, y: line }, 'x -> y', { difference: 'all' }), 'constant');
  });
  test('a copy, one row later: certain, and finite', () => {
    const answer = analyse({ x, y: x.map((_, i) => x[i - 1] ?? 0) }, { maxLag: 3 });
    const pair = pairOf(answer, 'x -> y');
    assert.is(pair.optimal_lag, 1);
    assert.is(pair.p_values[0], 0);
    near(pair.strength, 1, 'strength', 1e-12);
    assert.ok(Number.isFinite(pair.f_statistics[0]!) && pair.f_statistics[0]! > 1e15);
    assert.equal(answer.causality_results.metadata.warnings.find(w => w.code === 'perfect_fit')?.keys, [
      'x',
      'y',
    ]);
    assert.is(pairOf(answer, 'y -> x').p_values.length, 1); // its second lag is a lag of x itself
  });
  test('a series that changes only in its first rows, at its last one, or in one window', () => {
    for (const place of [0, 1, 3, 249, 130]) {
      const spike = new Float64Array(250);
      spike[place] = 1;
      const answer = analyse({ x, spike }, { maxLag: 3 });
      assert.not.ok(/null,null\]|NaN/.test(JSON.stringify(answer.causality_results.window_stability)));
      assert.ok(['tested', 'degenerate'].includes(pairOf(answer, 'x -> spike').status));
    }
  });
  test('unit roots are named, and taken out when asked', () => {
    const walk = x.map(
      (
        sum => (v: number) =>
          (sum += v)
      )(0),
    );
    const warnings = (difference: CausalitySettings['difference']) =>
      analyse({ x, walk }, { difference, maxLag: 2 }).causality_results.metadata;
    assert.equal(warnings('none').warnings, [{ code: 'nonstationary', keys: ['walk'] }]);
    assert.equal(warnings('auto').warnings, [
      { code: 'fewer_windows', keys: [] },
      { code: 'differenced', keys: ['walk'] },
    ]);
    assert.is(warnings('auto').total_observations, 249);
    assert.equal(warnings('all').warnings.at(-1), { code: 'differenced', keys: ['x', 'walk'] });
  });
  test('differences are tested as differences', () => {
    const change = (v: Float64Array) => v.slice(1).map((z, i) => z - v[i]!);
    const a = seriesOf('indpro', 100);
    const b = seriesOf('oilprice', 100);
    const ask = { windows: 1, signalCount: 99, maxLag: 4 };
    const ours = pairOf(analyse({ a, b }, { ...ask, difference: 'all' }), 'b -> a');
    const { f_statistics } = pairOf(analyse({ a: change(a), b: change(b) }, ask), 'b -> a');
    f_statistics.forEach((f, i) => near(ours.f_statistics[i], f, 'F', 1e-9));
  });

  test('whatever the data, every number is finite and nothing throws', () => {
    const any = fc.double({ noNaN: true, noDefaultInfinity: true });
    const value = fc.oneof(any, fc.integer({ min: -2, max: 2 }), fc.constantFrom(0, 1e-300, 1e15));
    const some = fc
      .integer({ min: 0, max: 60 })
      .chain(rows => fc.array(fc.array(value, { minLength: rows, maxLength: rows }), { maxLength: 4 }));
    const settings = fc.record({
      windows: fc.integer({ min: 1, max: 5 }),
      signalCount: fc.integer({ min: 1, max: 20 }),
      maxLag: fc.option(fc.integer({ min: 1, max: 15 })),
      significanceLevel: fc.constantFrom(0, 0.05, 1),
      difference: fc.constantFrom('none' as const, 'all' as const, 'auto' as const),
    });
    fc.assert(
      fc.property(some, settings, (series, asked) => {
        const answer = analyse(
          Object.fromEntries(series.map((v, i) => [`k${i}`, Float64Array.from(v)])),
          asked,
        );
        JSON.stringify(answer, (_, v: unknown) => {
          if (typeof v === 'number') assert.ok(Number.isFinite(v));
          return v;
        });
        for (const pair of Object.values(answer.causality_results.granger_results)) {
          const { p_values, f_statistics, min_p_value, optimal_lag, strength } = pair;
          assert.ok(p_values.every(p => p >= 0 && p <= 1));
          assert.is(p_values.length, f_statistics.length);
          assert.is(min_p_value, p_values[(optimal_lag ?? 0) - 1] ?? null);
          assert.ok(strength >= 0 && strength <= 1);
        }
      }),
      { numRuns: 500 },
    );
  });
});
