import { randomUUID } from 'node:crypto';
import type { Entry, KeyValue } from '../../commands/ports/key-value.js';

export type LeaseOptions = { readonly holder: string; readonly ttlMs: number; readonly clock: () => number };
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
  /** Ends the term, so that others need not wait for its time to pass. */
  readonly release: () => Promise<void>;
};
type Held = { readonly holder: string; readonly term: string };

/**
 * The right to do what only one process at a time may do, for `ttlMs` at a time. The version of the entry is
 * the fencing number. Clocks that differ, or a process that sleeps, can let two believe that they hold it:
 * what they write must carry the number, and be refused when a higher one was seen. `holder` is for people to
 * read; the term tells holders apart.
 */
export function lease(kv: KeyValue, name: string, { holder, ttlMs, clock }: LeaseOptions): Lease {
  const key = `lease/${name}`;
  const mine: Held = { holder, term: randomUUID() };
  const read = () => kv.get<Held>(key);
  const isMine = (entry: Entry<Held> | null): entry is Entry<Held> => entry?.value.term === mine.term;
  const take = (version: number, until: number) => kv.set(key, mine, version, until);
  return {
    async acquire() {
      const until = clock() + ttlMs;
      const entry = await read();
      return entry && !isMine(entry) ? null : take(entry?.version ?? 0, until);
    },
    async renew() {
      const until = clock() + ttlMs;
      const entry = await read();
      return isMine(entry) && (await take(entry.version, until)) !== null;
    },
    async release() {
      const entry = await read();
      if (isMine(entry)) await take(entry.version, clock());
    },
  };
}
