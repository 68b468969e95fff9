import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { PoolOptions } from '../../adapters/compute/options.js';
import { ComputePool } from '../../adapters/compute/pool.js';
import type { RunOptions } from '../../domain/maths/compute.js';
import type { TestTasks } from './tasks.js';

export const never = new AbortController().signal;

/** A pool of one worker over the tests' own tasks, unless it is said otherwise. */
export const openPool = (options: Partial<PoolOptions> = {}): ComputePool<TestTasks> =>
  new ComputePool<TestTasks>({
    tasks: new URL('./tasks.js', import.meta.url),
    workers: 1,
    memoryMb: 256,
    withinMs: 60_000,
    ...options,
  });

export const by = (lane: string, options: Partial<RunOptions> = {}): RunOptions => ({
  lane,
  signal: never,
  ...options,
});

export const errorOf = (work: Promise<unknown>): Promise<Error> =>
  work.then(
    () => {
      throw new Error('it was not refused');
    },
    (error: Error) => error,
  );

export type Gate = { readonly until: string; readonly open: () => void; readonly remove: () => void };

/** A file that the task `wait` waits for. */
export function gate(): Gate {
  const folder = mkdtempSync(join(tmpdir(), 'compute-'));
  const until = join(folder, 'open');
  return { until, open: () => writeFileSync(until, ''), remove: () => rmSync(folder, { recursive: true }) };
}

export const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0) && !isZombie(pid);
  } catch {
    return false;
  }
};

/**
 * Ended, but a number as long as nobody has taken note: so stay those whose parent has gone, in containers
 * without an init.
 */
const isZombie = (pid: number): boolean =>
  process.platform === 'linux' && /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));

/** Waits for what must come in the end; a test that waits in vain is ended by the runner. */
export async function until(done: () => boolean): Promise<void> {
  while (!done()) await pause(5);
}
