import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS } from '../patience.js';

/**
 * A store made for one run of a contract suite. `reopen` lets go of it and opens it again on the same data
 * (absent where nothing outlives the object); `close` ends whichever is open and removes what the run left
 * behind.
 */
export type Opened<S> = {
  readonly store: S;
  readonly reopen?: () => Promise<S>;
  readonly close: () => Promise<void>;
};

/**
 * Waits until `done` holds, looking every few milliseconds; gives up at last, naming what did not happen.
 */
export const eventually = async (what: string, done: () => boolean | Promise<boolean>): Promise<void> => {
  const end = Date.now() + PATIENCE_MS;
  while (!(await done())) {
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await pause(5);
  }
};

export const pause = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** The error a promise was rejected with; throws when it was not. */
export const rejection = async (promise: Promise<unknown>): Promise<Error> => {
  try {
    await promise;
  } catch (error) {
    return error as Error;
  }
  throw new Error('expected a rejection');
};

/** A store in a data folder of its own, which goes with it. */
export const inFolder = async <S extends { close(): Promise<void> }>(
  make: (folder: string) => S,
): Promise<Opened<S>> => {
  const folder = mkdtempSync(join(tmpdir(), 'presage-'));
  let store = make(folder);
  return {
    store,
    async reopen() {
      await store.close();
      store = make(folder);
      return store;
    },
    async close() {
      await store.close();
      rmSync(folder, { recursive: true });
    },
  };
};
