import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Running } from './follow.js';
import { lease } from './lease.js';
import type { Log } from '../../commands/ports/log.js';

export type Leader<T> = Running & {
  /** What runs while this process leads; null while another does. */
  readonly active: () => T | null;
};
export type Leading<T> = {
  readonly name: string;
  /** Starts the work; `fence` is this leadership's number, higher than that of every one before. */
  readonly start: (fence?: () => number) => T;
  /** Where the lease is kept; null: this process is alone and leads at once. */
  readonly kv: KeyValue | null;
  readonly holder: string;
  readonly clock: () => number;
  readonly log: Log;
};

const TTL_MS = 10_000;
const TRY_EVERY_MS = 2_000;

/**
 * Runs work that only one process at a time may do. The others stand by and take over when the leader ends or
 * falls silent; a leader that cannot renew stops its work before its lease runs out.
 */
export function leader<T extends Running>({ name, start, kv, holder, clock, log }: Leading<T>): Leader<T> {
  if (!kv) {
    const running = start();
    return { active: () => running, stop: running.stop };
  }
  const held = lease(kv, name, { holder, ttlMs: TTL_MS, clock });
  let running: T | null = null;
  let stopping = false;

  const step = async (): Promise<void> => {
    if (running) {
      if (await held.renew()) return;
      log.warn({ name }, 'the lease was lost; another process takes over');
      await end();
      return;
    }
    const fence = await held.acquire();
    if (fence === null || stopping) return;
    log.info({ name, fence }, 'this process leads now');
    running = start(() => fence);
  };
  const end = async (): Promise<void> => {
    const ending = running;
    running = null;
    await ending?.stop();
  };
  const keep = async (): Promise<void> => {
    while (!stopping) {
      try {
        await step();
      } catch (err) {
        log.error({ err, name }, 'the lease could not be kept; the work stops here until it can');
        await end();
      }
      await pause();
    }
  };
  let wake = () => {};
  const pause = () =>
    stopping
      ? Promise.resolve()
      : new Promise<void>(resolve => {
          const timer = setTimeout(resolve, TRY_EVERY_MS);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
  const kept = keep();
  return {
    active: () => running,
    async stop() {
      stopping = true;
      wake();
      await kept;
      if (!running) return;
      await end();
      await held.release();
    },
  };
}
