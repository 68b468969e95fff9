import type { Fact } from '../../domain/fact.js';
import type { ExecutionEnded, ExecutionFact } from '../../domain/ingestion/polls/execution-facts.js';
import type { JobFact } from '../../domain/ingestion/polls/job-facts.js';
import type { After, Before } from '../engine/projection.js';
import type { Collections, Docs, On } from './docs.js';
import { executionAfter, jobChanged, jobMade, jobRun } from './poll-documents.js';
import { afterWork, type SourceDoc } from './source-documents.js';

export const pollCollections: Collections<'ingestion_executions' | 'ingestion_jobs'> = {
  ingestion_executions: {
    indexes: [
      ['workspace', 'queued_at', '_id'],
      ['job_id', 'queued_at', '_id'],
      ['source_id', 'queued_at', '_id'],
      ['due_at', '_id'],
    ],
    idOf: ({ data }) => ('executionId' in data ? data.executionId : null),
  },
  ingestion_jobs: {
    indexes: [
      ['workspace', 'created_at', '_id'],
      ['source_id', 'created_at', '_id'],
      ['is_open', 'next_run_at', '_id'],
    ],
    idOf: ({ data }) => ('jobId' in data ? data.jobId : null),
  },
};

const withJobs = (source: SourceDoc | null, change: (ids: readonly string[]) => readonly string[]) =>
  source && { ingestion_sources: { ...source, job_ids: change(source.job_ids) } };

export const onPolls: On<JobFact | ExecutionFact> = {
  // A source that has gone, or is another's, has no jobs
  JobCreated: ({ ingestion_sources: source }, fact) =>
    source?.workspace === fact.data.workspace
      ? { ingestion_jobs: jobMade(fact), ...withJobs(source, ids => [...ids, fact.data.jobId]) }
      : {},
  JobChanged: ({ ingestion_jobs: job }, fact) => (job ? { ingestion_jobs: jobChanged(job, fact) } : {}),
  JobDeleted: ({ ingestion_sources: source }, { data }) => ({
    ingestion_jobs: null,
    ...withJobs(source, ids => ids.filter(id => id !== data.jobId)),
  }),
  ExecutionQueued: ({ ingestion_jobs: job }, fact) =>
    job ? { ingestion_jobs: jobRun(job, fact), ingestion_executions: executionAfter(null, fact) } : {},
  ExecutionStarted: worked,
  ExecutionResumed: worked,
  ExecutionPageRead: worked,
  ExecutionAttemptFailed: worked,
  ExecutionEnded: ended,
};

function worked({ ingestion_executions: doc }: Before<Docs>, fact: Fact<ExecutionFact>): After<Docs> {
  return doc ? { ingestion_executions: executionAfter(doc, fact) } : {};
}

/** A run that was cancelled says nothing of its source. */
function ended(before: Before<Docs>, fact: Fact<ExecutionEnded>): After<Docs> {
  const { ingestion_jobs: job, ingestion_executions: doc, ingestion_sources: source } = before;
  if (!doc) return {};
  const { status, error } = fact.data;
  const after = executionAfter(doc, fact)!;
  const brought = { ...after.execution.tally, repeats: false };
  return {
    ingestion_executions: after,
    ...(job && { ingestion_jobs: { ...job, is_open: false, cursor: after.execution.cursor } }),
    ...(source
      && status !== 'cancelled' && { ingestion_sources: afterWork(source, fact.at, brought, error) }),
  };
}
