import { journalOf, type Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { Rejected } from '../rejected.js';
import { DAY, iso } from '../time.js';
import { organizationOf } from './belonging.js';
import type { InboxFact, NotificationRaised, NotificationsForgotten, NotificationsRead } from './facts.js';
import { MERGED_WITHIN, openIn, standingIn, type InboxState, type Standing } from './standing.js';

type OfInbox = { readonly uid: string; readonly day: string };

/** `position`: of the fact that is told of; null: of something that no fact says. `now`: epoch ms. */
type RaiseNotification = Message<
  'RaiseNotification',
  NotificationRaised['data'] & { readonly position: number | null; readonly now: number }
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
export type InboxCommand = RaiseNotification | MarkNotification | ReadNotifications | ForgetNotifications;

/**
 * An inbox is in parts, one for each day (UTC) of what is told, so that no journal grows for ever and a cause
 * always finds the part that knows it. `at`: epoch ms.
 */
export const dayOf = (at: number): string => iso(at).slice(0, 10);
export const inboxId = (uid: string, day: string): string => `${uid}.${day}`;

/** What one user was told on one day, and what they did with it. */
export const inboxes: Decider<InboxCommand, InboxFact, InboxState> = {
  category: 'inbox',
  idOf: ({ data: { uid, day } }) => inboxId(uid, day),
  initialState: null,
  decide(command, state) {
    const standing = standingIn(state);
    switch (command.type) {
      case 'RaiseNotification':
        return raise(command, standing);
      case 'ReadNotifications':
        return standing.read(command.data) ? [] : [{ type: 'NotificationsRead', data: command.data }];
      case 'ForgetNotifications':
        return standing.upTo(command.data) >= command.data.upTo
          ? []
          : [{ type: 'NotificationsForgotten', data: command.data }];
      default:
        return mark(command, standing);
    }
  },
  evolve: (before, fact) => ({ fact, before }),
  // Within an hour of midnight a repeat may belong to a notification of the day before
  within(_, __, command) {
    if (command?.type !== 'RaiseNotification') return [];
    const { uid, day, now } = command.data;
    const midnight = Date.parse(day);
    const yesterday = inboxId(uid, dayOf(midnight - DAY));
    return now - midnight < MERGED_WITHIN ? [journalOf(inboxes, yesterday)] : [];
  },
};

function raise({ data }: RaiseNotification, standing: Standing): readonly InboxFact[] {
  const { position, now, ...raised } = data;
  const { uid, day, cause, workspace } = raised;
  const of = { workspace, organization: organizationOf(raised) };
  if (standing.causes.has(cause)) return [];
  if (position !== null && position < standing.upTo(of)) return [];
  const notificationId = openIn(standing, raised, now);
  return notificationId === null
    ? [{ type: 'NotificationRaised', data: raised }]
    : [{ type: 'NotificationRepeated', data: { uid, day, notificationId, cause, data: raised.data } }];
}

export const notificationNotFound = (): Rejected =>
  new Rejected('missing', 'not_found', 'Notification not found');

function mark({ type, data }: MarkNotification, standing: Standing): readonly InboxFact[] {
  const item = standing.items.get(data.notificationId);
  if (!item) throw notificationNotFound();
  switch (type) {
    case 'MarkNotificationRead':
      return item.unreadSince === null ? [] : [{ type: 'NotificationRead', data }];
    case 'ArchiveNotification':
      return item.archived ? [] : [{ type: 'NotificationArchived', data }];
    // That all were read on a later day is not known here: it is said once more then
    case 'MarkNotificationUnread':
      return [{ type: 'NotificationUnread', data }];
  }
}
