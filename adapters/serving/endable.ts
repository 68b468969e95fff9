/**
 * Does something whose signal aborts when the caller's does, or when somebody aborts what stands in `calls`.
 * By hand, since `AbortSignal.any` lets a signal that lives long remember all that came of it.
 */
export async function endable<T>(
  calls: Set<AbortController>,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const call = new AbortController();
  const abort = (): void => call.abort();
  if (signal.aborted) abort();
  signal.addEventListener('abort', abort);
  calls.add(call);
  try {
    return await work(call.signal);
  } finally {
    calls.delete(call);
    signal.removeEventListener('abort', abort);
  }
}
