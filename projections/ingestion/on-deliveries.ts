import type { Fact } from '../../domain/fact.js';
import {
  momentOf,
  WRONG_SIGNATURE,
  type DeliveryFact,
  type Taken,
} from '../../domain/ingestion/deliveries.js';
import type { After, Before } from '../engine/projection.js';
import { noted, takenIn } from './delivery-documents.js';
import type { Collections, Docs, On } from './docs.js';
import { afterWork, type SourceDoc } from './source-documents.js';

/** The moment that a fact tells of; null: it tells of none. */
const momentIn = ({ data }: { readonly data: object }): string | null => {
  if ('momentId' in data) return data.momentId as string;
  return 'deliveryId' in data ? momentOf(data.deliveryId as string) : null;
};

export const deliveryCollections: Collections<'source_deliveries'> = {
  source_deliveries: {
    indexes: [
      ['source_id', 'first', '_id'],
      ['source_id', 'received_at', 'first', '_id'],
      ['day', '_id'],
    ],
    idOf: momentIn,
  },
};

const FAILED = 400;
/**
 * What is no fault of a source: its workspace is archived, it is paused, the workspace has no rows left, or
 * the platform no room.
 */
const OTHERS_FAULT: readonly number[] = [403, 409, 429, 503];

export const onDeliveries: On<DeliveryFact> = {
  WebhookDeliveriesTaken: after,
  WebhookDelivered: after,
  WebhookRefused: after,
};

/** Deliveries of a source that has gone are not shown. */
function after({ ingestion_sources: source }: Before<Docs>, fact: Fact<DeliveryFact>): After<Docs> {
  if (!source) return {};
  const deliveries = takenIn(fact);
  const first = source.deliveries_noted;
  const changed = deliveries.reduce(worked, source);
  return {
    source_deliveries: noted(fact, momentIn(fact)!, first, deliveries),
    ingestion_sources: { ...changed, deliveries_noted: first + deliveries.length },
  };
}

function worked(source: SourceDoc, delivery: Taken): SourceDoc {
  const { at, status, errors } = delivery;
  if (status < FAILED || OTHERS_FAULT.includes(status)) return afterWork(source, at, delivery, null);
  const code = delivery.code ?? 'internal_error';
  const message = errors[0]?.message ?? 'The delivery failed';
  // Strangers can send wrong signatures: they count for nothing
  if (status === WRONG_SIGNATURE) return { ...source, last_error: { code, message, at } };
  return afterWork(source, at, delivery, { code, message });
}
