import type { Stored } from '../engine/read-models.js';

/**
 * What was found out about documents, kept while these stay as they are: by id and position. The least
 * recently used goes first when there is more than `most`.
 */
export function keptWhileSame<T>(most: number) {
  const kept = new Map<string, { readonly at: number; readonly value: T }>();
  return {
    get({ _id, _at }: Stored): T | null {
      const found = kept.get(_id);
      if (found?.at !== _at) return null;
      kept.delete(_id);
      kept.set(_id, found);
      return found.value;
    },
    keep({ _id, _at }: Stored, value: T): void {
      kept.delete(_id);
      kept.set(_id, { at: _at, value });
      if (kept.size > most) kept.delete(kept.keys().next().value!);
    },
  };
}
