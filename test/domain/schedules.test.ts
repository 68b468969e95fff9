import * as assert from 'uvu/assert';
import { isTimed, nextRun, type Windows } from '../../domain/schedules.js';
import { HOUR, MINUTE } from '../../domain/time.js';
import { suite } from '../suite.js';

const at = (text: string): number => Date.parse(text);
const windows = (over: Partial<Windows> = {}): Windows => ({
  days: ['monday', 'tuesday'],
  ...{ startMinute: 9 * 60, endMinute: 17 * 60, gapSeconds: 3_600, timezone: 'UTC' },
  ...over,
});
const told = (schedule: Windows, from: string, last: string | null = null): string | null => {
  const next = nextRun(schedule, last === null ? null : at(last), at(from));
  return next === null ? null : new Date(next).toISOString();
};

suite('schedules', test => {
  test('at an interval: at once, then so long after the last began; what was missed is over', () => {
    const every = { intervalSeconds: 300 };
    assert.is(nextRun(every, null, 1_000), 1_000);
    assert.is(nextRun(every, 1_000, 2_000), 301_000);
    assert.is(nextRun(every, 1_000, 9_000_000), 9_000_000);
  });

  test('in windows: the first moment in one, with the gap kept', () => {
    // 2026-11-23 is a Monday
    assert.is(told(windows(), '2026-11-23T08:00:00Z'), '2026-11-23T09:00:00.000Z');
    assert.is(told(windows(), '2026-11-23T10:30:00Z'), '2026-11-23T10:30:00.000Z');
    assert.is(told(windows(), '2026-11-23T17:00:00Z'), '2026-11-24T09:00:00.000Z');
    assert.is(told(windows(), '2026-11-24T18:00:00Z'), '2026-11-30T09:00:00.000Z');
    assert.is(told(windows(), '2026-11-23T16:00:00Z', '2026-11-23T15:30:00Z'), '2026-11-23T16:30:00.000Z');
    assert.is(told(windows(), '2026-11-23T16:00:00Z', '2026-11-23T16:00:00Z'), '2026-11-24T09:00:00.000Z');
  });

  test('no days: never by itself', () => {
    assert.is(told(windows({ days: [] }), '2026-11-23T08:00:00Z'), null);
    assert.is(isTimed(windows({ days: [] })), false);
    assert.is(isTimed(windows()), true);
  });

  test('an end before the start is on the next day, and the same is the whole day', () => {
    const night = windows({ days: ['monday'], startMinute: 22 * 60, endMinute: 2 * 60 });
    assert.is(told(night, '2026-11-24T01:00:00Z'), '2026-11-24T01:00:00.000Z');
    assert.is(told(night, '2026-11-24T02:00:00Z'), '2026-11-30T22:00:00.000Z');
    const whole = windows({ days: ['monday'], startMinute: 540, endMinute: 540 });
    assert.is(told(whole, '2026-11-23T00:00:00Z'), '2026-11-23T00:00:00.000Z');
    assert.is(told(whole, '2026-11-23T23:59:00Z'), '2026-11-23T23:59:00.000Z');
    assert.is(told(whole, '2026-11-24T00:00:00Z'), '2026-11-30T00:00:00.000Z');
  });

  test('clocks that jump: the first moment after; clocks that go back: the first of the two', () => {
    const zone = { days: ['sunday'], timezone: 'Europe/Zurich', endMinute: 12 * 60 };
    const at0230 = windows({ ...zone, startMinute: 150 });
    // On 2026-03-29 clocks go from 02:00 to 03:00, on 2026-10-25 from 03:00 to 02:00
    assert.is(told(at0230, '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z');
    assert.is(told(at0230, '2026-10-24T12:00:00Z'), '2026-10-25T00:30:00.000Z');
    assert.is(
      told(windows({ ...zone, startMinute: 540 }), '2026-10-24T12:00:00Z'),
      '2026-10-25T08:00:00.000Z',
    );
    const gone = windows({ ...zone, startMinute: 130, endMinute: 170 });
    assert.is(told(gone, '2026-03-28T12:00:00Z'), '2026-04-05T00:10:00.000Z');
  });

  test('every answer lies in a window, and no earlier moment would do', () => {
    const schedule = windows({
      ...{ days: ['sunday', 'wednesday'], startMinute: 21 * 60, endMinute: 3 * 60 },
      ...{ timezone: 'America/New_York' },
    });
    const inside = (time: number): boolean => nextRun(schedule, null, time) === time;
    for (let from = at('2026-10-30T00:00:00Z'); from < at('2026-11-06T00:00:00Z'); from += HOUR) {
      const next = nextRun(schedule, null, from)!;
      assert.ok(inside(next));
      for (let before = from; before < next; before += 30 * MINUTE) assert.not.ok(inside(before));
    }
  });
});
