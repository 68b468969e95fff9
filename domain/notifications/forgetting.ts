import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { DAY, iso } from '../time.js';

/** What was read or archived is shown for so long after. */
export const READ_KEPT_FOR = 90 * DAY;
/** Deliveries are shown for so long after they ended or were parked. */
export const DELIVERIES_KEPT_FOR = 30 * DAY;

/** The day (UTC) of a time, as `2026-03-27`. */
export const dayOf = (at: number): string => iso(at).slice(0, 10);

type OfDay = { readonly day: string };
/** What was read by itself, or archived, on a day (UTC) is no longer shown, of all users together. */
export type NotificationDayForgotten = Message<'NotificationDayForgotten', OfDay>;
export type ForgetNotificationDay = Message<'ForgetNotificationDay', OfDay>;
/** Deliveries that ended, or were parked, on a day (UTC) are no longer shown, of all users together. */
export type DeliveryDayForgotten = Message<'DeliveryDayForgotten', OfDay>;
export type ForgetDeliveryDay = Message<'ForgetDeliveryDay', OfDay>;

/** Days that are forgotten once each. */
const days = <C extends Message<string, OfDay>, E extends Message>(
  category: string,
  forgotten: (data: OfDay) => E,
): Decider<C, E, { readonly isForgotten: boolean }> => ({
  category,
  idOf: ({ data }) => data.day,
  initialState: { isForgotten: false },
  decide: ({ data }, { isForgotten }) => (isForgotten ? [] : [forgotten(data)]),
  evolve: () => ({ isForgotten: true }),
});

export const notificationDays = days<ForgetNotificationDay, NotificationDayForgotten>(
  'notification_day',
  data => ({ type: 'NotificationDayForgotten', data }),
);
export const deliveryDays = days<ForgetDeliveryDay, DeliveryDayForgotten>('delivery_day', data => ({
  type: 'DeliveryDayForgotten',
  data,
}));
