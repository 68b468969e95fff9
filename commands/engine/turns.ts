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
