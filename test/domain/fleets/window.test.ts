import * as assert from 'uvu/assert';
import { pastsOf } from '../../../domain/fleets/pasts.js';
import { meansIn, windowOf, type Leaf } from '../../../domain/fleets/window.js';
import { suite } from '../../suite.js';

const HOUR = 3_600_000;

/** A forecast of hours from one on, whose means are these hours. */
const leaf = (entity: string, first: number | null, over: { stepS?: number; count?: number } = {}): Leaf => {
  const { stepS = 3_600, count = 4 } = over;
  const hours = Array.from({ length: count }, (_, h) => (first ?? 0) + h);
  return {
    ...{ entity, goalId: `goa_${entity}`, settings: { target: `t__${entity}`, stepS, timezone: 'UTC' } },
    issued:
      first === null
        ? null
        : {
            ...{ forecastId: `fct_${entity}`, asked: [0.1, 0.9], stepS, period: 24 },
            points: {
              times: hours.map(hour => hour * HOUR),
              ...{ mean: hours, levels: [0.1, 0.5, 0.9], quantiles: [hours, hours, hours] },
            },
          },
  };
};

suite('what forecasts of a fleet have in common', test => {
  test('the steps that most have, as many as all of these have', () => {
    const window = windowOf([leaf('c', 10), leaf('a', 11), leaf('b', 10, { count: 3 }), leaf('d', 5)])!;
    assert.equal(
      window.leaves.map(({ entity }) => entity),
      ['a', 'b', 'c'],
    );
    assert.equal(window.times, [11 * HOUR, 12 * HOUR]);
    assert.equal(
      meansIn(window).map(column => [...column]),
      [
        [11, 12],
        [11, 12],
        [11, 12],
      ],
    );
    assert.equal(window.leftOut, [{ entity: 'd', goalId: 'goa_d', reason: 'other_time' }]);
  });

  test('what has another step, or no forecast, is left out and said so', () => {
    const window = windowOf([leaf('a', 1), leaf('b', 1), leaf('c', 1, { stepS: 7_200 }), leaf('d', null)])!;
    assert.equal(
      window.leftOut.map(({ entity, reason }) => [entity, reason]),
      [
        ['d', 'no_forecast'],
        ['c', 'other_step'],
      ],
    );
    assert.is(windowOf([leaf('a', null)]), null);
  });

  test('pasts end before the window, as long as the shortest; what is yet to come is as forecast', () => {
    const window = windowOf([leaf('a', 10), leaf('b', 9, { count: 6 })])!;
    const from = (first: number, values: number[]) => ({
      start: first * HOUR,
      values: Float64Array.from(values),
    });
    const pasts = pastsOf(window, [from(4, [NaN, 5, NaN, NaN, 8, 9, 10, 11]), from(3, [3, 4, 5, 6, 7, 8])]);
    assert.equal(window.times[0], 10 * HOUR);
    assert.equal(
      pasts.map(values => [...values]),
      [
        [5, 6, 7, 8, 9],
        [5, 6, 7, 8, 9],
      ],
    );
  });
});
