import { Rejected } from '../rejected.js';

/**
 * Heavy pure functions by name. Inputs and outputs are copied on their way (structured clone): plain objects,
 * arrays, typed arrays, Map, Set, Date; no functions and no classes of ours.
 */
export type TaskTable = Readonly<Record<string, (input: never) => unknown>>;

export type RunOptions = {
  /**
   * In whose name the work is done, the workspace: lanes take turns, and none can fill the queue for the
   * others.
   */
  readonly lane: string;
  /** Ends when nobody wants the answer any more. */
  readonly signal: AbortSignal;
  /** Longest time in the queue, and again at work; the pool's own when absent. */
  readonly withinMs?: number;
  /**
   * It is in no hurry: at most half of the workers, though one at least, are at such work at a time, and
   * what waits for them does not hold up the rest of its lane.
   */
  readonly patient?: boolean;
};

/**
 * Does the work of a table's functions elsewhere, so that the caller's thread stays free, with the very
 * answers that a direct call would give. Inputs are copied: the caller keeps them (a waiting one must not be
 * changed).
 *
 * Rejects with `Cancelled`, `TookTooLong`, `TooMuchMemory`, `Overloaded`, what the function threw if that is
 * a `Rejected`, and an Error for all else (a fault of ours).
 */
export type Compute<T extends TaskTable> = {
  run<N extends keyof T & string>(
    task: N,
    input: Parameters<T[N]>[0],
    options: RunOptions,
  ): Promise<ReturnType<T[N]>>;
  /**
   * The answer as JSON text, made where the work was done: a large answer costs the caller's thread next to
   * nothing.
   */
  json<N extends keyof T & string>(task: N, input: Parameters<T[N]>[0], options: RunOptions): Promise<string>;
  /** Refuses what waits, ends what is at work. */
  close(): Promise<void>;
};

/** The caller went away: nobody is there to be told. */
export class Cancelled extends Error {
  constructor() {
    super('Nobody waits for this any more');
  }
}

const LESS = 'ask for less at a time: fewer keys, fewer points, or smaller limits';

/** The same request would fail again: it must be made smaller, which is why this is no 503. */
export class TookTooLong extends Rejected {
  constructor(withinMs: number) {
    super('unprocessable', 'analysis_too_long', `The analysis was not done within ${withinMs} ms; ${LESS}`, {
      within_ms: withinMs,
    });
  }
}

/** As `TookTooLong`, of memory. */
export class TooMuchMemory extends Rejected {
  constructor(limitMb: number) {
    super('unprocessable', 'analysis_too_large', `The analysis does not fit into ${limitMb} MB; ${LESS}`, {
      limit_mb: limitMb,
    });
  }
}

const RETRY_AFTER_S = 5;

/** Too much waits before it: the same request may be sent again later. */
export class Overloaded extends Rejected {
  constructor(message = 'Too many analyses are under way; try again soon') {
    super('unavailable', 'overloaded', message, { retry_after_s: RETRY_AFTER_S });
  }
}
