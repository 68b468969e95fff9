import type { Decider } from '../../decider.js';
import type { Fact } from '../../fact.js';
import { PersistentMap } from '../../persistent-map.js';
import { Rejected } from '../../rejected.js';
import { HOUR, MINUTE, SECOND } from '../../time.js';
import { GONE } from './facts.js';
import type { DeliveryCommand, DeliveryFact, RecordAttempt, RequestDelivery } from './delivery-facts.js';

export const deliveryStatuses = ['waiting', 'delivered', 'parked', 'withdrawn'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];
/**
 * `notifications`: by id, how many came before it; a digest may have very many, and its states share them.
 * `since`: how many attempts had been made when it was replayed last; 0: it never was.
 */
export type DeliveryState = {
  readonly status: DeliveryStatus | 'none';
  readonly notifications: PersistentMap<number>;
  readonly digest: boolean;
  readonly attempts: number;
  readonly since: number;
};

/** Pauses after failed attempts, ms, as Standard Webhooks has them; after one more it is parked. */
export const BACK_OFF: readonly number[] = [
  5 * SECOND,
  5 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  10 * HOUR,
];

export const deliveryNotFound = (): Rejected => new Rejected('missing', 'not_found', 'Delivery not found');

function decide(command: DeliveryCommand, state: DeliveryState): readonly DeliveryFact[] {
  const { uid, channelId, deliveryId } = command.data;
  const id = { uid, channelId, deliveryId };
  const isWaiting = state.status === 'waiting';
  switch (command.type) {
    case 'RequestDelivery':
      return requested(command, state);
    case 'RecordAttempt':
      return isWaiting && command.data.attempt === state.attempts + 1 ? attempted(command, state) : [];
    case 'ParkDelivery':
      return isWaiting ? [{ type: 'DeliveryParked', data: { ...id, reason: command.data.reason } }] : [];
    case 'WithdrawDelivery':
      return isWaiting ? [{ type: 'DeliveryWithdrawn', data: id }] : [];
    case 'ReplayDelivery': {
      if (state.status === 'none') throw deliveryNotFound();
      if (state.status === 'parked') return [{ type: 'DeliveryReplayed', data: id }];
      const message = `Only a parked delivery can be replayed; it is ${state.status}`;
      throw new Rejected('conflict', 'invalid_state', message, { status: state.status });
    }
  }
}

/** @throws Rejected 409 where the messages of its id are on their way already, or are over */
function requested({ data }: RequestDelivery, state: DeliveryState): readonly DeliveryFact[] {
  if (state.notifications.has(data.notificationId)) return [];
  const isOpen = state.status === 'none' || (state.status === 'waiting' && state.attempts === 0);
  if (isOpen) return [{ type: 'DeliveryRequested', data }];
  throw new Rejected('conflict', 'invalid_state', `The delivery is ${state.status}`, {
    status: state.status,
  });
}

function attempted({ data }: RecordAttempt, { since }: DeliveryState): readonly DeliveryFact[] {
  const { uid, channelId, deliveryId, attempt, now } = data;
  const { ok, statusCode, reason } = data.outcome;
  const id = { uid, channelId, deliveryId };
  if (ok) return [{ type: 'DeliverySucceeded', data: { ...id, attempt, statusCode } }];
  const pause = statusCode === GONE ? undefined : BACK_OFF[attempt - since - 1];
  const nextAt = pause === undefined ? null : now + pause;
  const failed = { ...id, attempt, statusCode, reason: reason ?? 'status', nextAt };
  const why = statusCode === GONE ? 'channel_disabled' : 'attempts_exhausted';
  return [
    { type: 'DeliveryFailed', data: failed },
    ...(nextAt === null ? [{ type: 'DeliveryParked', data: { ...id, reason: why } } as const] : []),
  ];
}

/** What a delivery is about, in the order in which it came. */
export const notificationsOf = ({ notifications }: DeliveryState): readonly string[] =>
  notifications
    .entries()
    .toSorted(([, a], [, b]) => a - b)
    .map(([id]) => id);

const becomes = {
  DeliveryRequested: 'waiting',
  DeliverySucceeded: 'delivered',
  DeliveryFailed: 'waiting',
  DeliveryParked: 'parked',
  DeliveryReplayed: 'waiting',
  DeliveryWithdrawn: 'withdrawn',
} as const satisfies Record<DeliveryFact['type'], DeliveryStatus>;

/** What a fact makes of the delivery. */
export const deliveryStatusAfter = (type: DeliveryFact['type']): DeliveryStatus => becomes[type];

const evolve = (state: DeliveryState, { type, data }: Fact<DeliveryFact>): DeliveryState => ({
  status: becomes[type],
  notifications:
    type === 'DeliveryRequested'
      ? state.notifications.with(data.notificationId, state.notifications.size)
      : state.notifications,
  digest: type === 'DeliveryRequested' ? data.digest : state.digest,
  attempts: 'attempt' in data ? data.attempt : state.attempts,
  since: type === 'DeliveryReplayed' ? state.attempts : state.since,
});

/** One message on its way over one channel, as far as it came. */
export const deliveries: Decider<DeliveryCommand, DeliveryFact, DeliveryState> = {
  category: 'delivery',
  idOf: ({ data: { uid, deliveryId } }) => `${uid}.${deliveryId}`,
  initialState: {
    status: 'none',
    notifications: PersistentMap.empty(),
    digest: false,
    attempts: 0,
    since: 0,
  },
  decide,
  evolve,
};
