import {
  Cancelled,
  Overloaded,
  type Compute,
  type RunOptions,
  type TaskTable,
} from '../../domain/maths/compute.js';
import type { Tasks } from '../../domain/maths/tasks.js';
import { Job } from './job.js';
import { Lanes } from './lanes.js';
import type { Order } from './messages.js';
import type { PoolOptions } from './options.js';
import { WorkerProcess } from './worker-process.js';

/** A place at which one worker works, if one is needed. */
type Place = { worker: WorkerProcess | null; job: Job | null; idle: NodeJS.Timeout | undefined };
const emptyPlace = (): Place => ({ worker: null, job: null, idle: undefined });

/** The pool for the product's own tasks. */
export const createCompute = (options: Omit<PoolOptions, 'tasks'>): Compute<Tasks> =>
  new ComputePool<Tasks>({ tasks: new URL('../../domain/maths/tasks.js', import.meta.url), ...options });

/**
 * Worker processes that are started when first needed and kept warm. A task that is cancelled or too late
 * ends its worker, and another one takes its place when it is needed; so does one whose worker dies, which is
 * never tried again.
 */
export class ComputePool<T extends TaskTable> implements Compute<T> {
  readonly #options: Required<PoolOptions>;
  readonly #places: readonly Place[];
  readonly #waiting = new Lanes<Job>();
  readonly #jobs = new Set<Job>();
  readonly #workers = new Set<WorkerProcess>();
  #closed = false;

  constructor(options: PoolOptions) {
    this.#options = { maxWaiting: 64, maxWaitingInLane: 16, idleMs: 60_000, ...options };
    this.#places = Array.from({ length: options.workers }, emptyPlace);
  }

  run<N extends keyof T & string>(
    task: N,
    input: Parameters<T[N]>[0],
    options: RunOptions,
  ): Promise<ReturnType<T[N]>> {
    return this.#ask({ task, input, asText: false }, options) as Promise<ReturnType<T[N]>>;
  }

  json<N extends keyof T & string>(
    task: N,
    input: Parameters<T[N]>[0],
    options: RunOptions,
  ): Promise<string> {
    return this.#ask({ task, input, asText: true }, options) as Promise<string>;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const job of this.#jobs) job.reject(new Overloaded('The server is ending'));
    await Promise.all([...this.#workers].map(worker => worker.end()));
  }

  async #ask(order: Order, { patient = false, ...options }: RunOptions): Promise<unknown> {
    const lane = patient ? `${options.lane} patient` : options.lane;
    this.#admit({ ...options, lane });
    const job = new Job({ withinMs: this.#options.withinMs, ...options, lane, patient, order });
    this.#jobs.add(job);
    this.#waiting.add(job.lane, job);
    job.waits(() => this.#waiting.remove(job.lane, job));
    this.#fill();
    return job.answer.finally(() => this.#jobs.delete(job));
  }

  #admit({ lane, signal }: RunOptions): void {
    if (signal.aborted) throw new Cancelled();
    if (this.#closed) throw new Overloaded('The server is ending');
    const isFull =
      this.#waiting.size >= this.#options.maxWaiting
      || this.#waiting.sizeOf(lane) >= this.#options.maxWaitingInLane;
    if (isFull) throw new Overloaded();
  }

  #fill(): void {
    if (this.#closed) return;
    for (const place of this.#freePlaces()) {
      const hasRoom = this.#hasRoomForPatient();
      const job = this.#waiting.next(
        lane => this.#atWorkIn(lane),
        ({ patient }) => !patient || hasRoom,
      );
      if (!job) return;
      void this.#work(place, job);
    }
  }

  #hasRoomForPatient(): boolean {
    const most = Math.max(1, Math.floor(this.#places.length / 2));
    return this.#places.filter(({ job }) => job?.patient).length < most;
  }

  #atWorkIn(lane: string): number {
    return this.#places.filter(({ job }) => job?.lane === lane).length;
  }

  /** Those with a warm worker first. */
  #freePlaces(): Place[] {
    return this.#places
      .filter(({ job }) => job === null)
      .sort((a, b) => Number(b.worker !== null) - Number(a.worker !== null));
  }

  async #work(place: Place, job: Job): Promise<void> {
    place.job = job;
    clearTimeout(place.idle);
    const worker = place.worker?.usable ? place.worker : this.#startWorker();
    place.worker = worker;
    job.begins(() => void worker.end());
    try {
      job.resolve(await worker.ask(job.order));
    } catch (error) {
      job.reject(error as Error);
    }
    if (worker.usable) place.idle = this.#endWhenIdle(place, worker);
    else await this.#replace(place, worker);
    place.job = null;
    this.#fill();
  }

  /** The place is free when the memory is, too. */
  async #replace(place: Place, worker: WorkerProcess): Promise<void> {
    await worker.end();
    place.worker = null;
  }

  #startWorker(): WorkerProcess {
    const worker = new WorkerProcess(this.#options);
    this.#workers.add(worker);
    void worker.ended.then(() => this.#workers.delete(worker));
    return worker;
  }

  #endWhenIdle(place: Place, worker: WorkerProcess): NodeJS.Timeout {
    return setTimeout(() => {
      place.worker = null;
      void worker.end();
    }, this.#options.idleMs).unref();
  }
}
