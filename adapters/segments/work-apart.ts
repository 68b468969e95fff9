import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Cancelled, Overloaded, TookTooLong, TooMuchMemory } from '../../domain/maths/compute.js';
import { Lanes } from '../compute/lanes.js';
import { errorOf } from '../compute/messages.js';
import type { FromWorker, ToWorker } from './messages.js';
import { serve, type Served } from './serve.js';

const WORKER = fileURLToPath(new URL('./worker.js', import.meta.url));
const KEPT_ERRORS = 8_192;

export type WorkSettings = { readonly processes: number; readonly memoryMb: number };
export type Work = {
  readonly job: unknown;
  readonly served: Served;
  /** In whose name, the workspace: lanes take turns. */
  readonly lane: string;
  readonly signal: AbortSignal;
  /** Longest time at work; null: as long as it takes. */
  readonly withinMs: number | null;
};
type Waiting = { readonly lane: string; readonly begin: () => void; readonly refuse: (error: Error) => void };

/** So many may wait in one lane. */
const MOST_WAITING = 16;

/**
 * Long work on streams of points, each piece in a process of its own that asks this one for what it reads
 * page by page: neither grows with the data, and no request waits for it. A process is ended when nobody
 * wants what it does any more, when it takes too long, or when it grows too large.
 */
export function workApart({ processes, memoryMb }: WorkSettings) {
  const waiting = new Lanes<Waiting>();
  const working = new Map<Promise<unknown>, { readonly lane: string; readonly end: () => void }>();
  let isClosed = false;

  const fill = (): void => {
    while (working.size < processes) {
      const next = waiting.next(lane => [...working.values()].filter(work => work.lane === lane).length);
      if (!next) return;
      next.begin();
    }
  };

  function start<T>(work: Work): Promise<T> {
    const { result, end } = began<T>(work, memoryMb);
    const done = result.finally(() => {
      working.delete(done);
      fill();
    });
    working.set(done, { lane: work.lane, end });
    return done;
  }

  return {
    run<T>(work: Work): Promise<T> {
      const { lane, signal } = work;
      if (signal.aborted) return Promise.reject(new Cancelled());
      if (isClosed) return Promise.reject(new Overloaded('The server is ending'));
      if (waiting.sizeOf(lane) >= MOST_WAITING) return Promise.reject(new Overloaded());
      return new Promise((resolve, reject) => {
        const mine: Waiting = {
          lane,
          begin: () => {
            signal.removeEventListener('abort', leave);
            start<T>(work).then(resolve, reject);
          },
          refuse: reject,
        };
        const leave = (): void => {
          waiting.remove(lane, mine);
          reject(new Cancelled());
        };
        signal.addEventListener('abort', leave, { once: true });
        waiting.add(lane, mine);
        fill();
      });
    },
    async close(): Promise<void> {
      isClosed = true;
      for (let next = waiting.next(() => 0); next; next = waiting.next(() => 0))
        next.refuse(new Overloaded('The server is ending'));
      for (const { end } of working.values()) end();
      await Promise.allSettled(working.keys());
    },
  };
}
export type WorkApart = ReturnType<typeof workApart>;

/** Begins a piece of work in a process of its own; `end` cuts it short. */
function began<T>({ job, served, signal, withinMs }: Work, memoryMb: number) {
  // An empty environment: the work needs none, and ours holds secrets
  const child = fork(WORKER, [String(memoryMb), String(process.pid)], {
    env: {},
    execArgv: [`--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const serving = serve(served);
  let errors = '';
  child.stderr!.on('data', (text: Buffer) => {
    errors = (errors + text.toString()).slice(-KEPT_ERRORS);
  });
  const gone = new Promise<void>(resolve => child.once('close', () => resolve()));
  let end = (): void => undefined;

  const result = new Promise<T>((resolve, reject) => {
    const fail = (error: unknown): void => {
      reject(error as Error);
      child.kill('SIGKILL');
    };
    const say = (message: ToWorker): void => void child.send(message, () => undefined);
    end = () => fail(new Overloaded('The server is ending'));
    const cancel = (): void => fail(new Cancelled());
    const timer = withinMs === null ? undefined : setTimeout(() => fail(new TookTooLong(withinMs)), withinMs);
    signal.addEventListener('abort', cancel);
    child.on('message', (message: FromWorker) => {
      if (message.type === 'done') resolve(message.result as T);
      else if (message.type === 'thrown') fail(errorOf(message.thrown, memoryMb));
      else
        serving
          .answer(message.what, message.args)
          .then(value => say({ type: 'answer', id: message.id, value }), fail);
    });
    child.on('error', fail);
    child.once('close', (code, killed) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', cancel);
      // Other than ours, it comes from the watch or from a system that is out of memory
      const isFull = killed === 'SIGKILL' || errors.includes('out of memory');
      fail(
        isFull
          ? new TooMuchMemory(memoryMb)
          : new Error(`A process that works on segments ended (${killed ?? code}): ${errors.trim()}`),
      );
    });
    say({ type: 'work', job });
  });
  const all = async (): Promise<T> => {
    try {
      return await result;
    } finally {
      child.kill('SIGKILL');
      await gone;
      await serving.end().catch(() => undefined);
    }
  };
  return { result: all(), end: () => end() };
}
