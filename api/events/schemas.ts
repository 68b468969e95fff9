import { streamSummary } from '../catalogue/stream-summary.js';
import { array, nullable, object } from '../edge/schema.js';
import { givenTime } from '../edge/times.js';
import { beforeMembers, beforeQuery, perPageMembers, perPageQuery } from '../edge/paging.js';

const ms = { type: 'integer', description: 'epoch milliseconds' } as const;
const text = { type: 'string' } as const;
const scheduled = { type: 'boolean', description: '`occurred_at` is in the future' } as const;
const status = { enum: ['pending', 'scored'] } as const;
const eventId = { type: 'string', maxLength: 64, examples: ['evt_01hwdz2b3c9f0c2e61a7d40b8e5f2'] } as const;

export const streamKey = {
  type: 'string',
  minLength: 1,
  maxLength: 200,
  pattern: '^[^\\u0000-\\u001f\\u007f]*$',
  examples: ['outages'],
} as const;

const scoresSchema = object({
  sentiment: {
    enum: ['negative', 'neutral', 'positive', null],
    description: 'tone; like all scores null while the event is pending',
  },
  polarity: { type: ['number', 'null'], minimum: -1, maximum: 1 },
  importance: { type: ['number', 'null'], minimum: 0, maximum: 1 },
  relevance: { type: ['number', 'null'], minimum: 0, maximum: 1 },
  impact: { type: ['number', 'null'], minimum: -1, maximum: 1 },
  rank: { type: ['integer', 'null'], minimum: 0, maximum: 100 },
  novelty: {
    type: ['number', 'null'],
    minimum: 0,
    maximum: 1,
    description:
      'how new `text` was in its stream when it was scored: the share of its pairs of neighbouring words that none of the texts has '
      + 'which were recorded before it and occurred in the 7 days up to `occurred_at` (the newest 64). Null for numeric content. '
      + 'No other score depends on it',
  },
});

export const recordBody = object(
  {
    key: {
      ...streamKey,
      description: 'stream name',
      'x-required': { code: 'event_key_required', message: "Event stream ('key') is required" },
    },
    text: {
      type: 'string',
      description: 'content that is scored',
      examples: ['Storm cuts power to 40,000 homes'],
      'x-required': { code: 'event_text_required', message: "Event 'text' is required" },
    },
  },
  {
    occurred_at: givenTime,
    name: {
      type: ['string', 'null'],
      maxLength: 200,
      description: 'default: the first 200 characters of `text`',
    },
    source: { type: ['string', 'null'], maxLength: 200, description: 'default: the stream key' },
    origin: { enum: ['manual', 'api', 'ingestion', null], description: 'default: `api`' },
    value: { type: ['number', 'null'] },
    data_type: { type: ['string', 'null'], maxLength: 64, description: 'default: `text`' },
    raw: { description: 'original payload, kept as it is' },
  },
);

export const recordAnswer = object({ data: object({ event_id: eventId, stream: text, status, scheduled }) });

const batchError = object({ index: { type: 'integer' }, field: nullable(text), code: text, message: text });
export const batchBody = object({
  events: {
    type: 'array',
    minItems: 1,
    maxItems: 500,
    // Anything passes here: each item is checked by itself, and a wrong one is refused alone
    items: { anyOf: [recordBody, { description: 'Anything else is refused, by itself' }] },
  },
});
export const batchAnswer = object({
  status: { const: 'accepted' },
  data: object({
    accepted: { type: 'integer' },
    rejected: { type: 'integer' },
    events: array(object({ index: { type: 'integer' }, event_id: eventId, stream: text, status, scheduled })),
    errors: array(batchError),
  }),
});

export const eventParams = object({ event_id: { type: 'string', examples: eventId.examples } });
export const streamParams = object({ stream: { ...streamKey, format: 'path' } });

