import { createHash } from 'node:crypto';

// A trace needs no place in a fact: its id follows from the correlation that all facts of one cause share,
// and the id of the span of an append from the first fact that was written. So every process that reads a
// fact knows where its own work belongs.

/** Ids that the edge made, of a trace and perhaps of the caller's span in it, and UUIDs. */
const MADE = /^req_([0-9a-f]{32})([0-9a-f]{16})?$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/;
const SAMPLED = 1;

export type Place = { readonly traceId: string; readonly spanId: string };

/** The trace (32 hex digits) of everything with this correlation; one that is no UUID is hashed. */
export function traceIdOf(correlation: string): string {
  const made = MADE.exec(correlation)?.[1];
  if (made !== undefined && !/^0+$/.test(made)) return made;
  if (UUID.test(correlation)) return correlation.replaceAll('-', '');
  return createHash('sha256').update(correlation).digest('hex').slice(0, 32);
}

/** The span (16 hex digits) in which a fact, by its UUID, was written. */
export const spanIdOf = (factId: string): string => factId.replaceAll('-', '').slice(16);

/** The caller's span, where the id of its request holds one (`requestIdOf`). */
export const callerOf = (requestId: string): string | null => MADE.exec(requestId)?.[2] ?? null;

/** Where a caller stands, by its header `traceparent` (W3C Trace Context); null: it says nothing fit. */
export function placeOf(traceparent: unknown): (Place & { readonly sampled: boolean }) | null {
  const found = typeof traceparent === 'string' ? TRACEPARENT.exec(traceparent) : null;
  if (!found) return null;
  const [, traceId, spanId, flags] = found;
  return { traceId: traceId!, spanId: spanId!, sampled: (Number.parseInt(flags!, 16) & SAMPLED) !== 0 };
}

/**
 * An id for a request that continues its caller's trace, made so that the trace follows from it; null: the
 * caller has none, or does not keep it.
 */
export function requestIdFor(traceparent: unknown): string | null {
  const place = placeOf(traceparent);
  return place?.sampled ? `req_${place.traceId}${place.spanId}` : null;
}
