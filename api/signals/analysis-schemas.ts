import { array, nullable, object } from '../../json-schema.js';
import { KEY_LIST } from '../edge/key-list.js';
import { signalKey } from './schemas.js';

export const count = { type: 'integer', minimum: 0 } as const;

export const share = { type: 'number', minimum: 0, maximum: 1 } as const;

export const number = { type: 'number' } as const;

export const text = { type: 'string' } as const;

export const maybe = { type: ['number', 'null'] } as const;

export const warning = (codes: readonly string[]) =>
  object({ code: { type: 'string', 'x-extensible-enum': codes }, keys: array(text) });

export const mapOf = <const S extends object>(schema: S) =>
  ({ type: 'object', additionalProperties: schema }) as const;

const stepLength = { type: 'integer', minimum: 1, description: 'rounded; 1 also of shorter steps' } as const;

/** Keys for an analysis: at most so many. */
export const keys = (most: number, fallback: string) =>
  ({
    type: 'string',
    maxLength: 20_000,
    description: `keys of signals or event streams, at most ${most}, ${KEY_LIST}; default: ${fallback}`,
    examples: ['shop.orders,shop.visitors'],
  }) as const;

export const intensity = {
  enum: ['rank', 'count'],
  default: 'rank',
  description: 'what an event of a stream weighs in its step: its rank / 100, or 1',
} as const;

export const time = {
  type: 'string',
  maxLength: 40,
  description: 'ISO 8601, epoch seconds or milliseconds',
} as const;

export const MOST_KEYS = { causality: 50, correlation: 100, relevance: 100 } as const;

/** Signals that an analysis takes when none are named. */
export const DEFAULT_KEYS = 20;

export const newest = `the ${DEFAULT_KEYS} signals with the newest points`;

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
    from: {
      ...time,
      description: `${time.description}; default: the latest 1,000 steps`,
      examples: ['2026-01-01T00:00:00Z'],
    },
    to: { ...time, examples: ['2026-02-01T00:00:00Z'] },
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
    step_s: stepLength,
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
          lag_s: { type: ['integer', 'null'] },
          method: nullable({ enum: ['level', 'change'] }),
          stable: { type: 'boolean' },
          n: count,
        }),
      ),
      baseline_error: maybe,
      step_s: stepLength,
      warnings: array(warning(['constant', 'constant_target', 'insufficient_overlap', 'season_too_long'])),
    }),
  },
  { error: { type: 'string', 'x-extensible-enum': ['insufficient_data'] } },
);
