import fc from 'fast-check';
import * as assert from 'uvu/assert';
import {
  commonStep,
  fixed,
  gridOf,
  months,
  stepAt,
  type Grid,
  type Step,
} from '../../../../domain/maths/series/grid.js';
import { DAY, EARLIEST, HOUR, LATEST, MINUTE, SECOND } from '../../../../domain/time.js';
import { suite } from '../../../suite.js';
import { gasoline, MONTHLY, QUARTERLY, webSales } from './extracts.js';
import { every, firstsOfMonths } from './some.js';

const at = (times: readonly number[]) => ({ times, values: times.map(() => 0) });
const dates = ({ times }: Grid) =>
  Array.from(times, time => new Date(time).toISOString().slice(0, 16).replace('T00:00', ''));

suite('common step', test => {
  test('is the largest cadence', () => {
    assert.equal(commonStep([every(MINUTE, [1, 2, 3]), every(HOUR, [1, 2, 3]), every(1, [9])]), fixed(HOUR));
  });
  test('is calendar months where intervals vary as those do', () => {
    assert.equal(commonStep([gasoline]), MONTHLY);
    assert.equal(commonStep([gasoline, webSales, every(DAY, [1, 2, 3])]), QUARTERLY);
    assert.equal(commonStep([at(firstsOfMonths(2000, 1, 20, 12))]), months(12));
    assert.equal(commonStep([at(firstsOfMonths(2000, 1, 20, 6))]), months(6));
    assert.equal(
      commonStep([at(firstsOfMonths(2000, 7, 4, 6))]),
      months(6),
      'two long halves and a short one',
    );
    assert.equal(commonStep([at(firstsOfMonths(1900, 1, 20, 120))]), months(120));
    assert.equal(
      commonStep([at(Array.from({ length: 30 }, (_, i) => Date.UTC(2020, i + 1, 0)))]),
      MONTHLY,
      'month ends',
    );
    assert.equal(commonStep([at(firstsOfMonths(2001, 1, 3))]), MONTHLY, 'January to March');
  });
  test('is not where they are even: every 30 days, every 4 or 13 weeks', () => {
    for (const days of [28, 30, 31, 91, 365])
      assert.equal(commonStep([every(days * DAY, [1, 2, 3, 4])]), fixed(days * DAY));
    assert.equal(commonStep([at([0, 30, 90, 120].map(day => day * DAY))]), fixed(30 * DAY), 'one missing');
    assert.equal(
      commonStep([every(31 * DAY, [1, 2, 3]), at(firstsOfMonths(2001, 7, 40))]),
      MONTHLY,
      'a month wins over 31 days',
    );
  });
  test('forgives inexact clocks', () => {
    assert.equal(commonStep([every(59_700, [1, 2, 3])]), fixed(MINUTE));
    assert.equal(commonStep([every(10_150, [1, 2, 3])]), fixed(10 * SECOND));
    assert.equal(commonStep([every(7 * DAY + HOUR, [1, 2, 3])]), fixed(7 * DAY));
    assert.equal(commonStep([every(57_000, [1, 2, 3])]), fixed(57_000));
    assert.equal(commonStep([every(1, [1, 2, 3])]), fixed(1));
  });
  test('is a day where there is no cadence', () => {
    assert.equal(commonStep([]), fixed(DAY));
    assert.equal(commonStep([every(1, [1]), every(1, [])]), fixed(DAY));
  });
});

suite('grid', test => {
  test('weeks begin on Monday, days at midnight, quarters in January', () => {
    const steps = (from: string, to: string, step: Step) =>
      dates(gridOf(Date.parse(from), Date.parse(to), step, 9));
    assert.equal(steps('2026-03-04T05:00Z', '2026-03-17', fixed(7 * DAY)), [
      '2026-03-02',
      '2026-03-09',
      '2026-03-16',
    ]);
    assert.equal(steps('2026-03-04T05:00Z', '2026-03-05', fixed(DAY)), ['2026-03-04', '2026-03-05']);
    assert.equal(steps('2025-12-31', '2026-04-01', QUARTERLY), ['2025-10-01', '2026-01-01', '2026-04-01']);
    assert.equal(steps('1969-12-31T23:59Z', '1970-01-01', fixed(15 * MINUTE)), [
      '1969-12-31T23:45',
      '1970-01-01',
    ]);
  });
  test('is the newest steps where there would be more than allowed', () => {
    assert.equal(dates(gridOf(0, Date.UTC(2026, 1, 3), MONTHLY, 2)), ['2026-01-01', '2026-02-01']);
    assert.is(gridOf(EARLIEST, LATEST, fixed(1), 1000).times.length, 1000);
  });
  test('holds the earliest and the latest time', () => {
    const { times, from, to } = gridOf(EARLIEST, LATEST, months(12), 20_000);
    assert.equal([times.length, from], [9999, EARLIEST]);
    assert.is(to, LATEST + 1);
  });
  test('a time lies in one step, or outside', () => {
    const step = fc.constantFrom(fixed(7), fixed(DAY), MONTHLY, QUARTERLY, months(12));
    const time = fc.integer({ min: -6e12, max: 6e12 });
    fc.assert(
      fc.property(step, time, time, time, (each, a, b, t) => {
        const grid = gridOf(Math.min(a, b), Math.max(a, b), each, 50);
        const k = stepAt(grid, t);
        assert.ok(grid.times.length >= 1 && grid.times.length <= 50);
        if (k < 0) assert.ok(t < grid.from || t >= grid.to);
        else assert.ok(grid.times[k]! <= t && t < (grid.times[k + 1] ?? grid.to));
        assert.is(grid.from, grid.times[0]);
        assert.ok(stepAt(grid, Math.max(a, b)) === grid.times.length - 1);
      }),
    );
  });
});
