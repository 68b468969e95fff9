import type { Fact } from '../fact.js';
import type { Frames } from '../realtime/frame.js';
import { organizationOf } from './belonging.js';
import type { NotificationRaised } from './facts.js';

/**
 * How much somebody has not read in a workspace and, unless it `isLimited`, of none; '': of none alone.
 */
export type CountUnread = (looking: {
  readonly uid: string;
  readonly workspace: string;
  readonly isLimited: boolean;
}) => Promise<number>;
/** Somebody, and something that they were told; `workspace` null or '': of none. */
export type ToldTo = Pick<NotificationRaised['data'], 'uid' | 'kind' | 'workspace'> & {
  readonly organization: string | null;
};
type Deps = {
  readonly unread: CountUnread;
  /** Whether it may be told them still. */
  readonly isTheirs: (told: ToldTo) => Promise<boolean>;
};

/** What is told of notifications: to whom they are. */
export const notificationFrames = ({ unread, isTheirs }: Deps): Frames => ({
  NotificationRaised: {
    event: 'notification.created',
    channels: ({ data }: Fact<NotificationRaised>) => (data.inApp ? [`user:${data.uid}`] : []),
    async data({ data }: Fact<NotificationRaised>) {
      const { uid, notificationId, kind, workspace } = data;
      if (!(await isTheirs({ uid, kind, workspace, organization: organizationOf(data) }))) return null;
      const unread_count = await unread({ uid, workspace: workspace ?? '', isLimited: false });
      return { notification_id: notificationId, kind, unread_count };
    },
    limited: async ({ data: { uid, workspace } }: Fact<NotificationRaised>) => ({
      unread_count: await unread({ uid, workspace: workspace ?? '', isLimited: true }),
    }),
  },
});
