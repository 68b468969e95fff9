import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import type { ItemFault } from './items.js';

export const deliveryKinds = ['events', 'signal'] as const;
export type DeliveryKind = (typeof deliveryKinds)[number];

/** What became of items. */
export type Counts = {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
};

/** Answered to a signature that is not right; few of many are noted. */
export const WRONG_SIGNATURE = 401;

/** Errors of one delivery that are answered and kept. */
export const MOST_ERRORS = 20;

/**
 * A delivery that came in. `at`: epoch ms. `request`: the HTTP request it came by. `status`: of the
 * answer. `ignored`: items past those that one delivery may have. `signatureHeader`: the one that was right;
 * null: it was not signed. `repeats`: the same body came within ten minutes. `body`: where it is kept for a
 * while; null: nowhere. `replayOf`: the delivery whose body this is again; null: it came from outside; and
 * `arrivedAt`: when that body first came.
 */
export type Taken = Counts & {
  readonly deliveryId: string;
  readonly at: number;
  readonly request: string | null;
  readonly kind: DeliveryKind;
  readonly status: number;
  readonly code: string | null;
  readonly ignored: number;
  readonly bytes: number;
  readonly signatureHeader: string | null;
  readonly repeats: boolean;
  readonly errors: readonly ItemFault[];
  readonly replayOf: string | null;
  readonly arrivedAt?: number;
  readonly body: string | null;
};
/** Those of one source that came within a moment, in the order in which they were answered. */
export type WebhookDeliveriesTaken = Message<
  'WebhookDeliveriesTaken',
  {
    readonly workspace: string;
    readonly sourceId: string;
    readonly momentId: string;
    readonly deliveries: readonly Taken[];
  }
>;
/** One that came in, as it was noted before they were noted together. */
export type WebhookDelivered = Message<
  'WebhookDelivered',
  Omit<Taken, 'at' | 'request'> & { readonly workspace: string; readonly sourceId: string }
>;
/** One whose signature was not right, as it was noted before they were noted together. */
export type WebhookRefused = Message<
  'WebhookRefused',
  {
    readonly workspace: string;
    readonly sourceId: string;
    readonly deliveryId: string;
    readonly kind: DeliveryKind;
    readonly status: number;
    readonly code: string;
    readonly message: string;
    readonly bytes: number;
    readonly signatureHeader: string | null;
  }
>;
export type DeliveryFact = WebhookDeliveriesTaken | WebhookDelivered | WebhookRefused;

export type NoteDeliveries = Message<'NoteDeliveries', { readonly fact: WebhookDeliveriesTaken }>;

/** A delivery tells which moment it is of: what is behind the last hyphen is its place in it. */
export const deliveryIdIn = (momentId: string, nth: number): string => `${momentId}-${nth}`;
export const momentOf = (deliveryId: string): string => {
  const end = deliveryId.lastIndexOf('-');
  return end === -1 ? deliveryId : deliveryId.slice(0, end);
};

/** Each moment has a journal of its own, with one fact. */
export const webhookDeliveries: Decider<NoteDeliveries, DeliveryFact, { readonly noted: boolean }> = {
  category: 'webhook_delivery',
  idOf: ({ data: { fact } }) => `${fact.data.workspace}.${fact.data.momentId}`,
  initialState: { noted: false },
  decide: ({ data: { fact } }, { noted }) => (noted ? [] : [fact]),
  evolve: () => ({ noted: true }),
};
