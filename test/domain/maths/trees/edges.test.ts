import * as assert from 'uvu/assert';
import { seeded } from '../../../../domain/maths/seeded.js';
import {
  DEFAULT_TREES,
  fitQuantileTrees,
  fitTrees,
  importanceOf,
  predictQuantiles,
  predictTrees,
  type TreesLoss,
  type TreesOptions,
} from '../../../../domain/maths/trees/index.js';
import { suite } from '../../../suite.js';
import { parted, pinball, tables } from './tables.js';

const random = seeded(1);
const squared: TreesLoss = { kind: 'squared' };
const median: TreesLoss = { kind: 'quantile', level: 0.5 };
const options: TreesOptions = { ...DEFAULT_TREES, trees: 30, learningRate: 0.2, minLeafRows: 5 };
const steps = (count: number, of: (i: number) => number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => of(i));

suite('trees at the edges', test => {
  test('one row, equal targets or constant columns give the constant alone', () => {
    for (const loss of [squared, median]) {
      const one = fitTrees([Float64Array.of(3)], Float64Array.of(7), loss, options, { random });
      assert.equal(one.model, { features: 1, base: 7, trees: [] });
      const equal = fitTrees(
        [steps(50, i => i)],
        steps(50, () => 0.1),
        loss,
        options,
        { random },
      );
      assert.equal(equal.model, { features: 1, base: Math.fround(0.1), trees: [] });
      const flat = fitTrees(
        [steps(50, () => 2), steps(50, () => NaN)],
        steps(50, i => i),
        loss,
        options,
        {
          random,
        },
      );
      assert.is(flat.model.trees.length, 0);
    }
  });

  test('missing values take the side that fits them', () => {
    const x = steps(400, i => (i % 4 === 0 ? NaN : i / 400));
    const y = x.map(value => (Number.isNaN(value) || value > 0.5 ? 10 : 0));
    const { model } = fitTrees([x], y, squared, { ...options, trees: 60 }, { random });
    const asked = predictTrees(model, [Float64Array.of(NaN, 0.9, 0.1)]);
    assert.ok(Math.abs(asked[0]! - 10) < 0.1 && Math.abs(asked[1]! - 10) < 0.1 && Math.abs(asked[2]!) < 0.1);
  });

  test('that a value is missing is a reason by itself', () => {
    const x = steps(400, i => (i % 2 ? NaN : i));
    const { model } = fitTrees(
      [x],
      steps(400, i => i % 2),
      squared,
      { ...options, trees: 60 },
      { random },
    );
    const [missing, known, beyond] = predictTrees(model, [Float64Array.of(NaN, 100, 1e9)]);
    assert.ok(missing! > 0.99 && known! < 0.01 && beyond! < 0.01);
  });

  test('rows given twice change no split', () => {
    const { training } = parted(tables['friedman']!);
    const twice = (column: Float64Array): Float64Array => Float64Array.of(...column, ...column);
    const once = fitTrees(training.columns, training.target, squared, { ...options, trees: 5 }, { random });
    const both = fitTrees(
      training.columns.map(twice),
      twice(training.target),
      squared,
      { ...options, trees: 5, minLeafRows: 2 * options.minLeafRows },
      { random },
    );
    assert.equal(
      both.model.trees.map(({ feature, threshold }) => [feature, threshold]),
      once.model.trees.map(({ feature, threshold }) => [feature, threshold]),
    );
  });

  test('training ends when the validation loss no longer falls, with the best number of trees', () => {
    const { training, test: validation } = parted(tables['missing']!);
    const many: TreesOptions = { ...options, trees: 1_000, patience: 15 };
    const { model, progress } = fitTrees(training.columns, training.target, median, many, {
      random,
      validation,
    });
    const seen = progress.map(({ validationLoss }) => validationLoss!);
    assert.is(progress.length, model.trees.length + 15);
    assert.is(Math.min(...seen), seen[model.trees.length - 1]);
    const loss = pinball(0.5, validation.target, predictTrees(model, validation.columns));
    assert.ok(Math.abs(loss - seen[model.trees.length - 1]!) < 1e-12);
  });

  test('whoever watches may end it, and keeps the trees there are', () => {
    const { training } = parted(tables['calendar']!);
    const onTree = ({ trees }: { trees: number }): boolean => trees < 7;
    const { model } = fitTrees(training.columns, training.target, squared, options, { random, onTree });
    assert.is(model.trees.length, 7);
  });

  test('what matters is important, and what is useless is not', () => {
    const { training } = parted(tables['friedman']!);
    const { model } = fitTrees(training.columns, training.target, squared, options, { random });
    const gains = importanceOf(model);
    assert.ok(Math.min(...gains.slice(0, 5)) > 5 * Math.max(...gains.slice(5)));
  });

  test('quantiles ascend in each row, and hold about their share of held-out rows', () => {
    const { training, test: rest } = parted(tables['missing']!);
    const levels = [0.1, 0.5, 0.9];
    const calm: TreesOptions = { ...options, leaves: 6, minLeafRows: 40, learningRate: 0.1 };
    const fitted = fitQuantileTrees(training.columns, training.target, levels, calm, { random });
    const values = predictQuantiles(fitted, rest.columns);
    assert.is(values.length, 3 * rest.target.length);
    levels.forEach((level, k) => {
      const below = rest.target.filter((y, row) => y < values[3 * row + k]!).length / rest.target.length;
      assert.ok(Math.abs(below - level) < 0.06, `${below} below the quantile ${level}`);
    });
    for (let i = 0; i < values.length; i += 3)
      assert.ok(values[i]! <= values[i + 1]! && values[i + 1]! <= values[i + 2]!);
  });

  test('what cannot be fitted is refused by name', () => {
    const x = Float64Array.of(1, 2);
    const refused = (columns: Float64Array[], y: Float64Array, words: RegExp, told = options): void =>
      assert.throws(() => fitTrees(columns, y, squared, told, { random }), words);
    refused([Float64Array.of(1, Infinity)], x, /column 0 .* not Infinity in row 1/);
    refused([x, Float64Array.of(1e39, 2)], x, /column 1 .* in row 0/);
    refused([x], Float64Array.of(1, NaN), /target .* not NaN in row 1/);
    refused([x], Float64Array.of(1), /column 0 has 2 rows and the target 1/);
    refused([], x, /needs a column/);
    refused([x], x, /learningRate/, { ...options, learningRate: 0 });
    refused([x], x, /leaves must be a whole number from 2 to 1024, not 1/, { ...options, leaves: 1 });
    refused([x], x, /monotone/, { ...options, monotone: [0, 1] });
    assert.throws(() => fitTrees([x], x, { kind: 'quantile', level: 1 }, options, { random }), /level/);
    const { model } = fitTrees([x], x, squared, options, { random });
    assert.throws(() => predictTrees(model, [x, x]), /takes 1 columns, not 2/);
  });
});
