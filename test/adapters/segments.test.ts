import { createHash, randomBytes } from 'node:crypto';
import * as assert from 'uvu/assert';
import { sha256 } from '../../adapters/segments/hashing.js';
import { publicHolidays } from '../../adapters/segments/holidays.js';
import { DAY } from '../../domain/time.js';
import { suite } from '../suite.js';

const dates = (days: readonly number[] | null): string[] =>
  (days ?? []).map(day => new Date(day * DAY).toISOString().slice(0, 10));

suite('holidays', test => {
  test('of a country, of its states and regions', async () => {
    assert.equal(dates(await publicHolidays('DE', 2024, 2024)), [
      ...['2024-01-01', '2024-03-29', '2024-04-01', '2024-05-01', '2024-05-09', '2024-05-20', '2024-10-03'],
      ...['2024-12-25', '2024-12-26'],
    ]);
    const bavarian = dates(await publicHolidays('DE-BY', 2024, 2024));
    assert.ok(bavarian.includes('2024-01-06') && bavarian.includes('2024-10-03'));
    assert.ok(dates(await publicHolidays('US-LA-NO', 2024, 2024)).includes('2024-07-04'));
  });

  test('of several years, and of several days', async () => {
    const turkish = dates(await publicHolidays('TR', 2023, 2024));
    assert.ok(turkish.includes('2023-01-01') && turkish.includes('2024-01-01'));
    assert.equal(
      turkish.filter(date => date.startsWith('2024-04-1')),
      ['2024-04-10', '2024-04-11', '2024-04-12'],
    );
  });

  test('half a day is none, a day of 23 hours is one', async () => {
    assert.not.ok(dates(await publicHolidays('CN', 2024, 2024)).includes('2024-03-08'));
    assert.ok(dates(await publicHolidays('IT', 2024, 2024)).includes('2024-03-31'));
  });

  test('what is no place is not known', async () => {
    for (const place of ['XX', 'de', 'DE-QQ', 'DE-BY-A-B', '', 'constructor', 'US-LA-QQ'])
      assert.is(await publicHolidays(place, 2024, 2024), null, place);
  });
});

suite('a hash whose state can be kept', test => {
  test('is SHA-256, in one go and from where another left off', async () => {
    const [first, second] = [randomBytes(1_000), randomBytes(77)];
    const expected = createHash('sha256').update(first).update(second).digest('hex');
    const whole = await sha256();
    whole.update(first);
    const state = whole.save();
    whole.update(second);
    assert.is(whole.digest(), expected);
    const other = await sha256();
    other.load(Uint8Array.from(state));
    other.update(second);
    assert.is(other.digest(), expected);
  });
});
