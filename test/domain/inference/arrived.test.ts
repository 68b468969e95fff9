import * as assert from 'uvu/assert';
import { actualsOf, awaitedTimes, spanOf } from '../../../domain/inference/arrived.js';
import { timeIn, type KeptForecast } from '../../../domain/inference/kept-forecast.js';
import { fixed } from '../../../domain/maths/series/grid.js';
import { suite } from '../../suite.js';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 2, 28, 23);

/** Three days of Berlin, of which the second has 23 hours. */
const berlin: KeptForecast = {
  ...{ id: 'demand', start: START, step: fixed(DAY), holds: true, mean: null },
  times: [START, START + DAY - HOUR, START + 2 * DAY - HOUR],
  quantiles: [[1, 2, 3]],
  ...{ period: 1, lookbackUsed: 9, filledPoints: 0, explanation: null, warnings: [], cutoff: START - HOUR },
  calibration: { method: 'model', level: 0.8, coverageRecent: null, n: 0, widenedBy: 1 },
  scales: { seasonal: null, squaredChange: null },
};

suite("actuals of goals' targets", test => {
  test('a step that holds its points has their mean, whole', () => {
    const hours = Array.from({ length: 72 }, (_, i) => START - HOUR + i * HOUR);
    const values = hours.map((_, i) => i);
    const mean = (from: number, to: number) => (from + to - 1) / 2;
    assert.equal([...actualsOf(berlin, { times: hours, values })], [mean(1, 24), mean(24, 48), mean(48, 72)]);
    const { times: _, ...even } = berlin;
    assert.equal(
      [...actualsOf({ ...even, holds: true }, { times: [START, START + HOUR], values: [1, 4] })],
      [2.5, NaN, NaN],
    );
  });

  test('without it the last point of the nearest step counts', () => {
    const { holds: _, times: __, ...plain } = berlin;
    const points = { times: [START - HOUR, START + HOUR, START + DAY], values: [1, 2, 3] };
    assert.equal([...actualsOf(plain, points)], [2, 3, NaN]);
  });

  test('it ends a step after its last, and is graded once a point has come behind that', () => {
    const end = START + 3 * DAY - HOUR;
    assert.is(timeIn(berlin, 3), end);
    assert.equal(spanOf(berlin), { from: START, to: end });
    const over = end + (end - START);
    assert.equal(awaitedTimes([berlin]), { until: end, ends: end + DAY, over });
  });
});
