import { pearson, scratchFor } from '../statistics/correlation.js';
import type { Standard } from '../statistics/series.js';
import type { CausalityAnswer, CausalityWarning, PairResult, Relationship } from './answer.js';
import { longestLag, pairTable } from './granger.js';
import type { CausalityInput } from './input.js';
import { lagTestsOf, type LagTests } from './lag-tests.js';
import { chosenMaxLag } from './max-lag.js';
import { lagAnalysis, networkOf } from './network.js';
import { prepared } from './prepared.js';
import { nameOf, pairsOf, resultsOf, significant, type OrderedPair } from './results.js';
import { windowStability } from './windows.js';

/**
 * Which variables help to foretell which others: Granger F tests of every ordered pair, the network that they
 * make, and how stable it is in time. Keys are unique. With fewer rows than asked for there are fewer whole
 * windows, counted from the newest row, while the pairs are tested on all rows there are. Whatever the data,
 * it answers and does not throw; docs/causality.md says how each member comes about. The same input gives the
 * same answer, to the bit.
 */
export function analyseCausality({ variables, settings }: CausalityInput): CausalityAnswer {
  const keys = variables.map(v => v.key);
  const level = settings.significanceLevel;
  const ready = prepared(variables, settings);
  const { series, rows, windows } = ready;
  const wanted = settings.maxLag ?? chosenMaxLag(series, rows, windows > 0 ? settings.signalCount : rows);
  const maxLag = Math.min(wanted, longestLag(rows));
  const pairs = pairsOf(keys);
  const tests = testsOf(series, rows, maxLag);
  const results = resultsOf(pairs, series, tests, maxLag, level);
  const relationships = significant(results);
  const stability = windowStability(
    series,
    pairs.map(pair => pair && nameOf(pair)),
    { count: windows, rows: settings.signalCount, total: rows },
    maxLag,
    level,
  );
  return {
    causality_results: {
      granger_results: Object.fromEntries(results.map(result => [nameOf(result), result])),
      causality_network: networkOf(keys, relationships),
      significant_relationships: relationships,
      lag_analysis: lagAnalysis(relationships, maxLag),
      window_stability: stability,
      correlation_matrix: { variables: keys, matrix: correlations(series, rows) },
      metadata: {
        max_lag_tested: maxLag,
        significance_level: level,
        number_of_variables: keys.length,
        total_observations: rows,
        windows_analyzed: windows,
        warnings: [...ready.warnings, ...testWarnings(pairs, tests, maxLag < (settings.maxLag ?? 0))],
      },
    },
    error: errorOf(relationships, results),
  };
}

function errorOf(
  relationships: readonly Relationship[],
  results: readonly PairResult[],
): CausalityAnswer['error'] {
  if (relationships.length > 0) return null;
  return results.some(result => result.status === 'tested')
    ? 'no_significant_relationship'
    : 'insufficient_data';
}

function testsOf(series: readonly (Standard | null)[], rows: number, maxLag: number): (LagTests | null)[] {
  const table = pairTable(series, { from: 0, rows }, maxLag);
  return Array.from(table.tested.keys(), lagTestsOf(table));
}

function testWarnings(
  pairs: readonly (OrderedPair | null)[],
  tests: readonly (LagTests | null)[],
  lowered: boolean,
): CausalityWarning[] {
  const perfect = pairs.filter(
    (pair, at): pair is OrderedPair => pair !== null && tests[at]?.perfect === true,
  );
  return [
    ...(lowered ? [{ code: 'max_lag_lowered', keys: [] } as const] : []),
    ...perfect.map(({ cause, effect }) => ({ code: 'perfect_fit', keys: [cause, effect] }) as const),
  ];
}

/** Pearson's r of every two variables; null where one of them is constant. */
function correlations(series: readonly (Standard | null)[], rows: number): (number | null)[][] {
  const scratch = scratchFor(rows);
  const matrix = series.map(() => new Array<number | null>(series.length).fill(null));
  for (let i = 0; i < series.length; i++)
    for (let j = 0; j <= i; j++) {
      const a = series[i];
      const b = series[j];
      if (!a || !b || rows < 3) continue;
      const r = i === j ? 1 : pearson(a.values, b.values, 0, scratch).r;
      matrix[i]![j] = r;
      matrix[j]![i] = r;
    }
  return matrix;
}
