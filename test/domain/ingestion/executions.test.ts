import * as assert from 'uvu/assert';
import { fold } from '../../../domain/decider.js';
import type { Fact } from '../../../domain/fact.js';
import type {
  ExecutionCommand,
  ExecutionFact,
  NotePage,
} from '../../../domain/ingestion/polls/execution-facts.js';
import { executions, MOST_RESUMPTIONS } from '../../../domain/ingestion/polls/executions.js';
import { jobs, firstJobOf } from '../../../domain/ingestion/polls/jobs.js';
import type { JobCommand, JobFact } from '../../../domain/ingestion/polls/job-facts.js';
import { Rejected } from '../../../domain/rejected.js';
import { MINUTE } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const of = { workspace: 'w', executionId: 'exe_1_1' };
const run = { ...of, jobId: 'job_1', sourceId: 'src_1' };
const queue: ExecutionCommand = {
  type: 'QueueExecution',
  data: { ...run, number: 1, trigger: 'schedule', cursor: 'c0' },
};
const begin = (now: number): ExecutionCommand => ({ type: 'BeginExecution', data: { ...of, now } });
const page = (data: Partial<NotePage['data']> = {}): ExecutionCommand => ({
  type: 'NotePage',
  data: {
    ...{ ...of, page: 0, read: 3, accepted: 2, duplicates: 1, rejected: 0, bytes: 50 },
    ...{ cursor: 'c1', isLast: false, errors: [], ...data },
  },
});
const fail = (attempt: number, now: number): ExecutionCommand => ({
  type: 'FailAttempt',
  data: { ...of, attempt, now, code: 'http_status', message: 'The address answered 503' },
});
const end: ExecutionCommand = { type: 'EndExecution', data: of };
const cancel: ExecutionCommand = { type: 'CancelExecution', data: of };

/** What commands led to one after the other, and the facts of the last. */
function after(...commands: readonly ExecutionCommand[]) {
  let state = executions.initialState;
  let last: readonly ExecutionFact[] = [];
  for (const [at, command] of commands.entries()) {
    last = executions.decide(command, state);
    const facts = last.map(fact => ({ ...fact, at }) as unknown as Fact);
    state = fold(executions, state, facts);
  }
  return { execution: state.execution!, types: last.map(({ type }) => type), facts: last };
}
function code(work: () => unknown): string {
  try {
    work();
  } catch (error) {
    assert.instance(error, Rejected);
    return (error as Rejected).code;
  }
  return 'granted';
}

