import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { DAY, iso } from '../time.js';

/** Deliveries are shown for so long. */
export const DELIVERIES_SHOWN_FOR = 7 * DAY;

/** The day (UTC) of a time, as `2026-03-27`. */
export const dayOf = (at: number): string => iso(at).slice(0, 10);

/** Deliveries of a day (UTC) are no longer shown. */
export type WebhookDayForgotten = Message<'WebhookDayForgotten', { readonly day: string }>;
export type ForgetWebhookDay = Message<'ForgetWebhookDay', { readonly day: string }>;

/** Each day of deliveries is forgotten once, of all workspaces together. */
export const webhookDays: Decider<ForgetWebhookDay, WebhookDayForgotten, { readonly isForgotten: boolean }> =
  {
    category: 'webhook_day',
    idOf: ({ data }) => data.day,
    initialState: { isForgotten: false },
    decide: ({ data }, { isForgotten }) => (isForgotten ? [] : [{ type: 'WebhookDayForgotten', data }]),
    evolve: () => ({ isForgotten: true }),
  };
