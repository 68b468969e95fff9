import type { Decider } from '../decider.js';
import type { Message } from '../fact.js';
import { mindVersion } from '../versions.js';
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
/** `seen`: the version that is meant; null, and absent: whichever there is. */
type Set = Message<
  'SetNotificationPreferences',
  { readonly uid: string; readonly preferences: Preferences; readonly seen?: number | null }
>;
/** `version`: counts how often they were set. */
export type PreferencesState = { readonly preferences: Preferences; readonly version: number };

/** What one user wants. */
export const notificationPreferences: Decider<Set, NotificationPreferencesSet, PreferencesState> = {
  category: 'notification_preferences',
  idOf: ({ data }) => data.uid,
  initialState: { preferences: defaultPreferences, version: 0 },
  decide({ data: { uid, preferences, seen } }, state) {
    mindVersion('What is said', seen, state.version);
    if (isSame(preferences, state.preferences)) return [];
    return [{ type: 'NotificationPreferencesSet', data: { uid, preferences } }];
  },
  evolve: ({ version }, { data: { preferences } }) => ({ preferences, version: version + 1 }),
};

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));

/** The order of the members of an object says nothing. */
const sorted = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? Object.entries(value)
        .map(([key, inner]) => [key, sorted(inner)] as const)
        .sort(([a], [b]) => (a < b ? -1 : 1))
    : value;
