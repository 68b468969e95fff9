import * as assert from 'uvu/assert';
import {
  corrected,
  correctionOf,
  lossOf,
  partOf,
  unitOf,
  type MadeAndCame,
} from '../../../../domain/maths/finetuning/residuals.js';
import { medians, normalForecast } from '../../../../domain/maths/forecasting/quantiles.js';
import { suite } from '../../../suite.js';
import { normals } from '../forecasting/toys.js';

const HORIZON = 3;
const NONE = { shift: 0, towardsLast: 0, towardsSeason: 0, below: 1, above: 1 };

/** Forecasts of a series around 10 that say 10 + off, with a deviation; what comes has one of 1. */
const past = (off: number, deviation: number): MadeAndCame[] => {
  const next = normals(5);
  return Array.from({ length: 200 }, () => ({
    forecast: normalForecast(
      new Float64Array(HORIZON).fill(10 + off),
      new Float64Array(HORIZON).fill(deviation),
    ),
    context: Float64Array.from({ length: 20 }, () => 10 + next()),
    period: 1,
    target: Float64Array.from({ length: HORIZON }, () => 10 + next()),
  }));
};
const lossWith = (made: readonly MadeAndCame[], correction: typeof NONE): number =>
  made.reduce((sum, each) => sum + lossOf(corrected(each, correction), each.target, unitOf(each)), 0);

suite('corrections of forecasts', test => {
  test('none leaves a forecast as it is, to the bit', () => {
    const [one] = past(2, 1);
    assert.equal(corrected(one!, NONE), one!.forecast);
    assert.equal(corrected(one!, partOf({ ...NONE, shift: 3, below: 2 }, 0)), one!.forecast);
  });

  test('a forecast that is always off is moved, one that is too sure is stretched', () => {
    const off = correctionOf(past(2, 1));
    const middle = medians(corrected(past(2, 1)[0]!, { ...off, towardsLast: 0, towardsSeason: 0 }))[0]!;
    assert.ok(lossWith(past(2, 1), off) < 0.7 * lossWith(past(2, 1), NONE));
    assert.ok(middle < 12);
    const sure = correctionOf(past(0, 0.5));
    assert.ok(sure.below >= 1.5 && sure.above >= 1.5, JSON.stringify(sure));
    const unsure = correctionOf(past(0, 1.6));
    assert.ok(unsure.below <= 0.8 && unsure.above <= 0.8, JSON.stringify(unsure));
  });

  test('one that is right is hardly changed', () => {
    const right = past(0, 1);
    const { shift, below, above } = correctionOf(right);
    assert.ok(Math.abs(shift) < 0.05 && below >= 0.9 && below <= 1.1 && above >= 0.9 && above <= 1.1);
  });

  test('quantiles never cross, however strange the correction', () => {
    const strange = { shift: -4, towardsLast: 2, towardsSeason: -3, below: 0.6, above: 2.2 };
    const { values, levels } = corrected(past(3, 2)[0]!, strange);
    values.forEach((value, i) => assert.ok(i % levels.length === 0 || value >= values[i - 1]!));
  });

  test('what is not known is left out: of nothing nothing is learned', () => {
    const unknown = past(2, 1).map(each => ({ ...each, target: each.target.map(() => NaN) }));
    assert.equal(correctionOf(unknown), NONE);
    assert.is(lossOf(unknown[0]!.forecast, unknown[0]!.target, 1), 0);
  });
});
