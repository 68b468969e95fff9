import { array, object } from '../../json-schema.js';
import {
  count,
  share,
  number,
  text,
  maybe,
  warning,
  mapOf,
  keys,
  intensity,
  MOST_KEYS,
  newest,
} from './analysis-schemas.js';

const relationshipType = { enum: ['very_strong', 'strong', 'moderate', 'weak', 'very_weak'] } as const;

export const causalityQuery = object(
  {
    windows: { type: 'integer', minimum: 1, maximum: 20, default: 5, description: 'number of time windows' },
    signal_count: {
      type: 'integer',
      minimum: 10,
      maximum: 1000,
      default: 50,
      description: 'steps per window',
    },
    significance_level: {
      type: 'number',
      minimum: 0,
      maximum: 1,
      default: 0.05,
      description: 'p-value threshold',
    },
    difference: {
      enum: ['false', 'true', 'auto'],
      default: 'false',
      description:
        'first differences of all series, or (`auto`) of those in which a unit root is not rejected',
    },
    intensity,
  },
  {
    max_lag: {
      type: 'integer',
      minimum: 1,
      maximum: 15,
      description: 'maximum lag tested; default: chosen from the data',
    },
    keys: keys(MOST_KEYS.causality, newest),
  },
);

const scores = {
  strength: share,
  p_value: share,
  q_value: share,
  optimal_lag: { ...count, minimum: 1 },
} as const;

const pair = object({
  cause: text,
  effect: text,
  status: { type: 'string', 'x-extensible-enum': ['tested', 'insufficient_data', 'constant', 'degenerate'] },
  p_values: { ...array(share), description: 'by lag, from 1' },
  f_statistics: array(number),
  optimal_lag: { type: ['integer', 'null'] },
  min_p_value: maybe,
  is_significant: { type: 'boolean' },
  strength: share,
  significance_level: share,
  adjusted_p_value: { ...maybe, description: 'one p over all lags (Simes)' },
  q_value: { ...maybe, description: 'Benjamini-Hochberg over the pairs' },
});

const stability = object({
  stability_score: share,
  mean_strength: share,
  std_strength: number,
  windows_significant: count,
  windows_tested: count,
});

export const causalityAnswer = object(
  {
    causality_results: object({
      granger_results: { ...mapOf(pair), description: 'by `<cause> -> <effect>`' },
      causality_network: object({
        nodes: array(text),
        edges: array(object({ from: text, to: text, ...scores })),
        adjacency_matrix: {
          ...array(array(number)),
          description: '[from][to] in the order of `nodes`: the strength where significant, else 0',
        },
        causality_scores: mapOf(object({ outgoing: number, incoming: number, net: number })),
        network_stats: object({
          total_variables: count,
          significant_relationships: count,
          network_density: share,
          avg_causality_strength: share,
        }),
      }),
      significant_relationships: array(
        object({
          cause: text,
          effect: text,
          ...scores,
          f_statistic: number,
          relationship_type: relationshipType,
        }),
      ),
      lag_analysis: object({
        lag_distribution: mapOf(count),
        avg_optimal_lag: number,
        lag_effectiveness: mapOf(object({ count, avg_strength: share })),
      }),
      window_stability: object({
        stability_scores: mapOf(stability),
        consistent_relationships: array(text),
        variable_relationships: array(text),
        window_count: count,
      }),
      correlation_matrix: object({ variables: array(text), matrix: array(array(maybe)) }),
      metadata: object({
        max_lag_tested: count,
        significance_level: share,
        number_of_variables: count,
        total_observations: count,
        windows_analyzed: count,
        warnings: array(
          warning([
            'nonstationary',
            'differenced',
            'constant',
            'perfect_fit',
            'fewer_windows',
            'max_lag_lowered',
          ]),
        ),
      }),
    }),
  },
  { error: { type: 'string', 'x-extensible-enum': ['insufficient_data', 'no_significant_relationship'] } },
);
