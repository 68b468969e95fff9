import type { Fact } from '../../domain/fact.js';
import type { ExecutionFact } from '../../domain/ingestion/polls/execution-facts.js';
import type { ExecutionStatus } from '../../domain/ingestion/polls/state.js';
import type { Where } from '../engine/read-models.js';
import type { Reader } from '../engine/reader.js';
import type { ExecutionDoc, JobDoc } from './poll-documents.js';

const statusAfter = {
  ExecutionQueued: 'queued',
  ExecutionStarted: 'running',
  ExecutionResumed: 'running',
  ExecutionPageRead: 'running',
  ExecutionAttemptFailed: 'retrying',
} as const;

/** What has come due by a time, epoch ms; `since` null: whenever. */
export type Due = { readonly since: number | null; readonly by: number };
const within = ({ since, by }: Due) => ({ lte: by, ...(since !== null && { gt: since }) });
const DUE_A_PAGE = 200;
/** What is due, in short: all of it is looked through again and again. */
export type InShort = Pick<JobDoc & ExecutionDoc, '_id' | 'workspace' | 'source_id'>;
const IN_SHORT = ['workspace', 'source_id'] as const;

type Paging = { readonly limit: number; readonly offset: number };
export type PollQueries = ReturnType<typeof pollQueries>;

/** Jobs and their runs. */
export const pollQueries = (read: Reader) => {
  const job = async (workspace: string, jobId: string) => {
    const found = await read.get<JobDoc>('ingestion_jobs', jobId);
    return found?.workspace === workspace ? found : null;
  };
  const execution = async (workspace: string, executionId: string) => {
    const found = await read.get<ExecutionDoc>('ingestion_executions', executionId);
    return found?.workspace === workspace ? found : null;
  };
  return {
    /** Null: the workspace has none with this id. */
    ...{ job, execution },
    /** Newest first. `sourceId` null: of all sources. */
    async jobs(workspace: string, sourceId: string | null, paging: Paging) {
      const where: Where = { workspace, ...(sourceId !== null && { source_id: sourceId }) };
      const sort = { by: ['created_at', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<JobDoc>('ingestion_jobs', { where, sort, ...paging }),
        read.count('ingestion_jobs', where),
      ]);
      return { items, total };
    },
    /** How many jobs ask sources of a workspace, or one source. */
    jobCount: (of: { readonly workspace: string } | { readonly source_id: string }): Promise<number> =>
      read.count('ingestion_jobs', of),
    /** Newest first, of those that are asked for. */
    async executions(
      workspace: string,
      of: { readonly jobId?: string; readonly sourceId?: string; readonly status?: ExecutionStatus },
      paging: Paging,
    ) {
      const where: Where = {
        workspace,
        ...(of.jobId !== undefined && { job_id: of.jobId }),
        ...(of.sourceId !== undefined && { source_id: of.sourceId }),
        ...(of.status !== undefined && { status: of.status }),
      };
      const sort = { by: ['queued_at', '_id'], descending: true };
      const [items, total] = await Promise.all([
        read.find<ExecutionDoc>('ingestion_executions', { where, sort, ...paging }),
        read.count('ingestion_executions', where),
      ]);
      return { items, total };
    },
    /** How a run stood after a fact, but for `accepted`: as known by now. Null: it is not shown. */
    async after({ type, data }: Fact<ExecutionFact>) {
      const doc = await read.get<ExecutionDoc>('ingestion_executions', data.executionId);
      if (!doc) return null;
      const status = 'status' in data ? data.status : statusAfter[type as keyof typeof statusAfter];
      return { sourceId: doc.source_id, status, accepted: doc.execution.tally.accepted };
    },
    /** Jobs that do not run and whose time has come, whoever's, the longest due first, page by page. */
    dueJobs: (due: Due) =>
      read.pages<InShort & Pick<JobDoc, 'next_run_at'>>('ingestion_jobs', {
        where: { is_open: false, next_run_at: within(due) },
        sort: { by: ['next_run_at', '_id'] },
        fields: [...IN_SHORT, 'next_run_at'],
        limit: DUE_A_PAGE,
      }),
    /** Runs that are to be worked on, whoever's, the longest due first, page by page. */
    dueExecutions: (due: Due) =>
      read.pages<InShort & Pick<ExecutionDoc, 'due_at'>>('ingestion_executions', {
        where: { due_at: within(due) },
        sort: { by: ['due_at', '_id'] },
        fields: [...IN_SHORT, 'due_at'],
        limit: DUE_A_PAGE,
      }),
  };
};
