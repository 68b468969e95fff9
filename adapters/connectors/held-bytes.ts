/**
 * Waits until so many more bytes may be held; what comes back lets go of them.
 * @throws what `signal` ends with
 */
export type HeldBytes = (bytes: number, signal: AbortSignal) => Promise<() => void>;

/** Parsed, an answer takes up to some 25 times as much memory as its text. */
const MOST_BYTES = 24 * 1_024 * 1_024;
/** So little waits for nobody. */
const SMALL = 256 * 1_024;

/**
 * Of answers that are not small, so many bytes are parsed and held at once in the whole process; who comes
 * later waits, in the order of coming. An answer that alone is longer than all is held alone.
 */
export function heldBytes(most = MOST_BYTES): HeldBytes {
  let free = most;
  const waiting: { readonly bytes: number; readonly begin: () => void }[] = [];
  const next = (): void => {
    for (let first = waiting[0]; first && first.bytes <= free; first = waiting[0]) {
      waiting.shift();
      free -= first.bytes;
      first.begin();
    }
  };
  return async (asked, signal) => {
    if (asked <= SMALL) return () => undefined;
    signal.throwIfAborted();
    const bytes = Math.min(asked, most);
    await new Promise<void>((resolve, reject) => {
      const end = (): void => {
        waiting.splice(waiting.indexOf(one), 1);
        next();
        reject(signal.reason as Error);
      };
      const begin = (): void => {
        signal.removeEventListener('abort', end);
        resolve();
      };
      const one = { bytes, begin };
      signal.addEventListener('abort', end, { once: true });
      waiting.push(one);
      next();
    });
    return () => {
      free += bytes;
      next();
    };
  };
}
