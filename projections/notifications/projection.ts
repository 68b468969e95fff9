import type { Fact } from '../../domain/fact.js';
import { organizationOf } from '../../domain/notifications/belonging.js';
import type {
  InboxFact,
  NotificationArchived,
  NotificationRaised,
  NotificationRead,
  NotificationRepeated,
  NotificationsForgotten,
  NotificationsRead,
  NotificationUnread,
} from '../../domain/notifications/facts.js';
import type { NotificationPreferencesSet } from '../../domain/notifications/preferences.js';
import type { UserErased } from '../../domain/users/facts.js';
import { projection, type After, type Before, type Projection } from '../engine/projection.js';
import {
  NO_WORKSPACE,
  type InboxDoc,
  type NotificationDoc,
  type PreferencesDoc,
  type ReadMark,
} from './documents.js';

type Docs = {
  notifications: NotificationDoc;
  inboxes: InboxDoc;
  notification_preferences: PreferencesDoc;
};
type Shown = InboxFact | NotificationPreferencesSet | UserErased;
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
  version: 3,
  collections: {
    notifications: {
      indexes: [
        ['uid', 'workspace', 'list', 'created_at', '_id'],
        ['uid', 'workspace', 'unread_from', '_id'],
        ['uid', 'workspace', 'kept_since'],
        ['uid', 'told_at', '_id'],
        ['uid', 'organization'],
      ],
      idOf: ({ data }) => ('notificationId' in data ? data.notificationId : null),
    },
    inboxes: { indexes: [], idOf: ({ type, data }) => (ofInbox.includes(type) ? data.uid : null) },
    notification_preferences: {
      indexes: [],
      idOf: ({ type, data }) => (ofPreferences.includes(type) ? data.uid : null),
    },
  },
  on: {
    NotificationRaised: (_, fact) => ({ notifications: raised(fact) }),
    NotificationRepeated: (before, { data, position }: Fact<NotificationRepeated>) =>
      became(before, ({ count }) => ({ count: count + 1, data: data.data, told_at: position })),
    NotificationRead: (before, { at }: Fact<NotificationRead>) =>
      became(before, () => ({ ...read, read_at: at })),
    NotificationUnread: (before, { at }: Fact<NotificationUnread>) => became(before, doc => unread(doc, at)),
    NotificationArchived: (before, { at }: Fact<NotificationArchived>) =>
      became(before, ({ in_app, read_at }) => ({
        ...{ ...read, read_at: read_at ?? at, archived_at: at },
        list: in_app ? 'archive' : null,
      })),
    NotificationsRead: ({ inboxes }, fact) => ({ inboxes: allRead(inboxes, fact) }),
    // Who was erased meanwhile has no inbox
    NotificationsForgotten: ({ inboxes }, fact) => (inboxes ? { inboxes: forgotten(inboxes, fact) } : {}),
    NotificationPreferencesSet: (_, { data: { uid, preferences } }) => ({
      notification_preferences: { _id: uid, preferences },
    }),
    UserErased: () => ({ inboxes: null, notification_preferences: null }),
  },
  sweeps: {
    NotificationsForgotten: ({ data: { uid, workspace, organization } }) => ({
      notifications: organization === undefined ? { uid, workspace } : { uid, organization },
    }),
    UserErased: ({ data: { uid } }) => ({ notifications: { uid } }),
  },
});

const raised = ({ data, at, position }: Fact<NotificationRaised>): NotificationDoc => ({
  _id: data.notificationId,
  uid: data.uid,
  day: data.day,
  workspace: data.workspace ?? NO_WORKSPACE,
  organization: organizationOf(data),
  kind: data.kind,
  goal_id: data.goalId,
  data: data.data,
  group_key: data.groupKey,
  count: 1,
  created_at: at,
  told_at: position,
  in_app: data.inApp,
  list: data.inApp ? 'feed' : null,
  unread_since: at,
  unread_from: data.inApp ? at : null,
  kept_since: null,
  read_at: null,
  archived_at: null,
});

const read = { unread_since: null, unread_from: null, kept_since: null } as const;

/** Whatever clocks say, nothing was unread before it was there. */
function unread({ in_app, created_at }: NotificationDoc, at: number): Partial<NotificationDoc> {
  const since = Math.max(at, created_at);
  return {
    ...{ unread_since: since, read_at: null, archived_at: null },
    ...(in_app && { list: 'feed', unread_from: created_at, kept_since: since }),
  };
}

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
  const read = data.alone ? [data.workspace] : [data.workspace, NO_WORKSPACE];
  for (const workspace of read) marks[workspace] = marked(marks[workspace], mark);
  return { _id: data.uid, marks };
}

function marked(marks: readonly ReadMark[] = [], mark: ReadMark): readonly ReadMark[] {
  const last = marks.at(-1);
  return last && last.before >= mark.before ? marks : [...marks.slice(1 - MARKS), mark];
}

function forgotten(inbox: InboxDoc, { data }: Fact<NotificationsForgotten>): InboxDoc {
  if (data.workspace === null) return inbox;
  const { [data.workspace]: _, ...marks } = inbox.marks;
  return { _id: data.uid, marks };
}
