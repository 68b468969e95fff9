import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { seeded } from '../../../../domain/maths/seeded.js';
import {
  DEFAULT_TREES,
  fitTrees,
  importanceOf,
  predictTrees,
  type TreesLoss,
  type TreesOptions,
} from '../../../../domain/maths/trees/index.js';
import { suite } from '../../../suite.js';
import { bestGain, madeAt, rowsAt } from './naive.js';

const value = fc.oneof(
  { weight: 5, arbitrary: fc.integer({ min: -4, max: 4 }) },
  { weight: 5, arbitrary: fc.double({ min: -100, max: 100, noNaN: true }) },
  { weight: 2, arbitrary: fc.constant(NaN) },
);
const tables = fc.integer({ min: 1, max: 40 }).chain(rows =>
  fc.record({
    columns: fc.array(column(rows), {
      minLength: 1,
      maxLength: 4,
    }),
    target: fc
      .array(fc.double({ min: -100, max: 100, noNaN: true }), { minLength: rows, maxLength: rows })
      .map(values => Float64Array.from(values)),
  }),
);
const column = (rows: number): fc.Arbitrary<Float64Array> =>
  fc.array(value, { minLength: rows, maxLength: rows }).map(values => Float64Array.from(values, Math.fround));
const losses: fc.Arbitrary<TreesLoss> = fc.oneof(
  fc.constant<TreesLoss>({ kind: 'squared' }),
  fc.constantFrom(0.1, 0.5, 0.9).map((level): TreesLoss => ({ kind: 'quantile', level })),
);
const small: TreesOptions = {
  ...DEFAULT_TREES,
  trees: 1,
  learningRate: 1,
  leaves: 5,
  minLeafRows: 2,
  l2: 0.5,
};

suite('properties of trees', test => {
  test('each split is the best of all there are, and the best leaf is split first', () =>
    fc.assert(
      fc.property(tables, losses, ({ columns, target }, loss) => {
        const { model } = fitTrees(columns, target, loss, small, { random: seeded(1) });
        const [tree] = model.trees;
        const steps = target.map(y => {
          const residual = y - model.base;
          if (loss.kind === 'squared') return residual;
          return loss.level - (residual > 0 ? 0 : 1);
        });
        const best = (rows: readonly number[]): number =>
          bestGain({ columns, steps }, rows, small.l2, small.minLeafRows);
        const near =
          1e-9
          * Math.max(
            1,
            steps.reduce((sum, step) => sum + step * step, 0),
          );
        if (!tree) return assert.ok(best([...target.keys()]) <= near);
        const reached = rowsAt(tree, columns);
        const made = madeAt(tree);
        tree.left.forEach((child, node) => {
          const gain = best(reached[node]!);
          assert.is(tree.rows[node], reached[node]!.length);
          if (child !== -1) return assert.ok(Math.abs(tree.gain[node]! - gain) <= near);
          // No split that was made after this leaf was there gains less than this leaf's would
          tree.left.forEach((other, at) => {
            if (other !== -1 && made[other]! > made[node]!) assert.ok(tree.gain[at]! >= gain - near);
          });
          if (tree.left.length < 2 * small.leaves - 1) assert.ok(gain <= near);
        });
      }),
      { numRuns: 300 },
    ));

  test('a prediction never goes against a monotone option, whatever else a row holds', () =>
    fc.assert(
      fc.property(
        tables,
        losses,
        fc.constantFrom<-1 | 1>(-1, 1),
        fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 2, maxLength: 20 }),
        ({ columns, target }, loss, sign, values) => {
          const options: TreesOptions = {
            ...small,
            trees: 12,
            minLeafRows: 1,
            learningRate: 0.5,
            monotone: [sign],
          };
          const { model } = fitTrees(columns, target, loss, options, { random: seeded(1) });
          const ascending = Float64Array.from(values).sort();
          for (let row = 0; row < target.length; row += 5) {
            const moved = columns.map((column, j) =>
              j === 0 ? ascending : new Float64Array(ascending.length).fill(column[row]!),
            );
            predictTrees(model, moved).reduce((before, now) => {
              assert.ok(sign * (now - before) >= 0);
              return now;
            });
          }
        },
      ),
      { numRuns: 200 },
    ));

  test('the same draws give the same bits', () =>
    fc.assert(
      fc.property(tables, losses, fc.nat(), ({ columns, target }, loss, seed) => {
        const options: TreesOptions = {
          ...small,
          trees: 6,
          rowShare: 0.7,
          featureShare: 0.5,
          minLeafRows: 1,
        };
        const of = (): string =>
          JSON.stringify(fitTrees(columns, target, loss, options, { random: seeded(seed) }));
        assert.is(of(), of());
      }),
      { numRuns: 50 },
    ));

  test('rows predict the same alone and among others, and importance is the sum of gains', () =>
    fc.assert(
      fc.property(tables, losses, ({ columns, target }, loss) => {
        const options: TreesOptions = { ...small, trees: 5 };
        const { model } = fitTrees(columns, target, loss, options, { random: seeded(1) });
        const all = predictTrees(model, columns);
        for (const row of target.keys())
          assert.ok(Object.is(predictTrees(model, columns, row, row + 1)[0], all[row]));
        const total = model.trees.reduce((sum, tree) => sum + tree.gain.reduce((a, b) => a + b, 0), 0);
        const important = importanceOf(model).reduce((a, b) => a + b, 0);
        assert.ok(Math.abs(total - important) <= 1e-9 * (1 + total));
      }),
      { numRuns: 50 },
    ));
});
