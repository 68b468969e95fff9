import * as assert from 'uvu/assert';
import { binned, meanOf, said, worstOf, WORLDS, type World } from '../../../bench/alerts-truth.js';
import { crossingProbability, stayingBelow, tiesByWidth, tiesOf } from '../../../domain/alerts/crossing.js';
import { LEVELS } from '../../../domain/maths/forecasting/quantiles.js';
import { normalQuantile } from '../../../domain/maths/statistics/distributions.js';
import { suite } from '../../suite.js';

const near = (found: number, wanted: number, by: number, what = ''): void =>
  assert.ok(Math.abs(found - wanted) <= by, `${what} ${found} is not ${wanted}`);
/** A forecast whose errors have these deviations. */
const normal = (deviations: readonly number[]) => ({
  levels: LEVELS,
  quantiles: LEVELS.map(level => deviations.map(deviation => normalQuantile(level) * deviation)),
});

suite('the probability that a forecast crosses a value', test => {
  test('of errors that have nothing to do with each other it is one less a product', () => {
    near(stayingBelow([1, 1, 1], [0, 0, 0]), 0.841_344_7 ** 3, 1e-6);
    assert.is(stayingBelow([], []), 1);
  });

  test('of two steps it is what the arc sine says', () => {
    for (const tie of [-0.9, -0.5, 0.3, 0.9, 0.99])
      near(stayingBelow([0, 0], [0, tie]), 0.25 + Math.asin(tie) / (2 * Math.PI), 4e-3, `${tie}`);
  });

  test('of errors that are all alike it is that of the largest step', () => {
    near(stayingBelow([1, 0.5, 2, 0.7], [0, 0.999, 0.999, 0.999]), 0.691_46, 0.03);
  });

  test('it lies between the largest of the steps and their sum, and grows with each step', () => {
    const steps = normal([1, 1.4, 1.7, 2]);
    let before = 0;
    for (const withinSteps of [1, 2, 3, 4]) {
      const asked = { value: 1.5, direction: 'above', withinSteps } as const;
      const p = crossingProbability(steps, asked, tiesByWidth(steps));
      assert.ok(p > before && p < 1);
      before = p;
    }
    const mirrored = { value: -1.5, direction: 'below', withinSteps: 4 } as const;
    near(crossingProbability(steps, mirrored, tiesByWidth(steps)), before, 1e-9);
    const farther = { value: 1.5, direction: 'above', withinSteps: 400 } as const;
    near(crossingProbability(steps, farther, tiesByWidth(steps)), before, 1e-9);
  });

  test('widths tell noise from walks; many pairs say more than they', () => {
    assert.equal(tiesByWidth(normal([1, 1, 1])), [0, 0, 0]);
    tiesByWidth(normal([1, 2, 3].map(Math.sqrt))).forEach((tie, h) =>
      near(tie, Math.sqrt(h / (h + 1)), 1e-9),
    );
    const alike = Array.from({ length: 1_000 }, (_, i) => ({ lead: 2, before: i % 7, error: i % 7 }));
    const ties = tiesOf(normal([1, 1, 1]), alike);
    assert.ok(ties[1]! > 0.95);
    assert.is(ties[2], 0);
  });

  // Seeded: the same figures each time. `dist/bench/alerts.js` has more of them
  for (const world of Object.keys(WORLDS) as World[])
    test(`what is said of true forecasts comes true within five points: ${world}`, () => {
      const bins = binned(said(world, 'truth', 'widths', 200, 7));
      const worst = worstOf(bins, 50, 2);
      assert.ok(worst <= 5, `${worst} points beyond chance`);
      assert.ok(meanOf(bins) <= 5, `${meanOf(bins)} points`);
    });
});
