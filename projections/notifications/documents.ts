import type { Preferences } from '../../domain/notifications/preferences.js';

// Times are epoch ms.

/** Of no workspace: a document's text where another has the id of one. */
export const NO_WORKSPACE = '';

/**
 * `day`: of the part of the inbox that it lies in. `told_at`: the log position at which it was raised or
 * repeated last. `organization`: with whose membership it ends, where it is of no workspace. `list`: where
 * it is shown; null: nowhere. `unread_since`: null once it was read by itself; the marks of its inbox may say
 * that it is read all the same. `unread_from`: when it was created, and `kept_since`: when its owner marked
 * it as unread; both only while it is in the feed and was not read by itself since.
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
  readonly told_at: number;
  readonly in_app: boolean;
  readonly list: 'feed' | 'archive' | null;
  readonly unread_since: number | null;
  readonly unread_from: number | null;
  readonly kept_since: number | null;
  readonly read_at: number | null;
  readonly archived_at: number | null;
};
/** At `at`, all was read that was unread since `before` or earlier. */
export type ReadMark = { readonly before: number; readonly at: number };
/** `marks`: by workspace, oldest first. */
export type InboxDoc = {
  readonly _id: string;
  readonly marks: Readonly<Record<string, readonly ReadMark[]>>;
};
export type PreferencesDoc = { readonly _id: string; readonly preferences: Preferences };
