import { Worker } from 'node:worker_threads';

/** What goes over to a worker, in order, and what comes back: see serve.ts for the other side. */
export type Request<Job> = { id: number; job: Job } | 'close';
export type Reply<Result> = { id: number; result: Result } | { id: number; error: string };
export type Answer<Result> = 'ready' | Reply<Result>;

export type PoolOptions = {
  /** Module of the worker; `data` becomes its workerData. */
  readonly file: URL;
  readonly data?: unknown;
  readonly threads: number;
  /** Jobs a worker holds at a time: a second one spares it the wait for a busy main thread. */
  readonly depth?: number;
  /** Jobs that may wait for a worker. */
  readonly maxWaiting?: number;
};

type Task<Job, Result> = {
  job: Job;
  resolve(result: Result): void;
  reject(error: Error): void;
  deaths: number;
};
type Slot<Job, Result> = { worker: Worker | null; ready: boolean; running: Map<number, Task<Job, Result>> };

const CLOSE_MS = 10_000;

/**
 * Worker threads that do jobs one after the other. A worker that dies is replaced; since it takes its jobs in
 * order, the oldest one is to blame and is tried once more, the others do not notice.
 */
export class WorkerPool<Job, Result> {
  readonly #options: Required<PoolOptions>;
  readonly #slots: Slot<Job, Result>[];
  readonly #waiting: Task<Job, Result>[] = [];
  #closed = false;
  #lastId = 0;

  private constructor(options: PoolOptions) {
    this.#options = { data: undefined, depth: 4, maxWaiting: 10_000, ...options };
    this.#slots = Array.from({ length: Math.max(1, options.threads) }, () => emptySlot<Job, Result>());
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
   * Rejects when the job throws, when it brought a worker down twice, when too many wait, and after `close`.
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

  /** Lets jobs that run come to their end, refuses those that wait, ends all workers. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#refuseWaiting(closedError());
    await Promise.all(this.#slots.map(({ worker }) => worker && ended(worker)));
  }

  #start(slot: Slot<Job, Result>): Promise<void> {
    return new Promise((started, failed) => {
      const worker = new Worker(this.#options.file, { workerData: this.#options.data });
      let cause = new Error('it ended');
      slot.worker = worker;
      worker.on('error', error => {
        cause = error instanceof Error ? error : new Error(String(error));
      });
      worker.on('message', (answer: Answer<Result>) => {
        if (answer === 'ready') slot.ready = true;
        else settle(slot, answer);
        started();
        this.#fill();
      });
      worker.on('exit', () => {
        this.#ended(slot, cause);
        failed(cause);
      });
    });
  }

  /** Waiting jobs go to the workers that have least to do. */
  #fill(): void {
    this.#startNeeded();
    for (let slot = this.#freest(); slot; slot = this.#freest()) {
      const task = this.#waiting.shift();
      if (!task) return;
      slot.running.set(++this.#lastId, task);
      slot.worker?.postMessage({ id: this.#lastId, job: task.job } satisfies Request<Job>);
    }
  }

  /** As many workers as have work. */
  #startNeeded(): void {
    const startable = this.#slots.filter(({ worker }) => !worker);
    const free = this.#slots.filter(({ worker, running }) => worker && running.size === 0).length;
    for (const slot of startable.slice(0, Math.max(0, this.#waiting.length - free))) this.#restart(slot);
  }

  #freest(): Slot<Job, Result> | undefined {
    return this.#slots
      .filter(({ ready, running }) => ready && running.size < this.#options.depth)
      .sort((a, b) => a.running.size - b.running.size)[0];
  }

  #restart(slot: Slot<Job, Result>): void {
    this.#start(slot).catch(() => undefined); // #ended has told those who wait
  }

  #ended(slot: Slot<Job, Result>, cause: Error): void {
    const wasReady = slot.ready;
    Object.assign(slot, { worker: null, ready: false });
    this.#takeBack(slot, cause);
    if (this.#closed) this.#refuseWaiting(closedError());
    else if (wasReady) this.#restart(slot);
    else if (this.#slots.every(({ worker }) => !worker))
      this.#refuseWaiting(new Error(`No worker can start: ${cause.message}`, { cause }));
  }

  #takeBack(slot: Slot<Job, Result>, cause: Error): void {
    const [oldest, ...others] = slot.running.values();
    slot.running.clear();
    this.#waiting.unshift(...others);
    if (!oldest) return;
    if (++oldest.deaths > 1)
      oldest.reject(new Error(`A worker died of this job twice: ${cause.message}`, { cause }));
    else this.#waiting.unshift(oldest);
  }

  #refuseWaiting(error: Error): void {
    for (const task of this.#waiting.splice(0)) task.reject(error);
  }
}

const emptySlot = <Job, Result>(): Slot<Job, Result> => ({ worker: null, ready: false, running: new Map() });

const closedError = (): Error => new Error('The pool is closed');

const settle = <Job, Result>(slot: Slot<Job, Result>, reply: Reply<Result>): void => {
  const task = slot.running.get(reply.id);
  slot.running.delete(reply.id);
  if ('error' in reply) task?.reject(new Error(reply.error));
  else task?.resolve(reply.result);
};

const ended = (worker: Worker): Promise<void> =>
  new Promise(resolve => {
    const late = setTimeout(() => void worker.terminate(), CLOSE_MS);
    worker.once('exit', () => {
      clearTimeout(late);
      resolve();
    });
    worker.postMessage('close' satisfies Request<never>);
  });
