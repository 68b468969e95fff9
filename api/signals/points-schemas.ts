import { array, object } from '../../json-schema.js';
import { asOfKept, asOfMember } from '../edge/as-of.js';
import { cursorOf } from '../edge/paging.js';
import { pairs } from './overview-schemas.js';
import { signalKey } from './schemas.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;

const limit = (fallback: number, maximum: number) =>
  ({
    type: 'integer',
    minimum: 1,
    default: fallback,
    'x-clamp': maximum,
  }) as const;
/** The bounds of a list, whose cursors hold such numbers. */
const bounds = (inCursor: readonly number[]) =>
  ({
    from: { type: 'string', description: 'no points before this time', examples: ['2026-01-01T00:00:00Z'] },
    to: { type: 'string', description: 'no points after this time', examples: ['2026-02-01T00:00:00Z'] },
    cursor: {
      type: 'string',
      maxLength: 200,
      description: '`next_cursor` of the page before',
      examples: [cursorOf(inCursor)],
    },
    as_of: asOfKept,
  }) as const;
const next = {
  as_of: asOfMember,
  has_more: { type: 'boolean' },
  next_cursor: { type: ['string', 'null'] },
} as const;
const sort_order = {
  enum: ['desc', 'asc'],
  default: 'desc',
  description: '`desc`: the newest first',
} as const;

export const pointsQuery = object(
  { key: signalKey, limit: limit(1_000, 10_000), sort_order },
  bounds([1768867200000]),
);
export const pointsAnswer = object({
  data: object({
    key: text,
    count: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'points of the signal in all; of a past moment null',
    },
    points: pairs,
    ...next,
  }),
});

export const revisionsQuery = object(
  {
    key: signalKey,
    limit: limit(100, 1_000),
    sort_order: { ...sort_order, description: '`desc`: the last replaced first' },
  },
  bounds([1768867200000, 1]),
);
export const revisionsAnswer = object({
  data: object({
    key: text,
    revisions: array(
      object({
        timestamp: time,
        value: { type: 'number', description: 'what stood there' },
        recorded_at: { ...time, description: 'since when' },
        replaced_at: { ...time, description: 'until when' },
      }),
    ),
    ...next,
  }),
});
