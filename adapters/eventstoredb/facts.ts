import { jsonEvent, type EventData, type JSONType, type RecordedEvent } from '@eventstore/db-client';
import type { Fact, Meta, NewFact } from '../../domain/fact.js';

/**
 * What the server's own tools understand (`$by_correlation_id`), and our time: the server's `created` is its
 * own.
 */
type Metadata = Omit<Meta, 'correlation' | 'causation'> & {
  at: number;
  $correlationId: string;
  $causationId?: string;
};

/** A fact as the client sends it. */
export const toEvent = ({
  id,
  type,
  at,
  data,
  meta: { correlation, causation, ...meta },
}: NewFact): EventData => {
  const metadata: Metadata = {
    ...meta,
    at,
    $correlationId: correlation,
    ...(causation !== null && { $causationId: causation }),
  };
  return jsonEvent({ id, type, data: data as JSONType, metadata });
};

/**
 * A fact as it was written; null for what is none of ours: the server's own events, and those of other
 * programs.
 */
export const toFact = (event: RecordedEvent): Fact | null => {
  const { id, type, data, streamId: journal } = event;
  if (type.startsWith('$') || journal.startsWith('$') || !event.isJson || !isOurs(event.metadata))
    return null;
  const { at, $correlationId: correlation, $causationId: causation = null, ...meta } = event.metadata;
  const revision = toNumber(event.revision);
  const position = positionOf(event);
  return { id, type, data, at, meta: { ...meta, correlation, causation }, journal, revision, position };
};

const isOurs = (metadata: unknown): metadata is Metadata =>
  typeof metadata === 'object'
  && metadata !== null
  && '$correlationId' in metadata
  && 'at' in metadata
  && typeof metadata.at === 'number';

/** Where an event stands in `$all`; the server gives the same number twice, as commit and prepare. */
export const positionOf = (event: RecordedEvent): number => toNumber(event.position?.commit ?? -1n);

/** The server counts in 64 bits, we in 53: enough for 8 PiB of log. */
export const toNumber = (value: bigint): number => {
  const number = Number(value);
  if (!Number.isSafeInteger(number))
    throw new RangeError(`${value} is beyond the positions and revisions possible here`);
  return number;
};
