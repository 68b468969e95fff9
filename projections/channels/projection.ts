import type { DeliveryFact } from '../../domain/notifications/channels/delivery-facts.js';
import { deliveryStatusAfter } from '../../domain/notifications/channels/deliveries.js';
import type { ChannelFact, Outcome } from '../../domain/notifications/channels/facts.js';
import { dayOf, type DeliveryDayForgotten } from '../../domain/notifications/forgetting.js';
import type { UserErased } from '../../domain/users/facts.js';
import type { Fact } from '../../domain/fact.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import {
  added,
  afterAttempt,
  changed,
  codesAfter,
  requested,
  waiting,
  type ChannelDoc,
  type CodesDoc,
  type DeliveryDoc,
  type WaitingDoc,
} from './documents.js';

type Docs = {
  outbox: WaitingDoc;
  deliveries: DeliveryDoc;
  channel_codes: CodesDoc;
  channels: ChannelDoc;
};
type Shown = ChannelFact | DeliveryFact | DeliveryDayForgotten | UserErased;

const changes = [
  'ChannelRenamed',
  'ChannelRetargeted',
  'ChannelCodeRefused',
  'ChannelVerified',
  'ChannelTested',
  'ChannelFailing',
  'ChannelRecovered',
  'ChannelDisabled',
  'ChannelEnabled',
] as const satisfies readonly ChannelFact['type'][];

const deliveryOf = ({ data }: Fact<Shown>): string | null => ('deliveryId' in data ? data.deliveryId : null);

/** Channels, what is delivered over them, and what waits to be: a replay brings back what waited. */
export const channelsProjection: Projection = projection<Docs, Shown>({
  name: 'channels',
  version: 3,
  carries: [2],
  collections: {
    outbox: {
      indexes: [
        ['next_at', '_id'],
        ['channel_id', 'next_at', '_id'],
      ],
      idOf: deliveryOf,
    },
    deliveries: {
      indexes: [
        ['channel_id', 'requested_at', '_id'],
        ['channel_id', 'status', 'requested_at', '_id'],
        ['ended_on', '_id'],
      ],
      idOf: deliveryOf,
    },
    channel_codes: {
      indexes: [],
      idOf: ({ type, data }) => (type === 'ChannelCodeIssued' ? data.uid : null),
    },
    channels: {
      indexes: [
        ['uid', 'created_at', '_id'],
        ['look_at', '_id'],
      ],
      personal: true,
      idOf: ({ data }) => ('channelId' in data ? data.channelId : null),
    },
  },
  on: {
    ChannelAdded: (_, fact) => ({ channels: added(fact) }),
    ...Object.fromEntries(changes.map(type => [type, change])),
    ChannelCodeIssued: (before, fact) => ({
      ...change(before, fact),
      channel_codes: codesAfter(before.channel_codes, fact.data.uid, fact.at),
    }),
    ChannelRemoved: () => ({ channels: null }),
    DeliveryRequested: ({ deliveries }, fact) => {
      const doc = requested(deliveries, fact);
      return { deliveries: doc, outbox: waiting(doc, fact.data.notBefore) };
    },
    DeliverySucceeded: (before, { data, at, type }) => ({
      ...became(before, at, {
        ...{ status: deliveryStatusAfter(type), attempts: data.attempt, next_at: null },
        ...{ last_attempt_at: at, last_status_code: data.statusCode, last_reason: null },
      }),
      ...told(before, at, { ok: true, statusCode: data.statusCode, reason: null }),
    }),
    DeliveryFailed: (before, { data, at, type }) => ({
      ...became(before, at, {
        ...{ status: deliveryStatusAfter(type), attempts: data.attempt, next_at: data.nextAt },
        ...{ last_attempt_at: at, last_status_code: data.statusCode, last_reason: data.reason },
      }),
      ...told(before, at, { ok: false, statusCode: data.statusCode, reason: data.reason }),
    }),
    DeliveryParked: (before, { data, at, type }) =>
      became(before, at, { status: deliveryStatusAfter(type), next_at: null, parked_reason: data.reason }),
    DeliveryReplayed: (before, { at, type }) =>
      became(before, at, { status: deliveryStatusAfter(type), next_at: at, parked_reason: null }),
    DeliveryWithdrawn: (before, { at, type }) =>
      became(before, at, { status: deliveryStatusAfter(type), next_at: null }),
  },
  sweeps: {
    DeliveryDayForgotten: ({ data: { day } }) => ({ deliveries: { ended_on: day } }),
    ChannelRemoved: ({ data: { channelId } }) => ({
      outbox: { channel_id: channelId },
      deliveries: { channel_id: channelId },
    }),
    UserErased: ({ data: { uid } }) => ({
      ...{ outbox: { uid }, deliveries: { uid }, channel_codes: { _id: uid }, channels: { uid } },
    }),
  },
});

function change({ channels }: Before<Docs>, fact: Fact<ChannelFact>): After<Docs> {
  return channels ? { channels: changed(channels, fact) } : {};
}

/** A delivery, and its place among those that wait: while it has a time to be tried at. */
function became({ deliveries }: Before<Docs>, at: number, changes: Partial<DeliveryDoc>): After<Docs> {
  if (!deliveries) return {};
  const changed = { ...deliveries, ...changes };
  const doc = { ...changed, ended_on: changed.status === 'waiting' ? null : dayOf(at) };
  return { deliveries: doc, outbox: doc.next_at === null ? null : waiting(doc, doc.next_at) };
}

const told = ({ channels }: Before<Docs>, at: number, outcome: Outcome): After<Docs> =>
  channels ? { channels: afterAttempt(channels, at, outcome) } : {};
