import { executionNotFound } from '../../domain/ingestion/polls/executions.js';
import { iso } from '../../domain/time.js';
import type { ExecutionDoc } from '../../projections/ingestion/poll-documents.js';
import { contextOf } from '../edge/context.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { reads, tag, writes, type IngestionDeps } from './deps.js';
import * as schemas from './poll-schemas.js';
import { isoOrNull } from './source-views.js';

const path = '/v1/ingestion/executions';
const one = `${path}/{execution_id}`;

/** Runs of jobs. */
export const executionRows = (deps: IngestionDeps): Row[] => [listRow(deps), readRow(deps), cancelRow(deps)];

const listRow = ({ polls }: IngestionDeps): Row =>
  row({
    method: 'get',
    path,
    operation: 'listExecutions',
    summary: 'Runs of jobs',
    tag,
    access: reads,
    query: schemas.executionsQuery,
    answers: { 200: { description: 'Newest first', schema: schemas.executionsAnswer } },
    async run({ workspace, query }) {
      const { page, per_page: limit, job_id: jobId, source_id: sourceId, status } = query;
      const of = {
        ...(jobId !== undefined && { jobId }),
        ...(sourceId !== undefined && { sourceId }),
        ...(status !== undefined && { status }),
      };
      const { items, total } = await polls.executions(workspace, of, { limit, offset: (page - 1) * limit });
      return { body: { data: { executions: items.map(view), ...perPage(query, total) } } };
    },
  });

const readRow = (deps: IngestionDeps): Row =>
  row({
    method: 'get',
    path: one,
    operation: 'getExecution',
    summary: 'One run',
    tag,
    access: reads,
    params: schemas.executionParams,
    versioned: 'by_content',
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The run', schema: schemas.executionAnswer } },
    run: async ({ workspace, params }) => ({
      body: { data: view(await found(deps, workspace, params.execution_id)) },
    }),
  });

const cancelRow = (deps: IngestionDeps): Row =>
  row({
    method: 'post',
    path: `${one}/cancel`,
    operation: 'cancelExecution',
    summary: 'Cancel a run; what it has read stays',
    tag,
    access: writes,
    leastRole: 'operator',
    params: schemas.executionParams,
    errors: { 404: ['not_found'], 409: ['invalid_state'] },
    answers: { 200: { description: 'It is over', schema: schemas.cancelledAnswer } },
    async run(call) {
      const { workspace, params } = call;
      const { _id: executionId } = await found(deps, workspace, params.execution_id);
      const command = { type: 'CancelExecution', data: { workspace, executionId } } as const;
      const { position } = await deps.jobs.execution(command, contextOf(call, deps.clock()));
      await deps.visible(position);
      return { body: { status: 'cancelled', data: view(await found(deps, workspace, executionId)) } };
    },
  });

async function found({ polls }: IngestionDeps, workspace: string, id: string): Promise<ExecutionDoc> {
  const doc = await polls.execution(workspace, id);
  if (!doc) throw executionNotFound();
  return doc;
}

function view({ _id, execution, errors }: ExecutionDoc) {
  const { jobId, sourceId, trigger, status, attempt, error, tally } = execution;
  return {
    ...{ execution_id: _id, job_id: jobId, source_id: sourceId, trigger, status },
    created_at: iso(execution.queuedAt),
    started_at: isoOrNull(execution.startedAt),
    finished_at: isoOrNull(execution.endedAt),
    retry_at: isoOrNull(execution.retryAt),
    ...{ attempt, ...tally, error, errors },
    ...{ cursor_before: execution.cursorBefore, cursor_after: execution.cursor },
  };
}
