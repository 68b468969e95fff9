import type { Mark } from '../../commands/notifications.js';
import { notificationNotFound } from '../../domain/notifications/inbox.js';
import { iso } from '../../domain/time.js';
import { readAt } from '../../projections/notifications/queries.js';
import { contextOf } from '../edge/context.js';
import { row, type Row } from '../edge/row.js';
import { timeIn } from '../edge/times.js';
import { feedAccess, lookingOf, tag, type NotificationDeps } from './deps.js';
import * as schemas from './schemas.js';
import { notificationView } from './views.js';

/** Reading, keeping unread and putting away. */
export const markRows = (deps: NotificationDeps): Row[] => [
  markRow(deps, 'MarkNotificationRead', {
    verb: 'read',
    operation: 'readNotification',
    summary: 'Mark a notification as read',
  }),
  markRow(deps, 'MarkNotificationUnread', {
    verb: 'unread',
    operation: 'unreadNotification',
    summary: 'Mark a notification as unread; one that was archived is in the feed again',
  }),
  markRow(deps, 'ArchiveNotification', {
    verb: 'archive',
    operation: 'archiveNotification',
    summary: 'Take a notification out of the feed; it counts as read',
  }),
  readAllRow(deps),
];

type Named = { readonly verb: string; readonly operation: string; readonly summary: string };

function markRow({ commands, queries, clock, visible }: NotificationDeps, mark: Mark, named: Named): Row {
  const { verb, operation, summary } = named;
  return row({
    method: 'post',
    path: `/v1/notifications/{notification_id}/${verb}`,
    ...{ operation, summary, tag },
    access: feedAccess,
    params: schemas.oneParams,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The notification as it is now', schema: schemas.markedAnswer } },
    async run(call) {
      const { params } = call;
      const found = async () => {
        const one = await queries.notification(lookingOf(call), params.notification_id);
        if (!one) throw notificationNotFound();
        return one;
      };
      const { doc, marks } = await found();
      const isSo = mark === 'MarkNotificationUnread' && readAt(doc, marks) === null;
      if (!isSo) {
        const { uid, day, _id: notificationId } = doc;
        const { position } = await commands.mark(
          mark,
          { uid, day, notificationId },
          contextOf(call, clock()),
        );
        await visible(position);
      }
      const now = await found();
      return { body: { status: 'ok', data: notificationView(now.doc, now.marks) } };
    },
  });
}

function readAllRow({ commands, queries, clock, visible }: NotificationDeps): Row {
  return row({
    method: 'post',
    path: '/v1/notifications/read-all',
    operation: 'readAllNotifications',
    summary: 'Mark all of the feed as read, or all up to a time',
    description: 'What was marked as unread again after `before` stays unread.',
    tag,
    access: feedAccess,
    body: schemas.readAllBody,
    answers: { 200: { description: 'They are read', schema: schemas.readAllAnswer } },
    async run(call) {
      const looking = lookingOf(call);
      const now = clock();
      const { before: given } = call.body;
      const before = given === undefined ? now : Math.min(timeIn(given, ['body', 'before']), now);
      const { position } = await commands.readAll(looking, before, contextOf(call, now));
      await visible(position);
      const unread_count = await queries.unreadCount(looking);
      return { body: { status: 'ok', before: iso(before), unread_count } };
    },
  });
}
