export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** The years 1 to 9999, the range in which ISO 8601 needs no sign: epoch ms. */
export const EARLIEST = Date.parse('0001-01-01T00:00:00.000Z');
export const LATEST = Date.parse('9999-12-31T23:59:59.999Z');

/** Numbers below this are epoch seconds, others epoch milliseconds. */
const SECONDS_BELOW = 100_000_000_000;
const NUMERIC = /^[+-]?\d+(\.\d+)?$/;
const ZONE = '\\s?([Zz]|[+-]\\d\\d(?::?\\d\\d)?)?';
/** A date; a time of day with or without seconds and their fraction; a zone. */
const ISO = new RegExp(
  [
    '^(\\d{4})-(\\d\\d)-(\\d\\d)',
    '(?:[Tt ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9}))?)?',
    `${ZONE})?$`,
  ].join(''),
);

/** Weeks and their days, or days of the year, instead of months: `2026-W09-7`, `2026-060`. */
const OTHER_DAYS = /^(\d{4})-(?:[Ww](\d\d)-([1-7])|(\d{3}))(?=[Tt ]|$)/;
/** The basic form, digits together; only what is no number: `20260301T120000Z`, `2026W097`. */
const BASIC = new RegExp(
  [
    '^(\\d{4})(?:(\\d\\d)(\\d\\d)|[Ww](\\d\\d)([1-7])|(\\d{3}))',
    `(?:[Tt](\\d\\d)(\\d\\d)(?:(\\d\\d)([.,]\\d{1,9})?)?${ZONE})?$`,
  ].join(''),
);

/**
 * The time a caller means, as integer epoch ms: epoch seconds or milliseconds (a number, or a numeric
 * string), or ISO 8601 (extended or basic, by months, weeks or days of the year; UTC where it names no zone;
 * fractions beyond a millisecond are cut). Null when it is no time, or outside the years 1 to 9999.
 */
export function parseTime(given: string | number): number | null {
  const ms = typeof given === 'number' ? fromNumber(given) : fromText(given.trim());
  return ms !== null && ms >= EARLIEST && ms <= LATEST ? ms : null;
}

const fromText = (text: string): number | null =>
  NUMERIC.test(text) ? fromNumber(Number(text)) : fromIso(text);

function fromNumber(value: number): number | null {
  if (!Number.isFinite(value)) return null;
  return Math.trunc(Math.abs(value) < SECONDS_BELOW ? Math.round(value * 1000) : value) + 0;
}

function fromIso(text: string): number | null {
  const match = ISO.exec(text) ?? ISO.exec(calendarForm(text));
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const date = `${year}-${month}-${day}`;
  if (new Date(`${date}T00:00:00.000Z`).getUTCDate() !== Number(day)) return null;
  const ms = Date.parse(
    `${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset(zone)}`,
  );
  return Number.isNaN(ms) ? null : ms;
}

/** The same time as an extended calendar date says it; '': it is none. */
function calendarForm(text: string): string {
  const other = OTHER_DAYS.exec(text);
  if (other) {
    const [date, year, week, weekday, nth] = other;
    return dayIn(Number(year), { week, weekday, nth }) + text.slice(date.length);
  }
  const basic = BASIC.exec(text);
  if (!basic) return '';
  const [, year, month, day, week, weekday, nth, hour, minute, second, fraction = '', zone = ''] = basic;
  const date = month ? `${year}-${month}-${day}` : dayIn(Number(year), { week, weekday, nth });
  if (hour === undefined) return date;
  return `${date}T${hour}:${minute}${second === undefined ? '' : `:${second}`}${fraction}${zone}`;
}

type OtherDay = Partial<Record<'week' | 'weekday' | 'nth', string | undefined>>;

/** A day by its week or its place in the year, as a calendar date; '': the year has no such one. */
function dayIn(year: number, { week, weekday, nth }: OtherDay): string {
  if (nth !== undefined) {
    const day = new Date(dayOf(year, 1) + (Number(nth) - 1) * DAY);
    return day.getUTCFullYear() === year ? calendarDate(day) : '';
  }
  // The week of a year's first Thursday is its first, and the year of a week is that of its Thursday
  const fourth = dayOf(year, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY + (Number(week) - 1) * 7 * DAY;
  const isOfYear = new Date(monday + 3 * DAY).getUTCFullYear() === year;
  return isOfYear ? calendarDate(new Date(monday + (Number(weekday) - 1) * DAY)) : '';
}

/** A day of January. */
const dayOf = (year: number, day: number): number => new Date(0).setUTCFullYear(year, 0, day);
const calendarDate = (day: Date): string => day.toISOString().slice(0, -14);

const offset = (zone: string): string =>
  /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.length > 3 ? zone.slice(-2) : '00'}`;

/** ISO 8601 UTC with milliseconds and `Z`. */
export const iso = (ms: number): string => new Date(ms).toISOString();
