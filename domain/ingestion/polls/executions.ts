import type { Decider } from '../../decider.js';
import { Rejected } from '../../rejected.js';
import { MINUTE } from '../../time.js';
import type {
  BeginExecution,
  Ending,
  ExecutionCommand,
  ExecutionFact,
  Fault,
  NotePage,
} from './execution-facts.js';
import { evolve, initialState, isOver, type Execution, type ExecutionState } from './state.js';

/** Pauses after failed attempts, ms; after one more it has failed. */
export const BACK_OFF: readonly number[] = [MINUTE, 5 * MINUTE, 25 * MINUTE];
export const MOST_ATTEMPTS = BACK_OFF.length + 1;
/**
 * So often an attempt goes on that was cut short and brought no page: work that ends the process would do so
 * for ever.
 */
export const MOST_RESUMPTIONS = 10;

export const executionNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Execution not found');
/** A job that runs already is not run beside itself. */
export const executionRunning = (executionId: string): Rejected =>
  new Rejected('conflict', 'execution_running', 'The job runs already', { execution_id: executionId });

/** A job's run of a number. Whoever makes it first has it: nobody else runs the job until it is over. */
export const executionIdOf = (jobId: string, number: number): string =>
  `exe_${jobId.replace(/^job_/, '')}_${number}`;

function decide(command: ExecutionCommand, state: ExecutionState): readonly ExecutionFact[] {
  const { execution } = state;
  if (command.type === 'QueueExecution') {
    if (execution) throw executionRunning(command.data.executionId);
    return [{ type: 'ExecutionQueued', data: command.data }];
  }
  if (!execution) throw executionNotFound();
  if (command.type === 'CancelExecution') {
    if (isOver(execution.status)) throw over(execution.status);
    return [ended(command.data.executionId, execution, 'cancelled')];
  }
  // Cancelled or done meanwhile: what comes late changes nothing
  if (isOver(execution.status)) return [];
  return command.type === 'BeginExecution' ? begun(command, execution) : worked(command, execution);
}

function begun({ data }: BeginExecution, execution: Execution): readonly ExecutionFact[] {
  const { workspace, executionId, now } = data;
  const { status, attempt, resumptions, retryAt } = execution;
  const id = { workspace, executionId };
  if (status === 'running') {
    if (resumptions >= MOST_RESUMPTIONS) return [ended(executionId, execution, 'failed', CUT_SHORT)];
    return [{ type: 'ExecutionResumed', data: { ...id, attempt } }];
  }
  if (retryAt !== null && now < retryAt) return [];
  return [{ type: 'ExecutionStarted', data: { ...id, attempt: attempt + 1 } }];
}

type Working = Exclude<
  ExecutionCommand,
  { readonly type: 'QueueExecution' | 'BeginExecution' | 'CancelExecution' }
>;

function worked(command: Working, execution: Execution): readonly ExecutionFact[] {
  if (execution.status !== 'running') return [];
  switch (command.type) {
    case 'NotePage':
      return command.data.page === execution.pages ? [pageRead(command)] : [];
    case 'EndExecution': {
      const status = execution.tally.rejected > 0 ? 'partial' : 'succeeded';
      return [ended(command.data.executionId, execution, status)];
    }
    case 'FailAttempt': {
      const { workspace, executionId, attempt, code, message, now } = command.data;
      if (attempt !== execution.attempt) return [];
      const pause = BACK_OFF[attempt - 1];
      if (pause === undefined) return [ended(executionId, execution, 'failed', { code, message })];
      const data = { workspace, executionId, attempt, code, message, retryAt: now + pause };
      return [{ type: 'ExecutionAttemptFailed', data }];
    }
  }
}

const pageRead = ({ data }: NotePage): ExecutionFact => ({ type: 'ExecutionPageRead', data });

const ended = (
  executionId: string,
  { workspace, jobId, sourceId }: Execution,
  status: Ending,
  error: Fault | null = null,
): ExecutionFact => ({
  type: 'ExecutionEnded',
  data: { workspace, executionId, jobId, sourceId, status, error },
});

const CUT_SHORT: Fault = {
  code: 'cut_short',
  message: `It was begun ${MOST_RESUMPTIONS + 1} times and brought no page`,
};

const over = (status: string): Rejected =>
  new Rejected('conflict', 'invalid_state', `The execution is ${status}: there is nothing left to cancel`, {
    status,
  });

/** One run of a job: queued; begun, failed, begun again; page after page; over. */
export const executions: Decider<ExecutionCommand, ExecutionFact, ExecutionState> = {
  category: 'execution',
  idOf: ({ data: { workspace, executionId } }) => `${workspace}.${executionId}`,
  initialState,
  decide,
  evolve,
};
