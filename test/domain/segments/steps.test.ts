import * as assert from 'uvu/assert';
import { layoutOf } from '../../../domain/segments/layout.js';
import { stepsOf, type Steps } from '../../../domain/segments/steps.js';
import { isZone } from '../../../domain/segments/zone.js';
import { randomOf, seedFrom } from '../../random.js';
import { suite } from '../../suite.js';
import { built, columnOf, feature, recipeOf, sourcesOf } from './given.js';

const HOUR = 3_600_000;
const DAY = 86_400;
const BERLIN = 'Europe/Berlin';

/** Beginnings of steps from a time to another. */
function beginnings(steps: Steps, from: number, to: number): string[] {
  const found: string[] = [];
  for (let start = steps.startOf(from); start < to; start = steps.next(start))
    found.push(new Date(start).toISOString());
  return found;
}

/** Hours numbered from 0, each a point, from one time to another. */
const hours = (from: number, to: number) =>
  Array.from({ length: (to - from) / HOUR }, (_, i) => ({ time: from + i * HOUR, value: i }));

suite('steps', test => {
  // pd.Series(range(n), pd.date_range(start, end, freq='h', tz='Europe/Berlin', inclusive='left')), pandas
  // 3.1.1:
  // .resample('D').sum() and .resample('W-MON', label='left', closed='left').sum()
  const summer = {
    points: hours(1711580400000, 1712095200000),
    days: [1711580400000, 1711666800000, 1711753200000, 1711839600000, 1711922400000, 1712008800000],
    sums: [276, 852, 1428, 1909, 2556, 3132],
    weeks: [1711321200000, 1711922400000],
    sumsOfWeeks: [4465, 5688],
  };
  const winter = {
    points: hours(1729720800000, 1730242800000),
    days: [1729720800000, 1729807200000, 1729893600000, 1729980000000, 1730070000000, 1730156400000],
    sums: [276, 852, 1428, 2100, 2604, 3180],
    weeks: [1729461600000, 1730070000000],
    sumsOfWeeks: [4656, 5784],
  };
  for (const [name, expected] of Object.entries({ summer, winter }))
    test(`days and weeks of a zone where clocks change to ${name} time`, async () => {
      const sources = sourcesOf({ signals: { y: expected.points } });
      const recipe = recipeOf({ timezone: BERLIN, aggregate: 'sum' });
      const days = await built(recipe, sources);
      assert.equal(columnOf(days, 'ts'), expected.days);
      assert.equal(columnOf(days, 'y'), expected.sums);
      const weeks = await built({ ...recipe, step_s: 7 * DAY }, sources);
      assert.equal(columnOf(weeks, 'ts'), expected.weeks);
      assert.equal(columnOf(weeks, 'y'), expected.sumsOfWeeks);
    });

  test('hours are those of clocks, also the one that comes twice and the one that is left out', async () => {
    const features = [feature('hour', 'calendar', { part: 'hour' })];
    const clocks = async (from: number): Promise<(number | null)[]> => {
      const signals = { y: hours(from, from + 5 * HOUR) };
      return columnOf(
        await built(recipeOf({ step_s: 3_600, timezone: BERLIN, features }), sourcesOf({ signals })),
        'hour',
      );
    };
    assert.equal(await clocks(Date.UTC(2024, 2, 31, 0)), [1, 3, 4, 5, 6]);
    assert.equal(await clocks(Date.UTC(2024, 9, 26, 23)), [1, 2, 2, 3, 4]);
  });

  test('a day begins when clocks first show it', () => {
    // At midnight clocks went on to 01:00
    const cairo = stepsOf(DAY, 'Africa/Cairo');
    assert.equal(beginnings(cairo, Date.UTC(2024, 3, 25, 12), Date.UTC(2024, 3, 26, 12)), [
      ...['2024-04-24T22:00:00.000Z', '2024-04-25T22:00:00.000Z'],
    ]);
    // 2011-12-30 was left out
    const samoa = stepsOf(DAY, 'Pacific/Apia');
    assert.equal(beginnings(samoa, Date.UTC(2011, 11, 29, 12), Date.UTC(2012, 0, 1)), [
      ...['2011-12-29T10:00:00.000Z', '2011-12-30T10:00:00.000Z', '2011-12-31T10:00:00.000Z'],
    ]);
    // Clocks were set back from 00:01 to 23:01 of the day before
    const newfoundland = stepsOf(DAY, 'America/St_Johns');
    const midnight = Date.UTC(2010, 10, 7, 2, 30);
    assert.is(newfoundland.startOf(midnight + HOUR / 2), midnight);
    assert.is(newfoundland.next(midnight), Date.UTC(2010, 10, 8, 3, 30));
  });

  test('several days and other lengths are counted from a Monday', () => {
    const tenDays = beginnings(stepsOf(10 * DAY, 'UTC'), Date.UTC(1970, 0, 5), Date.UTC(1970, 0, 20));
    assert.equal(tenDays, ['1970-01-05T00:00:00.000Z', '1970-01-15T00:00:00.000Z']);
    assert.is(stepsOf(7 * 3_600, BERLIN).startOf(Date.UTC(1970, 0, 5, 8)), Date.UTC(1970, 0, 5, 7));
    assert.is(stepsOf(7 * DAY, 'UTC').startOf(Date.UTC(2024, 0, 3)), Date.UTC(2024, 0, 1));
    assert.is(stepsOf(3_600, 'UTC').startOf(-1), -HOUR);
  });

  test('every time lies in one step of any zone', () => {
    const random = randomOf(seedFrom('STEPS_SEED'));
    const zones = [
      'UTC',
      BERLIN,
      'America/St_Johns',
      'Asia/Kathmandu',
      'Pacific/Apia',
      'Africa/Casablanca',
      'America/Sao_Paulo',
    ];
    for (let round = 0; round < 2_000; round++) {
      const steps = stepsOf(random.pick([DAY, 7 * DAY, 3 * DAY, 3_600, 900]), random.pick(zones));
      const time = Math.floor(random.next() * Date.UTC(2030, 0, 1));
      const start = steps.startOf(time);
      assert.ok(start <= time && time < steps.next(start), `${time}`);
      assert.is(steps.startOf(start), start);
      assert.is(steps.startOf(steps.next(start) - 1), start);
    }
  });

  test('are counted', () => {
    assert.is(stepsOf(1, 'UTC').count(-5_000, 1e12), 1e9 + 5);
    const samoa = stepsOf(DAY, 'Pacific/Apia');
    assert.is(samoa.count(samoa.startOf(Date.UTC(2011, 11, 20)), samoa.startOf(Date.UTC(2012, 0, 20))), 31);
  });

  test('are not counted one by one where they are far too many', async () => {
    const y = [Date.UTC(2000, 0, 1), Date.UTC(9000, 0, 1)].map(time => ({ time, value: 1 }));
    const days = { ...stepsOf(DAY, BERLIN), count: () => 1 };
    try {
      await layoutOf(recipeOf({ timezone: BERLIN }), sourcesOf({ signals: { y } }), days);
      assert.unreachable();
    } catch (error) {
      assert.is((error as { code?: string }).code, 'segment_too_large');
    }
  });

  test('names of zones', () => {
    assert.ok(isZone('UTC') && isZone('Europe/Berlin') && isZone('utc'));
    assert.not.ok(isZone('Mars/Olympus') || isZone(''));
  });
});
