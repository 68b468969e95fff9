import { fairTurn } from '../fair-turns.js';
import type { Fact } from '../domain/fact.js';
import type { OfGroup } from '../domain/groups/facts.js';
import { deliveriesOf, type Reachable } from '../domain/notifications/delivering.js';
import type { NotificationsRead } from '../domain/notifications/facts.js';
import { dayOf, notificationDays } from '../domain/notifications/forgetting.js';
import { inboxes, inboxId } from '../domain/notifications/inbox.js';
import type { Notice } from '../domain/notifications/notice.js';
import {
  defaultPreferences,
  notificationPreferences,
  type Preferences,
} from '../domain/notifications/preferences.js';
import { MERGED_WITHIN, type InboxState } from '../domain/notifications/standing.js';
import { DAY } from '../domain/time.js';
import type { Context, Handle, Look } from './engine/handle.js';
import { newId } from './engine/ids.js';
import { remembered } from './engine/remembered.js';
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

/** So many facts of inboxes stay in memory, of some 1 kB each. */
const MOST_FACTS = 60_000;

export function notificationCommands({ handle, look }: { readonly handle: Handle; readonly look: Look }) {
  const recent = remembered({ handle, look }, inboxes, { most: MOST_FACTS, weigh: ({ facts }) => 1 + facts });
  // Two notices at once to the same person would each find that the other is not there yet
  const inTurn = turns<void>();

  /** What a repeat may belong to besides what is of its day: within an hour of midnight, the day before. */
  const before = (uid: string, day: string, now: number): Promise<InboxState> | InboxState => {
    const midnight = Date.parse(day);
    return now - midnight < MERGED_WITHIN
      ? recent.load(inboxId(uid, dayOf(midnight - DAY)))
      : inboxes.initialState;
  };

  const raise = (notice: Notice, cause: Cause, to: Recipient, context: Context): Promise<void> =>
    inTurn(to.uid, async () => {
      const { kind, data, goalId, groupKey } = notice;
      const { uid, workspace, preferences, channels, timezone } = to;
      const notificationId = newId('ntf_');
      const decided = deliveriesOf({
        ...{ notificationId, kind, data, channels, timezone, named: notice.channels ?? [] },
        ...{ preferences: preferences ?? defaultPreferences, now: context.at },
      });
      if (!decided.inApp && decided.deliveries.length === 0) return;
      const { id, at, position } = cause;
      const day = dayOf(at);
      const raised = {
        ...{ uid, day, notificationId, kind, data, workspace, goalId, groupKey },
        ...{
          cause: id,
          ...decided,
          position,
          now: context.at,
          yesterday: await before(uid, day, context.at),
        },
      };
      await recent.handle({ type: 'RaiseNotification', data: raised }, { ...context, workspace });
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
      recent.handle({ type: mark, data: { uid, day, notificationId } }, context),
    /**
     * What the workspace's feed shows, as far as it was unread since `before` (epoch ms) or earlier;
     * `isLimited`: nothing that is of no workspace.
     */
    readAll: ({ uid, workspace, isLimited }: Reading, before: number, context: Context) =>
      recent.handle(
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
      return recent.handle({ type: 'ForgetNotifications', data }, context);
    },
    /** What was read by a mark of a day goes for good. */
    forgetRead: (mark: NotificationsRead['data'], context: Context) =>
      recent.handle({ type: 'ForgetReadNotifications', data: mark }, context),
    /** What was read by itself, or archived, on a day (UTC) goes for good. */
    forgetDay: (day: string, context: Context) =>
      handle(notificationDays, { type: 'ForgetNotificationDay', data: { day } }, context),
    /** `seen`: the version that is meant; null: whichever. @throws Rejected 409 */
    setPreferences: (uid: string, preferences: Preferences, seen: number | null, context: Context) =>
      handle(
        notificationPreferences,
        { type: 'SetNotificationPreferences', data: { uid, preferences, seen } },
        context,
      ),
  };
}
