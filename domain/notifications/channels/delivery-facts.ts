import type { Message } from '../../fact.js';
import type { Outcome } from './facts.js';

type OfDelivery = { readonly uid: string; readonly channelId: string; readonly deliveryId: string };

/**
 * A notification is to be delivered over one channel, and not before a time (epoch ms). `deliveryId` is the
 * `webhook-id` of every attempt. A digest is one delivery of many notifications, each with a fact like this.
 */
export type DeliveryRequested = Message<
  'DeliveryRequested',
  OfDelivery & {
    readonly notificationId: string;
    readonly digest: boolean;
    readonly notBefore: number;
  }
>;

/** `attempt` counts from 1, and goes on when a parked delivery is replayed. */
type OfAttempt = OfDelivery & { readonly attempt: number; readonly statusCode: number | null };
export type DeliverySucceeded = Message<'DeliverySucceeded', OfAttempt>;
/** `nextAt`: when it is tried again (epoch ms); null: not by itself. */
export type DeliveryFailed = Message<
  'DeliveryFailed',
  OfAttempt & { readonly reason: NonNullable<Outcome['reason']>; readonly nextAt: number | null }
>;
/** It rests until it is replayed. */
export type DeliveryParked = Message<
  'DeliveryParked',
  OfDelivery & { readonly reason: 'attempts_exhausted' | 'channel_disabled' | 'channel_not_verified' }
>;
export type DeliveryReplayed = Message<'DeliveryReplayed', OfDelivery>;
/** What it was about may not, or cannot be told any more. */
export type DeliveryWithdrawn = Message<'DeliveryWithdrawn', OfDelivery>;
export type DeliveryFact =
  | DeliveryRequested
  | DeliverySucceeded
  | DeliveryFailed
  | DeliveryParked
  | DeliveryReplayed
  | DeliveryWithdrawn;

/** Asked again for the same notification it changes nothing. */
export type RequestDelivery = Message<'RequestDelivery', DeliveryRequested['data']>;
/** `attempt`: which one it was, as its sender counted; one that is recorded already changes nothing. */
export type RecordAttempt = Message<
  'RecordAttempt',
  OfDelivery & { readonly attempt: number; readonly outcome: Outcome; readonly now: number }
>;
export type ParkDelivery = Message<'ParkDelivery', DeliveryParked['data']>;
export type ReplayDelivery = Message<'ReplayDelivery', OfDelivery>;
export type WithdrawDelivery = Message<'WithdrawDelivery', OfDelivery>;
export type DeliveryCommand =
  | RequestDelivery
  | RecordAttempt
  | ParkDelivery
  | ReplayDelivery
  | WithdrawDelivery;
