import { fairTurn } from '../fair-turns.js';
import type { Fact } from '../domain/fact.js';
import type { OfGroup } from '../domain/groups/facts.js';
import { deliveriesOf, type Reachable } from '../domain/notifications/delivering.js';
import { dayOf, inboxes } from '../domain/notifications/inbox.js';
import type { Notice } from '../domain/notifications/notice.js';
import {
  defaultPreferences,
  notificationPreferences,
  type Preferences,
} from '../domain/notifications/preferences.js';
import type { Context, Handle } from './engine/handle.js';
import { newId } from './engine/ids.js';
import { turns } from './engine/turns.js';

/** Somebody who is told, and how they want to be. `workspace`: whose it is to them; null: of none. */
export type Recipient = {
  readonly uid: string;
  readonly workspace: string | null;
  /** Null: the defaults. */
  readonly preferences: Preferences | null;
  readonly channels: readonly Reachable[];
  /** Of their profile. */
  readonly timezone: string;
};

/** What is told of: once for each `id`, however often it is tried. `at`: when it happened, epoch ms. */
export type Cause = {
  readonly id: string;
  readonly at: number;
  /** Of the fact; null where no fact says it. */
  readonly position: number | null;
};

type Reading = { readonly uid: string; readonly workspace: string; readonly isLimited: boolean };
type OneNotification = { readonly uid: string; readonly day: string; readonly notificationId: string };
export type Mark = 'MarkNotificationRead' | 'MarkNotificationUnread' | 'ArchiveNotification';
export type NotificationCommands = ReturnType<typeof notificationCommands>;

export function notificationCommands(handle: Handle) {
  // Two notices at once to the same person would each find that the other is not there yet
  const inTurn = turns<void>();

  const raise = (notice: Notice, cause: Cause, to: Recipient, context: Context): Promise<void> =>
    inTurn(to.uid, async () => {
      const { kind, data, goalId, groupKey } = notice;
      const { uid, workspace, preferences, channels, timezone } = to;
      const notificationId = newId('ntf_');
      const decided = deliveriesOf({
        ...{ notificationId, kind, data, channels, timezone },
        ...{ preferences: preferences ?? defaultPreferences, now: context.at },
      });
      if (!decided.inApp && decided.deliveries.length === 0) return;
      const { id, at, position } = cause;
      const raised = {
        ...{ uid, day: dayOf(at), notificationId, kind, data, workspace, goalId, groupKey },
        ...{ cause: id, ...decided, position, now: context.at },
      };
      await handle(inboxes, { type: 'RaiseNotification', data: raised }, { ...context, workspace });
    });

  return {
    /** Tells all of them, page by page, each page in a turn that is fair among workspaces. */
    async tell(
      notice: Notice,
      cause: Cause,
      recipients: AsyncIterable<readonly Recipient[]>,
      context: Context,
    ): Promise<void> {
      for await (const page of recipients) {
        await fairTurn(context.workspace ?? '');
        await Promise.all(page.map(to => raise(notice, cause, to, context)));
      }
    },
    mark: (mark: Mark, { uid, day, notificationId }: OneNotification, context: Context) =>
      handle(inboxes, { type: mark, data: { uid, day, notificationId } }, context),
    /**
     * What the workspace's feed shows, as far as it was unread since `before` (epoch ms) or earlier;
     * `isLimited`: nothing that is of no workspace.
     */
    readAll: ({ uid, workspace, isLimited }: Reading, before: number, context: Context) =>
      handle(
        inboxes,
        {
          type: 'ReadNotifications',
          data: { uid, day: dayOf(context.at), workspace, before, ...(isLimited && { alone: true }) },
        },
        context,
      ),
    /** `left`: when, and by the fact at which position, they left it. */
    forget: (uid: string, group: OfGroup, left: Pick<Fact, 'at' | 'position'>, context: Context) => {
      const of =
        group.kind === 'workspace'
          ? { workspace: group.groupId }
          : { workspace: null, organization: group.groupId };
      const data = { uid, day: dayOf(left.at), ...of, upTo: left.position };
      return handle(inboxes, { type: 'ForgetNotifications', data }, context);
    },
    setPreferences: (uid: string, preferences: Preferences, context: Context) =>
      handle(
        notificationPreferences,
        { type: 'SetNotificationPreferences', data: { uid, preferences } },
        context,
      ),
  };
}
