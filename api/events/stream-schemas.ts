import { streamSummary } from '../catalogue/stream-summary.js';
import { array, nullable, object } from '../../json-schema.js';
import { orWouldBe } from '../edge/dry-run.js';
import { KEY_LIST } from '../edge/key-list.js';
import { asOfListed, asOfThen } from '../edge/as-of.js';
import { beforeMembers, beforeQuery, cursorOf } from '../edge/paging.js';
import { ms, text, scheduled, status, eventId, streamKey, scoresSchema } from './schemas.js';

export const streamParams = object({ stream: { ...streamKey, format: 'path' } });

const deletedSince = {
  ...array(text),
  description: 'as of a past moment: streams that were deleted since, of which nothing is told',
} as const;

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
      description:
        'only events that occurred strictly before this time: epoch milliseconds, however few, or ISO 8601',
      examples: [1767225600000],
    },
    cursor: {
      type: 'string',
      maxLength: 200,
      description: '`next_cursor` of the page before; goes on inside a group of equal times',
      examples: [cursorOf([1767225600000, eventId.examples[0]])],
    },
    as_of: asOfListed,
  },
);

export const streamEventsAnswer = object({
  data: object(
    { stream: text, events: array(object({ ...listed, timestamp: ms, status })), ...beforeMembers },
    { as_of: asOfThen },
  ),
});

export const upcomingQuery = object(
  {
    within_hours: { type: 'number', exclusiveMinimum: 0, default: 720, 'x-clamp': 9_600 },
    limit: { type: 'integer', minimum: 1, default: 200, 'x-clamp': 1_000 },
  },
  {
    streams: {
      type: 'string',
      description: `stream keys, ${KEY_LIST}`,
      examples: ['outages,prices'],
    },
    goal_id: {
      type: 'string',
      maxLength: 64,
      description: 'only streams that drive this goal now: by an edge that is validated, weakening or pinned',
      examples: ['goa_0123456789abcdef'],
    },
    as_of: asOfListed,
  },
);

export const upcomingAnswer = object({
  data: object(
    { events: array(object({ ...listed, key: text })), total: { type: 'integer' } },
    { as_of: asOfThen, deleted_since: deletedSince },
  ),
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
    as_of: asOfListed,
  },
);

export const { sentiment, polarity, impact, importance, rank } = scoresSchema.properties;

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
  data: object(
    { streams: array(object({ ...streamSummary, points: array(point) })) },
    { as_of: asOfThen, deleted_since: deletedSince },
  ),
});

export const deleteStreamAnswer = orWouldBe(
  object({ data: object({ stream: text, deleted: { type: 'integer' } }) }),
);
