import type { Preferences } from '../../domain/notifications/preferences.js';
import type { Reader } from '../engine/reader.js';
import type { Where } from '../engine/read-models.js';
import {
  NO_WORKSPACE,
  type InboxDoc,
  type NotificationDoc,
  type PreferencesDoc,
  type ReadMark,
} from './documents.js';

/** `kind`, `goalId`: undefined: any. `archived`: what was archived, and nothing else. */
export type FeedFilter = {
  readonly kind?: string | undefined;
  readonly goalId?: string | undefined;
  readonly unread: boolean;
  readonly archived: boolean;
};
/**
 * In which feed somebody looks. `isLimited`: with a token that is limited to some workspaces: what is of no
 * workspace is none of it.
 */
export type Looking = { readonly uid: string; readonly workspace: string; readonly isLimited: boolean };
type Paging = { readonly limit: number; readonly offset: number };
export type Feed = { readonly items: readonly NotificationDoc[]; readonly total: number };
export type NotificationQueries = ReturnType<typeof notificationQueries>;
type Marks = InboxDoc['marks'];

const newestFirst = { by: ['created_at', '_id'], descending: true } as const;
const workspacesOf = ({ workspace, isLimited }: Looking): readonly string[] =>
  isLimited ? [workspace] : [...new Set([workspace, NO_WORKSPACE])];
const readUpTo = (marks: Marks, workspace: string): number => marks[workspace]?.at(-1)?.before ?? 0;

export const notificationQueries = (read: Reader) => {
  const marksOf = async (uid: string): Promise<Marks> =>
    (await read.get<InboxDoc>('inboxes', uid))?.marks ?? {};
  const unreadIn = (uid: string, workspace: string, marks: Marks): Where => ({
    ...{ uid, workspace, shown: true },
    unread_since: { gt: readUpTo(marks, workspace) },
  });
  const page = async (where: Where, paging: Paging): Promise<Feed> => {
    const [items, total] = await Promise.all([
      read.find<NotificationDoc>('notifications', { where, sort: newestFirst, ...paging }),
      read.count('notifications', where),
    ]);
    return { items, total };
  };
  /** What is unread of a workspace and of none counts by marks of its own: two lists are made one. */
  const unreadPage = async (looking: Looking, marks: Marks, more: Where, paging: Paging) => {
    const { uid, workspace, isLimited } = looking;
    if (isLimited) return page({ ...unreadIn(uid, workspace, marks), ...more }, paging);
    const apart = await read.find<NotificationDoc>('notifications', {
      where: { ...unreadIn(uid, NO_WORKSPACE, marks), ...more },
      sort: newestFirst,
    });
    const offset = Math.max(0, paging.offset - apart.length);
    const limit = paging.limit + apart.length;
    const own = await page({ ...unreadIn(uid, workspace, marks), ...more }, { offset, limit });
    const places = [
      ...own.items.map((doc, i) => ({ doc, at: offset + i + countNewer(apart, doc) })),
      ...apart.map((doc, i) => ({ doc, at: i + offset + countNewer(own.items, doc) })),
    ];
    const inPage = places.filter(({ at }) => at >= paging.offset && at < paging.offset + paging.limit);
    const items = inPage.sort((a, b) => a.at - b.at).map(({ doc }) => doc);
    return { items, total: own.total + apart.length };
  };
  const unreadCount = async (looking: Looking, marks: Marks): Promise<number> => {
    const counts = workspacesOf(looking).map(each =>
      read.count('notifications', unreadIn(looking.uid, each, marks)),
    );
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };

  return {
    /** What somebody's feed shows in a workspace, newest first; and how much of it is unread in all. */
    async feed(looking: Looking, filter: FeedFilter, paging: Paging) {
      const { uid } = looking;
      const marks = await marksOf(uid);
      const { kind, goalId, unread, archived } = filter;
      const more = {
        ...(kind !== undefined && { kind }),
        ...(goalId !== undefined && { goal_id: goalId }),
      };
      const shown: Where = {
        ...{ uid, workspace: { in: workspacesOf(looking) }, ...more },
        ...(archived ? { in_app: true, archived_at: { gte: 0 } } : { shown: true }),
      };
      const [found, unreads] = await Promise.all([
        unread && !archived ? unreadPage(looking, marks, more, paging) : page(shown, paging),
        unreadCount(looking, marks),
      ]);
      const total = unread && archived ? { items: [], total: 0 } : found;
      return { ...total, unreadCount: unreads, marks };
    },
    unreadCount: async (looking: Looking) => unreadCount(looking, await marksOf(looking.uid)),
    /** Null: it is not in their feed of this workspace, or not at all. */
    async notification(looking: Looking, id: string) {
      const { uid } = looking;
      const [doc, marks] = await Promise.all([read.get<NotificationDoc>('notifications', id), marksOf(uid)]);
      const isTheirs = doc?.uid === uid && workspacesOf(looking).includes(doc.workspace);
      return doc?.in_app && isTheirs ? { doc, marks } : null;
    },
    /** By its id alone, for those who deliver it; null: it is no more. */
    one: (id: string) => read.get<NotificationDoc>('notifications', id),
    marksOf,
    /** What somebody was told behind a position of the log and up to another, in its order. */
    toldSince: (uid: string, position: number, upTo: number, limit: number) =>
      read.find<NotificationDoc>('notifications', {
        where: { uid, told_at: { gt: position, lte: upTo } },
        sort: { by: ['told_at', '_id'] },
        limit,
      }),
    /** The position up to which all that was told is here. */
    upTo: () => read.upTo(),
    /** Of those who have said something. */
    async preferencesOf(uids: readonly string[]): Promise<ReadonlyMap<string, Preferences>> {
      const docs = await read.load<PreferencesDoc>('notification_preferences', uids);
      return new Map([...docs].map(([uid, { preferences }]) => [uid, preferences]));
    },
  };
};

/** When it was read; null: it is unread. */
export function readAt(doc: NotificationDoc, marks: Marks): number | null {
  const { unread_since: since, read_at } = doc;
  if (since === null) return read_at;
  const mark: ReadMark | undefined = marks[doc.workspace]?.find(({ before }) => before >= since);
  return mark?.at ?? null;
}

/** How many of a list come before a document in the order of the feed. */
const countNewer = (list: readonly NotificationDoc[], { created_at, _id }: NotificationDoc): number =>
  list.filter(other => other.created_at > created_at || (other.created_at === created_at && other._id > _id))
    .length;
