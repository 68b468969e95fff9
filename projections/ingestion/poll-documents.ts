import type { Fact } from '../../domain/fact.js';
import type { ItemFault } from '../../domain/ingestion/items.js';
import type { Cursor, ExecutionFact, ExecutionQueued } from '../../domain/ingestion/polls/execution-facts.js';
import type { JobChanged, JobCreated } from '../../domain/ingestion/polls/job-facts.js';
import { evolve, isOver, type Execution, type ExecutionStatus } from '../../domain/ingestion/polls/state.js';
import { nextRun, type Schedule } from '../../domain/schedules.js';

// All times are epoch ms.

/** When a source is asked. */
export type JobDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly source_id: string;
  readonly schedule: Schedule;
  readonly enabled: boolean;
  readonly created_at: number;
  readonly updated_at: number;
  /** Null: not by itself. */
  readonly next_run_at: number | null;
  /** Of its last run: null and 0 where there was none; when it was asked for; whether it is not over. */
  readonly last_execution_id: string | null;
  readonly last_number: number;
  readonly last_run_at: number | null;
  readonly is_open: boolean;
  /** Where its next run goes on. */
  readonly cursor: Cursor;
  /** Journal revision of its last fact. */
  readonly revision: number;
};

export const jobMade = ({ data, at, revision }: Fact<JobCreated>): JobDoc => ({
  ...{ _id: data.jobId, workspace: data.workspace, source_id: data.sourceId },
  ...{ schedule: data.schedule, enabled: data.enabled, created_at: at, updated_at: at, revision },
  next_run_at: data.enabled ? nextRun(data.schedule, null, at) : null,
  ...{ last_execution_id: null, last_number: 0, last_run_at: null, is_open: false, cursor: null },
});

export function jobChanged(job: JobDoc, { data, at, revision }: Fact<JobChanged>): JobDoc {
  const { schedule, enabled } = data;
  const next_run_at = enabled ? nextRun(schedule, job.last_run_at, at) : null;
  return { ...job, schedule, enabled, next_run_at, updated_at: at, revision };
}

export const jobRun = (job: JobDoc, { data, at }: Fact<ExecutionQueued>): JobDoc => ({
  ...job,
  ...{ last_execution_id: data.executionId, last_number: data.number, last_run_at: at, is_open: true },
  next_run_at: job.enabled ? nextRun(job.schedule, at, at) : null,
});

/** One run of a job. `due_at`: when it is to be worked on; null: it is over. */
export type ExecutionDoc = {
  readonly _id: string;
  readonly workspace: string;
  readonly job_id: string;
  readonly source_id: string;
  readonly status: ExecutionStatus;
  readonly queued_at: number;
  readonly due_at: number | null;
  readonly execution: Execution;
  /** The first of the items that were not taken. */
  readonly errors: readonly ItemFault[];
};

const MOST_ERRORS = 20;

export function executionAfter(doc: ExecutionDoc | null, fact: Fact<ExecutionFact>): ExecutionDoc | null {
  const { execution } = evolve({ execution: doc?.execution ?? null }, fact);
  if (!execution) return null;
  const { status, queuedAt, retryAt } = execution;
  const more = fact.type === 'ExecutionPageRead' ? fact.data.errors : [];
  return {
    ...{ _id: fact.data.executionId, workspace: execution.workspace },
    ...{ job_id: execution.jobId, source_id: execution.sourceId, status, queued_at: queuedAt },
    due_at: isOver(status) ? null : (retryAt ?? queuedAt),
    execution,
    errors: [...(doc?.errors ?? []), ...more].slice(0, MOST_ERRORS),
  };
}
