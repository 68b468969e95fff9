import * as assert from 'uvu/assert';
import { gridOf, stepMeans } from '../../../domain/discovery/grid.js';
import { seriesOf } from '../../../domain/fleets/pasts.js';
import { goalOf } from '../../../domain/fleets/planning.js';
import type { Window } from '../../../domain/fleets/window.js';
import { beatAfter, beatAt, beatsBetween } from '../../../domain/forecasts/cadence.js';
import { beginningsOf, placeIn, stepsAhead } from '../../../domain/forecasts/steps.js';
import { onSteps } from '../../../domain/forecasts/target.js';
import { goalSteps, isSameStep, stepAsked } from '../../../domain/goals/steps.js';
import { givenSeries, takenIn } from '../../../domain/inference/given.js';
import { timeOfStep } from '../../../domain/inference/steps.js';
import { changedSteps, windowsOf } from '../../../domain/revisions/rescoring.js';
import { placesIn, stepsIn } from '../../../domain/scenarios/path.js';
import { effectsAt, effectsOn } from '../../../domain/shocks/carried.js';
import { fixed, gridOf as stepsFrom, stepAt } from '../../../domain/maths/series/grid.js';
import { DAY, HOUR, SECOND } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { fleetSettings } from '../fleets/given.js';

const MONTH_S = 2_629_746;
const first = (month: number, year = 2025): number => Date.UTC(year, month, 1);
const firsts = (count: number, from = 0): number[] =>
  Array.from({ length: count }, (_, i) => first(from + i));
const monthly = (timezone = 'UTC') => ({ target: 'x', ...stepAsked(MONTH_S), timezone });
const pointsAt = (times: readonly number[]) => ({ times, values: times.map((_, i) => i + 1) });
const ALL = { most: 1_000, now: first(0, 2040) };
const seriesOn = (target: ReturnType<typeof monthly>, times: readonly number[]) =>
  onSteps(target, pointsAt(times), ALL)!.series;

/** Firsts of months in Berlin and in New York, beside those of UTC. */
const BERLIN = [first(0) - HOUR, first(1) - HOUR, first(2) - HOUR, first(3) - 2 * HOUR, first(4) - 2 * HOUR];
const NEW_YORK = [5, 5, 5, 4, 4].map((hours, month) => first(month) + hours * HOUR);

