import type { Verification } from '../../commands/channels.js';
import type { Outcome } from '../../domain/notifications/channels/facts.js';
import { iso } from '../../domain/time.js';
import type { ChannelDoc, DeliveryDoc } from '../../projections/channels/documents.js';

const isoOrNull = (at: number | null): string | null => (at === null ? null : iso(at));

/** The feed, which everybody has. */
export const inApp = {
  channel_id: 'in_app',
  type: 'in_app',
  name: 'In the app',
  target: null,
  status: 'active',
  disabled_reason: null,
  last_delivery: null,
  created_at: null,
} as const;

export const channelView = (doc: ChannelDoc) => ({
  channel_id: doc._id,
  type: doc.type,
  name: doc.name,
  target: doc.target,
  status: doc.status,
  disabled_reason: doc.disabled_reason,
  last_delivery: doc.last_delivery && { ...doc.last_delivery, at: iso(doc.last_delivery.at) },
  created_at: iso(doc.created_at),
});

export const outcomeView = ({ ok, statusCode, reason }: Outcome) => ({ ok, status_code: statusCode, reason });

export const verificationView = (verification: Verification | null) =>
  verification && { method: verification.method, ...outcomeView(verification.outcome) };

export const deliveryView = (doc: DeliveryDoc) => ({
  delivery_id: doc._id,
  notification_ids: doc.notification_ids,
  digest: doc.digest,
  status: doc.status,
  attempts: doc.attempts,
  requested_at: iso(doc.requested_at),
  next_attempt_at: isoOrNull(doc.next_at),
  last_attempt_at: isoOrNull(doc.last_attempt_at),
  last_status_code: doc.last_status_code,
  last_reason: doc.last_reason,
  parked_reason: doc.parked_reason,
});
