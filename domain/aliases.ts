/**
 * How keys begin under which a workspace sees what another one publishes. Nothing of its own begins with
 * either: a signal called like a stream's alias would be taken for one, and the other way round.
 */
export const PREFIXES = { signal: 'mkt:', stream: 'mkt-evt:' } as const;

export const isReserved = (key: string): boolean =>
  key.startsWith(PREFIXES.signal) || key.startsWith(PREFIXES.stream);
