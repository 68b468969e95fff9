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
/** A date; a time of day with or without seconds and their fraction; a zone. */
const ISO = new RegExp(
  [
    '^(\\d{4})-(\\d\\d)-(\\d\\d)',
    '(?:[Tt ](\\d\\d):(\\d\\d)(?::(\\d\\d)(?:[.,](\\d{1,9}))?)?',
    '\\s?([Zz]|[+-]\\d\\d(?::?\\d\\d)?)?)?$',
  ].join(''),
);

/**
 * The time a caller means, as integer epoch ms: epoch seconds or milliseconds (a number, or a numeric
 * string), or ISO 8601 (UTC where it names no zone; fractions beyond a millisecond are cut). Null when it is
 * no time, or outside the years 1 to 9999.
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
  const match = ISO.exec(text);
  if (!match) return null;
  const [, year, month, day, hour = '00', minute = '00', second = '00', fraction = '', zone = 'Z'] = match;
  const date = `${year}-${month}-${day}`;
  if (new Date(`${date}T00:00:00.000Z`).getUTCDate() !== Number(day)) return null;
  const ms = Date.parse(
    `${date}T${hour}:${minute}:${second}.${fraction.padEnd(3, '0').slice(0, 3)}${offset(zone)}`,
  );
  return Number.isNaN(ms) ? null : ms;
}

const offset = (zone: string): string =>
  /^z$/i.test(zone) ? 'Z' : `${zone.slice(0, 3)}:${zone.length > 3 ? zone.slice(-2) : '00'}`;

/** ISO 8601 UTC with milliseconds and `Z`. */
export const iso = (ms: number): string => new Date(ms).toISOString();
