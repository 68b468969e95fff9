import type { Fact } from '../../domain/fact.js';
import type { DeliveryFact, Taken } from '../../domain/ingestion/deliveries.js';
import { dayOf } from '../../domain/ingestion/forgetting.js';

/**
 * Deliveries of one source that came in within a moment, in their order. Times: epoch ms. Those of a source
 * are numbered from 0 on, so that a page of them, and how many there are, is found without counting.
 */
export type DeliveriesDoc = {
  /** What the ids of its deliveries begin with; of one that was noted alone its id. */
  readonly _id: string;
  readonly workspace: string;
  readonly source_id: string;
  /** When the last of them came. */
  readonly received_at: number;
  /** The day (UTC) of it. */
  readonly day: string;
  /** Number of the first of them. */
  readonly first: number;
  readonly deliveries: readonly Taken[];
};

/** `first`: how many of the source were noted before. */
export const noted = (
  { data: { workspace, sourceId }, at }: Fact<DeliveryFact>,
  _id: string,
  first: number,
  deliveries: readonly Taken[],
): DeliveriesDoc => ({
  ...{ _id, workspace, source_id: sourceId, received_at: at, day: dayOf(at), first, deliveries },
});

/** The deliveries that a fact tells of, whichever way they were noted. */
export function takenIn(fact: Fact<DeliveryFact>): readonly Taken[] {
  if (fact.type === 'WebhookDeliveriesTaken') return fact.data.deliveries;
  const noted = { at: fact.at, request: fact.meta.request };
  if (fact.type === 'WebhookDelivered') {
    const { workspace: _workspace, sourceId: _source, ...delivery } = fact.data;
    return [{ ...delivery, ...noted }];
  }
  const { deliveryId, kind, status, code, message, bytes, signatureHeader } = fact.data;
  return [
    {
      ...{ deliveryId, kind, status, code, bytes, signatureHeader, ...noted },
      ...{ accepted: 0, duplicates: 0, rejected: 0, ignored: 0, repeats: false },
      errors: [{ index: 0, field: null, code, message }],
      ...{ replayOf: null, body: null },
    },
  ];
}
