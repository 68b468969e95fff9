import type Holidays from 'date-holidays';
import { DAY } from '../../domain/time.js';

/** A country, a state or a region: `DE`, `DE-BY`, `US-LA-NO`. */
const PLACE = /^[A-Z]{2}(-[A-Z0-9]{1,4}){0,2}$/;
/** Days that are free from noon on are none; the day on which clocks are set forward is a little short. */
const SHORT = 0.1;

/**
 * The public holidays of a country, or of a state or region in it, in the years `from` to `to`, both
 * included: as days counted from 1970-01-01, each once, ascending. Half days do not count, and one that
 * begins in the evening counts from the day that it is dated. Null: no such place is known.
 */
export async function publicHolidays(
  place: string,
  from: number,
  to: number,
): Promise<readonly number[] | null> {
  const calendar = PLACE.test(place) ? await calendarOf(place.split('-')) : null;
  if (!calendar) return null;
  const days = new Set<number>();
  for (let year = from; year <= to; year++)
    for (const { date, start, end, type } of calendar.getHolidays(year)) {
      if (type !== 'public') continue;
      const first = Date.parse(`${date.slice(0, 10)}T00:00:00Z`) / DAY;
      const count = Math.floor((end.getTime() - start.getTime()) / DAY + SHORT);
      for (let day = first; day < first + count; day++) days.add(day);
    }
  return [...days].sort((a, b) => a - b);
}

/** The calendars of all places are megabytes: they are loaded when somebody asks. */
async function calendarOf([country, state, region]: readonly string[]): Promise<Holidays | null> {
  const { default: Calendar } = await import('date-holidays');
  const names = new Calendar();
  if (!Object.hasOwn(names.getCountries(), country!)) return null;
  if (state && !Object.hasOwn(names.getStates(country!) ?? {}, state)) return null;
  if (region && !Object.hasOwn(names.getRegions(country!, state!) ?? {}, region)) return null;
  return new Calendar(country!, state ?? '', region ?? '');
}
