import { Rejected } from '../../domain/rejected.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { foundSource, tag, writes, type IngestionDeps } from './deps.js';
import { foundJob } from './jobs.js';
import * as schemas from './poll-schemas.js';

/** A job that is run by hand. */
export const runRow = (deps: IngestionDeps): Row =>
  row({
    tag,
    access: writes,
    leastRole: 'operator',
    method: 'post',
    path: '/v1/ingestion/jobs/{job_id}/run',
    operation: 'runJob',
    summary: 'Run a job now',
    description: 'One run of a job at a time.',
    params: schemas.jobParams,
    errors: { 404: ['not_found'], 409: ['execution_running', 'source_paused'] },
    answers: { 202: { description: 'It will be run', schema: schemas.queuedAnswer } },
    async run(call) {
      const { workspace, params } = call;
      const job = await foundJob(deps, workspace, params.job_id);
      const source = await foundSource(deps, workspace, job.source_id);
      if (source.status === 'paused') throw new Rejected('conflict', 'source_paused', 'The source is paused');
      const made = await deps.jobs.run(job, 'manual', contextOf(call, deps.clock()));
      await deps.visible(made.position);
      const { executionId: execution_id } = made;
      const data = { execution_id, status: 'queued', poll_url: `/v1/ingestion/executions/${execution_id}` };
      return { status: 202, body: { status: 'queued', data } };
    },
  });
