import type { KeyValue } from '../../commands/ports/key-value.js';
import type { Log } from '../../commands/ports/log.js';
import type { Running } from './follow.js';
import { lease, type Presence } from './lease.js';

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
  /** What the lease ends with, beside its own time. */
  readonly presence?: Presence | null;
  /** How long a lease lasts, and how often it is renewed, or tried for: ms. */
  readonly ttlMs?: number;
  readonly tryEveryMs?: number;
};

const TTL_MS = 10_000;
const TTL_WITH_PRESENCE_MS = 60_000;
const TRY_EVERY_MS = 2_000;

/**
 * Runs work that only one process at a time may do. The others stand by and take over when the leader ends or
 * falls silent. A leader whose lease is not renewed in time stops its work before another can have it, also
 * while the renewal hangs; what is under way by then carries its number and is refused by the stores.
 */
export function leader<T extends Running>(leading: Leading<T>): Leader<T> {
  const { start, kv } = leading;
  if (kv) return withLease(leading, kv);
  const running = start();
  return { active: () => running, stop: running.stop };
}

function withLease<T extends Running>(leading: Leading<T>, kv: KeyValue): Leader<T> {
  const { name, start, holder, clock, log, presence, tryEveryMs = TRY_EVERY_MS } = leading;
  const { ttlMs = presence ? TTL_WITH_PRESENCE_MS : TTL_MS } = leading;
  const held = lease(kv, name, { holder, ttlMs, clock, ...(presence && { presence }) });
  const pause = pauses(tryEveryMs);
  let running: T | null = null;
  let ended: Promise<void> = Promise.resolve();
  let stopping = false;
  let deadline: NodeJS.Timeout | undefined;

  /** The work has ended when this resolves, whoever ended it. */
  const end = (): Promise<void> => {
    clearTimeout(deadline);
    if (running)
      ended = running.stop().catch((err: unknown) => log.error({ err, name }, 'work did not end in order'));
    running = null;
    return ended;
  };
  const silent = (): void => {
    log.warn({ name }, 'the lease was not renewed in time; the work stops here until it is');
    void end();
  };
  const endInTime = (): void => {
    clearTimeout(deadline);
    deadline = setTimeout(silent, Math.max(0, held.left()));
  };
  const keepLeading = async (): Promise<void> => {
    const renewed = await held.renew();
    if (!running) return;
    if (renewed) return endInTime();
    log.warn({ name }, 'the lease was lost; another process takes over');
    await end();
  };
  const tryToLead = async (): Promise<void> => {
    await ended;
    const fence = await held.acquire();
    // An answer that came late is worth nothing
    if (fence === null || stopping || held.left() <= 0) return;
    log.info({ name, fence }, 'this process leads now');
    running = start(() => fence);
    endInTime();
  };
  const keep = async (): Promise<void> => {
    while (!stopping) {
      try {
        await (running ? keepLeading() : tryToLead());
      } catch (err) {
        log.error({ err, name }, 'the lease could not be kept; the work stops here until it can');
        await end();
      }
      if (!stopping) await pause.next();
    }
  };
  const kept = keep();
  return {
    active: () => running,
    async stop() {
      stopping = true;
      pause.over();
      await end();
      await kept;
      // Where the store does not answer, the lease runs out by itself
      if (held.left() > 0) await held.release().catch(() => undefined);
    },
  };
}

/** Pauses of some ms, each of which can be cut short. */
function pauses(ms: number): { readonly next: () => Promise<void>; readonly over: () => void } {
  let over = () => {};
  const next = () =>
    new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms);
      over = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  return { next, over: () => over() };
}