const content = {
  name: text,
  source: text,
  origin: { enum: ['manual', 'api', 'ingestion'] },
  data_type: text,
  value: nullable({ type: 'number' }),
  raw: { description: 'as it was given; null when it was not' },
  occurred_at: ms,
  timestamp: { ...ms, description: 'when it was recorded' },
  status,
  scores: scoresSchema,
  score_version: nullable(text),
} as const;

export const eventAnswer = object({
  data: object({
    event_id: eventId,
    key: text,
    text,
    ...content,
    scheduled,
    value_normalized: {
      type: ['number', 'null'],
      description: "robust z of `value` among the stream's events before it",
    },
    shape: { enum: ['fresh', 'stale', 'scheduled'] },
    revision: { type: 'integer', minimum: 1 },
    revised_at: nullable(ms),
    score_reasons: array(
      object({
        feature: text,
        weight: { type: 'number' },
        span: { type: 'array', items: { type: 'integer' }, minItems: 2, maxItems: 2 },
      }),
    ),
    fired_at: nullable(ms),
  }),
});

export const patchBody = object(
  {},
  {
    name: { type: ['string', 'null'], maxLength: 200, description: 'null: back to the default' },
    occurred_at: { ...givenTime, type: ['number', 'string'] },
    value: { type: ['number', 'null'] },
  },
);
export const patchAnswer = object({
  data: object({
    event_id: eventId,
    stream: text,
    revision: { type: 'integer' },
    status,
    scheduled,
    occurred_at: ms,
  }),
});

const listed = {
  event_id: eventId,
  name: text,
  occurred_at: ms,
  scheduled,
  value: nullable({ type: 'number' }),
  scores: scoresSchema,
} as const;

export const streamEventsQuery = object(
  { ...beforeQuery(100, 500) },
  {
    before: {
      type: ['number', 'string'],
      description: 'only events that occurred strictly before this time',
      examples: [1767225600000],
    },
    cursor: {
      type: 'string',
      maxLength: 200,
      description: '`next_cursor` of the page before; goes on inside a group of equal times',
    },
  },
);
export const streamEventsAnswer = object({
  data: object({
    stream: text,
    events: array(object({ ...listed, timestamp: ms, status })),
    ...beforeMembers,
  }),
});

export const upcomingQuery = object(
  {
    within_hours: { type: 'number', exclusiveMinimum: 0, maximum: 9_600, default: 720, 'x-clamp': true },
    limit: { type: 'integer', minimum: 1, maximum: 1_000, default: 200, 'x-clamp': true },
  },
  {
    streams: {
      type: 'string',
      description: 'stream keys, separated by commas',
      examples: ['outages,prices'],
    },
  },
);
export const upcomingAnswer = object({
  data: object({ events: array(object({ ...listed, key: text })), total: { type: 'integer' } }),
});

export const streamsQuery = object(
  {
    points: { enum: ['all', 'none'], default: 'all' },
  },
  {
    max_points: {
      type: 'integer',
      minimum: 1,
      description: 'at most this many points a stream: the highest rank of each bucket',
    },
  },
);
const { sentiment, polarity, impact, importance, rank } = scoresSchema.properties;
const point = object({
  occurred_at: ms,
  timestamp: ms,
  rank,
  polarity,
  sentiment,
  impact,
  importance,
  scheduled,
});
/** A stream, without its points. */
export const streamsAnswer = object({
  data: object({ streams: array(object({ ...streamSummary, points: array(point) })) }),
});

export const deleteStreamAnswer = object({ data: object({ stream: text, deleted: { type: 'integer' } }) });
export const withdrawAnswer = object({ status: { const: 'deleted' } });

export const revisionsQuery = object(perPageQuery());
export const revisionsAnswer = object({
  data: object({
    event_id: eventId,
    revisions: array(
      object({
        ...content,
        revision: { type: 'integer' },
        since: ms,
        until: nullable({ ...ms, description: 'when the next revision came; null: current' }),
      }),
    ),
    ...perPageMembers,
  }),
});
