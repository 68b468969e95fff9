import { Worker } from 'node:worker_threads';
import type { Answer, Reply, Request } from './messages.js';

/** A job that somebody waits for. `deaths`: how many workers ended while it was at work. */
export type Task<Job, Result> = {
  readonly job: Job;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: Error) => void;
  deaths: number;
};

export type WorkerOptions<Job, Result> = {
  /** Module of the worker; `data` becomes its workerData. */
  readonly file: URL;
  readonly data: unknown;
  /** So long a job may be at work, ms. */
  readonly limitMs: number;
  /** Called when it has become ready, and after each job. */
  readonly free: () => void;
  /** Called once, when nothing will come from it any more; `left`: the jobs it held, in their order. */
  readonly ended: (cause: Error, wasReady: boolean, left: readonly Task<Job, Result>[]) => void;
};

/** A job was at work for longer than it may be. */
export class JobHung extends Error {
  constructor(limitMs: number) {
    super(`A worker thread did not finish a job within ${limitMs / 1_000} s and was replaced`);
  }
}

/** Reading a model takes a second or two. */
const START_WITHIN_MS = 120_000;
const CLOSE_WITHIN_MS = 10_000;
/**
 * Time is counted in so many steps, of which a late one counts once: when the whole process stood still, its
 * jobs did too.
 */
const STEPS = 20;

/**
 * A worker thread and the jobs it holds, which it does in order. A job that takes longer than it may ends the
 * thread; only its own time at work counts, not that of the jobs before it.
 */
export class PooledWorker<Job, Result> {
  readonly #options: WorkerOptions<Job, Result>;
  readonly #worker: Worker;
  readonly #running = new Map<number, Task<Job, Result>>();
  readonly #watch: NodeJS.Timeout;
  #cause = new Error('it ended');
  #ready = false;
  #over = false;
  #lastId = 0;
  /** How long it has been at the job, or at its start. */
  #atWorkMs = 0;

  constructor(options: WorkerOptions<Job, Result>) {
    this.#options = options;
    this.#worker = new Worker(options.file, { workerData: options.data });
    this.#worker.on('error', error => {
      this.#cause = error instanceof Error ? error : new Error(String(error));
    });
    this.#worker.on('message', (answer: Answer<Result>) => this.#answered(answer));
    this.#worker.on('exit', () => this.#end(this.#cause));
    const stepMs = options.limitMs / STEPS;
    this.#watch = setInterval(() => this.#look(stepMs), stepMs);
    this.#watch.unref();
  }

  get ready(): boolean {
    return this.#ready && !this.#over;
  }

  /** How many jobs it holds. */
  get jobs(): number {
    return this.#running.size;
  }

  give(task: Task<Job, Result>): void {
    if (this.#running.size === 0) this.#atWorkMs = 0;
    this.#running.set(++this.#lastId, task);
    this.#worker.postMessage({ id: this.#lastId, job: task.job } satisfies Request<Job>);
  }

  /** Resolves when its jobs are done and it has ended, or will not end by itself. */
  close(): Promise<void> {
    return new Promise(resolve => {
      const late = setTimeout(() => this.#kill(this.#cause, resolve), CLOSE_WITHIN_MS);
      this.#worker.once('exit', () => {
        clearTimeout(late);
        resolve();
      });
      this.#worker.postMessage('close' satisfies Request<never>);
    });
  }

  #answered(answer: Answer<Result>): void {
    if (this.#over) return;
    this.#atWorkMs = 0;
    if (answer === 'ready') this.#ready = true;
    else this.#settle(answer);
    this.#options.free();
  }

  #settle(reply: Reply<Result>): void {
    const task = this.#running.get(reply.id);
    this.#running.delete(reply.id);
    if ('error' in reply) task?.reject(new Error(reply.error));
    else task?.resolve(reply.result);
  }

  #look(stepMs: number): void {
    if (this.#ready && this.#running.size === 0) return;
    this.#atWorkMs += stepMs;
    const { limitMs } = this.#options;
    if (this.#atWorkMs <= (this.#ready ? limitMs : START_WITHIN_MS)) return;
    const cause = this.#ready ? new JobHung(limitMs) : new Error('it did not start in time');
    this.#kill(cause, () => undefined);
  }

  /** Native code may keep a thread from ending for ever: nobody waits for that. */
  #kill(cause: Error, then: () => void): void {
    void this.#worker.terminate();
    this.#worker.unref();
    this.#end(cause);
    then();
  }

  #end(cause: Error): void {
    if (this.#over) return;
    this.#over = true;
    clearInterval(this.#watch);
    const left = [...this.#running.values()];
    this.#running.clear();
    this.#options.ended(cause, this.#ready, left);
  }
}
