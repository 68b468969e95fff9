import { fork, type ChildProcess } from 'node:child_process';
import type { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { TooMuchMemory } from '../../domain/maths/compute.js';
import { errorOf, type Order, type Reply } from './messages.js';

export type WorkerSettings = { readonly tasks: URL; readonly memoryMb: number };
type Waiting = { readonly resolve: (output: unknown) => void; readonly reject: (error: Error) => void };

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
const KEPT_ERRORS = 8_192;

/**
 * A worker: a process that does one task at a time and can be ended at any moment, with all it holds. Why no
 * thread: when V8 cannot satisfy a large allocation of one thread it ends the whole process, and it does not
 * count typed arrays at all.
 */
export class WorkerProcess {
  /** Resolves when the process has ended. */
  readonly ended: Promise<void>;
  readonly #child: ChildProcess;
  readonly #memoryMb: number;
  #asked: Waiting | null = null;
  #errors = '';
  #usable = true;

  constructor({ tasks, memoryMb }: WorkerSettings) {
    this.#memoryMb = memoryMb;
    // An empty environment: the work needs none, and ours holds secrets
    this.#child = fork(WORKER, [tasks.href, String(memoryMb), String(process.pid)], {
      env: {},
      execArgv: [`--max-old-space-size=${memoryMb}`],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.on('data', (text: Buffer) => {
      this.#errors = (this.#errors + text.toString()).slice(-KEPT_ERRORS);
    });
    this.#child.on('message', (reply: Reply) => this.#replied(reply));
    this.ended = new Promise(resolve => {
      const gone = (why: Error): void => {
        this.#gone(why);
        resolve();
      };
      this.#child.once('close', (code, signal) => gone(this.#causeOf(code, signal)));
      this.#child.on('error', error => {
        if (this.#child.pid === undefined) gone(error);
      }); // it could not be started
    });
  }

  /** Whether it can take another task. */
  get usable(): boolean {
    return this.#usable;
  }

  /** @throws TooMuchMemory, Rejected, or an Error when the task throws or the process ends */
  async ask(order: Order): Promise<unknown> {
    this.#hold(true);
    try {
      return await new Promise((resolve, reject) => {
        this.#asked = { resolve, reject };
        this.#child.send(order, () => undefined); // a failure shows as the end of the process
      });
    } finally {
      this.#asked = null;
      this.#hold(false);
    }
  }

  end(): Promise<void> {
    this.#usable = false;
    this.#hold(true); // who waits for its end shall see it
    this.#child.kill('SIGKILL');
    return this.ended;
  }

  #replied(reply: Reply): void {
    if (reply.spent) this.#usable = false;
    if ('output' in reply) this.#asked?.resolve(reply.output);
    else this.#asked?.reject(errorOf(reply.thrown, this.#memoryMb));
  }

  #gone(why: Error): void {
    this.#usable = false;
    this.#asked?.reject(why);
  }

  /**
   * SIGKILL, other than ours, comes from the watch or from a system that is out of memory; V8 says so before
   * it aborts.
   */
  #causeOf(code: number | null, signal: NodeJS.Signals | null): Error {
    if (signal === 'SIGKILL' || this.#errors.includes('out of memory'))
      return new TooMuchMemory(this.#memoryMb);
    return new Error(
      `A worker process ended at its work (${signal ?? `code ${code}`}): ${this.#errors.trim()}`,
    );
  }

  /** One at work, or at its end, keeps our process running, an idle one does not. */
  #hold(on: boolean): void {
    for (const handle of [this.#child, this.#child.channel, this.#child.stderr as Socket | null]) {
      if (on) handle?.ref();
      else handle?.unref();
    }
  }
}
