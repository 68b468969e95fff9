import { array, nullable, object } from '../../json-schema.js';
import { streamSummary } from '../catalogue/stream-summary.js';
import { asOfKept, asOfMember } from '../edge/as-of.js';
import { offsetMembers, offsetQuery } from '../edge/paging.js';
import { NEWEST } from '../../projections/catalogue/courses.js';

export const text = { type: 'string' } as const;

export const time = { type: 'string', format: 'date-time' } as const;

export const whole = { type: 'integer', minimum: 0 } as const;

const origins = ['manual', 'api', 'ingestion', 'marketplace', 'derived'] as const;

const inRow = {
  display_name: nullable(text),
  group: text,
  origin: {
    enum: origins,
    description: 'how its first point or event came; `marketplace`: subscribed, and read-only',
  },
  first_at: time,
  last_at: time,
  cadence_s: {
    type: ['integer', 'null'],
    minimum: 1,
    description: `median interval between the newest ${NEWEST} points (events: up to now), in seconds`,
  },
  gaps: { ...whole, description: 'intervals among these that are longer than 1.5 cadences' },
  stale: { type: 'boolean', description: 'no point for more than 3 cadences' },
  in_use_by: object({ goals: whole, segments: whole }),
} as const;

const signalRow = object({
  key: text,
  type: { const: 'signal' },
  ...inRow,
  count: {
    type: ['integer', 'null'],
    minimum: 0,
    description: 'with `as_of` null where too much has changed since to count the points of then',
  },
  unit: {
    type: ['string', 'null'],
    description: 'what a person assigned, else what the source named, else what the key tells',
  },
  base: { type: ['string', 'null'], description: 'of a key `<base>__<entity>`' },
  entity: { type: ['string', 'null'] },
  last_value: { type: 'number' },
  spark: {
    type: 'array',
    maxItems: 50,
    items: { type: 'number' },
    description: 'the course of the newest points',
  },
  edges: { type: 'null' },
});

const nothing = { type: 'null', description: 'signals alone have one' } as const;

export const eventRow = object({
  ...streamSummary,
  type: { const: 'event' },
  ...inRow,
  unit: nothing,
  base: nothing,
  entity: nothing,
  last_value: { type: ['number', 'null'], description: 'of the event that occurs last' },
  spark: {
    type: 'array',
    maxItems: 50,
    items: { type: 'number' },
    description: 'the ranks of the newest events up to now',
  },
});

export const listQuery = object(
  {
    ...offsetQuery(),
    sort_by: { enum: ['last_at', 'key', 'count'], default: 'last_at' },
    sort_order: { enum: ['desc', 'asc'], default: 'desc' },
  },
  {
    search: {
      type: 'string',
      maxLength: 200,
      description: 'a part of the key or of the display name, upper and lower case alike',
      examples: ['orders'],
    },
    group: { type: 'string', maxLength: 200, examples: ['shop'] },
    type: { enum: ['signal', 'event'] },
    origin: { enum: origins },
    as_of: asOfKept,
  },
);

export const listAnswer = object({
  data: object(
    { signals: array({ anyOf: [signalRow, eventRow] }), ...offsetMembers },
    {
      as_of: { ...asOfMember, type: 'string', description: 'the moment, where one was asked for' },
      deleted_since: {
        ...array(text),
        description:
          'as of a past moment: keys of signals that were deleted since and hold too much to be read for a'
          + ' list; they are not in it, whatever their group',
      },
    },
  ),
});
