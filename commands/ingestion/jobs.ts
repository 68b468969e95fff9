import { executionIdOf, executionRunning, executions } from '../../domain/ingestion/polls/executions.js';
import type { Cursor, ExecutionCommand, Trigger } from '../../domain/ingestion/polls/execution-facts.js';
import { firstJobOf, jobs } from '../../domain/ingestion/polls/jobs.js';
import type { ChangeJob, DeleteJob } from '../../domain/ingestion/polls/job-facts.js';
import type { Schedule } from '../../domain/schedules.js';
import { unwritten, type Context, type Handle } from '../engine/handle.js';
import { newId } from '../engine/ids.js';

/** A job as read models show it. */
export type KnownJob = {
  readonly _id: string;
  readonly workspace: string;
  readonly source_id: string;
  readonly last_number: number;
  readonly last_execution_id: string | null;
  readonly is_open: boolean;
  readonly cursor: Cursor;
};
export type JobCommands = ReturnType<typeof jobCommands>;

/** When sources are asked, and each time that they are. */
export const jobCommands = (handle: Handle) => ({
  async create(
    workspace: string,
    sourceId: string,
    schedule: Schedule,
    enabled: boolean,
    context: Context,
  ): Promise<{ readonly jobId: string; readonly position: number | null }> {
    const jobId = newId('job_');
    const data = { workspace, jobId, sourceId, schedule, enabled };
    const { position } = await handle(jobs, { type: 'CreateJob', data }, context, unwritten(jobs));
    return { jobId, position };
  },
  /** The job that a source begins with. Where it was made before, or was deleted since, nothing changes. */
  async first(workspace: string, sourceId: string, intervalSeconds: number, context: Context) {
    const jobId = firstJobOf(sourceId);
    const data = { workspace, jobId, sourceId, schedule: { intervalSeconds }, enabled: true };
    const { position } = await handle(jobs, { type: 'CreateJob', data }, context);
    return { jobId, position };
  },
  /** @throws Rejected 404, 409 */
  change: (data: ChangeJob['data'], context: Context) => handle(jobs, { type: 'ChangeJob', data }, context),
  remove: (data: DeleteJob['data'], context: Context) => handle(jobs, { type: 'DeleteJob', data }, context),

  /**
   * Asks for a run of a job, of the number behind its last one. Only one can be made under a number, so that
   * none is made beside one that is not over, whoever else tries and however old the read models are.
   * @throws Rejected 409 while one is not over
   */
  async run(job: KnownJob, trigger: Trigger, context: Context) {
    const { workspace, _id: jobId, source_id: sourceId, cursor } = job;
    if (job.is_open) throw executionRunning(job.last_execution_id!);
    const number = job.last_number + 1;
    const executionId = executionIdOf(jobId, number);
    const data = { workspace, executionId, jobId, sourceId, number, trigger, cursor };
    const command = { type: 'QueueExecution', data } as const;
    const { position } = await handle(executions, command, context, unwritten(executions));
    return { executionId, position };
  },
  /** Begins, notes, ends, cancels a run. @throws Rejected 404, 409 */
  execution: (command: ExecutionCommand, context: Context) => handle(executions, command, context),
});
