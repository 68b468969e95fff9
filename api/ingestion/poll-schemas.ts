import { endings, triggers } from '../../domain/ingestion/polls/execution-facts.js';
import { executionStatuses } from '../../domain/ingestion/polls/state.js';
import { array, nullable, object } from '../../json-schema.js';
import { perPageMembers, perPageQuery } from '../edge/paging.js';
import { flag, sourceId, text, time, whole } from './source-schemas.js';
import { scheduleSchema } from './schedules.js';

const JOB_ID = 'job_2i784ss2gib1q0x9';
const jobId = { ...text, examples: [JOB_ID] } as const;
const executionId = { ...text, examples: ['exe_2i784ss2gib1q0x9_1'] } as const;
export const jobParams = object({ job_id: jobId });
export const executionParams = object({ execution_id: executionId });

const schedule = {
  ...scheduleSchema,
  description: '`interval_seconds` alone, or `days` with times, as pipelines have them',
} as const;
const enabled = { ...flag, description: 'whether it runs by itself' } as const;
export const jobBody = object({ source_id: sourceId, schedule }, { enabled: { ...enabled, default: true } });
export const jobPatchBody = object({}, { schedule, enabled });
export const jobsQuery = object(perPageQuery(), { source_id: sourceId });

const job = object({
  job_id: jobId,
  source_id: sourceId,
  schedule,
  enabled,
  next_run_at: { ...nullable(time), description: 'null: not by itself, as while the source is paused' },
  last_execution_id: nullable(executionId),
  created_at: time,
  updated_at: time,
});
export const jobAnswer = object({ data: job });
export const jobsAnswer = object({ data: object({ jobs: array(job), ...perPageMembers }) });
export const queuedAnswer = object({
  status: { const: 'queued' },
  data: object({ execution_id: executionId, status: { const: 'queued' }, poll_url: text }),
});

export const executionsQuery = object(perPageQuery(), {
  job_id: jobId,
  source_id: sourceId,
  status: { enum: executionStatuses },
});
const anything = { description: 'as the other side names it; null: at the beginning' } as const;
const execution = object({
  execution_id: executionId,
  job_id: jobId,
  source_id: sourceId,
  trigger: { enum: triggers },
  status: { enum: executionStatuses },
  created_at: { ...time, description: 'when it was asked for' },
  started_at: nullable(time),
  finished_at: nullable(time),
  retry_at: { ...nullable(time), description: 'when it begins again' },
  attempt: whole,
  read: whole,
  accepted: whole,
  duplicates: whole,
  rejected: whole,
  bytes: whole,
  error: {
    ...nullable(object({ code: text, message: text })),
    description: 'of the last attempt that failed',
  },
  errors: {
    ...array(object({ index: whole, field: nullable(text), code: text, message: text })),
    description: 'the first items that were not taken; `index` within their page',
  },
  cursor_before: anything,
  cursor_after: anything,
});
export const executionAnswer = object({ data: execution });
export const executionsAnswer = object({ data: object({ executions: array(execution), ...perPageMembers }) });
export const cancelledAnswer = object({ status: { enum: endings }, data: execution });
