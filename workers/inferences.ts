import { exhaustMap, lastValueFrom, Subject, takeUntil, timer } from 'rxjs';
import type { Credits } from '../commands/billing/credits.js';
import type { Context } from '../commands/engine/handle.js';
import { paidFor } from '../commands/inference/paying.js';
import type { InferenceRecords } from '../commands/inference/records.js';
import { tasks } from '../commands/inference/tasks/index.js';
import { make } from '../commands/inference/making.js';
import { prepare, type WorkDeps } from '../commands/inference/work.js';
import type { Log } from '../commands/ports/log.js';
import { unkept, type RecordedInference } from '../domain/inference/state.js';
import type { InferenceRequest } from '../domain/inference/request.js';
import { Rejected } from '../domain/rejected.js';
import type { InferenceDoc } from '../projections/inference/documents.js';
import type { InferenceQueries } from '../projections/inference/queries.js';
import type { Running } from './engine/follow.js';

type Deps = WorkDeps & {
  readonly records: InferenceRecords;
  readonly queries: Pick<InferenceQueries, 'openBehind' | 'inference'>;
  readonly clock: () => number;
  readonly newId: () => string;
  /** Resolves when the read models hold what was written at a position. */
  readonly visible: (position: number | null) => Promise<unknown>;
  readonly credits: Pick<Credits, 'charge' | 'release'>;
  readonly log: Log;
};

const EVERY_MS = 250;
/** Open ones of a workspace that are looked at, and all that are worked on at once. */
const LOOKED_AT = 200;
const AT_ONCE = 2;
/**
 * Work is begun so often: again after growing pauses while the server cannot do it just now, and once more
 * after each time that it was cut short.
 */
const MOST_ATTEMPTS = 10;
const LONGEST_PAUSE_MS = 30_000;

type Work = { readonly workspace: string; readonly ending: AbortController };

/**
 * Works on inferences that nobody waits at the line for, the oldest first, workspaces in turn. What a crash
 * cut short is open still and begins again; what is cancelled ends at once.
 */
export function inferenceWork(deps: Deps): Running {
  const { queries, log } = deps;
  const working = new Map<string, Work>();
  const resting = new Map<string, number>();
  /** The workspace whose turn it was last. */
  let turn = '';
  const underWay = new Set<Promise<void>>();
  const stopped = new Subject<void>();

  const begin = (doc: InferenceDoc): void => {
    const ending = new AbortController();
    working.set(doc._id, { workspace: doc.workspace, ending });
    const work = done(deps, doc, ending.signal)
      .then(pauseMs => {
        if (pauseMs !== null) resting.set(doc._id, performance.now() + pauseMs);
      })
      .catch((err: unknown) => {
        resting.set(doc._id, performance.now() + LONGEST_PAUSE_MS);
        log.error({ err, inference: doc.inference_id }, 'queued work could not be kept; tried again');
      })
      .finally(() => {
        working.delete(doc._id);
        underWay.delete(work);
      });
    underWay.add(work);
  };

  const endCancelled = async (): Promise<void> => {
    for (const [id, { workspace, ending }] of working) {
      const doc = await queries.inference(workspace, id.slice(workspace.length + 1));
      if (doc?.status === 'cancelled') ending.abort();
    }
  };

  /** The oldest of the next workspace whose turn it is; null: there is nothing to begin with just now. */
  const next = async (): Promise<InferenceDoc | null> => {
    const before = turn;
    for (let isRound = false; ; ) {
      const open = await queries.openBehind(turn, LOOKED_AT);
      turn = open[0]?.workspace ?? '';
      const ready = open.find(({ _id }) => !working.has(_id) && !resting.has(_id));
      if (ready) return ready;
      if (isRound && (turn === '' || turn >= before)) return null;
      isRound ||= turn === '';
    }
  };

  const round = async (): Promise<void> => {
    await endCancelled();
    for (const [id, until] of resting) if (until <= performance.now()) resting.delete(id);
    while (working.size < AT_ONCE) {
      const doc = await next();
      if (!doc) return;
      begin(doc);
    }
  };

  const rounds = timer(0, EVERY_MS).pipe(
    takeUntil(stopped),
    exhaustMap(() =>
      round().catch((err: unknown) => log.error({ err }, 'queued work could not be looked for; tried again')),
    ),
  );
  const ended = lastValueFrom(rounds, { defaultValue: undefined });
  return {
    async stop() {
      stopped.next();
      await ended;
      for (const { ending } of working.values()) ending.abort();
      await Promise.all(underWay);
    },
  };
}

/** Works on one; answers after which pause it is tried again, ms; null: it is over, or left for later. */
async function done(deps: Deps, doc: InferenceDoc, signal: AbortSignal): Promise<number | null> {
  const { records, clock, newId } = deps;
  const { workspace, inference_id: inferenceId } = doc;
  const context: Context = {
    workspace,
    actor: 'scheduler:inferences',
    request: null,
    correlation: newId(),
    causation: null,
    at: clock(),
  };
  const { record, position } = await records.start(workspace, inferenceId, context);
  if (record.status !== 'running') return visibly(deps, position);
  const began = performance.now();
  try {
    // Work that ends the process each time would end it for ever
    if (record.attempts > MOST_ATTEMPTS) throw cutShort();
    const made = await madeOf(deps, workspace, record, began, signal);
    const now = { ...context, at: clock() };
    const completed = await records.complete(workspace, inferenceId, made, now);
    if (completed.record.completed) deps.credits.charge(workspace, paidFor(inferenceId), now);
    return visibly(deps, completed.position);
  } catch (error) {
    if (signal.aborted) return null;
    if (isPassing(error) && record.attempts < MOST_ATTEMPTS)
      return Math.min(2 ** record.attempts * 1_000, LONGEST_PAUSE_MS);
    if (!(error instanceof Rejected))
      deps.log.error({ err: error, inference: inferenceId }, 'queued work failed');
    const failed = {
      inferenceId,
      promotionId: record.requested.promotionId,
      ...(record.requested.goalId !== undefined && { goalId: record.requested.goalId }),
      ...reasonOf(error),
      tookMs: Math.round(performance.now() - began),
      askedBy: record.requested.actor,
    };
    const now = { ...context, at: clock() };
    const outcome = await records.fail(workspace, failed, now);
    // Another process may have completed it, or somebody cancelled it: whoever did ends the hold
    if (outcome.after.status === 'failed')
      deps.credits.release(workspace, paidFor(inferenceId), 'failed', now);
    return visibly(deps, outcome.position);
  }
}

async function madeOf(
  deps: Deps,
  workspace: string,
  { requested, parts }: RecordedInference,
  began: number,
  signal: AbortSignal,
) {
  const request = unkept(requested.request, parts.request) as InferenceRequest;
  const task = tasks[requested.task];
  const prepared = await prepare(deps, task, workspace, request, deps.clock());
  return make(deps, task, prepared, { workspace, askedBy: requested.actor, began, signal });
}

async function visibly({ visible }: Deps, position: number | null): Promise<null> {
  await visible(position);
  return null;
}

const cutShort = (): Rejected =>
  new Rejected('unprocessable', 'cut_short', `It was begun ${MOST_ATTEMPTS} times and never came to an end`);

/** The server's own lack, which may be over in a while. */
const isPassing = (error: unknown): boolean =>
  error instanceof Rejected && (error.kind === 'unavailable' || error.code === 'deployment_not_ready');

const reasonOf = (error: unknown): { readonly code: string; readonly message: string } =>
  error instanceof Rejected
    ? { code: error.code, message: error.message }
    : { code: 'internal_error', message: 'Internal error' };
