import type { Preferences } from '../../domain/notifications/preferences.js';
import type { Reader } from '../engine/reader.js';
import type { Where } from '../engine/read-models.js';
import {
  NO_WORKSPACE,
  type InboxDoc,
  type MarkDoc,
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

const MARKS_AT_ONCE = 100;

/** Documents newest first, by a field that says when they were created. */
type List = { readonly where: Where; readonly by: 'created_at' | 'unread_from' };

const workspacesOf = ({ workspace, isLimited }: Looking): readonly string[] =>
  isLimited ? [workspace] : [...new Set([workspace, NO_WORKSPACE])];
const readUpTo = (marks: Marks, workspace: string): number => marks[workspace]?.at(-1)?.before ?? 0;

export const notificationQueries = (read: Reader) => {
  const marksOf = async (uid: string): Promise<Marks> =>
    (await read.get<InboxDoc>('inboxes', uid))?.marks ?? {};
  /**
   * What is unread in one workspace, in two lists: what came behind the last time when all was read, and what
   * was marked as unread since then, which is older.
   */
  const unreadIn = (uid: string, workspace: string, marks: Marks): readonly [List, List] => {
    const mark = readUpTo(marks, workspace);
    const since = { gt: mark };
    return [
      { where: { uid, workspace, unread_from: since }, by: 'unread_from' },
      { where: { uid, workspace, kept_since: since, created_at: { lte: mark } }, by: 'created_at' },
    ];
  };
  const unreadOf = (looking: Looking, marks: Marks): readonly List[] =>
    workspacesOf(looking).flatMap(each => unreadIn(looking.uid, each, marks));
  const countOf = async (lists: readonly List[]): Promise<number> => {
    const counts = await Promise.all(lists.map(({ where }) => read.count('notifications', where)));
    return counts.reduce((sum, count) => sum + count, 0);
  };
  const docsOf = ({ where, by }: List, paging: Paging) =>
    read.find<NotificationDoc>('notifications', {
      where,
      sort: { by: [by, '_id'], descending: true },
      ...paging,
    });
  /**
   * A page of several lists as one. The first is long, and read where the page may lie; of the others what
   * could come before its end is looked through.
   */
  const pageOf = async ([own, ...others]: readonly List[], { limit, offset }: Paging): Promise<Feed> => {
    const [total, ...found] = await Promise.all([
      countOf([own!, ...others]),
      ...others.map(each => docsOf(each, { limit: offset + limit, offset: 0 })),
    ]);
    const apart = found
      .flat()
      .sort(newestFirst)
      .slice(0, offset + limit);
    const skipped = Math.max(0, offset - apart.length);
    const mine = await docsOf(own!, { limit: limit + apart.length, offset: skipped });
    const from = offset - skipped;
    return { items: [...mine, ...apart].sort(newestFirst).slice(from, from + limit), total };
  };

  return {
    /** What somebody's feed shows in a workspace, newest first; and how much of it is unread in all. */
    async feed(looking: Looking, filter: FeedFilter, paging: Paging) {
      const marks = await marksOf(looking.uid);
      const unreads = unreadOf(looking, marks);
      const [found, unreadCount] = await Promise.all([
        filter.unread && filter.archived ? nothing : pageOf(listsOf(looking, filter, unreads), paging),
        countOf(unreads),
      ]);
      return { ...found, unreadCount, marks };
    },
    unreadCount: async (looking: Looking) => countOf(unreadOf(looking, await marksOf(looking.uid))),
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
    /** The first days (UTC) up to one on which something was over that is still here: one, or none. */
    async overUpTo(day: string): Promise<readonly string[]> {
      const where = { over_on: { lte: day } };
      const sort = { by: ['over_on', '_id'] };
      const found = await read.find<NotificationDoc>('notifications', { where, sort, limit: 1 });
      return found.flatMap(({ over_on }) => over_on ?? []);
    },
    /** Times up to a day (UTC) when all was read, of which something may still be here; some of them. */
    marksUpTo: (day: string): Promise<readonly MarkDoc[]> =>
      read.find<MarkDoc>('read_marks', {
        where: { day: { lte: day } },
        sort: { by: ['day', '_id'] },
        limit: MARKS_AT_ONCE,
      }),
    /** Null: they have said nothing. */
    preferences: (uid: string) => read.get<PreferencesDoc>('notification_preferences', uid),
    /** Of those who have said something. */
    async preferencesOf(uids: readonly string[]): Promise<ReadonlyMap<string, Preferences>> {
      const docs = await read.load<PreferencesDoc>('notification_preferences', uids);
      return new Map([...docs].map(([uid, { preferences }]) => [uid, preferences]));
    },
  };
};

/** What is archived is read. */
const nothing: Feed = { items: [], total: 0 };

/** The lists that a look at the feed asks for. */
function listsOf(
  looking: Looking,
  { kind, goalId, unread, archived }: FeedFilter,
  unreads: readonly List[],
): readonly List[] {
  const more = {
    ...(kind !== undefined && { kind }),
    ...(goalId !== undefined && { goal_id: goalId }),
  };
  const { uid } = looking;
  const list = archived ? 'archive' : 'feed';
  const shown = workspacesOf(looking).map(
    (workspace): List => ({ where: { uid, workspace, list }, by: 'created_at' }),
  );
  return (unread ? unreads : shown).map(({ where, by }) => ({ where: { ...where, ...more }, by }));
}

/** When it was read; null: it is unread. */
export function readAt(doc: NotificationDoc, marks: Marks): number | null {
  const { unread_since: since, read_at } = doc;
  if (since === null) return read_at;
  const mark: ReadMark | undefined = marks[doc.workspace]?.find(({ before }) => before >= since);
  return mark?.at ?? null;
}

const newestFirst = (a: NotificationDoc, b: NotificationDoc): number =>
  b.created_at - a.created_at || (a._id < b._id ? 1 : -1);
