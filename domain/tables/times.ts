import { parseTime } from '../time.js';

/** A way to write times; `read` answers epoch ms, or null for what is not written so. */
export type TimeFormat = {
  readonly name: string;
  /** Whether such a text may as well be a plain number, so that the column must be called as one of times. */
  readonly isNumber?: true;
  /** Whether a text says a moment, wherever one is; otherwise it is what the clocks of a place show. */
  readonly isMoment?: (text: string) => boolean;
  readonly read: (text: string) => number | null;
};

/** Parts of a time as a calendar has them; null where there is no such day. */
function utc(year: number, month: number, day = 1, clock = ''): number | null {
  const [, hour = '0', minute = '0', second = '0'] = CLOCK.exec(clock) ?? [];
  if (month < 1 || month > 12 || day < 1 || Number(hour) > 23 || Number(minute) > 59) return null;
  const at = new Date(0).setUTCFullYear(year, month - 1, day);
  if (new Date(at).getUTCMonth() !== month - 1) return null;
  return at + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000;
}
const CLOCK = /^(\d{1,2}):(\d\d)(?::(\d\d))?$/;

const NAMES = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const monthNamed = (name: string): number => NAMES.indexOf(name.slice(0, 3).toLowerCase()) + 1;

const format = (
  name: string,
  pattern: RegExp,
  read: (parts: readonly string[]) => number | null,
  isNumber?: true,
): TimeFormat => ({
  name,
  read(text) {
    const match = pattern.exec(text);
    return match ? read(match.slice(1)) : null;
  },
  ...(isNumber && { isNumber }),
});

const n = Number;
const MOMENT = /(?:[Zz]|(?::\d\d|[Tt]\d{4}|[Tt]\d{6})(?:[.,]\d+)?\s?[+-]\d\d(?::?\d\d)?)$/;
/** A day of the year alone, as `2026-001`, may as well be the number of a paper. */
const SURELY_ISO = /^\d{4}(?:-\d\d-\d\d|-?[Ww]\d\d|-\d{3}[Tt ]|\d{3,4}[Tt])/;
const PARTS = /^(\d{1,2})[/.-](\d{1,2})[/.-](\d{4})(?:[T ]+(\d{1,2}:\d\d(?::\d\d)?))?$/;
/** A share of a year this close to a whole month is that month. */
const TOLERANCE = 0.04;

/** In the order in which they are tried. */
export const timeFormats: readonly TimeFormat[] = [
  format('YYYY-MM', /^(\d{4})[-/](\d{1,2})$/, ([y, m]) => utc(n(y), n(m))),
  format('YYYYMmm', /^(\d{4})\s?M(\d{1,2})$/i, ([y, m]) => utc(n(y), n(m))),
  format('YYYY-Qn', /^(\d{4})[-\s]?Q([1-4])$/i, ([y, q]) => utc(n(y), 3 * n(q) - 2)),
  format('Qn YYYY', /^Q([1-4])[-\s/]?(\d{4})$/i, ([q, y]) => utc(n(y), 3 * n(q) - 2)),
  format('Mon YYYY', /^([a-z]{3,9})[-\s.,]+(\d{4})$/i, ([m, y]) => utc(n(y), monthNamed(m!))),
  format('D Mon YYYY', /^(\d{1,2})[-\s]([a-z]{3,9})[-\s](\d{4})$/i, ([d, m, y]) =>
    utc(n(y), monthNamed(m!), n(d)),
  ),
  format('Mon D, YYYY', /^([a-z]{3,9})\s(\d{1,2}),?\s(\d{4})$/i, ([m, d, y]) =>
    utc(n(y), monthNamed(m!), n(d)),
  ),
  {
    name: 'ISO 8601',
    isMoment: text => MOMENT.test(text),
    read: text => (SURELY_ISO.test(text) ? parseTime(text) : null),
  },
  format(
    'YYYY/MM/DD',
    /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})(?:[T ]+(\d{1,2}:\d\d(?::\d\d)?))?$/,
    ([y, m, d, c]) => utc(n(y), n(m), n(d), c),
  ),
  format('DD/MM/YYYY', PARTS, ([d, m, y, c]) => utc(n(y), n(m), n(d), c)),
  format('MM/DD/YYYY', PARTS, ([m, d, y, c]) => utc(n(y), n(m), n(d), c)),
  format('YYYYMMDD', /^([12]\d{3})([01]\d)([0-3]\d)$/, ([y, m, d]) => utc(n(y), n(m), n(d)), true),
  format('YYYYMM', /^([12]\d{3})([01]\d)$/, ([y, m]) => utc(n(y), n(m)), true),
  format('YYYY', /^([12]\d{3})(?:\.0*)?$/, ([y]) => utc(n(y), 1), true),
  format(
    'year and months as a fraction',
    /^([12]\d{3})(\.\d+)?$/,
    ([y, share = '0']) => monthsOf(n(y), n(share)),
    true,
  ),
  {
    name: 'epoch',
    isNumber: true,
    isMoment: () => true,
    read: text => (/^\d{9,14}(\.\d+)?$/.test(text) ? parseTime(Number(text)) : null),
  },
];

function monthsOf(year: number, share: number): number | null {
  const month = Math.round(12 * share);
  return Math.abs(12 * share - month) <= TOLERANCE
    ? utc(year + Math.floor(month / 12), (month % 12) + 1)
    : null;
}

/** The times of a column and how they are written. `ambiguous`: another way to write them would do, too. */
export type TimesRead = {
  readonly format: string;
  readonly times: readonly number[];
  readonly isNumber: boolean;
  readonly ambiguous: string | null;
};

/** The times of a column, epoch ms (UTC), in the first format that all its cells have; null: it has none. */
export function timesIn(cells: readonly string[]): TimesRead | null {
  const found = timeFormats.filter(
    ({ read }) => cells.length > 0 && cells.every(cell => read(cell.trim()) !== null),
  );
  const [first] = found;
  if (!first) return null;
  const other = found.find(({ name }) => first.name === 'DD/MM/YYYY' && name === 'MM/DD/YYYY');
  return {
    format: first.name,
    times: cells.map(cell => first.read(cell.trim())!),
    isNumber: first.isNumber ?? false,
    ambiguous: other?.name ?? null,
  };
}
