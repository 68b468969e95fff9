import * as assert from 'uvu/assert';
import { EARLIEST, LATEST, parseTime } from '../../domain/time.js';
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
    ['a leap day', '2024-02-29T00:00:00Z', Date.UTC(2024, 1, 29)],
    ['the earliest', '0001-01-01T00:00:00Z', EARLIEST],
    ['the latest', '9999-12-31T23:59:59.999Z', LATEST],
  ];
  for (const [what, given, expected] of same) test(what, () => assert.is(parseTime(given), expected));

  for (const wrong of [
    '',
    'yesterday',
    '2026-13-01',
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
