import { array, nullable, object } from '../../json-schema.js';
import { offsetMembers, offsetQuery } from '../edge/paging.js';
import {
  count,
  grade,
  inferenceId,
  maybe,
  maybeNumber,
  number,
  status,
  task,
  text,
  time,
} from './answer-schemas.js';

const caller = object({ token_id: text, name: { ...maybe, description: 'null: the token is gone' } });

export const historyQuery = object(offsetQuery(), {
  promotion_id: { type: 'string', maxLength: 200, examples: ['prm_0123456789abcdef_0123456789abcdef'] },
  goal_id: { type: 'string', maxLength: 64, examples: ['goa_1'] },
  status,
  from: { type: 'string', description: 'asked for at this time or later', examples: ['2026-01-01'] },
  to: { type: 'string', description: 'asked for at this time or before', examples: ['2030-01-01'] },
});
export const historyAnswer = object({
  inferences: array(
    object({
      inference_id: inferenceId,
      task,
      status,
      created_at: time,
      promotion_id: maybe,
      goal_id: maybe,
      caller,
      key: { ...maybe, description: 'null: the series stood in the request' },
      horizon: { type: ['integer', 'null'] },
      series: count,
      latency_ms: maybeNumber,
      credits: number,
      graded: { type: 'boolean' },
      score: { ...maybeNumber, description: 'MASE once graded; of several series the mean' },
    }),
  ),
  ...offsetMembers,
});

const anything = { type: 'object', additionalProperties: {} } as const;

export const recordAnswer = object({
  inference_id: inferenceId,
  status,
  task,
  promotion_id: maybe,
  goal_id: maybe,
  created_at: time,
  ended_at: { type: ['string', 'null'], format: 'date-time' },
  caller,
  request: { ...anything, description: 'the body as it was sent' },
  answer: { type: ['object', 'null'], description: 'as it was given; null while there is none' },
  error: nullable(object({ code: text, message: text })),
  actuals: nullable(array(object({ id: text, points: array(object({ ts: time, value: maybeNumber })) }))),
  grade: {
    ...nullable(
      object({
        metric: { const: 'mase' },
        value: maybeNumber,
        coverage: { ...maybeNumber, description: 'that of the central 80% band' },
        ...grade,
        series: array(object({ id: text, period: count, ...grade })),
      }),
    ),
    description: 'once the actuals of all steps are there; of several series means',
  },
});

export const cancelAnswer = object({ status: { const: 'cancelled' }, inference_id: inferenceId });

export const replayAnswer = object({
  identical: { type: 'boolean' },
  diff: {
    ...array(object({ path: text, was: {}, is: {} })),
    description: 'where the kept answer differs from the one made now; the first hundred places',
  },
});

export const usageQuery = object(
  { group_by: { enum: ['day', 'promotion', 'token', 'goal'], default: 'day' } },
  {
    from: { type: 'string', description: 'from the day (UTC) of this time on', examples: ['2026-01-01'] },
    to: { type: 'string', description: 'up to the day of this time, included', examples: ['2030-01-01'] },
  },
);
const sums = {
  calls: { ...count, description: 'answered, or failed after they began' },
  errors: count,
  series: count,
  output_points: count,
  credits: number,
  p95_ms: { ...maybeNumber, description: '95 of 100 calls took at most so long, to within 5%' },
} as const;
export const usageAnswer = object({ buckets: array(object({ key: text, ...sums })), total: object(sums) });
