import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { addingUp } from '../../../domain/maths/reconciliation/exact.js';
import { summed, type Hierarchy } from '../../../domain/maths/reconciliation/hierarchy.js';
import { reconciled, topDown } from '../../../domain/maths/reconciliation/reconcile.js';
import {
  olsWeights,
  shrunkWeights,
  structuralWeights,
  type Weights,
} from '../../../domain/maths/reconciliation/weights.js';
import { suite } from '../../suite.js';

// The numbers are those of hierarchicalforecast 1.5.3 (Nixtla) for Python:
//   S = numpy.array([[1,1,1,1,1],[1,1,0,0,0],[0,0,1,1,1],[1,0,1,0,1],[0,1,0,1,0]] + numpy.eye(5).tolist())
//   MinTrace(method).fit_predict(S=S, y_hat=yhat)['mean'][5:], of 'mint_shrink' with
//   y_insample=zeros((10, 40)), y_hat_insample=-errors
//   TopDown('forecast_proportions').fit_predict(S=S[[0, 5, 6, 7, 8, 9]], y_hat=..., tags=...)['mean'][1:]

const hierarchy: Hierarchy = {
  bottom: 5,
  sums: [
    [0, 1, 2, 3, 4],
    [0, 1],
    [2, 3, 4],
    [0, 2, 4],
    [1, 3],
  ],
};
const columns = (rows: readonly (readonly number[])[]): Float64Array[] =>
  rows.map(row => Float64Array.from(row));
const base = {
  above: columns([
    [100, 105, 98],
    [40, 41, 38],
    [62, 66, 63],
    [55, 58, 52],
    [44, 45, 47],
  ]),
  bottom: columns([
    [18, 20, 17],
    [21, 22, 23],
    [17, 19, 16],
    [24, 22, 25],
    [22, 20, 21],
  ]),
};
const scales = [9, 5, 6, 5.5, 4.5, 2, 3, 1.5, 2.5, 4];
const errors = scales.map((scale, i) =>
  Float64Array.from({ length: 40 }, (_, k) => {
    const own = Math.sin(1.7 * (i + 1) * (k + 1) + 0.3 * i) + 0.4 * Math.cos(0.9 * (k + 1) * (i + 2));
    return scale * (own + 1.5 * Math.sin(0.61 * (k + 1) + 0.05 * i));
  }),
);

function near(found: readonly Float64Array[], wanted: readonly (readonly number[])[]): void {
  wanted.forEach((row, i) =>
    row.forEach((value, h) => assert.ok(Math.abs(found[i]![h]! - value) < 1e-8, `${found[i]![h]} ${value}`)),
  );
}

suite('reconciliation', test => {
  test('least squares as hierarchicalforecast has it', () => {
    near(reconciled(hierarchy, base, olsWeights(hierarchy)), [
      [17.904761904761905, 18.95238095238095, 15.714285714285712],
      [21.047619047619047, 21.857142857142858, 21.976190476190478],
      [16.428571428571434, 19.714285714285715, 15.785714285714283],
      [23.571428571428573, 23.61904761904762, 25.04761904761905],
      [21.42857142857143, 20.714285714285715, 20.785714285714285],
    ]);
    near(reconciled(hierarchy, base, structuralWeights(hierarchy)), [
      [17.977972027972033, 19.420279720279723, 16.137062937062936],
      [21.026923076923072, 21.930769230769233, 22.276923076923083],
      [16.565384615384616, 19.54615384615385, 15.815384615384616],
      [23.614335664335666, 23.056643356643356, 24.955244755244752],
      [21.565384615384616, 20.54615384615385, 20.815384615384616],
    ]);
  });

  test('the least trace with a shrunk covariance as hierarchicalforecast has it', () => {
    const { weights, intensity } = shrunkWeights(errors)!;
    assert.ok(Math.abs(intensity - 0.0430063713) < 1e-8, `${intensity}`);
    const variance = weights.factor.reduce((sum, row) => sum + row[0]! ** 2, weights.diagonal[0]!);
    assert.ok(Math.abs(variance / 133.04266042955103 - 1) < 1e-8, `${variance}`);
    near(reconciled(hierarchy, base, weights), [
      [17.641965691998323, 20.16436248490025, 16.588368220870667],
      [20.646252042953567, 22.665126011830672, 22.34242731941139],
      [16.633390099403396, 19.534679269075845, 16.00669125537375],
      [23.264033488535738, 23.293230666612413, 24.891316251785238],
      [20.816662321002845, 21.499849183858025, 20.685659752462243],
    ]);
  });

  test('from the top down by the shares of forecasts; equal ones where these are 0', () => {
    near(topDown(base.above[0]!, base.bottom), [
      [17.647058823529413, 20.388349514563107, 16.333333333333332],
      [20.58823529411765, 22.42718446601942, 22.098039215686274],
      [16.666666666666668, 19.368932038834952, 15.372549019607844],
      [23.529411764705884, 22.42718446601942, 24.019607843137255],
      [21.568627450980394, 20.388349514563107, 20.176470588235293],
    ]);
    assert.equal(topDown(columns([[9]])[0]!, columns([[1], [-1], [0]])), columns([[3], [3], [3]]));
  });

  test('what adds up already stays, and nodes without errors do no harm', () => {
    const above = hierarchy.sums.map(places => summed(base.bottom, places));
    const flat = errors.map((column, i) => (i === 2 || i === 7 ? column.map(() => 1) : column));
    for (const weights of [structuralWeights(hierarchy), shrunkWeights(flat)!.weights])
      near(
        reconciled(hierarchy, { ...base, above }, weights),
        base.bottom.map(column => [...column]),
      );
    const moved = reconciled(hierarchy, base, shrunkWeights(flat)!.weights);
    assert.ok(moved.every(column => column.every(Number.isFinite)));
    assert.is(shrunkWeights(errors.map(column => column.map(() => 2))), null);
    const same = errors.map(() => errors[0]!);
    const alike: Weights = shrunkWeights(same)!.weights;
    assert.ok(reconciled(hierarchy, base, alike).every(column => column.every(Number.isFinite)));
  });

  test('rounded columns add up to the last bit, whichever and in whatever order', () => {
    const numbers = fc.array(fc.double({ noNaN: true, min: -1e300, max: 1e300 }), {
      minLength: 1,
      maxLength: 40,
    });
    fc.assert(
      fc.property(numbers, fc.infiniteStream(fc.nat()), (values, chance) => {
        const rounded = addingUp(values.map(value => Float64Array.of(value))).map(column => column[0]!);
        const size = values.reduce((sum, value) => sum + Math.abs(value), 0);
        values.forEach((value, i) => assert.ok(Math.abs(rounded[i]! - value) <= size * 2 ** -51));
        const shuffled = rounded
          .map(value => [value, chance.next().value as number] as const)
          .sort(([, a], [, b]) => a - b)
          .map(([value]) => value);
        const sum = (list: readonly number[]): number => list.reduce((total, value) => total + value, 0);
        const half = Math.floor(values.length / 2);
        assert.is(sum(shuffled), sum(rounded));
        assert.is(sum(shuffled.slice(0, half)) + sum(shuffled.slice(half)), sum(rounded));
      }),
      { numRuns: 300 },
    );
    assert.equal(addingUp(columns([[-0], [0.25]])), columns([[0], [0.25]]));
  });
});
