import type { DeliveryFact } from '../../domain/ingestion/deliveries.js';
import type { Collections, On } from './docs.js';
import { delivered } from './delivery-documents.js';
import { afterWork } from './source-documents.js';

export const deliveryCollections: Collections<'source_deliveries'> = {
  source_deliveries: {
    indexes: [
      ['source_id', 'received_at', 'position', '_id'],
      ['day', '_id'],
    ],
    idOf: ({ data }) => ('deliveryId' in data ? data.deliveryId : null),
  },
};

const FAILED = 400;
/**
 * What is no fault of a source: its workspace is archived, it is paused, the workspace has no rows left, or
 * the platform no room.
 */
const OTHERS_FAULT: readonly number[] = [403, 409, 429, 503];

export const onDeliveries: On<DeliveryFact> = {
  WebhookDelivered({ ingestion_sources: source }, fact) {
    const { data, at } = fact;
    const message = data.errors[0]?.message ?? 'The delivery failed';
    const error =
      data.status >= FAILED && !OTHERS_FAULT.includes(data.status)
        ? { code: data.code ?? 'internal_error', message }
        : null;
    return {
      source_deliveries: delivered(fact),
      ...(source && { ingestion_sources: afterWork(source, at, data, error) }),
    };
  },
  /** Strangers can send wrong signatures: they count for nothing. */
  WebhookRefused({ ingestion_sources: source }, fact) {
    const { code, message } = fact.data;
    return {
      source_deliveries: delivered(fact),
      ...(source && { ingestion_sources: { ...source, last_error: { code, message, at: fact.at } } }),
    };
  },
};
