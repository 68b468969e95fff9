import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { feedAccess, lookingOf, tag, type NotificationDeps } from './deps.js';
import * as schemas from './schemas.js';
import { notificationView } from './views.js';

/** What the caller was told in a workspace. */
export const feedRows = ({ queries }: NotificationDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/notifications',
    operation: 'listNotifications',
    summary: 'What the caller was told',
    description:
      'Those of the workspace, and those of no workspace, such as invitations; newest first. What was '
      + 'archived is left out. A token that is limited to some workspaces sees '
      + 'those of the workspace alone.',
    tag,
    access: feedAccess,
    query: schemas.feedQuery,
    answers: { 200: { description: 'The feed', schema: schemas.feedAnswer } },
    async run(call) {
      const { query } = call;
      const { page, per_page, kind, goal_id: goalId, unread = false, archived = false } = query;
      const paging = { limit: per_page, offset: (page - 1) * per_page };
      const feed = await queries.feed(lookingOf(call), { kind, goalId, unread, archived }, paging);
      const notifications = feed.items.map(doc => notificationView(doc, feed.marks));
      const unread_count = feed.unreadCount;
      return { body: { data: { notifications, unread_count, ...perPage(query, feed.total) } } };
    },
  }),
  row({
    method: 'get',
    path: '/v1/notifications/unread-count',
    operation: 'countUnreadNotifications',
    summary: 'How many notifications are unread',
    tag,
    access: feedAccess,
    answers: { 200: { description: 'The count', schema: schemas.unreadCountAnswer } },
    run: async call => ({
      body: { data: { unread_count: await queries.unreadCount(lookingOf(call)) } },
    }),
  }),
];
