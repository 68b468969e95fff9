import type { Fact } from '../../domain/fact.js';
import type {
  InboxFact,
  NotificationArchived,
  NotificationRead,
  NotificationRepeated,
  NotificationsForgotten,
  NotificationsRead,
  NotificationUnread,
  ReadNotificationsForgotten,
} from '../../domain/notifications/facts.js';
import { dayOf, type NotificationDayForgotten } from '../../domain/notifications/forgetting.js';
import type { NotificationPreferencesSet } from '../../domain/notifications/preferences.js';
import { markId } from '../../domain/notifications/standing.js';
import type { UserErased } from '../../domain/users/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import {
  NO_WORKSPACE,
  preferencesAfter,
  raised,
  read,
  repeated,
  unread,
  type InboxDoc,
  type MarkDoc,
  type NotificationDoc,
  type PreferencesDoc,
  type ReadMark,
} from './documents.js';

type Docs = {
  notifications: NotificationDoc;
  read_marks: MarkDoc;
  inboxes: InboxDoc;
  notification_preferences: PreferencesDoc;
};
type Shown = InboxFact | NotificationDayForgotten | NotificationPreferencesSet | UserErased;
const ofInbox: readonly string[] = [
  'NotificationsRead',
  'NotificationsForgotten',
  'UserErased',
] satisfies Shown['type'][];
const ofPreferences: readonly string[] = [
  'NotificationPreferencesSet',
  'UserErased',
] satisfies Shown['type'][];

/** What people were told, what of it they read, and how they want to be told. */
export const notificationsProjection: Projection = projection<Docs, Shown>({
  name: 'notifications',
  version: 6,
  carries: [4, 5],
  collections: {
    notifications: {
      indexes: [
        ['uid', 'workspace', 'list', 'created_at', '_id'],
        ['uid', 'workspace', 'unread_from', '_id'],
        ['uid', 'workspace', 'kept_since'],
        ['uid', 'told_at', '_id'],
        ['uid', 'organization'],
        ['uid', 'workspace', 'unread_since'],
        ['over_on', '_id'],
      ],
      idOf: ({ data }) => ('notificationId' in data ? data.notificationId : null),
    },
    read_marks: {
      indexes: [['day', '_id'], ['uid']],
      idOf: ({ data }) => ('before' in data ? `${data.uid}.${markId(data)}` : null),
    },
    inboxes: {
      indexes: [],
      idOf: ({ type, data }) => ('uid' in data && ofInbox.includes(type) ? data.uid : null),
    },
    notification_preferences: {
      indexes: [],
      idOf: ({ type, data }) => ('uid' in data && ofPreferences.includes(type) ? data.uid : null),
    },
  },
  on: {
    NotificationRaised: (_, fact) => ({ notifications: raised(fact) }),
    NotificationRepeated: (before, fact: Fact<NotificationRepeated>) =>
      became(before, doc => repeated(doc, fact)),
    NotificationRead: (before, { at }: Fact<NotificationRead>) =>
      became(before, () => ({ ...read, read_at: at, over_on: dayOf(at) })),
    NotificationUnread: (before, { at }: Fact<NotificationUnread>) => became(before, doc => unread(doc, at)),
    NotificationArchived: (before, { at }: Fact<NotificationArchived>) =>
      became(before, ({ in_app, read_at }) => ({
        ...{ ...read, read_at: read_at ?? at, archived_at: at, over_on: dayOf(at) },
        list: in_app ? 'archive' : null,
      })),
    NotificationsRead: ({ inboxes }, fact) => ({
      inboxes: allRead(inboxes, fact),
      read_marks: markOf(fact),
    }),
    ReadNotificationsForgotten: () => ({ read_marks: null }),
    // Who was erased meanwhile has no inbox
    NotificationsForgotten: ({ inboxes }, fact) => (inboxes ? { inboxes: forgotten(inboxes, fact) } : {}),
    NotificationPreferencesSet: ({ notification_preferences: was }, { data }) => preferencesAfter(was, data),
    UserErased: () => ({ inboxes: null, notification_preferences: null }),
  },
  sweeps: {
    NotificationDayForgotten: ({ data: { day } }) => ({ notifications: { over_on: day } }),
    ReadNotificationsForgotten: ({ data }: Fact<ReadNotificationsForgotten>) => ({
      notifications: {
        ...{ uid: data.uid, workspace: { in: readBy(data) } },
        unread_since: { lte: data.before },
      },
    }),
    NotificationsForgotten: ({ data: { uid, workspace, organization } }) => ({
      notifications: organization === undefined ? { uid, workspace } : { uid, organization },
    }),
    UserErased: ({ data: { uid } }) => ({ notifications: { uid }, read_marks: { uid } }),
  },
});

const became = (
  { notifications: doc }: Before<Docs>,
  changes: (doc: NotificationDoc) => Partial<NotificationDoc>,
): After<Docs> => (doc ? { notifications: { ...doc, ...changes(doc) } } : {});

/** So many times of reading all are told apart, of each workspace; what was read before counts with them. */
const MARKS = 50;

/** The workspace's feed shows what is of no workspace, too, unless to tokens that are limited. */
function allRead(inbox: InboxDoc | null, { data, at }: Fact<NotificationsRead>): InboxDoc {
  const mark = { before: data.before, at };
  const marks = { ...inbox?.marks };
  for (const workspace of readBy(data)) marks[workspace] = marked(marks[workspace], mark);
  return { _id: data.uid, marks };
}

const readBy = ({ workspace, alone }: NotificationsRead['data']): readonly string[] =>
  alone ? [workspace] : [workspace, NO_WORKSPACE];

const markOf = ({ data }: Fact<NotificationsRead>): MarkDoc => ({
  _id: `${data.uid}.${markId(data)}`,
  ...{ uid: data.uid, day: data.day, workspace: data.workspace },
  ...{ before: data.before, alone: data.alone ?? false },
});

function marked(marks: readonly ReadMark[] = [], mark: ReadMark): readonly ReadMark[] {
  const last = marks.at(-1);
  return last && last.before >= mark.before ? marks : [...marks.slice(1 - MARKS), mark];
}

function forgotten(inbox: InboxDoc, { data }: Fact<NotificationsForgotten>): InboxDoc {
  if (data.workspace === null) return inbox;
  const { [data.workspace]: _, ...marks } = inbox.marks;
  return { _id: data.uid, marks };
}
