import type { Stored } from '../engine/read-models.js';

/**
 * What was found out about documents, kept while these stay as they are: by id and position. The least
 * recently used goes first when there is more than `most`, each counting as much as `sizeOf` says.
 */
export function keptWhileSame<T>(most: number, sizeOf: (value: T) => number = () => 1) {
  const kept = new Map<string, { readonly at: number; readonly value: T }>();
  let size = 0;
  function forget(id: string): void {
    const found = kept.get(id);
    if (found && kept.delete(id)) size -= sizeOf(found.value);
  }
  return {
    get({ _id, _at }: Stored): T | null {
      const found = kept.get(_id);
      if (found?.at !== _at) return null;
      kept.delete(_id);
      kept.set(_id, found);
      return found.value;
    },
    keep({ _id, _at }: Stored, value: T): void {
      forget(_id);
      kept.set(_id, { at: _at, value });
      size += sizeOf(value);
      while (size > most) forget(kept.keys().next().value!);
    },
  };
}
