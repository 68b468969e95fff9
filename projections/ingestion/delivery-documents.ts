import type { Fact } from '../../domain/fact.js';
import type { Counts, DeliveryFact, DeliveryKind } from '../../domain/ingestion/deliveries.js';
import { dayOf } from '../../domain/ingestion/forgetting.js';
import type { ItemFault } from '../../domain/ingestion/items.js';

/** A delivery that came in. `received_at`: epoch ms. */
export type DeliveryDoc = Counts & {
  readonly _id: string;
  readonly workspace: string;
  readonly source_id: string;
  readonly received_at: number;
  /** Of its fact in the log: the order of what came in one millisecond. */
  readonly position: number;
  /** The day (UTC) of it. */
  readonly day: string;
  readonly status: number;
  readonly kind: DeliveryKind;
  readonly bytes: number;
  readonly signature_header: string | null;
  readonly errors: readonly ItemFault[];
  /** The delivery whose body this is again; null: it came from outside. */
  readonly replay_of: string | null;
  /** Where its body is kept; null: nowhere. */
  readonly body: string | null;
};

/** Written out: members behind those of another object cost V8 more than all else here. */
export function delivered({ type, data, at, position }: Fact<DeliveryFact>): DeliveryDoc {
  const known = type === 'WebhookDelivered' ? data : null;
  return {
    _id: data.deliveryId,
    workspace: data.workspace,
    source_id: data.sourceId,
    received_at: at,
    position,
    day: dayOf(at),
    status: data.status,
    kind: data.kind,
    bytes: data.bytes,
    signature_header: data.signatureHeader,
    accepted: known?.accepted ?? 0,
    duplicates: known?.duplicates ?? 0,
    rejected: known?.rejected ?? 0,
    errors: known?.errors ?? refusalIn(data),
    replay_of: known?.replayOf ?? null,
    body: known?.body ?? null,
  };
}

const refusalIn = (data: DeliveryFact['data']): readonly ItemFault[] =>
  'message' in data ? [{ index: 0, field: null, code: data.code, message: data.message }] : [];
