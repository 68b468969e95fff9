import type { Message } from '../fact.js';

/** `day`: of the part of the inbox that it lies in, as `dayOf` of `inbox.ts` says it. */
type OfInbox = { readonly uid: string; readonly day: string };
type OfNotification = OfInbox & { readonly notificationId: string };

/**
 * A message that is to leave by one channel of the user, not before a time (epoch ms). Messages of one
 * `deliveryId` are one message: a digest collects all until its time has come.
 */
export type Delivery = {
  readonly deliveryId: string;
  readonly channelId: string;
  readonly notBefore: number;
  readonly digest: boolean;
};

/** What somebody is told of, as its table of kinds takes it. `workspace`: null where it is of none. */
export type Told = {
  readonly kind: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly workspace: string | null;
  readonly goalId: string | null;
  readonly groupKey: string;
};

/**
 * `cause`: what it tells of, once and never again. `inApp`: whether the feed shows it; if not, it was raised
 * for its deliveries alone.
 */
export type NotificationRaised = Message<
  'NotificationRaised',
  OfNotification &
    Told & {
      readonly cause: string;
      readonly inApp: boolean;
      readonly deliveries: readonly Delivery[];
    }
>;
/** Another of the same group within the hour, while it was unread: it counts one more and says this. */
export type NotificationRepeated = Message<
  'NotificationRepeated',
  OfNotification & { readonly cause: string; readonly data: Told['data'] }
>;
export type NotificationRead = Message<'NotificationRead', OfNotification>;
/** Also one that was archived: it is in the feed again. */
export type NotificationUnread = Message<'NotificationUnread', OfNotification>;
export type NotificationArchived = Message<'NotificationArchived', OfNotification>;
/**
 * All of the workspace, and all of none, that were unread since `before` (epoch ms) or earlier are read.
 * `alone`: those of the workspace, and no others.
 */
export type NotificationsRead = Message<
  'NotificationsRead',
  OfInbox & { readonly workspace: string; readonly before: number; readonly alone?: true }
>;
/**
 * Who left the workspace, or the organization (`workspace` is null then), has nothing of it any more. Who no
 * longer looks after an organization has left it here, too. `upTo`: position of the fact that they left by.
 */
export type NotificationsForgotten = Message<
  'NotificationsForgotten',
  OfInbox & { readonly workspace: string | null; readonly organization?: string; readonly upTo: number }
>;

/** What was read by such a mark is no longer shown. `day`: of the part of the inbox that the mark lies in. */
export type ReadNotificationsForgotten = Message<'ReadNotificationsForgotten', NotificationsRead['data']>;

export type InboxFact =
  | NotificationRaised
  | NotificationRepeated
  | NotificationRead
  | NotificationUnread
  | NotificationArchived
  | NotificationsRead
  | NotificationsForgotten
  | ReadNotificationsForgotten;
