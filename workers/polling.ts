import type { JobCommands } from '../commands/ingestion/jobs.js';
import { runExecution, type PollingDeps } from '../commands/ingestion/polling.js';
import type { Context } from '../commands/engine/handle.js';
import type { Log } from '../commands/ports/log.js';
import { isOver } from '../domain/ingestion/polls/state.js';
import { Rejected } from '../domain/rejected.js';
import { SECOND } from '../domain/time.js';
import type { ExecutionDoc } from '../projections/ingestion/poll-documents.js';
import type { Due, InShort, PollQueries } from '../projections/ingestion/poll-queries.js';
import type { Running } from './engine/follow.js';
import { DueLines } from './due-lines.js';
import { rounds } from './engine/rounds.js';

type Deps = Omit<PollingDeps, 'contextOf' | 'jobs'> & {
  readonly jobs: Pick<JobCommands, 'execution' | 'run'>;
  readonly queries: Pick<PollQueries, 'dueJobs' | 'dueExecutions' | 'job' | 'execution'>;
  /** Whether a source is to be asked: it is there and not paused, nor is its workspace archived. */
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
/** What could not be worked on is tried again after a while. */
const REST_MS = 5 * SECOND;

type Work = { readonly doc: ExecutionDoc; readonly ending: AbortController; readonly done: Promise<void> };

/**
 * Asks for the runs of jobs whose time has come and works on them. It remembers nothing: what is to be run,
 * and how far it came, is in the log, so that after a crash each run goes on behind its last page. Workspaces
 * take turns: however much of one is due, the others' runs are asked for, and begun, beside it. What is of a
 * source that is not to be asked stays due and takes nobody's place.
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
  const isFree = (id: string): boolean => !working.has(id) && (resting.get(id) ?? 0) <= performance.now();
  const rest = (id: string): void => {
    resting.set(id, performance.now() + REST_MS);
  };

  /** False: no longer due, or not to be asked. */
  const queue = async ({ workspace, _id }: InShort): Promise<boolean> => {
    const job = await queries.job(workspace, _id);
    if (!job || job.is_open || !isDue(job.next_run_at)) return false;
    if (!(await deps.isAsked(workspace, job.source_id))) return false;
    try {
      const { position } = await jobs.run(job, 'schedule', contextOf(workspace));
      await visible(position);
    } catch (error) {
      rest(job._id);
      // Somebody else asked for it meanwhile
      if (!(error instanceof Rejected)) throw error;
    }
    return true;
  };

  /** False: no longer due, or not to be asked. */
  const begin = async ({ workspace, _id: executionId }: InShort): Promise<boolean> => {
    const doc = await queries.execution(workspace, executionId);
    if (!doc || !isDue(doc.due_at) || !(await deps.isAsked(workspace, doc.source_id))) return false;
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
    return true;
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
  const isDue = (at: number | null): boolean => at !== null && at <= looks.by;

  const round = async (goesOn: () => boolean): Promise<void> => {
    await endCancelled();
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    const since = next();
    await due.jobs.fill(queries.dueJobs(since), isFree, deps.isAsked);
    for (let places = QUEUED_AT_ONCE; places > 0; ) {
      const first = goesOn() && due.jobs.next();
      if (!first) break;
      if (await queue(first)) places--;
    }
    await due.runs.fill(queries.dueExecutions(since), isFree, deps.isAsked);
    for (let places = AT_ONCE - working.size; places > 0; ) {
      const first = goesOn() && due.runs.next(ofOne, AT_ONCE_OF_ONE);
      if (!first) break;
      if (await begin(first)) places--;
    }
  };
  /** Jobs of paused sources stay due: to look through them all each time would cost more with each. */
  const next = (): Due => {
    const by = clock();
    const isAll = performance.now() - looks.allAt >= ALL_EVERY_MS;
    const since = isAll ? null : Math.min(looks.by, by) - OVERLAP_MS;
    if (isAll) looks.allAt = performance.now();
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
