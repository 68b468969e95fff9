import { pearson, scratchFor } from '../statistics/correlation.js';
import { benjaminiHochberg, simes } from '../statistics/multiple.js';
import type { Standard } from '../statistics/series.js';
import type { CausalityAnswer, CausalityWarning, PairResult, PairStatus, Relationship } from './answer.js';
import { longestLag, pairTable } from './granger.js';
import { lagTestsOf, type LagTests } from './lag-tests.js';
import { chosenMaxLag } from './max-lag.js';
import { lagAnalysis, networkOf, relationshipType } from './network.js';
import { prepared } from './prepared.js';
import { windowStability } from './windows.js';

/** One variable: a number for each row of the grid that all variables share, newest last, all finite. */
export type Variable = { readonly key: string; readonly values: Float64Array };

export type CausalitySettings = {
  /**
   * Windows, and rows in each: the latest `windows` times `signalCount` rows are looked at. Both at least 1.
   */
  readonly windows: number;
  readonly signalCount: number;
  /** The longest lag, at least 1; null: chosen from the data (`chosenMaxLag`). */
  readonly maxLag: number | null;
  /** A relationship is significant with a p below it. 0 to 1. */
  readonly significanceLevel: number;
  /**
   * Levels as given; first differences of all variables; or of those in which a unit root is not rejected.
   */
  readonly difference: 'none' | 'all' | 'auto';
};

export type CausalityInput = {
  readonly variables: readonly Variable[];
  readonly settings: CausalitySettings;
};

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
  const asked = settings.maxLag ?? chosenMaxLag(series, rows, windows > 0 ? settings.signalCount : rows);
  const maxLag = Math.min(asked, longestLag(rows));
  const pairs = pairsOf(keys);
  const tests = testsOf(series, rows, maxLag);
  const results = resultsOf(pairs, series, tests, maxLag, level);
  const relationships = significant(results);
  return {
    causality_results: {
      granger_results: Object.fromEntries(results.map(result => [nameOf(result), result])),
      causality_network: networkOf(keys, relationships),
      significant_relationships: relationships,
      lag_analysis: lagAnalysis(relationships, maxLag),
      window_stability: windowStability(
        series,
        pairs.map(pair => pair && nameOf(pair)),
        { count: windows, rows: settings.signalCount, total: rows },
        maxLag,
        level,
      ),
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
    error:
      relationships.length > 0
        ? null
        : results.some(r => r.status === 'tested')
          ? 'no_significant_relationship'
          : 'insufficient_data',
  };
}

type Pair = { readonly cause: string; readonly effect: string };

const nameOf = ({ cause, effect }: Pair): string => `${cause} -> ${effect}`;

/** In the order of a PairTable: null where cause and effect are one. */
const pairsOf = (keys: readonly string[]): (Pair | null)[] =>
  keys.flatMap(cause => keys.map(effect => (cause === effect ? null : { cause, effect })));

function testsOf(series: readonly (Standard | null)[], rows: number, maxLag: number): (LagTests | null)[] {
  const table = pairTable(series, { from: 0, rows }, maxLag);
  return Array.from(table.tested.keys(), lagTestsOf(table));
}

function resultsOf(
  pairs: readonly (Pair | null)[],
  series: readonly (Standard | null)[],
  tests: readonly (LagTests | null)[],
  maxLag: number,
  level: number,
): PairResult[] {
  const adjusted = tests.map(t => (t ? simes(t.p) : NaN));
  const q = benjaminiHochberg(adjusted);
  const count = series.length;
  return pairs.flatMap((pair, at): PairResult[] => {
    const t = tests[at] ?? null;
    if (pair === null) return [];
    if (t === null) {
      const constant = series[Math.floor(at / count)] === null || series[at % count] === null;
      return [
        untested(pair, maxLag === 0 ? 'insufficient_data' : constant ? 'constant' : 'degenerate', level),
      ];
    }
    const least = t.p[t.best]!;
    return [
      {
        ...pair,
        status: 'tested',
        p_values: t.p,
        f_statistics: t.f,
        optimal_lag: t.best + 1,
        min_p_value: least,
        is_significant: least < level,
        strength: t.strength,
        significance_level: level,
        adjusted_p_value: adjusted[at]!,
        q_value: q[at]!,
      },
    ];
  });
}

const untested = (pair: Pair, status: PairStatus, level: number): PairResult => ({
  ...pair,
  status,
  p_values: [],
  f_statistics: [],
  optimal_lag: null,
  min_p_value: null,
  is_significant: false,
  strength: 0,
  significance_level: level,
  adjusted_p_value: null,
  q_value: null,
});

/** The significant ones, the strongest first. */
const significant = (results: readonly PairResult[]): Relationship[] =>
  results
    .filter(r => r.is_significant)
    .map(({ cause, effect, strength, min_p_value, q_value, optimal_lag, f_statistics }) => ({
      cause,
      effect,
      strength,
      p_value: min_p_value!,
      q_value: q_value!,
      optimal_lag: optimal_lag!,
      f_statistic: f_statistics[optimal_lag! - 1]!,
      relationship_type: relationshipType(strength),
    }))
    .sort((a, b) => b.strength - a.strength);

function testWarnings(
  pairs: readonly (Pair | null)[],
  tests: readonly (LagTests | null)[],
  lowered: boolean,
): CausalityWarning[] {
  const perfect = pairs.filter((pair, at): pair is Pair => pair !== null && tests[at]?.perfect === true);
  return [
    ...(lowered ? [{ code: 'max_lag_lowered', keys: [] } as const] : []),
    ...perfect.map(({ cause, effect }) => ({ code: 'perfect_fit', keys: [cause, effect] }) as const),
  ];
}

function correlations(series: readonly (Standard | null)[], rows: number): (number | null)[][] {
  const scratch = scratchFor(rows);
  const matrix = series.map(() => new Array<number | null>(series.length).fill(null));
  series.forEach((a, i) =>
    series.slice(0, i + 1).forEach((b, j) => {
      if (a === null || b === null || rows < 3) return;
      matrix[i]![j] = matrix[j]![i] = i === j ? 1 : pearson(a.values, b.values, 0, scratch).r;
    }),
  );
  return matrix;
}
