import * as assert from 'uvu/assert';
import { stepsAhead } from '../../../domain/forecasts/steps.js';
import { onSteps } from '../../../domain/forecasts/target.js';
import { meanForecast } from '../../../domain/forecasts/mixture.js';
import { LEVELS, medians, normalForecast } from '../../../domain/maths/forecasting/quantiles.js';
import { DAY, HOUR, MINUTE } from '../../../domain/time.js';
import { drawn, seeded } from '../../../domain/maths/seeded.js';
import { suite } from '../../suite.js';

const MONDAY = Date.UTC(2026, 0, 5);
const hourly = { target: 'x', stepS: 3_600, timezone: 'UTC' };
const pointsAt = (times: readonly number[]) => ({ times, values: times.map((_, i) => i + 1) });

suite('targets on their steps', test => {
  test('a step is the mean of its points, and an empty one is missing', () => {
    const times = [0, 20, 40, 180, 200].map(minute => MONDAY + minute * MINUTE);
    const { series, cutoff } = onSteps(hourly, pointsAt(times), { most: 100, now: MONDAY + DAY })!;
    assert.is(series.start, MONDAY);
    assert.equal([...series.values], [2, NaN, NaN, 4.5]);
    assert.is(cutoff, times[4]);
  });

  test('one point a step counts at once, the last step of a finer target once it is over', () => {
    const now = MONDAY + 3 * HOUR + 5 * MINUTE;
    const single = pointsAt([0, 1, 2, 3].map(hour => MONDAY + hour * HOUR));
    assert.is(onSteps(hourly, single, { most: 100, now })!.series.values.length, 4);
    const finer = pointsAt([0, 30, 60, 90, 120, 150, 180].map(minute => MONDAY + minute * MINUTE));
    assert.is(onSteps(hourly, finer, { most: 100, now })!.series.values.length, 3);
    assert.is(onSteps(hourly, finer, { most: 100, now: now + HOUR })!.series.values.length, 4);
    assert.is(onSteps(hourly, pointsAt([]), { most: 100, now }), null);
  });

  test('whole days are those of the zone, also where clocks are set', () => {
    const daily = { target: 'x', stepS: 86_400, timezone: 'Europe/Berlin' };
    // Midnight in Berlin: 23:00 UTC in winter, 22:00 in summer from 2026-03-29 on
    const midnights = [27, 28, 29]
      .map(day => Date.UTC(2026, 2, day - 1, 23))
      .concat(Date.UTC(2026, 2, 29, 22));
    const { series } = onSteps(daily, pointsAt(midnights), { most: 100, now: MONDAY })!;
    assert.equal([...series.values], [1, 2, 3, 4]);
    assert.is(series.start + 3 * DAY, midnights[3]);
    assert.equal(stepsAhead(daily, midnights[1]!, 3), [
      midnights[2],
      midnights[3],
      Date.UTC(2026, 2, 30, 22),
    ]);
  });

  test('are the newest steps, whatever else is there', () => {
    const random = seeded(3);
    for (let round = 0; round < 50; round++) {
      const minutes = drawn(40, 600, random);
      const all = pointsAt([...minutes].map(minute => MONDAY + minute * MINUTE));
      const now = MONDAY + DAY;
      const whole = onSteps(hourly, all, { most: 100, now })!;
      const newest = onSteps(hourly, all, { most: 4, now })!;
      assert.equal([...newest.series.values], [...whole.series.values].slice(-4));
      assert.is(newest.cutoff, whole.cutoff);
      // What is read again from the first point on is the same
      const again = onSteps(hourly, newest.points, { most: 4, now })!;
      assert.equal(
        [...again.series.values].filter(Number.isFinite),
        [...newest.series.values].filter(Number.isFinite),
      );
    }
  });
});

suite('means of forecasts', test => {
  const flat = (mean: number, deviation: number) =>
    normalForecast(Float64Array.from([mean, mean]), Float64Array.from([deviation, deviation]));

  test('are those of each quantile, and of normal ones normal', () => {
    const mixed = meanForecast([
      { forecast: flat(10, 1), weight: 0.25 },
      { forecast: flat(20, 3), weight: 0.75 },
    ]);
    assert.equal(mixed.levels, LEVELS);
    assert.equal([...medians(mixed)], [17.5, 17.5]);
    const expected = flat(17.5, 2.5);
    mixed.values.forEach((value, i) => assert.ok(Math.abs(value - expected.values[i]!) < 1e-12));
  });
});
