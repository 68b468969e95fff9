import { array, nullable, object } from '../edge/schema.js';
import { signalKey } from './schemas.js';

const count = { type: 'integer', minimum: 0 } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const number = { type: 'number' } as const;
const text = { type: 'string' } as const;
const maybe = { type: ['number', 'null'] } as const;
const warning = (codes: readonly string[]) =>
  object({ code: { type: 'string', 'x-extensible-enum': codes }, keys: array(text) });
const mapOf = <const S extends object>(schema: S) =>
  ({ type: 'object', additionalProperties: schema }) as const;
const relationshipType = { enum: ['very_strong', 'strong', 'moderate', 'weak', 'very_weak'] } as const;

/** Keys for an analysis: at most so many. */
const keys = (most: number, fallback: string) =>
  ({
    type: 'string',
    maxLength: 20_000,
    description: `comma-separated keys of signals, or of event streams, at most ${most}; default: ${fallback}`,
    examples: ['shop.orders,shop.visitors'],
  }) as const;
const intensity = {
  enum: ['rank', 'count'],
  default: 'rank',
  description: 'what an event of a stream weighs in its step: its rank / 100, or 1',
} as const;
const time = {
  type: 'string',
  maxLength: 40,
  description: 'ISO 8601, epoch seconds or milliseconds',
} as const;

export const MOST_KEYS = { causality: 50, correlation: 100, relevance: 100 } as const;
/** Signals that an analysis takes when none are named. */
export const DEFAULT_KEYS = 20;
const newest = `the ${DEFAULT_KEYS} signals with the newest points`;

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

export const correlationQuery = object(
  {
    method: { enum: ['pearson', 'spearman'], default: 'pearson' },
    max_lag: {
      type: 'integer',
      minimum: 0,
      maximum: 50,
      default: 0,
      description: 'shifts of up to so many steps either way are tried',
    },
    difference: { type: 'boolean', default: false, description: 'first differences instead of values' },
    intensity,
  },
  {
    keys: keys(MOST_KEYS.correlation, newest),
    from: { ...time, description: `${time.description}; default: the latest 1,000 steps` },
    to: time,
  },
);

export const correlationAnswer = object({
  data: object({
    keys: array(text),
    matrix: { ...array(array(maybe)), description: 'in the order of `keys`; null where it cannot be said' },
    pairs: {
      ...array(
        object({
          a: text,
          b: text,
          r: maybe,
          p_value: maybe,
          q_value: maybe,
          n: count,
          best_lag: { type: ['integer', 'null'], description: 'above 0: `b` follows `a` by so many steps' },
          r_at_best_lag: maybe,
        }),
      ),
      description: 'the greatest |r| first',
    },
    method: { enum: ['pearson', 'spearman'] },
    observations: count,
    step_s: number,
    warnings: array(warning(['both_nonstationary', 'constant', 'insufficient_data'])),
  }),
});

export const relevanceQuery = object(
  {
    target: { ...signalKey, description: 'key of the signal that is to be forecast' },
    horizon: { type: 'integer', minimum: 1, maximum: 720, default: 1, description: 'steps ahead' },
    intensity,
  },
  { keys: keys(MOST_KEYS.relevance, `${newest}, besides the target`) },
);

export const relevanceAnswer = object(
  {
    data: object({
      target: text,
      rows: array(
        object({
          key: text,
          type: { enum: ['signal', 'event'] },
          relevance: share,
          lift: { ...number, description: 'share by which the out-of-sample error falls' },
          lag_s: maybe,
          method: nullable({ enum: ['level', 'change'] }),
          stable: { type: 'boolean' },
          n: count,
        }),
      ),
      baseline_error: maybe,
      step_s: number,
      warnings: array(warning(['constant', 'constant_target', 'insufficient_overlap', 'season_too_long'])),
    }),
  },
  { error: { type: 'string', 'x-extensible-enum': ['insufficient_data'] } },
);
