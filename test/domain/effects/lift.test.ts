import assert from 'node:assert/strict';
import { frameOf } from '../../../domain/maths/effects/frame.js';
import { eventLosses, type EventLoss } from '../../../domain/maths/effects/lift.js';
import type { Occurrences } from '../../../domain/maths/effects/shapes.js';
import { seeded } from '../../../domain/maths/seeded.js';
import { fixed } from '../../../domain/maths/series/grid.js';
import { HOUR } from '../../../domain/time.js';
import { suite } from '../../suite.js';
import { normal, stepsOf } from './made.js';

const STEPS = 600;
const STEP = fixed(HOUR);
const HORIZON = 12;

/** Noise of deviation 1, and events of which some act: a jump that decays. */
function target(steps: readonly number[], sizeOf: (i: number) => number, halfLife = 4): Float64Array {
  const random = seeded(3);
  const y = Float64Array.from({ length: STEPS }, () => normal(random));
  steps.forEach((step, i) => {
    for (let t = step; t < STEPS; t++) y[t]! += sizeOf(i) * 2 ** -((t - step) / halfLife);
  });
  return y;
}

function lossesOf(y: Float64Array, steps: readonly number[]): EventLoss[] {
  const occurrences: Occurrences = {
    steps: Int32Array.from(steps),
    weights: Float64Array.from(steps, () => 1),
  };
  return eventLosses(y, STEP, frameOf(y, STEP).reference, occurrences, [], HORIZON);
}

const gainOf = (losses: readonly EventLoss[]): number =>
  1 - losses.reduce((sum, each) => sum + each.with, 0) / losses.reduce((sum, each) => sum + each.without, 0);

suite('effects: what forecasts gain', test => {
  const steps = stepsOf(20, STEPS, 5, 20);

  test('every event is tried, the first and the last too', () => {
    const losses = lossesOf(
      target(steps, () => 3),
      steps,
    );
    assert.equal(losses.length, 20);
    for (const some of [losses.slice(0, 4), losses.slice(4, 16), losses.slice(16)])
      assert.ok(gainOf(some) > 0.1, `${gainOf(some)}`);
  });

  test('what happens after an event tells nothing of the response that it is tried with', () => {
    for (const fifth of [0, 2, 4]) {
      const isIn = (i: number): boolean => Math.floor(i / 4) === fifth;
      const losses = lossesOf(
        target(steps, i => (isIn(i) ? 6 : 0)),
        steps,
      );
      const gain = gainOf(losses.filter((_, i) => isIn(i)));
      assert.ok(Math.abs(gain) < 0.05, `${fifth}: ${gain}`);
    }
  });

  test('effects that do not end before the next event are worth no less', () => {
    const dense = stepsOf(50, STEPS, 6, 6);
    const gain = gainOf(
      lossesOf(
        target(dense, () => 4, 12),
        dense,
      ),
    );
    assert.ok(gain > 0.25, `${gain}`);
  });
});
