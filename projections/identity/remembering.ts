import type { Awaitable } from '../engine/awaitable.js';

/** How long an answer is remembered, in ms, and how many are. */
export type MemoryOptions = { readonly clock: () => number; readonly ttlMs: number; readonly size: number };

/**
 * A bounded memory of answers, oldest out first; asking again while an answer is on its way waits for the
 * same one.
 */
export function remembering<V>({ clock, ttlMs, size }: MemoryOptions) {
  const remembered = new Map<string, { value: Awaitable<V>; until: number }>();
  return {
    /** An answer that is on its way reaches those who wait for it, and nobody else. */
    forget: (key: string) => {
      remembered.delete(key);
    },
    get(key: string, ask: (key: string) => Promise<V>): Awaitable<V> {
      const hit = remembered.get(key);
      const now = clock();
      if (hit && hit.until > now) return hit.value;
      const value = ask(key);
      const entry: { value: Awaitable<V>; until: number } = { value, until: now + ttlMs };
      remembered.delete(key);
      remembered.set(key, entry);
      if (remembered.size > size) remembered.delete(remembered.keys().next().value!);
      value.then(
        answer => {
          entry.value = answer;
        },
        () => {
          if (remembered.get(key) === entry) remembered.delete(key);
        },
      );
      return value;
    },
  };
}
