import { EFFECT_ACTIONS } from '../../domain/shocks/effects.js';
import { array, nullable, object } from '../../json-schema.js';
import { asOfKept, asOfThen } from '../edge/as-of.js';
import { goneOr } from '../edge/dry-run.js';
import { givenTime } from '../edge/times.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';
import { ms, text, scheduled, status, eventId, scoresSchema } from './schemas.js';

export const eventParams = object({ event_id: { type: 'string', examples: eventId.examples } });

export const content = {
  name: text,
  source: text,
  origin: { enum: ['manual', 'api', 'ingestion'] },
  data_type: text,
  value: nullable({ type: 'number' }),
  raw: {
    description:
      'as it was given (of ingested items integers that a double would round as texts of their digits);'
      + ' null when it was not, and of ingested items of more than 65,536 bytes as JSON',
  },
  occurred_at: ms,
  timestamp: { ...ms, description: 'when it was recorded' },
  status,
  scores: scoresSchema,
  score_version: nullable(text),
} as const;

export const eventQuery = object({}, { as_of: asOfKept });

const event = object(
  {
    event_id: eventId,
    key: text,
    text,
    ...content,
    scheduled,
    value_normalized: {
      type: ['number', 'null'],
      description:
        "robust z of `value` among the stream's events before it; as of a past moment null where the stream "
        + 'was deleted since, or too much of it has changed or been recorded since',
    },
    shape: {
      enum: ['fresh', 'stale', 'scheduled'],
      description:
        'how it was recorded: before it occurred, within two cadences of that, or later; by the shortest '
        + "cadence of the workspace's goals that were active then, an hour where none was. Goals judge "
        + 'freshness by their own',
    },
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
    deleted_at: { ...nullable(ms), description: 'always null: one that is deleted is not found any more' },
    effects: {
      ...array(object({ goal_id: text, edge_id: text, action: { enum: EFFECT_ACTIONS }, reason: text })),
      description: 'what it did to goals that its stream drives, once that is decided',
    },
    external_id: {
      ...nullable(text),
      description: 'what the system that it came from calls it; null: nothing, or it was recorded here',
    },
  },
  { as_of: asOfThen },
);
export const eventAnswer = object({ data: event });

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

export const withdrawAnswer = goneOr({ event_id: text });

export const revisionsQuery = object(perPageQuery(), { as_of: asOfKept });

export const revisionsAnswer = object({
  data: object(
    {
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
    },
    { as_of: asOfThen },
  ),
});
