import type { Delivery } from './facts.js';
import type { Data, Severity } from './kind.js';
import { isAtLeast, severityOf } from './kinds.js';
import { jumpIn, minuteAt, nextAt, weekdayAt } from '../local-time.js';
import type { Preferences, QuietHours } from './preferences.js';

/** A channel that messages may leave by, of a user. */
export type Reachable = { readonly channelId: string; readonly type: 'email' | 'webhook' | 'slack' };
export type Decision = { readonly inApp: boolean; readonly deliveries: readonly Delivery[] };

type ToDeliver = {
  readonly notificationId: string;
  readonly kind: string;
  readonly data: Data;
  readonly preferences: Preferences;
  readonly channels: readonly Reachable[];
  /** By these alone it leaves, unless the kind is not wanted there; []: by those that are wanted. */
  readonly named?: readonly string[];
  /** Of the user's profile: of digests where there are no quiet hours. */
  readonly timezone: string;
  /** Epoch ms. */
  readonly now: number;
};

/** Clocks show this when a digest leaves, in minutes since midnight; a weekly one on a Monday. */
export const DIGEST_AT = 8 * 60;
const MONDAY = 1;

/**
 * Where a notification goes, and when. A kind's own choice counts before the defaults, and that of one
 * channel before that of all email channels; of webhooks and slack, what nobody speaks of is wanted: they
 * were set up for it. A digest collects what goes to people (email, slack), never what is critical.
 */
export function deliveriesOf(asked: ToDeliver): Decision {
  const { notificationId, kind, preferences, channels, data, named = [] } = asked;
  const severity = severityOf(kind, data);
  const isWanted = (names: readonly string[], otherwise: boolean): boolean => {
    const least = first(names, preferences.minSeverity) ?? 'info';
    const chosen = first(names, preferences.kinds[kind] ?? {}) ?? first(names, preferences.defaults);
    return (chosen ?? otherwise) && isAtLeast(severity, least);
  };
  const isNamed = ({ channelId }: Reachable): boolean =>
    named.includes(channelId)
    && (preferences.kinds[kind]?.[channelId] ?? true)
    && isAtLeast(severity, preferences.minSeverity[channelId] ?? 'info');
  const isChosen = ({ channelId, type }: Reachable): boolean =>
    type === 'email' ? isWanted([channelId, 'email'], false) : isWanted([channelId], true);
  const wanted = channels.filter(named.length > 0 ? isNamed : isChosen);
  return {
    inApp: isWanted(['in_app'], true),
    deliveries: wanted.map(({ channelId, type }) => {
      const digest = preferences.digest !== 'off' && type !== 'webhook' && severity !== 'critical';
      const notBefore = timeOf(asked, severity, digest);
      const deliveryId = digest
        ? deliveryOf(channelId, notBefore.toString(36))
        : deliveryOf(channelId, bare(notificationId));
      return { deliveryId, channelId, notBefore, digest };
    }),
  };
}

const first = <T>(names: readonly string[], among: Readonly<Record<string, T>>): T | undefined =>
  names.map(name => among[name]).find(value => value !== undefined);

const deliveryOf = (channelId: string, what: string): string => `dlv_${bare(channelId)}_${what}`;
/** An id without what says its kind. */
const bare = (id: string): string => id.slice(id.indexOf('_') + 1);

/** The earliest time when a message may leave. */
function timeOf({ preferences, timezone, now }: ToDeliver, severity: Severity, digest: boolean): number {
  const { quietHours: quiet } = preferences;
  const at = digest ? digestTime(preferences.digest, now, quiet?.timezone ?? timezone) : now;
  if (!quiet || (severity === 'critical' && quiet.exceptCritical)) return at;
  return endOfQuiet(quiet, at);
}

function digestTime(digest: Preferences['digest'], now: number, timezone: string): number {
  let at = nextAt(now, DIGEST_AT, timezone);
  while (digest === 'weekly' && weekdayAt(at, timezone) !== MONDAY) at = nextAt(at, DIGEST_AT, timezone);
  return at;
}

/** Minutes since midnight of `HH:MM`. */
const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

export function isQuiet({ from, to, timezone }: QuietHours, at: number): boolean {
  const [begin, end, minute] = [minutesOf(from), minutesOf(to), minuteAt(at, timezone)];
  return begin < end ? begin <= minute && minute < end : minute >= begin || minute < end;
}

/** The first time from `at` on that is not quiet; in summer and winter alike by what clocks show. */
export function endOfQuiet(quiet: QuietHours, at: number): number {
  let then = at;
  while (isQuiet(quiet, then)) {
    const end = nextAt(then, minutesOf(quiet.to), quiet.timezone);
    // Clocks that are set back may show a time before the quiet hours again
    then = jumpIn(then, end, quiet.timezone) ?? end;
  }
  return then;
}
