import type { JobCommands } from '../commands/ingestion/jobs.js';
import { runExecution, type PollingDeps } from '../commands/ingestion/polling.js';
import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { isOver } from '../domain/ingestion/polls/state.js';
import { Rejected } from '../domain/rejected.js';
import { SECOND } from '../domain/time.js';
import type { ExecutionDoc, JobDoc } from '../projections/ingestion/poll-documents.js';
import type { Due, PollQueries } from '../projections/ingestion/poll-queries.js';
import type { Running } from './engine/follow.js';
import { DueLines } from './due-lines.js';
import { rounds } from './engine/rounds.js';

type Deps = Omit<PollingDeps, 'contextOf' | 'jobs'> & {
  readonly jobs: Pick<JobCommands, 'execution' | 'run'>;
  readonly queries: Pick<PollQueries, 'dueJobs' | 'dueExecutions' | 'job' | 'execution'>;
  /** Whether a source is to be asked: it is there, and not paused. */
  readonly isAsked: (workspace: string, sourceId: string) => Promise<boolean>;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Resolves when the read models hold what was written at a position. */
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly log: Log;
};

const EVERY_MS = 250;
/**
 * All that is due is looked through so often; in between, what has come due since the last look, and this
 * much before it, for read models may be late.
 */
const ALL_EVERY_MS = 5 * SECOND;
const OVERLAP_MS = 10 * SECOND;
/** Jobs that are asked to run in one round, and what is held of what is due, of one workspace. */
const QUEUED_AT_ONCE = 64;
const HELD_OF_ONE = 256;
/** Runs at once, and of one workspace. */
const AT_ONCE = 16;
const AT_ONCE_OF_ONE = 4;
/** What could not be worked on, or is of a paused source, is looked at again after a while. */
const REST_MS = 5 * SECOND;

type Work = { readonly doc: ExecutionDoc; readonly ending: AbortController; readonly done: Promise<void> };

/**
 * Asks for the runs of jobs whose time has come and works on them. It remembers nothing: what is to be run,
 * and how far it came, is in the log, so that after a crash each run goes on behind its last page. Workspaces
 * take turns: however much of one is due, the others' runs are asked for, and begun, beside it.
 */
export function polling(deps: Deps): Running {
  const { queries, jobs, clock, newId, log, visible } = deps;
  const working = new Map<string, Work>();
  const resting = new Map<string, number>();
  /** Found due, and not begun yet. */
  const due = { jobs: new DueLines(HELD_OF_ONE), runs: new DueLines(HELD_OF_ONE) };
  /** When all was looked through, and up to when anything was looked for. */
  const looks = { allAt: -Infinity, by: -Infinity };
  const contextOf = (workspace: string): Context => ({
    ...{ workspace, actor: 'scheduler:polling', request: null, correlation: newId(), causation: null },
    at: clock(),
  });
  const rests = (id: string): boolean => (resting.get(id) ?? 0) > performance.now();
  const rest = (id: string): void => {
    resting.set(id, performance.now() + REST_MS);
  };

  const queue = async (job: JobDoc): Promise<void> => {
    if (!(await deps.isAsked(job.workspace, job.source_id))) return rest(job._id);
    try {
      const { position } = await jobs.run(job, 'schedule', contextOf(job.workspace));
      await visible(position);
    } catch (error) {
      rest(job._id);
      // Somebody else asked for it meanwhile
      if (!(error instanceof Rejected)) throw error;
    }
  };

  const begin = async (doc: ExecutionDoc): Promise<void> => {
    const { _id: executionId, workspace, source_id: sourceId } = doc;
    if (!(await deps.isAsked(workspace, sourceId))) return rest(executionId);
    const ending = new AbortController();
    const done = runExecution({ ...deps, contextOf }, { workspace, executionId }, ending.signal)
      .then(visible)
      .then(() => undefined)
      .catch((err: unknown) => {
        rest(executionId);
        log.error({ err, execution: executionId }, 'a run could not be worked on; tried again');
      })
      .finally(() => working.delete(executionId));
    working.set(executionId, { doc, ending, done });
  };

  /** What was cancelled, or whose source has gone, ends at once. */
  const endCancelled = async (): Promise<void> => {
    for (const { doc, ending } of [...working.values()]) {
      const now = await queries.execution(doc.workspace, doc._id);
      if (!now || isOver(now.status)) ending.abort();
    }
  };
  const ofOne = (workspace: string): number =>
    [...working.values()].filter(({ doc }) => doc.workspace === workspace).length;
  const hold = async (
    lines: DueLines,
    pages: AsyncIterable<readonly (JobDoc | ExecutionDoc)[]>,
  ): Promise<void> => {
    for await (const page of pages)
      for (const doc of page) if (!rests(doc._id) && !working.has(doc._id)) lines.add(doc);
  };
  const isDue = (at: number | null): boolean => at !== null && at <= looks.by;

  const round = async (goesOn: () => boolean): Promise<void> => {
    await endCancelled();
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    const since = next();
    await hold(due.jobs, queries.dueJobs(since));
    for (const { workspace, _id } of due.jobs.take(QUEUED_AT_ONCE, () => 0)) {
      if (!goesOn()) return;
      const job = await queries.job(workspace, _id);
      if (job && !job.is_open && isDue(job.next_run_at)) await queue(job);
    }
    await hold(due.runs, queries.dueExecutions(since));
    for (const { workspace, _id } of due.runs.take(AT_ONCE - working.size, ofOne, AT_ONCE_OF_ONE)) {
      if (!goesOn()) return;
      const doc = await queries.execution(workspace, _id);
      if (doc && isDue(doc.due_at)) await begin(doc);
    }
  };
  /** Jobs of paused sources stay due: to look through them all each time would cost more with each. */
  const next = (): Due => {
    const by = clock();
    const isAll = performance.now() - looks.allAt >= ALL_EVERY_MS;
    const since = isAll ? null : Math.min(looks.by, by) - OVERLAP_MS;
    if (isAll) {
      looks.allAt = performance.now();
      for (const lines of [due.jobs, due.runs]) lines.clear();
    }
    looks.by = by;
    return { since, by };
  };
  const looking = rounds(EVERY_MS, log, 'what is to be polled could not be looked for; tried again', round);
  return {
    async stop() {
      await looking.stop();
      for (const { ending } of working.values()) ending.abort();
      await Promise.all([...working.values()].map(({ done }) => done));
    },
  };
}
