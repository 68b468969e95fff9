import type { Schedule } from '../../domain/schedules.js';
import { object, type FromSchema } from '../../json-schema.js';
import { notValid } from '../edge/errors.js';
import { windowMembers, windowsOf, windowsView } from '../edge/windows.js';

/** Either at an interval, or in windows of days: spec 2.11. */
export const scheduleSchema = object(
  {},
  { interval_seconds: { type: 'integer', minimum: 60, maximum: 86_400, examples: [300] }, ...windowMembers },
);
type Given = FromSchema<typeof scheduleSchema>;

/** @throws Rejected 422 for what is neither an interval nor windows */
export function scheduleOf(given: Given): Schedule {
  const { interval_seconds: intervalSeconds, days } = given;
  if (intervalSeconds !== undefined) {
    if (days !== undefined) throw wrong('days', 'cannot stand beside interval_seconds');
    return { intervalSeconds };
  }
  if (days === undefined) throw wrong('interval_seconds', 'is required, or days with their times');
  return windowsOf(given, ['schedule']);
}

const wrong = (field: string, msg: string) =>
  notValid([{ loc: ['body', 'schedule', field], msg, type: 'value_error' }]);

/** A schedule as it was given. */
export const scheduleView = (schedule: Schedule) =>
  'intervalSeconds' in schedule ? { interval_seconds: schedule.intervalSeconds } : windowsView(schedule);
