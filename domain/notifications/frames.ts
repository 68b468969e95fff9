import type { Fact } from '../fact.js';
import type { Frames } from '../realtime/frame.js';
import type { NotificationRaised } from './facts.js';

/** How much somebody has not read in a workspace, and of none; '': of none alone. */
export type CountUnread = (uid: string, workspace: string) => Promise<number>;

/** What is told of notifications: to whom they are. */
export const notificationFrames = (unread: CountUnread): Frames => ({
  NotificationRaised: {
    event: 'notification.created',
    channels: ({ data }: Fact<NotificationRaised>) => (data.inApp ? [`user:${data.uid}`] : []),
    data: async ({ data: { uid, notificationId, kind, workspace } }: Fact<NotificationRaised>) => ({
      ...{ notification_id: notificationId, kind },
      unread_count: await unread(uid, workspace ?? ''),
    }),
  },
});
