import { nextLook, type Doing } from '../../domain/notifications/channels/keeping.js';
import type { DeliveryFact, DeliveryParked } from '../../domain/notifications/channels/delivery-facts.js';
import type { DeliveryStatus } from '../../domain/notifications/channels/deliveries.js';
import {
  GONE,
  type ChannelAdded,
  type ChannelFact,
  type ChannelType,
  type FailureReason,
  type Outcome,
} from '../../domain/notifications/channels/facts.js';
import {
  channelStatusAfter,
  channelVersionAfter,
  DELIVERABLE,
  type ChannelStatus,
} from '../../domain/notifications/channels/state.js';
import type { Fact } from '../../domain/fact.js';
import { laneOf, masked } from './targets.js';

// All times are epoch ms.

/** What came of the last message over a channel. */
export type LastDelivery = { readonly at: number; readonly ok: boolean; readonly status_code: number | null };

/**
 * A channel as it is shown. Neither its secret nor its whole target is in any document. `lane`: whom its
 * messages go to: a host, or our own mail server. `look_at`: when it may have to become something else by
 * itself; null: not as it stands.
 */
export type ChannelDoc = {
  readonly _id: string;
  readonly uid: string;
  readonly type: ChannelType;
  readonly name: string | null;
  readonly target: string | null;
  readonly lane: string;
  readonly status: ChannelStatus;
  readonly since: number;
  readonly failures: number;
  readonly gone: boolean;
  readonly look_at: number | null;
  readonly last_delivery: LastDelivery | null;
  readonly disabled_reason: 'gone' | 'failing' | 'owner' | null;
  readonly created_at: number;
  /** Counts what its owner changed, from 1; absent in documents of the version before. */
  readonly version?: number;
};

/**
 * `digest`: of many notifications. `next_at`: when it is tried next; null: not by itself. `ended_on`: the day
 * (UTC) on which it came to its end or was parked; null: it waits.
 */
export type DeliveryDoc = {
  readonly _id: string;
  readonly uid: string;
  readonly channel_id: string;
  readonly notification_ids: readonly string[];
  readonly digest: boolean;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly requested_at: number;
  readonly next_at: number | null;
  readonly last_attempt_at: number | null;
  readonly last_status_code: number | null;
  readonly last_reason: FailureReason | null;
  readonly parked_reason: DeliveryParked['data']['reason'] | null;
  readonly ended_on: string | null;
};

/** A delivery that waits, and no other: what the senders look through. */
export type WaitingDoc = {
  readonly _id: string;
  readonly uid: string;
  readonly channel_id: string;
  readonly next_at: number;
  readonly attempts: number;
};

/** When codes were sent for somebody, the newest last: over all channels, also those that are gone. */
export type CodesDoc = { readonly _id: string; readonly codes_at: readonly number[] };
const CODES_KEPT = 20;

export const codesAfter = (doc: CodesDoc | null, uid: string, at: number): CodesDoc => ({
  _id: uid,
  codes_at: [...(doc?.codes_at ?? []), at].slice(-CODES_KEPT),
});

export const doingOf = ({ _id: channelId, uid, status, since, failures, gone }: ChannelDoc): Doing => ({
  ...{ uid, channelId, status, since, failures },
  isGone: gone,
});

const looked = (doc: ChannelDoc): ChannelDoc => ({ ...doc, look_at: nextLook(doingOf(doc)) });

export const added = ({ data, at }: Fact<ChannelAdded>): ChannelDoc => ({
  _id: data.channelId,
  uid: data.uid,
  type: data.channelType,
  name: data.personal?.name ?? null,
  ...targetOf(data.channelType, data.personal?.target ?? null),
  status: 'pending_verification',
  since: at,
  failures: 0,
  gone: false,
  look_at: null,
  last_delivery: null,
  disabled_reason: null,
  created_at: at,
  version: 1,
});

const targetOf = (type: ChannelType, target: string | null) => ({
  target: target === null ? null : masked(type, target),
  lane: laneOf(type, target),
});

/** What a fact of its own journal makes of a channel. */
export function changed(doc: ChannelDoc, fact: Fact<ChannelFact>): ChannelDoc {
  const status = channelStatusAfter(fact.type, doc.status);
  const since = status === doc.status ? doc.since : fact.at;
  const version = doc.version === undefined ? {} : { version: channelVersionAfter(fact, doc.version) };
  return looked({ ...doc, status, since, ...version, ...changesOf(doc, fact) });
}

function changesOf(doc: ChannelDoc, fact: Fact<ChannelFact>): Partial<ChannelDoc> {
  switch (fact.type) {
    case 'ChannelRenamed':
      return { name: fact.data.personal?.name ?? null };
    case 'ChannelRetargeted':
      return { ...targetOf(doc.type, fact.data.personal?.target ?? null), last_delivery: null };
    case 'ChannelVerified':
      return { failures: 0, gone: false, disabled_reason: null };
    case 'ChannelDisabled':
      return { disabled_reason: fact.data.reason };
    case 'ChannelEnabled':
      return { disabled_reason: null };
    case 'ChannelTested':
      return attempted(doc, fact.at, fact.data);
    default:
      return {};
  }
}

/** What an attempt to deliver over a channel makes of it. */
export const afterAttempt = (doc: ChannelDoc, at: number, outcome: Outcome): ChannelDoc =>
  looked({ ...doc, ...attempted(doc, at, outcome) });

/** Where our own mail server does not answer, the channel is not to blame. */
function attempted(doc: ChannelDoc, at: number, { ok, statusCode, reason }: Outcome): Partial<ChannelDoc> {
  const last_delivery = { at, ok, status_code: statusCode };
  if (!DELIVERABLE.includes(doc.status) || reason === 'mail_unavailable') return { last_delivery };
  return { last_delivery, failures: ok ? 0 : doc.failures + 1, gone: statusCode === GONE };
}

type Requested = Extract<Fact<DeliveryFact>, { type: 'DeliveryRequested' }>;
export const requested = (doc: DeliveryDoc | null, { data, at }: Requested): DeliveryDoc => ({
  _id: data.deliveryId,
  uid: data.uid,
  channel_id: data.channelId,
  notification_ids: [...(doc?.notification_ids ?? []), data.notificationId],
  digest: data.digest,
  status: 'waiting',
  attempts: 0,
  requested_at: doc?.requested_at ?? at,
  next_at: data.notBefore,
  last_attempt_at: null,
  last_status_code: null,
  last_reason: null,
  parked_reason: null,
  ended_on: null,
});

export const waiting = ({ _id, uid, channel_id, attempts }: DeliveryDoc, next_at: number): WaitingDoc => ({
  ...{ _id, uid, channel_id, attempts },
  next_at,
});
