import * as assert from 'uvu/assert';
import { actualsOf, awaitedTimes, spanOf } from '../../../domain/inference/arrived.js';
import { givenSeries } from '../../../domain/inference/given.js';
import type { KeptForecast } from '../../../domain/inference/kept-forecast.js';
import { checkIncoming, checkRequest } from '../../../domain/inference/request.js';
import { fixed, months } from '../../../domain/maths/series/grid.js';
import { Rejected } from '../../../domain/rejected.js';
import { DAY, HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';

const JANUARY = Date.UTC(2026, 0, 1);

/** The place that a refusal names. */
const placeOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (!(error instanceof Rejected)) throw error;
    const [fault] = error.details.detail as { readonly loc: readonly unknown[] }[];
    return fault!.loc.join('.');
  }
  throw new Error('it was not refused');
};

suite('series in a request', test => {
  test('are values one step apart, or points', () => {
    const [even, timed] = givenSeries(
      [
        { id: 'even', start: '2026-01-01', step_s: 3_600, values: [1, null, 3] },
        {
          points: [
            [JANUARY + 2 * DAY, 3],
            ['2026-01-01T00:00:00Z', 1],
            [JANUARY + DAY, null],
          ],
        },
      ],
      10,
    );
    assert.equal([even!.series.id, even!.series.start, even!.count], ['even', JANUARY, 3]);
    assert.equal([...even!.series.values], [1, NaN, 3]);
    assert.is(even!.cutoff, JANUARY + 2 * HOUR);
    assert.equal([timed!.series.id, timed!.count, timed!.cutoff], ['1', 2, JANUARY + 2 * DAY]);
  });

  test('are refused by the place of the fault', () => {
    const values = [1, 2, 3];
    const of = (...all: Parameters<typeof givenSeries>[0]) => placeOf(() => givenSeries(all, 10));
    assert.is(of({ values, step_s: 60 }), 'body.series.0.start');
    assert.is(of({ start: '2026-01-01', values }), 'body.series.0.step_s');
    assert.is(of({ start: '2026-01-01', step_s: 60 }), 'body.series.0');
    assert.is(of({ points: [['soon', 1]] }), 'body.series.0.points.0');
    assert.is(of({ points: [[JANUARY, 'much']] }), 'body.series.0.points.0');
    const twice = [
      [JANUARY, 1],
      ['2026-01-01', 2],
    ];
    assert.is(of({ points: twice }), 'body.series.0.points');
    const one = { id: 'a', start: '2026-01-01', step_s: 60, values };
    assert.is(of(one, one), 'body.series.1.id');
    assert.is(of({ ...one, start: '9999-12-31', step_s: 86_400 }), 'body.series.0');
    const long = Array.from({ length: 250_001 }, () => 1);
    assert.is(of({ ...one, values: long }, { ...one, id: 'b', values: long }), 'body.series');
  });
});

suite('a request', test => {
  test('names one model and one kind of series, and as_of by its name', () => {
    const of = (request: object) => placeOf(() => checkRequest(request));
    assert.is(of({ key: 'a' }), 'body.promotion_id');
    assert.is(of({ promotion_id: 'p' }), 'body.series');
    const both = { promotion_id: 'p', pipeline_id: 'q', key: 'a' };
    assert.is(
      placeOf(() => checkIncoming(both)),
      'body.pipeline_id',
    );
    // Such were taken once
    checkRequest(both);
    for (const other of ['promotion_id', 'pipeline_id'])
      assert.is(of({ goal_id: 'g', [other]: 'p' }), 'body.goal_id', other);
    assert.is(of({ promotion_id: 'p', key: 'a', series: [] }), 'body.series');
    assert.is(of({ promotion_id: 'p', series: [], as_of: '2026-01-01' }), 'body.as_of');
    for (const name of ['asof', 'as-of', 'asOf', 'vintage', 'vintage_date'])
      assert.is(of({ promotion_id: 'p', key: 'a', [name]: '2026-01-01' }), `body.${name}`);
    checkRequest({ promotion_id: 'p', key: 'a', as_of: '2026-01-01' });
  });
});

suite('what came where series were forecast', test => {
  const kept = (start: number, step: KeptForecast['step'], horizon: number) =>
    ({ start, step, quantiles: [new Array<number>(horizon).fill(0)] }) as unknown as KeptForecast;
  const actuals = (forecast: KeptForecast, ...points: [number, number][]) => [
    ...actualsOf(forecast, { times: points.map(([time]) => time), values: points.map(([, value]) => value) }),
  ];

  test('is the last point of each step, where steps begin with the clock', () => {
    const days = kept(JANUARY, fixed(DAY), 3);
    assert.equal(
      actuals(
        days,
        [JANUARY - 1, 9],
        [JANUARY, 1],
        [JANUARY + DAY - 1, 2],
        [JANUARY + 2 * DAY, 3],
        [JANUARY + 3 * DAY, 8],
      ),
      [2, NaN, 3],
    );
    assert.equal(spanOf(days), { from: JANUARY, to: JANUARY + 3 * DAY });
    assert.equal(awaitedTimes([days]), {
      ...{ until: JANUARY + 2 * DAY, ends: JANUARY + 3 * DAY },
      over: JANUARY + 6 * DAY,
    });
  });

  test('is the nearest step, where points come at another time of the step', () => {
    const noons = kept(JANUARY + DAY / 2, fixed(DAY), 2);
    assert.equal(actuals(noons, [JANUARY + DAY / 2 - 60, 1], [JANUARY + 1.5 * DAY + 60, 2]), [1, 2]);
    assert.is(awaitedTimes([noons]).until, JANUARY + DAY);
  });

  test('is the nearest step, where steps are called by their beginnings and points come early', () => {
    const days = { ...kept(JANUARY, fixed(DAY), 2), nearest: true } as const;
    assert.equal(actuals(days, [JANUARY - 2_000, 1], [JANUARY + DAY - 2_000, 2]), [1, 2]);
  });

  test('follows the calendar where steps are months', () => {
    const feb = Date.UTC(2026, 1, 1);
    const mar = Date.UTC(2026, 2, 1);
    assert.equal(
      actuals(kept(JANUARY, months(1), 3), [JANUARY, 1], [feb, 2], [mar - 1, 4], [mar, 3]),
      [1, 4, 3],
    );
  });
});
