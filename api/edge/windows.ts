import { WEEKDAYS, type Windows } from '../../domain/schedules.js';
import type { FromSchema } from '../../json-schema.js';
import { object } from '../../json-schema.js';
import { notValid } from './errors.js';

const timeOfDay = {
  type: 'string',
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  examples: ['09:00'],
} as const;

/** Windows of days as callers give them: spec 2.11. */
export const windowMembers = {
  days: {
    type: 'array',
    items: { enum: WEEKDAYS },
    maxItems: 7,
    description: 'on which days; none: never by itself',
  },
  start_time: { ...timeOfDay, description: 'from when on' },
  end_time: {
    ...timeOfDay,
    description: 'until when; before `start_time`: on the next day; the same: the whole day',
  },
  frequency: {
    type: 'string',
    pattern: '^\\d{2,8}$',
    description: 'seconds from the beginning of one run to that of the next, at least',
    examples: ['3600'],
  },
  timezone: { type: 'string', maxLength: 100, default: 'UTC', description: 'IANA name' },
} as const;
const given = object({}, windowMembers);
export type GivenWindows = FromSchema<typeof given>;

const LEAST_GAP = 60;

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

const minuteOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));
const timeOf = (minute: number): string =>
  [Math.floor(minute / 60), minute % 60].map(part => String(part).padStart(2, '0')).join(':');

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
