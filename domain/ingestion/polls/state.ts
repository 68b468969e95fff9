import type { Fact } from '../../fact.js';
import type {
  Cursor,
  Ending,
  ExecutionFact,
  ExecutionQueued,
  Fault,
  Tally,
  Trigger,
} from './execution-facts.js';
import { endings } from './execution-facts.js';

export const executionStatuses = ['queued', 'running', 'retrying', ...endings] as const;
export type ExecutionStatus = (typeof executionStatuses)[number];

export type Execution = {
  readonly workspace: string;
  readonly jobId: string;
  readonly sourceId: string;
  readonly trigger: Trigger;
  readonly status: ExecutionStatus;
  readonly queuedAt: number;
  readonly startedAt: number | null;
  readonly endedAt: number | null;
  /** How many attempts began, and how often the last one went on without a page since. */
  readonly attempt: number;
  readonly resumptions: number;
  readonly retryAt: number | null;
  readonly pages: number;
  readonly isRead: boolean;
  readonly tally: Tally;
  readonly cursorBefore: Cursor;
  /** Of the last page that named one. */
  readonly cursor: Cursor;
  readonly error: Fault | null;
};
export type ExecutionState = { readonly execution: Execution | null };
export const initialState: ExecutionState = { execution: null };

const none: Tally = { read: 0, accepted: 0, duplicates: 0, rejected: 0, bytes: 0 };

export const isOver = (status: ExecutionStatus): status is Ending =>
  (endings as readonly string[]).includes(status);

/** What a fact makes of an execution. */
export function evolve({ execution }: ExecutionState, fact: Fact<ExecutionFact>): ExecutionState {
  if (fact.type === 'ExecutionQueued') return { execution: queued(fact) };
  return { execution: execution && further(execution, fact) };
}

const queued = ({ data, at }: Fact<ExecutionQueued>): Execution => ({
  ...{ workspace: data.workspace, jobId: data.jobId, sourceId: data.sourceId, trigger: data.trigger },
  ...{ status: 'queued', queuedAt: at, startedAt: null, endedAt: null },
  ...{ attempt: 0, resumptions: 0, retryAt: null, pages: 0, isRead: false, tally: none },
  ...{ cursorBefore: data.cursor, cursor: data.cursor, error: null },
});

type Further = Exclude<Fact<ExecutionFact>, { readonly type: 'ExecutionQueued' }>;

function further(execution: Execution, fact: Further): Execution {
  switch (fact.type) {
    case 'ExecutionStarted': {
      const startedAt = execution.startedAt ?? fact.at;
      const { attempt } = fact.data;
      return { ...execution, status: 'running', attempt, startedAt, resumptions: 0, retryAt: null };
    }
    case 'ExecutionResumed':
      return { ...execution, resumptions: execution.resumptions + 1 };
    case 'ExecutionPageRead': {
      const { cursor, isLast } = fact.data;
      const pages = { pages: execution.pages + 1, isRead: isLast, resumptions: 0 };
      const tally = summed(execution.tally, fact.data);
      return { ...execution, ...pages, tally, cursor: cursor ?? execution.cursor };
    }
    case 'ExecutionAttemptFailed': {
      const { code, message, retryAt } = fact.data;
      return { ...execution, status: 'retrying', retryAt, error: { code, message } };
    }
    case 'ExecutionEnded': {
      const { status, error } = fact.data;
      return { ...execution, status, error, retryAt: null, endedAt: fact.at };
    }
  }
}

const summed = (before: Tally, page: Tally): Tally => ({
  read: before.read + page.read,
  accepted: before.accepted + page.accepted,
  duplicates: before.duplicates + page.duplicates,
  rejected: before.rejected + page.rejected,
  bytes: before.bytes + page.bytes,
});
