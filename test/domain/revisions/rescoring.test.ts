import * as assert from 'uvu/assert';
import { onSteps } from '../../../domain/forecasts/target.js';
import { stepAsked } from '../../../domain/goals/steps.js';
import type { InferenceSeries } from '../../../domain/inference/forecasting.js';
import { fixed } from '../../../domain/maths/series/grid.js';
import { isStale, lateOf } from '../../../domain/revisions/causes.js';
import { changedSteps, hasMoved, isOutOfReach, windowsOf } from '../../../domain/revisions/rescoring.js';
import { suite } from '../../suite.js';

const HOUR = 3_600_000;
const series = (length: number, start = 0, value = (i: number): number => i): InferenceSeries => ({
  ...{ id: 's', start, step: fixed(HOUR), period: null, covariates: {} },
  values: Float64Array.from({ length }, (_, i) => value(i)),
});
const asked = { horizon: 4, stepS: 3_600, timezone: 'UTC' };

suite('what came late', test => {
  test('an event is stale beyond two cadences of the goal that it is late for', () => {
    const hourly = { cadenceS: 3_600 };
    assert.not.ok(isStale(hourly, 0, 2 * HOUR));
    assert.ok(isStale(hourly, 0, 2 * HOUR + 1));
    assert.not.ok(isStale({ cadenceS: 86_400 }, 0, 2 * HOUR + 1));
    assert.not.ok(isStale(hourly, 5 * HOUR, 0), 'what is to come is not late');
  });

  test('points are late that lie more than a step before the newest that was known', () => {
    const goal = { stepS: 3_600 };
    assert.is(lateOf(goal, { times: [0, HOUR] }, null), null);
    assert.is(lateOf(goal, { times: [9 * HOUR, 10 * HOUR] }, 10 * HOUR), null);
    const times = [2 * HOUR, 5 * HOUR, 9 * HOUR - 1, 9 * HOUR, 12 * HOUR];
    assert.equal(lateOf(goal, { times }, 10 * HOUR), { from: 2 * HOUR, to: 9 * HOUR - 1 });
  });

  test('the month before the newest is in order, however long it is', () => {
    const first = (month: number) => Date.UTC(2026, month, 1);
    for (const [stepMonths, before, newest] of [[1, 0, 1] as const, [1, 1, 2] as const, [3, 6, 9] as const]) {
      const goal = stepAsked(stepMonths * 2_629_746);
      assert.is(lateOf(goal, { times: [first(before)] }, first(newest)), null);
      const early = first(before - stepMonths);
      assert.equal(lateOf(goal, { times: [early] }, first(newest)), { from: early, to: early });
    }
  });
});

suite('the window that a champion is judged on again', test => {
  test('ends a horizon behind what changed, and both sides have the same moments', () => {
    const after = series(200);
    const before = series(190, 10 * HOUR, i => i + 10);
    const span = { from: 100 * HOUR, to: 110 * HOUR };
    const windows = windowsOf({ before, after }, span, asked)!;
    const ends = windows.after.map(({ cutoff }) => cutoff / HOUR);
    assert.equal(ends, [90, 94, 98, 102, 106, 110]);
    windows.after.forEach(({ known, actual, cutoff }, i) => {
      const was = windows.before![i]!;
      assert.is(was.cutoff, cutoff);
      // The same values at the same times: what is known ends at the cutoff, what came begins behind it
      assert.equal([known.values.at(-1), was.known.values.at(-1)], [cutoff / HOUR, cutoff / HOUR]);
      assert.equal([...actual], [...was.actual]);
      assert.is(actual[0], cutoff / HOUR + 1);
    });
  });

  test('a change at the beginning of history is judged by the first moments that there are', () => {
    const one = series(200);
    const windows = windowsOf({ before: one, after: one }, { from: 0, to: 0 }, asked)!;
    assert.is(windows.before, windows.after);
    assert.is(windows.after.length, 6);
    assert.ok(windows.after[0]!.known.values.length >= 16);
    assert.ok(windows.after.at(-1)!.cutoff < 60 * HOUR);
  });

  test('what was not known before cannot be judged by what was', () => {
    const after = series(120);
    const before = series(20, 100 * HOUR, i => i + 100);
    const windows = windowsOf({ before, after }, { from: 0, to: 99 * HOUR }, asked)!;
    assert.is(windows.before, null);
    assert.is(windowsOf({ before: series(10), after: series(10) }, { from: 0, to: 0 }, asked), null);
  });

  test('counts steps that are other ones, holes too', () => {
    const after = series(50);
    const other = new Map([
      [3, -1],
      [7, NaN],
      [45, -1],
    ]);
    const before = series(50, 0, i => other.get(i) ?? i);
    assert.is(changedSteps({ before, after }, { from: 0, to: 20 * HOUR }, asked), 2);
    assert.is(changedSteps({ before: after, after }, { from: 0, to: 20 * HOUR }, asked), 0);
    const moved = series(40, 10 * HOUR, i => i + 10);
    assert.is(changedSteps({ before: moved, after }, { from: 0, to: 20 * HOUR }, asked), 10);
  });

  test('reaches to the end of the last step, of months in their zone', () => {
    const within = (series: InferenceSeries, time: number, of: Parameters<typeof isOutOfReach>[2]) =>
      !isOutOfReach(series, { from: time, to: time }, of);
    const hours = series(50);
    assert.equal(
      [-1, 0, 50 * HOUR - 1, 50 * HOUR].map(time => within(hours, time, asked)),
      [false, true, true, false],
    );
    const first = (month: number) => Date.UTC(2025, month, 1, 5);
    const target = { target: 'x', ...stepAsked(2_629_746), timezone: 'America/New_York' };
    const times = [0, 1, 2].map(first);
    const months = onSteps(target, { times, values: times }, { most: 9, now: first(9) })!.series;
    assert.equal(
      [first(0) - 1, first(0), first(2), first(2) + 20 * 24 * HOUR, first(3)].map(time =>
        within(months, time, target),
      ),
      [false, true, true, true, false],
    );
  });

  test('has moved beyond a twentieth, either way', () => {
    assert.ok(hasMoved(1, 1.051) && hasMoved(1, 0.949) && hasMoved(0, 0.1));
    assert.not.ok(hasMoved(1, 1.049) || hasMoved(1, 0.951) || hasMoved(0, 0));
    assert.not.ok(hasMoved(null, 1) || hasMoved(1, null));
  });
});
