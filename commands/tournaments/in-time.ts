/**
 * What comes of work, unless it takes longer than `withinMs`: then `limit` is aborted, and what `late` makes
 * is thrown.
 */
export async function inTime<T>(
  work: Promise<T>,
  withinMs: number,
  limit: AbortController,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const ends = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      limit.abort();
      reject(late());
    }, withinMs);
  });
  try {
    return await Promise.race([work, ends]);
  } finally {
    clearTimeout(timer);
  }
}
