import { INTENSITIES } from '../../domain/models/facts.js';
import { TRIGGERS } from '../../domain/trainings/facts.js';
import { TRAINING_METRICS } from '../../domain/trainings/ports.js';
import { STATUSES } from '../../domain/trainings/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';

export const text = { type: 'string' } as const;
export const number = { type: 'number' } as const;
export const whole = { type: 'integer', minimum: 0 } as const;
export const time = { type: 'string', format: 'date-time' } as const;
const share = { type: 'number', minimum: 0, maximum: 1 } as const;
const status = { enum: STATUSES } as const;
const id = { type: 'string', maxLength: 200 } as const;
const anything = { type: 'object', additionalProperties: {} } as const;
export const maybeNumber = { type: ['number', 'null'] } as const;

export const oneParams = object({
  training_id: { ...id, description: 'id of a training', examples: ['trn_0123456789abcdef'] },
});

/** Which trainings a list shows. */
export const listQuery = object(perPageQuery(), {
  pipeline_id: { ...id, examples: ['pip_0123456789abcdef'] },
  segment_id: { ...id, examples: ['seg_0123456789abcdef'] },
  model: { ...id, description: 'id of a model in the catalogue', examples: ['mdl_0123456789abcdef'] },
  status,
  from: { type: 'string', description: 'queued at this time or later', examples: ['2026-01-01'] },
  to: { type: 'string', description: 'queued at this time or before', examples: ['2030-01-01'] },
});

const max_credits = {
  type: 'number',
  minimum: 0,
  description: 'refused with 402 where it costs more',
} as const;
export const retryBody = object({}, { max_credits });
export const queueBody = {
  ...object(
    { segment_id: { ...id, examples: ['seg_0123456789abcdef'] } },
    {
      model: { ...id, description: 'id of a model in the catalogue; or `family` and `slug`' },
      family: { ...id, description: 'of a foundation model to be fine-tuned', examples: ['presage'] },
      slug: { ...id, description: 'within the family', examples: ['nano'] },
      horizon: {
        type: 'integer',
        minimum: 1,
        maximum: 10_000,
        description: 'steps ahead; that of the segment where it is absent',
      },
      intensity: { enum: INTENSITIES, description: 'of a fine-tuning; `adapt` where it is absent' },
      lookback: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'values read of a series' },
      seed: { type: 'integer', minimum: 0, maximum: 2_147_483_647, default: 0 },
      metric: { enum: TRAINING_METRICS, default: 'mase', description: 'the one that decides' },
      max_credits,
    },
  ),
  examples: [{ segment_id: 'seg_0123456789abcdef', family: 'presage', slug: 'nano', horizon: 12 }],
} as const;

export const queuedAnswer = object({
  status: { const: 'queued' },
  data: object({ training_id: text, status, poll_url: text, credits: number }),
});

const model = object({
  uid: text,
  kind: { enum: ['custom', 'foundation', 'byom'] },
  name: text,
  family: nullable(text),
  slug: nullable(text),
  algorithm: nullable(text),
  adapter_id: { ...nullable(text), description: 'of a fine-tuning: what comes of it' },
});

const training = {
  training_id: text,
  status,
  pipeline_id: nullable(text),
  cycle_id: nullable(text),
  segment_id: text,
  segment_version: nullable(whole),
  table_hash: nullable(text),
  data_cutoff: nullable(time),
  model,
  kind: { enum: ['custom', 'foundation', 'byom'] },
  intensity: nullable({ enum: INTENSITIES }),
  lookback: nullable(whole),
  horizon: nullable(whole),
  seed: whole,
  metric: { enum: TRAINING_METRICS },
  trigger: { enum: TRIGGERS },
  retry_of: nullable(text),
  attempt: whole,
  queued_at: time,
  started_at: nullable(time),
  finished_at: nullable(time),
  duration_s: nullable(whole),
  progress: share,
  stage: { ...nullable(status), description: 'null: it is over' },
  queue_position: {
    ...nullable(whole),
    description: 'how many of the workspace wait before it; null: it does not wait',
  },
  credits_charged: number,
  artifact: nullable(object({ format: text, size_bytes: whole, sha256: text })),
  score: maybeNumber,
  baseline_score: maybeNumber,
  error: nullable(object({ code: text, message: text, retryable: { type: 'boolean' } })),
} as const;

export const listAnswer = object({ data: object({ trainings: array(object(training)), ...perPageMembers }) });

export const oneAnswer = object({
  data: object({
    ...training,
    blueprint: { ...anything, description: 'the model as it was when the training was queued' },
    comparison: {
      ...nullable(anything),
      description: 'with what served then, on the same folds; null: with nothing',
    },
    report: { ...nullable(anything), description: 'without its points, which `/report` has' },
  }),
});

export const endedAnswer = object({ status: { const: 'cancelled' }, data: object(training) });

export const logsQuery = object(perPageQuery(100, 1_000));
export const logsAnswer = object({
  data: object({ logs: array(object({ at: time, message: text })), ...perPageMembers }),
});