suite('goals on calendar months', test => {
  test('seconds ask for months where they are as long as those are on average', () => {
    assert.equal(stepAsked(MONTH_S), { stepS: MONTH_S, stepMonths: 1 });
    assert.equal(stepAsked(3 * MONTH_S), { stepS: 3 * MONTH_S, stepMonths: 3 });
    assert.equal(stepAsked(30 * 86_400), { stepS: 30 * 86_400 });
    const before = { stepS: MONTH_S, timezone: 'UTC' };
    assert.equal(
      goalSteps({ ...before, horizon: 3 } as typeof before),
      before,
      'of before there were months',
    );
    assert.not.ok(isSameStep(before, stepAsked(MONTH_S)));
  });

  test('each month is a step of its zone, and models are told of months', () => {
    for (const [zone, times] of [
      ['UTC', firsts(5)],
      ['Europe/Berlin', BERLIN],
      ['America/New_York', NEW_YORK],
    ] as const) {
      const target = monthly(zone);
      const series = seriesOn(target, times);
      assert.equal([...series.values], [1, 2, 3, 4, 5], zone);
      assert.equal([series.start, series.step.months], [first(0), 1], zone);
      assert.equal(beginningsOf(target, series), times, zone);
      const placeOf = placeIn(target, series);
      times.forEach((time, i) => assert.equal([placeOf(time), placeOf(time - 1)], [i, i - 1], zone));
      assert.equal(stepsAhead(target, times[0]!, 4), times.slice(1), zone);
    }
  });

  test('the newest of many are read, the step that is not over waits, gaps are missing', () => {
    const days = Array.from({ length: 400 }, (_, day) => first(0) + day * DAY);
    for (let most = 1; most < 13; most++) {
      const now = days.at(-1)! + 1;
      const { series } = onSteps(monthly(), pointsAt(days), { most, now })!;
      // 400 days end in February, which is not over
      assert.equal([series.start, series.values.length], [first(13 - most), most]);
    }
    const { values } = seriesOn(monthly(), [first(0), first(3), first(4)]);
    assert.equal([...values], [1, NaN, NaN, 2, 3]);
  });

  test('quarters are counted from January', () => {
    const target = { ...monthly(), ...stepAsked(3 * MONTH_S) };
    const series = seriesOn(target, [first(1), first(4), first(8)]);
    assert.equal(beginningsOf(target, series), [first(0), first(3), first(6)]);
    assert.is(timeOfStep(series, 4), first(12));
  });

  test('a cadence of months beats with the first of them in its zone', () => {
    const cadence = { cadenceS: MONTH_S, stepMonths: 1, timezone: 'Europe/Berlin' };
    assert.is(beatAt(cadence, first(3)), BERLIN[3]);
    assert.is(beatAfter(cadence, BERLIN[3]! - 1), BERLIN[3]);
    assert.equal(beatsBetween(cadence, BERLIN[0]!, BERLIN[4]!), {
      ...{ first: BERLIN[1], last: BERLIN[3], count: 3 },
    });
    assert.is(beatsBetween(cadence, BERLIN[2]!, BERLIN[3]!), null, 'a month of 31 days is one beat');
    // One of before there were months
    const { stepMonths: _, ...before } = cadence;
    assert.is(beatAfter(before, BERLIN[3]!) % (MONTH_S * SECOND), 0, 'multiples since 1970');
  });

  test('discoveries have months as if all were as long', () => {
    for (const [zone, times] of [
      ['UTC', firsts(5)],
      ['America/New_York', NEW_YORK],
    ] as const) {
      const series = seriesOn(monthly(zone), times);
      const grid = gridOf(series, monthly(zone));
      assert.equal([grid.from, grid.to, grid.steps], [times[0], times[4]! + 31 * DAY, 5]);
      times.forEach((time, i) => {
        assert.equal([grid.stepAt(time), grid.stepAt(time - 1)], [i, i - 1]);
        assert.is(grid.placed(time + DAY), grid.first + i * MONTH_S * SECOND + DAY);
      });
      const asTested = stepsFrom(grid.target.times[0]!, grid.target.times[4]!, fixed(MONTH_S * SECOND), 10);
      for (const [i, time] of times.entries())
        for (const day of [0, 14, 26])
          assert.is(stepAt(asTested, grid.placed(time + day * DAY)), i, 'an event counts in its own month');
      assert.equal(
        [times[0]! - 1, grid.to].map(grid.placed).map(time => stepAt(asTested, time)),
        [-1, -1],
      );
      const means = stepMeans(grid, MONTH_S);
      means.add([times[1]!, times[2]! - 1, times[4]!], [1, 2, 5]);
      const { times: at, values } = means.series();
      assert.equal([...values], [1.5, 5]);
      assert.equal(
        Array.from(at, time => (time - grid.first) / SECOND / MONTH_S),
        [1, 4],
      );
    }
  });

  test('what an event does is that of whole months, however long these are', () => {
    const response = { stepS: MONTH_S, offsets: [0, MONTH_S, 2 * MONTH_S], effects: [9, 6, 3] };
    const acting = [{ occurredAt: first(1) + 3 * DAY, weight: 1, response }];
    for (const [zone, times] of [
      ['UTC', firsts(5)],
      ['Europe/Berlin', BERLIN],
    ] as const) {
      assert.equal(effectsAt(monthly(zone), times, acting), [0, 9, 6, 3, 0]);
      assert.equal(effectsOn(monthly(zone), seriesOn(monthly(zone), times), acting), [0, 9, 6, 3, 0]);
    }
  });

  test('a change of the past is found in its month, also at the midnight of a zone', () => {
    const target = { ...monthly('Europe/Berlin'), horizon: 1 };
    const after = seriesOn(target, BERLIN);
    const before = seriesOn(target, BERLIN.slice(1));
    assert.is(changedSteps({ before, after }, { from: BERLIN[3]!, to: BERLIN[3]! }, target), 1);
    const known = { ...after, values: Float64Array.from({ length: 60 }, (_, i) => i) };
    const span = { from: BERLIN[0]!, to: Date.UTC(2028, 0, 1) - HOUR };
    // The change lies in the 37th month; the folds end a horizon behind it
    assert.is(windowsOf({ before: known, after: known }, span, target)!.after.at(-1)!.cutoff, first(36));
  });

  test('sums of a fleet lie on the months before the window', () => {
    const window = { times: BERLIN.slice(3), leaves: [{ issued: monthly() }] } as unknown as Window;
    const asked = { id: 'sum', period: 12, before: 1 };
    const { start, step } = seriesOf(window, new Float64Array(2), asked);
    assert.equal([start, step.months], [first(0), 1]);
  });

  test('goals of a fleet stand on the months that its template names, or that the target has', () => {
    const made = (step: object, own = MONTH_S) => {
      const { template } = fleetSettings();
      const { stepS, stepMonths } = goalOf(fleetSettings({ template: { ...template, ...step } }), 'e', own);
      return [stepS, stepMonths];
    };
    assert.equal(made({ stepS: null }), [MONTH_S, 1]);
    assert.equal(made({ stepS: null }, 86_400), [86_400, undefined]);
    assert.equal(made(stepAsked(MONTH_S)), [MONTH_S, 1]);
    assert.equal(made({ stepS: MONTH_S }), [MONTH_S, undefined], 'a template of before there were months');
  });

  test('windows of scenarios have whole months', () => {
    const times = firsts(12);
    const window = (from: number | null, to: number | null) => ({ from, to });
    assert.is(stepsIn(times, window(first(2), first(5)), 6), 3);
    assert.is(stepsIn(times, window(null, null), 6), 6);
    for (let last = 2; last <= 12; last++)
      for (let from = 0; from < last; from++) {
        const some = firsts(last);
        assert.is(stepsIn(some, window(first(from), first(last)), 0), last - from, `${from} to ${last}`);
        // Midnights of New York are a few hours into the month
        const west = window(first(from) + 5 * HOUR, first(last) + 5 * HOUR);
        const places = placesIn(some, west, 0).map(({ i, place }) => [i, place]);
        assert.equal(
          places,
          Array.from({ length: last - from - 1 }, (_, k) => [from + 1 + k, k]),
        );
      }
    assert.is(stepsIn(times, window(first(5), first(5) + HOUR), 6), 1);
    const hours = Array.from({ length: 6 }, (_, h) => first(0) + h * HOUR);
    assert.is(stepsIn(hours, window(hours[0]! - 2 * HOUR, hours[5]! + 3 * HOUR), 0), 10);
    assert.is(stepsIn(hours, window(hours[5]! + HOUR, hours[5]! + 3 * HOUR), 0), 2);
    assert.is(stepsIn(hours, window(hours[0]! - 4 * HOUR, hours[0]! - 2 * HOUR), 0), 2);
  });

  test('series of a request are on months, too', () => {
    const values = [1, 2, 3];
    const even = givenSeries([takenIn({ start: '2025-01-31', step_s: 3 * MONTH_S, values })], 100)[0]!;
    assert.equal([even.series.step.months, even.cutoff], [0, Date.UTC(2025, 0, 31) + 6 * MONTH_S * SECOND]);
    const quarters = givenSeries([takenIn({ start: '2025-01-15', step_s: 3 * MONTH_S, values })], 100)[0]!;
    assert.equal([quarters.series.step.months, quarters.cutoff], [3, Date.UTC(2025, 6, 15)]);
    const points = [0, 1, 4].map(month => [new Date(first(month)).toISOString(), month]);
    const timed = givenSeries([takenIn({ points, step_s: MONTH_S })], 100)[0]!;
    assert.equal([...timed.series.values], [0, 1, NaN, NaN, 4]);
  });

  test('series of requests that were kept before there were months stay on steps of one length', () => {
    const [even] = givenSeries([{ start: '2025-01-01', step_s: MONTH_S, values: [1, 2, 3] }], 100);
    const points = [0, 1, 4].map(month => [new Date(first(month)).toISOString(), month]);
    const [timed] = givenSeries([{ points, step_s: MONTH_S }], 100);
    assert.equal([even!.series.step, timed!.series.step], [fixed(MONTH_S * SECOND), fixed(MONTH_S * SECOND)]);
    assert.equal(takenIn({ step_s: 86_400, step_months: 5 }), { step_s: 86_400 }, 'nobody else says months');
  });
});
