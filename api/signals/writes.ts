import { Rejected } from '../../domain/rejected.js';
import type { StreamDoc } from '../../projections/events/documents.js';
import type { SignalDeps } from './deps.js';

// What writes to many keys share.

type Streams = Map<string, StreamDoc>;
/** Those of the keys that event streams have, by key. */
export async function streamsNamed(
  { streams }: SignalDeps,
  workspace: string,
  keys: readonly string[],
): Promise<Streams> {
  const found = await streams.queries.streamsAt(keys.map(key => ({ workspace, key })));
  return new Map([...found.values()].map(stream => [stream.key, stream]));
}

/** Null for what has been deleted meanwhile. */
export async function unlessGone<T>(write: Promise<T>): Promise<T | null> {
  try {
    return await write;
  } catch (error) {
    if (error instanceof Rejected && error.kind === 'missing') return null;
    throw error;
  }
}

/** Position of the last fact of several writes; null: nothing was written. */
export const latest = (outcomes: readonly ({ readonly position: number | null } | null)[]): number | null =>
  outcomes.reduce<number | null>((last, outcome) => {
    const position = outcome?.position ?? null;
    return position === null ? last : Math.max(last ?? position, position);
  }, null);
