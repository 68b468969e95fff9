/**
 * The answer of a causality analysis, member for member as the API gives it. No number is NaN or infinite.
 */

/**
 * `tested`: the numbers stand. `insufficient_data`: too few rows even for lag 1. `constant`: one of the two
 * does not change. `degenerate`: even at lag 1 the past of the one depends on that of the other (the same
 * series twice, or a multiple of it), or the effect follows from its own past without error.
 */
export type PairStatus = 'tested' | 'insufficient_data' | 'constant' | 'degenerate';

export type PairResult = {
  readonly cause: string;
  readonly effect: string;
  readonly status: PairStatus;
  /** By lag, from 1 on; ends before the first lag that cannot be tested. */
  readonly p_values: readonly number[];
  readonly f_statistics: readonly number[];
  /** The lag with the smallest p (the shortest of equals), that p, and whether it is below the level. */
  readonly optimal_lag: number | null;
  readonly min_p_value: number | null;
  readonly is_significant: boolean;
  /** Partial R^2 at that lag: the share of what the effect's own past leaves open that the cause explains. */
  readonly strength: number;
  readonly significance_level: number;
  /** One p over all lags (Simes), which takes into account that the smallest was looked for. */
  readonly adjusted_p_value: number | null;
  /** Benjamini and Hochberg over `adjusted_p_value` of all tested pairs. */
  readonly q_value: number | null;
};

export type RelationshipType = 'very_strong' | 'strong' | 'moderate' | 'weak' | 'very_weak';

export type Relationship = {
  readonly cause: string;
  readonly effect: string;
  readonly strength: number;
  readonly p_value: number;
  readonly q_value: number;
  readonly optimal_lag: number;
  readonly f_statistic: number;
  readonly relationship_type: RelationshipType;
};

export type Edge = {
  readonly from: string;
  readonly to: string;
  readonly strength: number;
  readonly p_value: number;
  readonly q_value: number;
  readonly optimal_lag: number;
};

/** Sums of strengths; net is outgoing minus incoming. */
export type CausalityScore = { readonly outgoing: number; readonly incoming: number; readonly net: number };

export type CausalityNetwork = {
  readonly nodes: readonly string[];
  readonly edges: readonly Edge[];
  /** [from][to]: the strength where significant, else 0. */
  readonly adjacency_matrix: readonly (readonly number[])[];
  readonly causality_scores: Readonly<Record<string, CausalityScore>>;
  readonly network_stats: {
    readonly total_variables: number;
    readonly significant_relationships: number;
    /** Share of the ordered pairs; and 0 when there is none. */
    readonly network_density: number;
    readonly avg_causality_strength: number;
  };
};

export type LagAnalysis = {
  /** How many significant relationships have it as their optimal lag; every lag tested. */
  readonly lag_distribution: Readonly<Record<string, number>>;
  /** 0 when there is none. */
  readonly avg_optimal_lag: number;
  readonly lag_effectiveness: Readonly<
    Record<string, { readonly count: number; readonly avg_strength: number }>
  >;
};

export type Stability = {
  /** Share of all windows in which the pair is significant. */
  readonly stability_score: number;
  /** Over the windows in which it could be tested; `std_strength` divides by their number. */
  readonly mean_strength: number;
  readonly std_strength: number;
  readonly windows_significant: number;
  readonly windows_tested: number;
};

export type WindowStability = {
  readonly stability_scores: Readonly<Record<string, Stability>>;
  /** Pairs with a score of at least 0.7, and those with a lower one above 0; most stable first. */
  readonly consistent_relationships: readonly string[];
  readonly variable_relationships: readonly string[];
  readonly window_count: number;
};

/** What a reader should know. `keys` are the variables meant; none when all are. */
export type CausalityWarning = {
  readonly code:
    | 'nonstationary'
    | 'differenced'
    | 'constant'
    | 'perfect_fit'
    | 'fewer_windows'
    | 'max_lag_lowered';
  readonly keys: readonly string[];
};

export type CausalityResults = {
  readonly granger_results: Readonly<Record<string, PairResult>>;
  readonly causality_network: CausalityNetwork;
  readonly significant_relationships: readonly Relationship[];
  readonly lag_analysis: LagAnalysis;
  readonly window_stability: WindowStability;
  /** Pearson; null where a variable is constant. */
  readonly correlation_matrix: {
    readonly variables: readonly string[];
    readonly matrix: readonly (readonly (number | null)[])[];
  };
  readonly metadata: {
    readonly max_lag_tested: number;
    readonly significance_level: number;
    readonly number_of_variables: number;
    readonly total_observations: number;
    readonly windows_analyzed: number;
    readonly warnings: readonly CausalityWarning[];
  };
};

/** `error` stands beside the results, which are whole in any case. */
export type CausalityAnswer = {
  readonly causality_results: CausalityResults;
  readonly error: 'insufficient_data' | 'no_significant_relationship' | null;
};
