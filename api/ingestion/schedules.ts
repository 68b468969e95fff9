import { WEEKDAYS, type Schedule } from '../../domain/schedules.js';
import { object, type FromSchema } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';

const timeOfDay = {
  type: 'string',
  pattern: '^([01]\\d|2[0-3]):[0-5]\\d$',
  examples: ['09:00'],
} as const;

/** Either at an interval, or in windows of days: spec 2.11. */
export const scheduleSchema = object(
  {},
  {
    interval_seconds: { type: 'integer', minimum: 60, maximum: 86_400, examples: [300] },
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
  },
);
type Given = FromSchema<typeof scheduleSchema>;

const LEAST_GAP = 60;

/** @throws Rejected 422 for what is neither an interval nor windows */
export function scheduleOf(given: Given): Schedule {
  const { interval_seconds: intervalSeconds, days, frequency, timezone = 'UTC' } = given;
  if (intervalSeconds !== undefined) {
    if (days !== undefined) throw wrong('days', 'cannot stand beside interval_seconds');
    return { intervalSeconds };
  }
  if (days === undefined) throw wrong('interval_seconds', 'is required, or days with their times');
  const { start_time: start = '00:00', end_time: end = '00:00' } = given;
  const gapSeconds = Number(frequency ?? LEAST_GAP);
  if (gapSeconds < LEAST_GAP) throw wrong('frequency', `must be at least ${LEAST_GAP}`);
  if (!isZone(timezone)) throw wrong('timezone', 'must be the IANA name of a zone');
  return { days, startMinute: minuteOf(start), endMinute: minuteOf(end), gapSeconds, timezone };
}

const wrong = (field: string, msg: string) =>
  notValid([{ loc: ['body', 'schedule', field], msg, type: 'value_error' }]);

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

/** A schedule as it was given. */
export const scheduleView = (schedule: Schedule) =>
  'intervalSeconds' in schedule
    ? { interval_seconds: schedule.intervalSeconds }
    : {
        days: [...schedule.days],
        start_time: timeOf(schedule.startMinute),
        end_time: timeOf(schedule.endMinute),
        frequency: String(schedule.gapSeconds),
        timezone: schedule.timezone,
      };
