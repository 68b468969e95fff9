import { randomUUID } from 'node:crypto';
import type { Entry, KeyValue } from '../../commands/ports/key-value.js';

/**
 * That a process is there, told in one entry for all leases that it holds: to go on with hundreds of them
 * costs one write. What is gone never comes back; a process whose presence ran out goes on under another.
 */
export type Presence = {
  /** Of the presence that lasts; null: none just now. */
  readonly id: () => string | null;
  /** For how many ms from now it surely lasts; 0 or less: others may take it as gone. */
  readonly left: () => number;
  /** Whether the presence of that id, anybody's, is over; as of at most a second ago. */
  readonly isGone: (id: string) => Promise<boolean>;
  /** After all that was done under it has ended. */
  readonly close: () => Promise<void>;
};
export type LeaseOptions = {
  readonly holder: string;
  readonly ttlMs: number;
  readonly clock: () => number;
  /** Whether a holder is known to have ended without letting go: its term is not waited for. */
  readonly ended?: (holder: string) => boolean;
  /**
   * Of the process that asks. The lease ends with it, so `ttlMs` may be long, and to go on seldom costs a
   * write.
   */
  readonly presence?: Presence;
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
type Held = { readonly holder: string; readonly term: string; readonly presence?: string };

/** The share of a term that its holder relies on; the rest is for clocks that differ between machines. */
const SURE = 0.8;

/**
 * The right to do what only one process at a time may do, for `ttlMs` at a time. The version of the entry is
 * the fencing number. Clocks that differ by more than a fifth of that time, or a process that sleeps, can let
 * two believe that they hold it: what they write must carry the number, and be refused when a higher one was
 * seen. `holder` is for people to read; the term tells holders apart.
 */
export function lease(kv: KeyValue, name: string, options: LeaseOptions): Lease {
  const { holder, ttlMs, clock, ended = () => false, presence } = options;
  const key = keyOf(name);
  const mine: Held = { holder, term: randomUUID() };
  let sureUntil = Number.NEGATIVE_INFINITY;
  /** Of the entry that we wrote last; null: unknown, for an answer may have been lost. */
  let version: number | null = null;
  /** What it was written under; null: there was no presence to write under. */
  let under: string | null | undefined;
  const read = () => kv.get<Held>(key);
  const isMine = (entry: Entry<Held> | null): boolean => entry?.value.term === mine.term;
  const isFree = async (entry: Entry<Held> | null): Promise<boolean> =>
    entry === null
    || isMine(entry)
    || ended(entry.value.holder)
    || (entry.value.presence !== undefined && ((await presence?.isGone(entry.value.presence)) ?? false));

  /** Writes a term that began when it was asked for, over an entry's version; the new one, or null. */
  const write = async (over: number, asked: number, expiresAt: number): Promise<number | null> => {
    version = null;
    under = presence?.id();
    if (under === null) return null;
    version = await kv.set(key, { ...mine, ...(under && { presence: under }) }, over, expiresAt);
    if (version !== null) sureUntil = asked + ttlMs * SURE;
    return version;
  };
  /** Writes a term that begins now over the entry that `over` takes; the new version, or null. */
  const take = async (
    over: (entry: Entry<Held> | null) => boolean | Promise<boolean>,
  ): Promise<number | null> => {
    const asked = performance.now();
    const expiresAt = clock() + ttlMs;
    const entry = await read();
    return (await over(entry)) ? write(entry?.version ?? 0, asked, expiresAt) : null;
  };
  /** In one call, as long as nobody else has written. */
  const goOn = async (): Promise<boolean> =>
    version !== null && (await write(version, performance.now(), clock() + ttlMs)) !== null;
  const left = (): number => {
    const own = sureUntil - performance.now();
    if (!presence) return own;
    return presence.id() === under ? Math.min(own, presence.left()) : Number.NEGATIVE_INFINITY;
  };
  const lasts = (): boolean =>
    presence !== undefined && left() > 0 && sureUntil - performance.now() > (ttlMs * SURE) / 2;
  return {
    acquire: () => take(isFree),
    renew: async () => lasts() || (await goOn()) || (await take(isMine)) !== null,
    left,
    async release() {
      sureUntil = Number.NEGATIVE_INFINITY;
      const entry = await read();
      if (entry && isMine(entry)) await kv.set(key, mine, entry.version, clock());
    },
  };
}

const keyOf = (name: string): string => `lease/${name}`;

/** Whether somebody holds a lease, or died so lately that it cannot be known. */
export async function isHeld(kv: Pick<KeyValue, 'get'>, name: string): Promise<boolean> {
  const entry = await kv.get<Held>(keyOf(name));
  return (
    entry !== null && (entry.value.presence === undefined || isHeld(kv, presenceOf(entry.value.presence)))
  );
}

/** The name of the lease that a process has on its presence. */
export const presenceOf = (id: string): string => `presence ${id}`;
