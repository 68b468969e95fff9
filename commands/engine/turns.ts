import { fairTurn } from '../../fair-turns.js';

/**
 * Work under one name one after the other, in the order it was asked for; different names side by side.
 * `work` is told what the one before it led to, when it follows directly (null: nobody was at it).
 */
export function turns<T>() {
  const last = new Map<string, Promise<T | null>>();
  return async <R extends T>(name: string, work: (before: T | null) => Promise<R>): Promise<R> => {
    const before = last.get(name);
    const mine = before ? before.then(work) : work(null);
    const settled = mine.catch(() => null);
    last.set(name, settled);
    try {
      return await mine;
    } finally {
      if (last.get(name) === settled) last.delete(name);
    }
  };
}

/**
 * Begins work for a list, part by part of at most `size`, each in a turn that is fair among workspaces: what
 * one part waits for (a write) does not hold up the next. Answers what each part led to, in order.
 */
export async function begunInTurns<T, R>(
  workspace: string,
  list: readonly T[],
  size: number,
  work: (part: readonly T[], from: number) => Promise<R>,
): Promise<R[]> {
  // What is short needs no turn
  if (list.length <= size) return list.length === 0 ? [] : [await work(list, 0)];
  const begun: Promise<R>[] = [];
  for (let from = 0; from < list.length; from += size) {
    await fairTurn(workspace);
    const part = work(list.slice(from, from + size), from);
    // Told of below, when all have begun
    part.catch(() => undefined);
    begun.push(part);
  }
  return Promise.all(begun);
}

/** So many reads are under way at once where many things are read for one answer. */
const AT_ONCE = 8;

/** Reads something for each of many, some at a time, each few in a turn. Answers them in order. */
export async function readInTurns<T, R>(
  workspace: string,
  all: readonly T[],
  read: (one: T) => Promise<R>,
): Promise<R[]> {
  const found: R[] = [];
  for (let from = 0; from < all.length; from += AT_ONCE) {
    await fairTurn(workspace);
    found.push(...(await Promise.all(all.slice(from, from + AT_ONCE).map(read))));
  }
  return found;
}
