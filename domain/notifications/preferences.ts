import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import type { Severity } from './kind.js';

/** `in_app`: the feed; `email`: every email channel without a word of its own; else the id of a channel. */
export type Choices = Readonly<Record<string, boolean>>;
/** Local times of a day as `HH:MM`; `to`, never the same, may lie on the next day. */
export type QuietHours = {
  readonly from: string;
  readonly to: string;
  /** A name of the IANA database. */
  readonly timezone: string;
  /** What is critical is delivered at once all the same. */
  readonly exceptCritical: boolean;
};
export type Digest = 'off' | 'daily' | 'weekly';

/** Where somebody wants to be told of what, and when. */
export type Preferences = {
  readonly defaults: Choices;
  /** Kinds with choices of their own. */
  readonly kinds: Readonly<Record<string, Choices>>;
  /** By `in_app`, `email` or the id of a channel: nothing below it. */
  readonly minSeverity: Readonly<Record<string, Severity>>;
  readonly quietHours: QuietHours | null;
  readonly digest: Digest;
};

/** What holds until somebody says otherwise. */
export const defaultPreferences: Preferences = {
  defaults: { in_app: true, email: false },
  kinds: {},
  minSeverity: {},
  quietHours: null,
  digest: 'off',
};

/** All of them: what is absent in a request has its default here. */
export type NotificationPreferencesSet = Message<
  'NotificationPreferencesSet',
  { readonly uid: string; readonly preferences: Preferences }
>;
type Set = Message<'SetNotificationPreferences', { readonly uid: string; readonly preferences: Preferences }>;

/** What one user wants; null: the defaults. */
export const notificationPreferences: Decider<Set, NotificationPreferencesSet, Preferences | null> = {
  category: 'notification_preferences',
  idOf: ({ data }) => data.uid,
  initialState: null,
  decide: ({ data }, state) =>
    isSame(data.preferences, state ?? defaultPreferences)
      ? []
      : [{ type: 'NotificationPreferencesSet', data }],
  evolve: (_, { data }) => data.preferences,
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** The order of the members of an object says nothing. */
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([key, inner]) => [key, sorted(inner)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1))
    : value;
