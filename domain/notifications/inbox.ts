import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import { organizationOf } from './belonging.js';
import type {
  InboxFact,
  NotificationRaised,
  NotificationsForgotten,
  NotificationsRead,
  ReadNotificationsForgotten,
} from './facts.js';
import {
  allRead,
  evolve,
  initialState,
  isUnread,
  itemIn,
  leftAt,
  markId,
  openIn,
  type InboxState,
} from './standing.js';

type OfInbox = { readonly uid: string; readonly day: string };

/**
 * `position`: of the fact that is told of; null: of something that no fact says. `now`: epoch ms.
 * `yesterday`: what stands of the day before, where a repeat may belong to that.
 */
type RaiseNotification = Message<
  'RaiseNotification',
  NotificationRaised['data'] & {
    readonly position: number | null;
    readonly now: number;
    readonly yesterday: InboxState;
  }
>;
type MarkNotification = Message<
  'MarkNotificationRead' | 'MarkNotificationUnread' | 'ArchiveNotification',
  OfInbox & { readonly notificationId: string }
>;
type ReadNotifications = Message<
  'ReadNotifications',
  OfInbox & Omit<NotificationsRead['data'], keyof OfInbox>
>;
type ForgetNotifications = Message<'ForgetNotifications', NotificationsForgotten['data']>;
type ForgetReadNotifications = Message<'ForgetReadNotifications', ReadNotificationsForgotten['data']>;
export type InboxCommand =
  | RaiseNotification
  | MarkNotification
  | ReadNotifications
  | ForgetNotifications
  | ForgetReadNotifications;

/**
 * An inbox is in parts, one for each day (UTC) of what is told, so that no journal grows for ever and a cause
 * always finds the part that knows it.
 */
export const inboxId = (uid: string, day: string): string => `${uid}.${day}`;

/** What one user was told on one day, and what they did with it. */
export const inboxes: Decider<InboxCommand, InboxFact, InboxState> = {
  category: 'inbox',
  idOf: ({ data: { uid, day } }) => inboxId(uid, day),
  initialState,
  decide(command, state) {
    switch (command.type) {
      case 'RaiseNotification':
        return raise(command, state);
      case 'ReadNotifications':
        return allRead(state, command.data) ? [] : [{ type: 'NotificationsRead', data: command.data }];
      case 'ForgetNotifications':
        return leftAt(state, command.data) >= command.data.upTo
          ? []
          : [{ type: 'NotificationsForgotten', data: command.data }];
      case 'ForgetReadNotifications':
        return state.readForgotten.has(markId(command.data))
          ? []
          : [{ type: 'ReadNotificationsForgotten', data: command.data }];
      default:
        return mark(command, state);
    }
  },
  evolve,
};

function raise({ data }: RaiseNotification, today: InboxState): readonly InboxFact[] {
  const { position, now, yesterday, ...raised } = data;
  const { uid, day, cause, workspace } = raised;
  const of = { workspace, organization: organizationOf(raised) };
  if (today.causes.has(cause)) return [];
  const left = Math.max(leftAt(yesterday, of), leftAt(today, of));
  if (position !== null && position < left) return [];
  const notificationId = openIn(yesterday, today, raised, now);
  return notificationId === null
    ? [{ type: 'NotificationRaised', data: raised }]
    : [{ type: 'NotificationRepeated', data: { uid, day, notificationId, cause, data: raised.data } }];
}

export const notificationNotFound = (): Rejected =>
  new Rejected('missing', 'not_found', 'Notification not found');

function mark({ type, data }: MarkNotification, state: InboxState): readonly InboxFact[] {
  const item = itemIn(state, data.notificationId);
  if (!item) throw notificationNotFound();
  switch (type) {
    case 'MarkNotificationRead':
      return isUnread(state, item) ? [{ type: 'NotificationRead', data }] : [];
    case 'ArchiveNotification':
      return item.archived ? [] : [{ type: 'NotificationArchived', data }];
    // That all were read on a later day is not known here: it is said once more then
    case 'MarkNotificationUnread':
      return [{ type: 'NotificationUnread', data }];
  }
}
