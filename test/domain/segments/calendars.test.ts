import * as assert from 'uvu/assert';
import { publicHolidays } from '../../../adapters/segments/holidays.js';
import { CALENDAR_PARTS } from '../../../domain/segments/recipe.js';
import { suite } from '../../suite.js';
import { built, columnOf, feature, pointsOf, recipeOf, sourcesOf, type Table } from './given.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NEW_YORK = 'America/New_York';

suite('calendars', test => {
  // pandas 3.1.1: i = pd.date_range('2024-03-08T18:00', periods=12, freq='6h', tz='UTC')
  // .tz_convert('America/New_York'); clocks went on an hour on 2024-03-10
  const expected: Readonly<Record<(typeof CALENDAR_PARTS)[number], readonly number[]>> = {
    hour: [13, 19, 1, 7, 13, 19, 1, 8, 14, 20, 2, 8],
    day_of_week: [4, 4, 5, 5, 5, 5, 6, 6, 6, 6, 0, 0],
    is_weekend: [0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 0, 0],
    day: [8, 8, 9, 9, 9, 9, 10, 10, 10, 10, 11, 11],
    month: [3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3],
  };
  for (const part of CALENDAR_PARTS)
    test(`${part} of clocks that are set within the table, as pandas tells it`, async () => {
      const y = pointsOf(
        expected.hour.map(() => 1),
        Date.UTC(2024, 2, 8, 18),
        6 * HOUR,
      );
      const features = [feature('f', 'calendar', { part })];
      const recipe = recipeOf({ step_s: 21_600, timezone: NEW_YORK, features });
      const table = await built(recipe, sourcesOf({ signals: { y } }));
      assert.equal(columnOf(table, 'ts')[0], Date.UTC(2024, 2, 8, 18));
      assert.equal(columnOf(table, 'f'), expected[part]);
    });
});

suite('holidays', test => {
  // USFederalHolidayCalendar().holidays('2024-01-01', '2024-12-31') of pandas 3.1.1
  const free = [
    ...['2024-01-01', '2024-01-15', '2024-02-19', '2024-05-27', '2024-06-19', '2024-07-04', '2024-09-02'],
    ...['2024-10-14', '2024-11-11', '2024-11-28', '2024-12-25'],
  ];
  const year = async (step_s: number, timezone: string): Promise<Table> => {
    const y = pointsOf(Array(366).fill(1), Date.UTC(2024, 0, 1, 12));
    const sources = { ...sourcesOf({ signals: { y } }), holidays: publicHolidays };
    const features = [feature('f', 'holiday', { country: 'US' })];
    return built(recipeOf({ step_s, timezone, features }), sources);
  };
  const found = (table: Table, zone: string): string[] =>
    table.rows.flatMap(({ ts, f }) =>
      f === 0 ? [] : [`${new Date(ts as number).toLocaleDateString('sv', { timeZone: zone })} ${f}`],
    );

  for (const zone of ['UTC', NEW_YORK, 'Asia/Tokyo'])
    test(`days of ${zone} are those of the calendar of pandas`, async () =>
      assert.equal(
        found(await year(86_400, zone), zone),
        free.map(day => `${day} 1`),
      ));

  test('weeks have as many as their days', async () => {
    // pd.Series(1, USFederalHolidayCalendar().holidays('2024-01-01', '2025-01-05'))
    // .resample('W-MON', label='left', closed='left').sum()
    const weeks = [
      ...['2024-01-01', '2024-01-15', '2024-02-19', '2024-05-27', '2024-06-17', '2024-07-01', '2024-09-02'],
      ...['2024-10-14', '2024-11-11', '2024-11-25', '2024-12-23', '2024-12-30'],
    ];
    assert.equal(
      found(await year(7 * 86_400, NEW_YORK), NEW_YORK),
      weeks.map(week => `${week} 1`),
    );
    const days = [0, 2, 6].map(day => Date.UTC(2024, 0, 1) / DAY + day);
    const y = pointsOf([1, 1], Date.UTC(2024, 0, 1), 7 * DAY);
    const features = [feature('f', 'holiday', { country: 'XX' })];
    const recipe = recipeOf({ step_s: 7 * 86_400, features });
    const table = await built(recipe, sourcesOf({ signals: { y }, holidays: { XX: days } }));
    assert.equal(columnOf(table, 'f'), [3, 0]);
  });

  test('a shorter step has the day on which it begins: 0 or 1', async () => {
    const y = pointsOf([1, 1, 1, 1, 1, 1], Date.UTC(2024, 11, 24, 18), 6 * HOUR);
    const days = [Date.UTC(2024, 11, 25), Date.UTC(2024, 11, 26)].map(time => time / DAY);
    const features = [feature('f', 'holiday', { country: 'DE' })];
    const recipe = recipeOf({ step_s: 21_600, timezone: 'Europe/Berlin', features });
    // Clocks show 19:00, 01:00, 07:00, 13:00, 19:00 (until 01:00 of the second day), 01:00
    const table = await built(recipe, sourcesOf({ signals: { y }, holidays: { DE: days } }));
    assert.equal(columnOf(table, 'f'), [0, 1, 1, 1, 1, 1]);
  });
});
