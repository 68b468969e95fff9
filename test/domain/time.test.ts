import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { DAY, EARLIEST, LATEST, parseTime } from '../../domain/time.js';
import { suite } from '../suite.js';

suite('times as callers give them', test => {
  const noon = Date.UTC(2026, 2, 1, 12);
  const same: [string, string | number, number][] = [
    ['epoch milliseconds', noon, noon],
    ['epoch seconds', noon / 1000, noon],
    ['fractions of seconds', 1772366400.25, 1772366400250],
    ['a numeric text of seconds', String(noon / 1000), noon],
    ['a numeric text of milliseconds', ` ${noon} `, noon],
    ['the last number that is seconds', 99_999_999_999, 99_999_999_999_000],
    ['the first number that is milliseconds', 100_000_000_000, 100_000_000_000],
    ['zero', 0, 0],
    ['before 1970', -1, -1000],
    ['ISO in UTC', '2026-03-01T12:00:00Z', noon],
    ['ISO without a zone is UTC', '2026-03-01T12:00:00', noon],
    ['ISO without seconds', '2026-03-01T12:00Z', noon],
    ['ISO of a day', '2026-03-01', Date.UTC(2026, 2, 1)],
    ['ISO with an offset', '2026-03-01T14:30:00+02:30', noon],
    ['ISO with a short offset', '2026-03-01T07:00:00-05', noon],
    ['ISO with microseconds', '2026-03-01T12:00:00.123456Z', noon + 123],
    ['ISO before 1970', '1969-12-31T23:59:59.999Z', -1],
    ['ISO in the basic form', '20260301T120000Z', noon],
    ['the basic form without a zone', '20260301T120000', noon],
    ['the basic form without seconds', '20260301T1200Z', noon],
    ['the basic form with a fraction', '20260301T120000,5Z', noon + 500],
    ['the basic form with an offset', '20260301T143000+0230', noon],
    ['a basic form of digits alone is a number', '20260301', 20_260_301_000],
    ['also of a day of the year', '2026060', 2_026_060_000],
    ['a day of a week', '2026-W09-7', Date.UTC(2026, 2, 1)],
    ['a day of a week with a time', '2026-W09-7T13:00+01:00', noon],
    ['a day of a week in the basic form', '2026W097', Date.UTC(2026, 2, 1)],
    ['the basic form of it with a time', '2026W097T120000Z', noon],
    ['a first week that begins in the year before', '2025-W01-1', Date.UTC(2024, 11, 30)],
    ['a week 53', '2026-W53-7', Date.UTC(2027, 0, 3)],
    ['a day of the year', '2026-060', Date.UTC(2026, 2, 1)],
    ['a day of the year with a time', '2026-060T12:00:00Z', noon],
    ['the basic form of that', '2026060T120000Z', noon],
    ['the last day of a leap year', '2024-366', Date.UTC(2024, 11, 31)],
    ['a leap day', '2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['the earliest', '0001-01-01T00:00:00Z', EARLIEST],
    ['the latest', '9999-12-31T23:59:59.999Z', LATEST],
  ];
  for (const [what, given, expected] of same) test(what, () => assert.is(parseTime(given), expected));

  for (const wrong of [
    '',
    'yesterday',
    '2026-13-01',
    '20261301T120000Z',
    '20260230T120000Z',
    '20260301T1200:00Z',
    '20260301T12:00:00Z',
    '2026-03-01T120000Z',
    '20260301 120000Z',
    '20260301T250000Z',
    '20260301T12000Z',
    '2026-W00-1',
    '2026-W54-1',
    '2025-W53-1',
    '2026-W09-0',
    '2026-W09-8',
    '2026-W09',
    '2026W09-7',
    '2026-W097',
    '2026-000',
    '2026-366',
    '2024-367',
    '2026-60',
    '2026-0601',
    '9999-W52-6',
    '2026-02-30',
    '2025-02-29T00:00:00Z',
    '2026-03-01T25:00:00Z',
    '2026-03-01T12:00:00+99:00',
    '12:00',
    '1e400',
    'NaN',
    '٢٠٢٦-٠٣-٠١',
    NaN,
    Infinity,
    1e18,
    -1e18,
    '10000-01-01T00:00:00Z',
  ]) {
    test(`${JSON.stringify(wrong)} is no time`, () => assert.is(parseTime(wrong), null));
  }
});

suite('every way of ISO 8601 to write a moment', test => {
  const two = (n: number) => String(n).padStart(2, '0');
  /** As the standard says it: by the Thursday of the week, and by counting from the first of January. */
  const formsOf = (ms: number): string[] => {
    const [date, clock] = new Date(ms).toISOString().split('T') as [string, string];
    const day = Math.floor(ms / DAY);
    const startOf = (year: string) => Date.parse(`${year}-01-01T00:00:00Z`) / DAY;
    const nth = String(day - startOf(date.slice(0, 4)) + 1).padStart(3, '0');
    const weekday = (((day + 3) % 7) + 7) % 7;
    const thursday = new Date((day - weekday + 3) * DAY).toISOString().slice(0, 4);
    const week = two(Math.floor((day - weekday + 3 - startOf(thursday)) / 7) + 1);
    const year = date.slice(0, 4);
    const basic = clock.replaceAll(':', '');
    return [
      ...[`${date}T${clock}`, `${year}-${nth}T${clock}`, `${thursday}-W${week}-${weekday + 1}T${clock}`],
      ...[`${date.replaceAll('-', '')}T${basic}`, `${year}${nth}T${basic}`],
      `${thursday}W${week}${weekday + 1}T${basic}`,
    ];
  };
  const isSame = (ms: number): void => {
    for (const form of formsOf(ms)) assert.is(parseTime(form), ms, form);
  };

  test('is the same one', () =>
    // The first and last days fall into weeks of years that are none here
    fc.assert(fc.property(fc.integer({ min: EARLIEST + 7 * DAY, max: LATEST - 7 * DAY }), isSame), {
      numRuns: 3_000,
    }));
  test('on every day of 40 years', () => {
    for (let day = Date.UTC(1996, 0, 1); day < Date.UTC(2036, 0, 1); day += DAY) isSame(day);
  });
  test('and no text of digits and signs is one that the calendar has not', () =>
    fc.assert(
      fc.property(fc.stringMatching(/^\d{4}-?(W\d\d-?\d|\d{3})$/), text => {
        const ms = /^\d+$/.test(text) ? null : parseTime(text);
        if (ms === null) return;
        const forms = formsOf(ms).map(form => form.slice(0, form.indexOf('T')));
        assert.ok(forms.includes(text), text);
      }),
      { numRuns: 3_000 },
    ));
});
