import type { Fact, NewFact } from '../../domain/fact.js';

/**
 * The port to the log of facts. Every adapter passes `test/contract/event-store.ts`.
 *
 * Journals are named `<category>-<id>`: 1 to 1,000 UTF-16 units, never starting with `$`, no U+0000 and no
 * lone surrogates. Types match /^[A-Z][A-Za-z]+$/; ids of facts are UUIDs in lower case. One append holds 1
 * to 10,000 facts and at most 1,048,576 bytes of data as UTF-8 JSON: `TooLarge` beyond it, `RangeError` for
 * the rest, before anything is sent (`adapters/checked-append.ts` checks for all adapters). Data and meta are
 * JSON and come back exactly as their JSON text says, also U+0000 and lone surrogates in strings. Facts that
 * come back may be shared with other readers: never change one.
 */
export type EventStore = {
  /**
   * Adds facts, all or none, to the end of a journal whose last revision must be `expected` (START: it has no
   * facts). Resolves when they are durable, with the position of the last one. A repeat of the very same
   * append (same ids, same order, same `expected`) resolves as the first did and writes nothing. Rejects with
   * `WrongRevision` when the journal stands elsewhere and with `OutcomeUnknown` when, after retries, the
   * store could not say whether it was written: then nothing may be assumed; the same append may be sent
   * again.
   */
  append(journal: string, expected: number, facts: readonly NewFact[]): Promise<{ position: number }>;
  /**
   * The facts of a journal behind revision `after` (START: from the first), oldest first, at most `limit`;
   * fewer only at its end, [] when there are none. A journal may be long: read it in pages.
   */
  read(journal: string, after?: number, limit?: number): Promise<Fact[]>;
  /**
   * The next facts of all journals with a position above `after` (START: from the first), in order, at most
   * `limit`; [] only at the end. Only facts written through this port: nothing of the server's own.
   */
  page(after: number, limit: number): Promise<Fact[]>;
  /** Position of the last fact; START when there are none. */
  head(): Promise<number>;
  /**
   * Calls `ring` soon after there is more to page: at least once after any append of this or another process
   * has become readable, also when it fell silent in between (a bell is never lost for longer than a second).
   * Returns the way to stop it.
   */
  listen(ring: () => void): () => void;
  /** Waits for appends under way, then lets go of files and connections. */
  close(): Promise<void>;
};

/** The journal's last revision is not the expected one. */
export class WrongRevision extends Error {
  constructor(
    readonly journal: string,
    readonly expected: number,
    readonly actual: number | null,
  ) {
    super(`${journal} is not at revision ${expected}${actual === null ? '' : ` but at ${actual}`}`);
  }
}

/** One append may hold 1,048,576 bytes of data. */
export class TooLarge extends Error {
  constructor(
    readonly journal: string,
    readonly bytes: number,
  ) {
    super(`${bytes} bytes in one append to ${journal}; at most ${MAX_APPEND_BYTES} are possible`);
  }
}

/** The store did not answer in time and a repeat could not tell either: written or not. */
export class OutcomeUnknown extends Error {
  constructor(
    readonly journal: string,
    cause: unknown,
  ) {
    super(`whether the append to ${journal} was stored is not known`, { cause });
  }
}

/** The store cannot be reached or does not answer; nothing was written. */
export class StoreUnavailable extends Error {}

export const MAX_APPEND_BYTES = 1_048_576;
export const MAX_APPEND_FACTS = 10_000;
