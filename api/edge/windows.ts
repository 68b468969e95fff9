import { WEEKDAYS, type Windows } from '../../domain/schedules.js';
import type { FromSchema } from '../../json-schema.js';
import { object } from '../../json-schema.js';
import { notValid } from './errors.js';

const TIME = '([01]\\d|2[0-3]):[0-5]\\d(:[0-5]\\d)?';
const timeOfDay = { type: 'string', examples: ['09:00', '09:00:00'] } as const;
const LEAST_GAP = 60;

/** Windows of days as callers give them: spec 2.11. */
export const windowMembers = {
  days: {
    type: 'array',
    items: { enum: WEEKDAYS },
    maxItems: 7,
    description: 'on which days; none: never by itself',
  },
  start_time: { ...timeOfDay, pattern: `^${TIME}$`, description: 'from when on: `HH:MM` or `HH:MM:SS`' },
  end_time: {
    ...timeOfDay,
    pattern: `^(${TIME}|24:00(:00)?)$`,
    description:
      'until when; before `start_time`: on the next day; the same: the whole day; `24:00` is `00:00`',
  },
  frequency: {
    type: 'string',
    pattern: '^\\d{1,8}$',
    description:
      'seconds from the beginning of one run to that of the next, at least; '
      + `less than ${LEAST_GAP} is refused`,
    examples: ['3600'],
  },
  timezone: { type: 'string', maxLength: 100, default: 'UTC', description: 'IANA name' },
} as const;
const given = object({}, windowMembers);
export type GivenWindows = FromSchema<typeof given>;

/**
 * What is meant by them; `place`: where they stand in the body; `gapSeconds`: where none is given.
 * @throws Rejected 422 that names the field
 */
export function windowsOf(
  { days = [], start_time = '00:00', end_time = '00:00', frequency, timezone = 'UTC' }: GivenWindows,
  place: readonly string[],
  gapSeconds = LEAST_GAP,
): Windows {
  const wrong = (field: string, msg: string) =>
    notValid([{ loc: ['body', ...place, field], msg, type: 'value_error' }]);
  const gap = Number(frequency ?? gapSeconds);
  if (gap < LEAST_GAP) throw wrong('frequency', `must be at least ${LEAST_GAP}`);
  if (!isZone(timezone)) throw wrong('timezone', 'must be the IANA name of a zone');
  return {
    days,
    startMinute: minuteOf(start_time),
    endMinute: minuteOf(end_time),
    gapSeconds: gap,
    timezone,
  };
}

const DAY_MINUTES = 1_440;

/** Since midnight, seconds as a part of a minute. The end of a day is the beginning of the next. */
function minuteOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number);
  return (hours * 60 + minutes + seconds / 60) % DAY_MINUTES;
}

/** With seconds only where there are some. */
function timeOf(minute: number): string {
  const whole = Math.round(minute * 60);
  const parts = [Math.floor(whole / 3_600), Math.floor(whole / 60) % 60];
  if (whole % 60 !== 0) parts.push(whole % 60);
  return parts.map(part => String(part).padStart(2, '0')).join(':');
}

function isZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null && !/^[+-]/.test(name);
  } catch {
    return false;
  }
}

/** Windows as they are given. */
export const windowsView = ({ days, startMinute, endMinute, gapSeconds, timezone }: Windows) => ({
  days: [...days] as (typeof WEEKDAYS)[number][],
  start_time: timeOf(startMinute),
  end_time: timeOf(endMinute),
  frequency: String(gapSeconds),
  timezone,
});
