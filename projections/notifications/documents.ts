import type { Fact } from '../../domain/fact.js';
import { organizationOf } from '../../domain/notifications/belonging.js';
import type { NotificationRaised, NotificationRepeated } from '../../domain/notifications/facts.js';
import { dayOf } from '../../domain/notifications/forgetting.js';
import { following } from '../../domain/versions.js';
import type { NotificationPreferencesSet, Preferences } from '../../domain/notifications/preferences.js';

// Times are epoch ms.

/** Of no workspace: a document's text where another has the id of one. */
export const NO_WORKSPACE = '';

/**
 * `day`: of the part of the inbox that it lies in. `told_at`: the log position at which it was raised or
 * repeated last, and `last_at` when; absent in documents of the version before. `organization`: with whose
 * membership it ends, where it is of no workspace. `list`: where it is shown; null: nowhere. `unread_since`:
 * null once it was read by itself; the marks of its inbox may say that it is read all the same.
 * `unread_from`: when it was created, and `kept_since`: when its owner marked it as unread; both only while
 * it is in the feed and was not read by itself since. `over_on`: the day (UTC) on which it was read by itself
 * or archived, or was told where it is not in the feed; null: on none.
 */
export type NotificationDoc = {
  readonly _id: string;
  readonly uid: string;
  readonly day: string;
  readonly workspace: string;
  readonly organization: string | null;
  readonly kind: string;
  readonly goal_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
  readonly group_key: string;
  readonly count: number;
  readonly created_at: number;
  readonly last_at?: number;
  readonly told_at: number;
  readonly in_app: boolean;
  readonly list: 'feed' | 'archive' | null;
  readonly unread_since: number | null;
  readonly unread_from: number | null;
  readonly kept_since: number | null;
  readonly read_at: number | null;
  readonly archived_at: number | null;
  readonly over_on: string | null;
};
/** At `at`, all was read that was unread since `before` or earlier. */
export type ReadMark = { readonly before: number; readonly at: number };
/** `marks`: by workspace, oldest first. */
export type InboxDoc = {
  readonly _id: string;
  readonly marks: Readonly<Record<string, readonly ReadMark[]>>;
};
/** That all was read, for as long as what was read by it is shown; `day`: of the part of the inbox. */
export type MarkDoc = {
  readonly _id: string;
  readonly uid: string;
  readonly day: string;
  readonly workspace: string;
  readonly before: number;
  readonly alone: boolean;
};
/** `version`: counts how often they were set; absent in documents of the version before. */
export type PreferencesDoc = {
  readonly _id: string;
  readonly preferences: Preferences;
  readonly version?: number;
};
/** Before anything was set it is 0; undefined: not known. */
export const versionOf = (doc: PreferencesDoc | null): number | undefined => (doc ? doc.version : 0);
export const preferencesAfter = (
  was: PreferencesDoc | null,
  { uid, preferences }: NotificationPreferencesSet['data'],
) => ({ notification_preferences: { _id: uid, preferences, ...following(versionOf(was)) } });

export const raised = ({ data, at, position }: Fact<NotificationRaised>): NotificationDoc => ({
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
  last_at: at,
  told_at: position,
  in_app: data.inApp,
  list: data.inApp ? 'feed' : null,
  unread_since: at,
  unread_from: data.inApp ? at : null,
  kept_since: null,
  read_at: null,
  archived_at: null,
  over_on: data.inApp ? null : dayOf(at),
});

/** When it happened last, however clocks differ. */
export const lastAt = ({ last_at, created_at }: NotificationDoc): number => last_at ?? created_at;

export const repeated = (
  doc: NotificationDoc,
  { data, at, position }: Fact<NotificationRepeated>,
): Partial<NotificationDoc> => ({
  ...{ count: doc.count + 1, data: data.data, last_at: Math.max(lastAt(doc), at), told_at: position },
});

export const read = { unread_since: null, unread_from: null, kept_since: null } as const;

/** Whatever clocks say, nothing was unread before it was there. */
export function unread({ in_app, created_at }: NotificationDoc, at: number): Partial<NotificationDoc> {
  const since = Math.max(at, created_at);
  return {
    ...{ unread_since: since, read_at: null, archived_at: null, over_on: null },
    ...(in_app && { list: 'feed', unread_from: created_at, kept_since: since }),
  };
}