suite('executions of jobs', test => {
  test('queued, begun, read, over', () => {
    assert.is(after(queue).execution.status, 'queued');
    assert.equal(after(queue, begin(5)).facts, [{ type: 'ExecutionStarted', data: { ...of, attempt: 1 } }]);
    const { execution } = after(queue, begin(5), page(), page({ page: 1, cursor: null, isLast: true }), end);
    assert.equal(execution.tally, { read: 6, accepted: 4, duplicates: 2, rejected: 0, bytes: 100 });
    const { status, cursorBefore, cursor, pages, startedAt, endedAt } = execution;
    assert.equal(
      { status, cursorBefore, cursor, pages, startedAt, endedAt },
      {
        ...{ status: 'succeeded', cursorBefore: 'c0', cursor: 'c1', pages: 2, startedAt: 1, endedAt: 4 },
      },
    );
    assert.is(after(queue, begin(5), page({ rejected: 1 }), end).execution.status, 'partial');
  });

  test('a failed attempt is tried again after 1, 5 and 25 minutes, then it has failed', () => {
    let commands: ExecutionCommand[] = [queue];
    let now = 0;
    for (const [index, pause] of [1, 5, 25].entries()) {
      commands = [...commands, begin(now), fail(index + 1, now)];
      const { execution } = after(...commands);
      assert.equal([execution.status, execution.retryAt], ['retrying', now + pause * MINUTE]);
      assert.equal(after(...commands, begin(now + pause * MINUTE - 1)).types, []);
      now += pause * MINUTE;
    }
    const { execution, types } = after(...commands, begin(now), fail(4, now));
    assert.equal(types, ['ExecutionEnded']);
    assert.equal([execution.status, execution.attempt, execution.retryAt], ['failed', 4, null]);
    assert.is(execution.error?.code, 'http_status');
    assert.equal(after(...commands, begin(now), fail(3, now)).types, [], 'of an earlier attempt');
  });

  test('pages count once, and an attempt goes on behind them', () => {
    const begun = [queue, begin(0), page()];
    assert.equal(after(...begun, page()).types, []);
    assert.equal(after(...begun, page({ page: 2 })).types, []);
    const retried = after(...begun, fail(1, 0), begin(MINUTE));
    assert.equal([retried.execution.pages, retried.execution.cursor], [1, 'c1']);
    const resumed = after(...begun, begin(1));
    assert.equal(resumed.facts, [{ type: 'ExecutionResumed', data: { ...of, attempt: 1 } }]);
  });

  test('what is cut short each time fails for good', () => {
    const again = Array.from({ length: MOST_RESUMPTIONS }, () => begin(0));
    const { execution } = after(queue, begin(0), ...again, begin(0));
    assert.equal([execution.status, execution.error?.code], ['failed', 'cut_short']);
    assert.is(after(queue, begin(0), ...again, page(), begin(0)).execution.status, 'running');
  });

  test('cancelled at any time before it is over; what comes late changes nothing', () => {
    for (const commands of [[queue], [queue, begin(0)], [queue, begin(0), fail(1, 0)]]) {
      const { execution, facts } = after(...commands, cancel);
      assert.is(execution.status, 'cancelled');
      assert.equal(facts[0]!.data, { ...run, status: 'cancelled', error: null });
      for (const late of [begin(9 * MINUTE), page(), fail(1, 0), end])
        assert.equal(after(...commands, cancel, late).types, []);
      assert.is(
        code(() => after(...commands, cancel, cancel)),
        'invalid_state',
      );
    }
    assert.is(
      code(() => after(cancel)),
      'not_found',
    );
  });

  test('a run of a number is made once', () => {
    assert.is(
      code(() => after(queue, queue)),
      'execution_running',
    );
  });
});

suite('jobs', test => {
  const id = { workspace: 'w', jobId: 'job_1', sourceId: 'src_1' };
  const schedule = { intervalSeconds: 300 };
  const create: JobCommand = { type: 'CreateJob', data: { ...id, schedule, enabled: true } };
  const remove: JobCommand = { type: 'DeleteJob', data: { ...id, seen: null } };
  const change = (data: object, seen: number | null = null): JobCommand => ({
    type: 'ChangeJob',
    data: { ...id, seen, ...data },
  });
  const made = (...commands: readonly JobCommand[]) => {
    let state = jobs.initialState;
    let last: readonly JobFact[] = [];
    let revision = 0;
    for (const command of commands) {
      last = jobs.decide(command, state);
      state = fold(
        jobs,
        state,
        last.map(fact => ({ ...fact, revision: revision++ }) as unknown as Fact),
      );
    }
    return { job: state.job, facts: last };
  };

  test('made once, changed, and gone for good', () => {
    assert.equal(made(create).job, { sourceId: 'src_1', schedule, enabled: true, revision: 0 });
    assert.equal(made(create, create).facts, []);
    assert.equal(made(create, change({ enabled: true })).facts, []);
    assert.is(made(create, change({ enabled: false })).job?.enabled, false);
    assert.is(made(create, remove).job, null);
    assert.equal(made(create, remove, create).facts, [], 'also by who makes the first job of a source');
    assert.is(
      code(() => made(create, remove, change({}))),
      'not_found',
    );
    assert.is(
      code(() => made(create, change({ enabled: false }, 7))),
      'version_conflict',
    );
    assert.is(firstJobOf('src_abc'), 'job_abc');
  });
});
