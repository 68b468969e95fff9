import * as assert from 'uvu/assert';
import { evenly, gridded } from '../../../domain/inference/gridded.js';
import { timeOfStep } from '../../../domain/inference/steps.js';
import { DAY, HOUR, iso, MINUTE } from '../../../domain/time.js';
import { randomOf } from '../../random.js';
import { suite } from '../../suite.js';

const at = (text: string): number => Date.parse(text);
const points = (times: readonly number[]) => ({ times, values: times.map((_, i) => i) });
const on = (times: readonly number[], most = 1_000) => gridded('x', points(times), { most });
const range = (count: number, of: (i: number) => number): number[] =>
  Array.from({ length: count }, (_, i) => of(i));

suite('series on even steps', test => {
  test('each day at half past two stays there, and a missing day is a hole', () => {
    const first = at('2026-03-01T14:30:00Z');
    const { start, step, values } = on([0, 1, 2, 4, 5].map(day => first + day * DAY));
    assert.is(iso(start), '2026-03-01T14:30:00.000Z');
    assert.is(step.ms, DAY);
    assert.equal([...values], [0, 1, 2, NaN, 3, 4]);
  });

  test('points that come a little early or late belong to the nearest step', () => {
    const first = at('2026-03-01T00:00:00Z');
    const random = randomOf(1);
    const { start, values } = on(
      range(200, i => Math.round(first + i * MINUTE + (random.next() - 0.5) * 6_000)),
    );
    assert.ok(Math.abs(start - first) < 1_000, iso(start));
    assert.equal(
      [...values],
      range(200, i => i),
    );
  });

  test('points anywhere in their days are called by the day, and the last of a day counts', () => {
    const random = randomOf(2);
    const monday = at('2026-03-02T00:00:00Z');
    const times = range(60, i => monday + i * DAY + Math.floor(random.next() * 10 * HOUR)).flatMap(time => [
      time,
      time + HOUR,
    ]);
    const { start, values } = gridded('x', points(times), { most: 100, step: { ms: DAY, months: 0 } });
    assert.is(iso(start), '2026-03-02T00:00:00.000Z');
    assert.equal(
      [...values],
      range(60, i => 2 * i + 1),
    );
  });

  test('months keep their day, and the ends of months are called by their beginnings', () => {
    const fifteenth = range(30, i => Date.UTC(2024, i, 15));
    const kept = on(fifteenth);
    assert.is(kept.step.months, 1);
    assert.equal(
      range(30, k => timeOfStep(kept, k)),
      fifteenth,
    );
    const ends = on(range(30, i => Date.UTC(2024, i + 1, 0)));
    assert.equal(
      range(30, k => timeOfStep(ends, k)),
      range(30, i => Date.UTC(2024, i, 1)),
    );
    assert.equal(
      [...ends.values],
      range(30, i => i),
    );
  });

  test('weeks go on from the weekday they have', () => {
    const wednesday = at('2026-01-07T00:00:00Z');
    const weekly = on(range(40, i => wednesday + i * 7 * DAY));
    assert.is(timeOfStep(weekly, 40), wednesday + 280 * DAY);
  });

  test('of many steps the newest are kept', () => {
    const hours = range(100, i => at('2026-01-01T00:00:00Z') + i * HOUR);
    const { start, values } = on(hours, 10);
    assert.is(start, hours[90]);
    assert.equal(
      [...values],
      range(10, i => 90 + i),
    );
  });

  test('days that begin at a local midnight go on at the one of now, summer or winter', () => {
    const winter = range(60, i => Date.UTC(2026, 0, 30 + i, 23));
    const summer = range(40, i => Date.UTC(2026, 2, 31 + i, 22));
    const even = gridded('x', points([...winter, ...summer]), { most: 1_000 });
    assert.equal([even.step.ms, even.values.length], [DAY, 100]);
    assert.not(even.values.some(Number.isNaN));
    assert.is(timeOfStep(even, 100), Date.UTC(2026, 2, 31 + 40, 22));
  });

  test('hours on the stroke, some of them two seconds early, are called by the stroke and stay apart', () => {
    const first = at('2026-03-01T00:00:00Z');
    const { start, values, nearest } = on(range(60, i => first + i * HOUR - (i % 7 === 3 ? 2_000 : 0)));
    assert.equal([iso(start), nearest], [iso(first), true]);
    assert.equal(
      [...values],
      range(60, i => i),
    );
    assert.is(on(range(60, i => first + i * HOUR)).nearest, undefined);
  });

  test('regular points lie on their own steps, whatever step and phase', () => {
    const random = randomOf(3);
    for (let round = 0; round < 300; round++) {
      const ms = 1 + Math.floor(random.next() ** 4 * 40 * DAY);
      const from = Math.floor((random.next() - 0.3) * 2e12);
      const times = range(3 + Math.floor(random.next() * 50), i => from + i * ms);
      const even = gridded('x', points(times), { most: 1_000, step: { ms, months: 0 } });
      assert.equal(
        times.map((_, k) => timeOfStep(even, k)),
        times,
        `${ms} ms from ${from}`,
      );
      assert.equal(
        [...even.values],
        times.map((_, i) => i),
      );
    }
  });

  test('values one after the other begin where they say', () => {
    const even = evenly('x', { start: at('2026-01-01T10:07:00Z'), stepMs: 90_000, values: [1, null, 3] });
    assert.equal([...even.values], [1, NaN, 3]);
    assert.is(iso(timeOfStep(even, 3)), '2026-01-01T10:11:30.000Z');
  });
});
