import { randomUUID } from 'node:crypto';
import type { Entry, KeyValue } from '../../commands/ports/key-value.js';

export type LeaseOptions = {
  readonly holder: string;
  readonly ttlMs: number;
  readonly clock: () => number;
  /** Whether a holder is known to have ended without letting go: its term is not waited for. */
  readonly ended?: (holder: string) => boolean;
};
export type Lease = {
  /**
   * The fencing number of a new term, higher than those of all terms before; null while somebody else holds
   * the lease.
   */
  readonly acquire: () => Promise<number | null>;
  /**
   * Whether the term goes on, now for another `ttlMs`. False: it ended, and somebody else may hold the lease.
   */
  readonly renew: () => Promise<boolean>;
  /**
   * For how many ms from now the term surely lasts; 0 or less: another may have it. By a clock that nobody
   * sets, counted from before the term or its renewal was asked for, however late the answer came.
   */
  readonly left: () => number;
  /** Ends the term, so that others need not wait for its time to pass. */
  readonly release: () => Promise<void>;
};
type Held = { readonly holder: string; readonly term: string };

/** The share of a term that its holder relies on; the rest is for clocks that differ between machines. */
const SURE = 0.8;

/**
 * The right to do what only one process at a time may do, for `ttlMs` at a time. The version of the entry is
 * the fencing number. Clocks that differ by more than a fifth of that time, or a process that sleeps, can let
 * two believe that they hold it: what they write must carry the number, and be refused when a higher one was
 * seen. `holder` is for people to read; the term tells holders apart.
 */
export function lease(kv: KeyValue, name: string, options: LeaseOptions): Lease {
  const { holder, ttlMs, clock, ended = () => false } = options;
  const key = `lease/${name}`;
  const mine: Held = { holder, term: randomUUID() };
  let sureUntil = Number.NEGATIVE_INFINITY;
  const read = () => kv.get<Held>(key);
  const isMine = (entry: Entry<Held> | null): entry is Entry<Held> => entry?.value.term === mine.term;

  /** Writes a term that begins now over the entry that `over` takes; the new version, or null. */
  const take = async (over: (entry: Entry<Held> | null) => boolean): Promise<number | null> => {
    const asked = performance.now();
    const expiresAt = clock() + ttlMs;
    const entry = await read();
    if (!over(entry)) return null;
    const version = await kv.set(key, mine, entry?.version ?? 0, expiresAt);
    if (version !== null) sureUntil = asked + ttlMs * SURE;
    return version;
  };
  return {
    acquire: () => take(entry => entry === null || ended(entry.value.holder) || isMine(entry)),
    renew: async () => (await take(isMine)) !== null,
    left: () => sureUntil - performance.now(),
    async release() {
      sureUntil = Number.NEGATIVE_INFINITY;
      const entry = await read();
      if (isMine(entry)) await kv.set(key, mine, entry.version, clock());
    },
  };
}
