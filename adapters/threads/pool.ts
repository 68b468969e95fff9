import { JobHung, PooledWorker, type Task } from './pooled-worker.js';

export type PoolOptions = {
  /** Module of the worker; `data` becomes its workerData. */
  readonly file: URL;
  readonly data?: unknown;
  readonly threads: number;
  /**
   * So long a job may be at work, ms; its worker is then replaced. Long enough for the slowest job on a busy
   * machine: what it must find is a thread that never answers.
   */
  readonly limitMs: number;
  /** Told of each job that took longer. */
  readonly hung?: ((error: JobHung) => void) | undefined;
  /** Jobs a worker holds at a time: a second one spares it the wait for a busy main thread. */
  readonly depth?: number;
  /** Jobs that may wait for a worker. */
  readonly maxWaiting?: number;
};

/** The place of one worker; null while there is none. */
type Slot<Job, Result> = { worker: PooledWorker<Job, Result> | null };

/**
 * Worker threads that do jobs one after the other. A worker that dies, or hangs, is replaced. Since it takes
 * its jobs in order, the oldest one is to blame: after a death it is tried once more, when it hung it fails.
 * The others do not notice.
 */
export class WorkerPool<Job, Result> {
  readonly #options: Required<PoolOptions>;
  readonly #slots: Slot<Job, Result>[];
  readonly #waiting: Task<Job, Result>[] = [];
  #closed = false;

  private constructor(options: PoolOptions) {
    this.#options = { data: undefined, depth: 4, maxWaiting: 10_000, hung: undefined, ...options };
    this.#slots = Array.from({ length: Math.max(1, options.threads) }, () => ({ worker: null }));
  }

  /** A pool whose workers start when there is work for them, and stay. */
  static lazy<Job, Result>(options: PoolOptions): WorkerPool<Job, Result> {
    return new WorkerPool<Job, Result>(options);
  }

  /** A pool whose workers are all there. @throws the error of a worker that cannot start */
  static async open<Job, Result>(options: PoolOptions): Promise<WorkerPool<Job, Result>> {
    const pool = new WorkerPool<Job, Result>(options);
    try {
      await Promise.all(pool.#slots.map(slot => pool.#start(slot)));
      return pool;
    } catch (error) {
      await pool.close();
      throw error;
    }
  }

  /**
   * Rejects when the job throws, with `JobHung` when it takes too long, when it brought a worker down twice,
   * when too many wait, and after `close`.
   */
  run(job: Job): Promise<Result> {
    return new Promise((resolve, reject) => {
      if (this.#closed) return reject(closedError());
      if (this.#waiting.length >= this.#options.maxWaiting)
        return reject(new Error(`${this.#waiting.length} jobs wait already`));
      this.#waiting.push({ job, resolve, reject, deaths: 0 });
      this.#fill();
    });
  }

  /**
   * Gives the same job to so many workers, starting those that are missing; answers how many have done it. A
   * worker that fails at it is not counted.
   */
  async onEach(count: number, job: Job): Promise<number> {
    if (this.#closed) return 0;
    const workers = this.#slots.slice(0, count).map(slot => {
      if (!slot.worker) this.#restart(slot);
      return slot.worker!;
    });
    const done = await Promise.allSettled(
      workers.map(
        worker =>
          // A worker that dies of it is told of, not tried again
          new Promise<Result>((resolve, reject) =>
            worker.give({ job, resolve, reject, deaths: Number.POSITIVE_INFINITY }),
          ),
      ),
    );
    return done.filter(({ status }) => status === 'fulfilled').length;
  }

  /** Lets jobs that run come to their end, refuses those that wait, ends all workers. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#refuseWaiting(closedError());
    await Promise.all(this.#slots.map(({ worker }) => worker?.close()));
  }

  #start(slot: Slot<Job, Result>): Promise<void> {
    const { file, data, limitMs } = this.#options;
    return new Promise((started, failed) => {
      slot.worker = new PooledWorker<Job, Result>({
        ...{ file, data, limitMs },
        free: () => {
          started();
          this.#fill();
        },
        ended: (cause, wasReady, left) => {
          this.#ended(slot, cause, wasReady, left);
          failed(cause);
        },
      });
    });
  }

  /** Waiting jobs go to the workers that have least to do. */
  #fill(): void {
    this.#startNeeded();
    for (let worker = this.#freest(); worker; worker = this.#freest()) {
      const task = this.#waiting.shift();
      if (!task) return;
      worker.give(task);
    }
  }

  /** As many workers as have work. */
  #startNeeded(): void {
    const startable = this.#slots.filter(({ worker }) => !worker);
    const free = this.#slots.filter(({ worker }) => worker?.jobs === 0).length;
    for (const slot of startable.slice(0, Math.max(0, this.#waiting.length - free))) this.#restart(slot);
  }

  #freest(): PooledWorker<Job, Result> | undefined {
    return this.#slots
      .flatMap(({ worker }) => worker ?? [])
      .filter(({ ready, jobs }) => ready && jobs < this.#options.depth)
      .sort((a, b) => a.jobs - b.jobs)[0];
  }

  #restart(slot: Slot<Job, Result>): void {
    this.#start(slot).catch(() => undefined); // #ended has told those who wait
  }

  #ended(slot: Slot<Job, Result>, cause: Error, wasReady: boolean, left: readonly Task<Job, Result>[]): void {
    slot.worker = null;
    this.#takeBack(left, cause);
    if (this.#closed) this.#refuseWaiting(closedError());
    else if (wasReady) this.#restart(slot);
    else if (this.#slots.every(({ worker }) => !worker))
      this.#refuseWaiting(new Error(`No worker can start: ${cause.message}`, { cause }));
  }

  #takeBack([oldest, ...others]: readonly Task<Job, Result>[], cause: Error): void {
    this.#waiting.unshift(...others);
    if (cause instanceof JobHung) this.#options.hung?.(cause);
    if (!oldest) return;
    if (cause instanceof JobHung) oldest.reject(cause);
    else if (++oldest.deaths > 1)
      oldest.reject(new Error(`A worker died of this job twice: ${cause.message}`, { cause }));
    else this.#waiting.unshift(oldest);
  }

  #refuseWaiting(error: Error): void {
    for (const task of this.#waiting.splice(0)) task.reject(error);
  }
}

const closedError = (): Error => new Error('The pool is closed');
