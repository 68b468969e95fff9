export type PoolOptions = {
  /** Module that exports the functions as `tasks`. */
  readonly tasks: URL;
  readonly workers: number;
  /** Memory of one worker, with all that is in it (about 60 MB before any work). */
  readonly memoryMb: number;
  /** Longest time of a task in the queue, and again at work, unless its caller says otherwise. */
  readonly withinMs: number;
  /** So many may wait for a worker, in all and in one lane. Each holds its input in memory. */
  readonly maxWaiting?: number;
  readonly maxWaitingInLane?: number;
  /** A worker without work ends after this time. */
  readonly idleMs?: number;
};
