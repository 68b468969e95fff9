import type { Awaitable } from '../engine/awaitable.js';

/**
 * How long an answer is remembered, in ms; how many are, and how much: `letters` of their JSON and their
 * keys.
 */
export type MemoryOptions = {
  readonly clock: () => number;
  readonly ttlMs: number;
  readonly size: number;
  readonly letters: number;
};
type Remembered<V> = { value: Awaitable<V>; letters: number; readonly until: number };

/**
 * A bounded memory of answers, oldest out first; asking again while an answer is on its way waits for the
 * same one.
 */
export function remembering<V>({ clock, ttlMs, size, letters: most }: MemoryOptions) {
  const remembered = new Map<string, Remembered<V>>();
  let letters = 0;
  const forget = (key: string): void => {
    letters -= remembered.get(key)?.letters ?? 0;
    remembered.delete(key);
  };
  const makeRoom = (): void => {
    for (const oldest of remembered.keys()) {
      if (remembered.size <= size && letters <= most) return;
      forget(oldest);
    }
  };
  const arrived = (key: string, entry: Remembered<V>, answer: V): void => {
    entry.value = answer;
    // An answer that was forgotten on its way takes no room
    if (remembered.get(key) !== entry) return;
    entry.letters = key.length + JSON.stringify(answer).length;
    letters += entry.letters;
    makeRoom();
  };
  return {
    /** An answer that is on its way reaches those who wait for it, and nobody else. */
    forget,
    get(key: string, ask: (key: string) => Promise<V>): Awaitable<V> {
      const hit = remembered.get(key);
      const now = clock();
      if (hit && hit.until > now) return hit.value;
      const value = ask(key);
      const entry: Remembered<V> = { value, letters: 0, until: now + ttlMs };
      forget(key);
      remembered.set(key, entry);
      makeRoom();
      value.then(
        answer => arrived(key, entry, answer),
        () => {
          if (remembered.get(key) === entry) forget(key);
        },
      );
      return value;
    },
  };
}
