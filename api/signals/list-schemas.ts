import { array, nullable, object } from '../edge/schema.js';
import { streamSummary } from '../catalogue/stream-summary.js';
import { offsetMembers, offsetQuery } from '../edge/paging.js';
import { NEWEST } from '../../projections/catalogue/courses.js';

const text = { type: 'string' } as const;
const time = { type: 'string', format: 'date-time' } as const;
const whole = { type: 'integer', minimum: 0 } as const;
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
  count: whole,
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
  },
);
export const listAnswer = object({
  data: object({ signals: array({ anyOf: [signalRow, eventRow] }), ...offsetMembers }),
});

export const pairs = array({
  type: 'array',
  prefixItems: [{ type: 'integer', description: 'epoch ms' }, { type: 'number' }],
  minItems: 2,
  maxItems: 2,
});

export const overviewQuery = object(
  {
    max_points: {
      type: 'integer',
      minimum: 4,
      maximum: 1_000,
      default: 200,
      'x-clamp': true,
      description: 'points of a series, or of a line of an envelope, at most',
    },
  },
  {
    group: { type: 'string', maxLength: 200, description: 'only this group', examples: ['shop'] },
    pins: {
      type: 'string',
      description: 'keys of signals, separated by commas, that are shown by themselves; at most 24',
      examples: ['shop.orders'],
    },
    from: {
      type: 'string',
      description: 'a time; default: the first point of what is shown',
      examples: ['2026-01-01T00:00:00Z'],
    },
    to: {
      type: 'string',
      description: 'a time; default: the newest point of what is shown, or now if that is in the future',
      examples: ['2026-02-01T00:00:00Z'],
    },
  },
);
export const overviewAnswer = object({
  data: object({
    mode: { enum: ['series', 'groups'], description: '`groups` when there are more than 24 signals' },
    series: {
      ...array(object({ key: text, display_name: nullable(text), unit: nullable(text), points: pairs })),
      description:
        'pins first; thinned so that the first, last, lowest and highest point of each part of time stay',
    },
    groups: {
      ...array(
        object({
          group: text,
          count: { ...whole, description: 'signals of the group' },
          sampled: {
            ...whole,
            description: 'those that the lines are made of: the ones with the newest points',
          },
          median: pairs,
          band_lower: pairs,
          band_upper: pairs,
          band: { const: 'p10_p90' },
          normalized: { const: true },
        }),
      ),
      description: "the largest first; values are robust standard deviations from each signal's own middle",
    },
    event_streams: {
      ...array(eventRow),
      description: 'rows of the list, the one with the newest event first',
    },
    window: object({
      from: nullable(time),
      to: nullable(time),
      step_s: {
        type: ['integer', 'null'],
        minimum: 1,
        description: 'seconds that one of `max_points` stands for',
      },
    }),
    truncated: {
      type: 'boolean',
      description: 'there are more groups, signals of the group, pins or event streams than are shown',
    },
    unknown_pins: array(text),
  }),
});
