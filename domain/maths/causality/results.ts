import { benjaminiHochberg, simes } from '../statistics/multiple.js';
import type { Standard } from '../statistics/series.js';
import type { PairResult, PairStatus, Relationship } from './answer.js';
import type { LagTests } from './lag-tests.js';
import { relationshipType } from './network.js';

/** Two variables in one direction, by their keys. */
export type OrderedPair = { readonly cause: string; readonly effect: string };

export const nameOf = ({ cause, effect }: OrderedPair): string => `${cause} -> ${effect}`;

/** In the order of a PairTable: null where cause and effect are one. */
export const pairsOf = (keys: readonly string[]): (OrderedPair | null)[] =>
  keys.flatMap(cause => keys.map(effect => (cause === effect ? null : { cause, effect })));

/**
 * What is answered of each pair. `pairs` and `tests` are in the order of a PairTable; `series` are the
 * variables as they were tested, null for a constant one; `level` is that of significance.
 */
export function resultsOf(
  pairs: readonly (OrderedPair | null)[],
  series: readonly (Standard | null)[],
  tests: readonly (LagTests | null)[],
  maxLag: number,
  level: number,
): PairResult[] {
  const adjusted = tests.map(test => (test ? simes(test.p) : NaN));
  const q = benjaminiHochberg(adjusted);
  return pairs.flatMap((pair, at): PairResult[] => {
    const test = tests[at] ?? null;
    if (pair === null) return [];
    if (test === null) return [untested(pair, whyUntested(series, at, maxLag), level)];
    const least = test.p[test.best]!;
    return [
      {
        ...pair,
        status: 'tested',
        p_values: test.p,
        f_statistics: test.f,
        optimal_lag: test.best + 1,
        min_p_value: least,
        is_significant: least < level,
        strength: test.strength,
        significance_level: level,
        adjusted_p_value: adjusted[at]!,
        q_value: q[at]!,
      },
    ];
  });
}

function whyUntested(series: readonly (Standard | null)[], pair: number, maxLag: number): PairStatus {
  const cause = series[Math.floor(pair / series.length)];
  const effect = series[pair % series.length];
  if (maxLag === 0) return 'insufficient_data';
  return cause === null || effect === null ? 'constant' : 'degenerate';
}

const untested = (pair: OrderedPair, status: PairStatus, level: number): PairResult => ({
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
export const significant = (results: readonly PairResult[]): Relationship[] =>
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
