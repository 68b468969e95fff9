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

/**
 * A signed delivery that came in. `status`: of the answer. `ignored`: items past those that one delivery may
 * have. `signatureHeader`: the one that was right; null: it was not signed. `repeats`: the same body came
 * within ten minutes. `body`: where it is kept for a while; null: nowhere. `replayOf`: the delivery whose
 * body this is again; null: it came from outside.
 */
export type WebhookDelivered = Message<
  'WebhookDelivered',
  Counts & {
    readonly workspace: string;
    readonly sourceId: string;
    readonly deliveryId: string;
    readonly kind: DeliveryKind;
    readonly status: number;
    readonly code: string | null;
    readonly ignored: number;
    readonly bytes: number;
    readonly signatureHeader: string | null;
    readonly repeats: boolean;
    readonly errors: readonly ItemFault[];
    readonly replayOf: string | null;
    readonly body: string | null;
  }
>;
/** One whose signature was not right; few of many are noted. */
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
export type DeliveryFact = WebhookDelivered | WebhookRefused;

/** Errors of one delivery that are answered and kept. */
export const MOST_ERRORS = 20;

export type NoteDelivery = Message<'NoteDelivery', { readonly fact: DeliveryFact }>;

/** Each delivery has a journal of its own, with one fact. */
export const webhookDeliveries: Decider<NoteDelivery, DeliveryFact, { readonly noted: boolean }> = {
  category: 'webhook_delivery',
  idOf: ({ data: { fact } }) => `${fact.data.workspace}.${fact.data.deliveryId}`,
  initialState: { noted: false },
  decide: ({ data: { fact } }, { noted }) => (noted ? [] : [fact]),
  evolve: () => ({ noted: true }),
};
