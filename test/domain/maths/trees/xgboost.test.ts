import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Rejected } from '../../../../domain/rejected.js';
import { seeded } from '../../../../domain/maths/seeded.js';
import {
  DEFAULT_TREES,
  fitQuantileTrees,
  fitTrees,
  predictQuantiles,
  predictTrees,
  readXgboost,
  xgboostJson,
  type Columns,
  type TreesModel,
  type TreesOptions,
} from '../../../../domain/maths/trees/index.js';
import { suite } from '../../../suite.js';
import { parted, tables } from './tables.js';

type Made = { readonly version: string; readonly file: object; readonly predictions: number[] };
/** What XGBoost made and said (reference-xgboost.py). */
const known = JSON.parse(
  readFileSync(new URL('../../../../../test/domain/maths/trees/xgboost.json', import.meta.url), 'utf8'),
) as { made: Made[]; ours: { squared: number[]; quantiles: number[] } };

const { training, test: rest } = parted(tables['missing']!);
const asked: Columns = rest.columns.map(column => column.slice(0, 30));
const options: TreesOptions = { ...DEFAULT_TREES, trees: 40, minLeafRows: 5 };
const run = { random: seeded(1) };
const LEVELS = [0.1, 0.5, 0.9];

const quantilesOf = (models: readonly TreesModel[]): Float64Array =>
  predictQuantiles({ levels: models.map((_, k) => k), models }, asked);
const expectNear = (ours: Float64Array, theirs: readonly number[]): void => {
  assert.is(ours.length, theirs.length);
  ours.forEach((value, i) => assert.ok(Math.abs(theirs[i]! - value) < 4e-6, `${value} is ${theirs[i]}`));
};

/** A copy of a file with one member put in the place of another. */
function changed(file: object, path: string, value: unknown): object {
  const copy = structuredClone(file);
  const names = path.split('.');
  const last = names.pop()!;
  const room = names.reduce(
    (at, name) => at[name] as Record<string, unknown>,
    copy as Record<string, unknown>,
  );
  room[last] = value;
  return copy;
}

suite('trees as files of XGBoost', test => {
  for (const { version, file, predictions } of known.made)
    test(`a file of XGBoost ${version} predicts what XGBoost does`, () => {
      const { models, levels } = readXgboost(file);
      assert.equal(levels, predictions.length > 30 ? LEVELS : null);
      expectNear(quantilesOf(models), predictions);
    });

  test('XGBoost predicts with our files what we do, and they are read back as they were', () => {
    const { model } = fitTrees(training.columns, training.target, { kind: 'squared' }, options, run);
    expectNear(predictTrees(model, asked), known.ours.squared);
    const { models } = fitQuantileTrees(training.columns, training.target, LEVELS, options, run);
    expectNear(quantilesOf(models), known.ours.quantiles);
    const read = readXgboost(JSON.parse(xgboostJson(models, LEVELS)));
    assert.equal(read.levels, LEVELS);
    assert.equal(quantilesOf(read.models), quantilesOf(models));
    read.models.forEach(({ trees }, k) => {
      assert.is(trees[0]!.value[0], models[k]!.base);
      const pruned = trees.slice(1).map(({ gain, ...tree }) => tree);
      assert.equal(
        pruned.slice(0, models[k]!.trees.length),
        models[k]!.trees.map(({ gain, ...tree }) => tree),
      );
    });
  });

  test('real numbers of a tree have an exponent, without which XGBoost refuses them', () => {
    const text = xgboostJson([{ features: 1, base: 3, trees: [] }], null);
    assert.match(text, '"split_conditions":[3e+0]');
    assert.match(text, '"sum_hessian":[0e+0]');
  });

  test('nodes that were pruned are left out, and unknown members do not matter', () => {
    const { file, predictions } = known.made[0]!;
    const trees = (
      file as { learner: { gradient_booster: { model: { trees: Record<string, unknown[]>[] } } } }
    ).learner.gradient_booster.model.trees;
    const { tree_param, ...lists } = trees[0]!;
    const longer = Object.entries(lists).map(([name, list]) => [
      name,
      Array.isArray(list) && list.length > 0 ? [...list, 2_147_483_647] : list,
    ]);
    const size = String(trees[0]!['left_children']!.length + 1);
    const tree = {
      ...Object.fromEntries(longer),
      tree_param: { ...tree_param, num_nodes: size, num_deleted: '1' },
    };
    const path = 'learner.gradient_booster.model.trees.0';
    const { models } = readXgboost(changed(changed(file, path, tree), 'learner.later', [{ known: null }]));
    expectNear(quantilesOf(models), predictions);
  });

  const room = 'learner.gradient_booster.model';
  const faults: readonly [path: string, value: unknown, words: RegExp][] = [
    ['learner', 7, /^learner must be an object, not 7/],
    [
      'learner.learner_model_param.num_feature',
      '0',
      /num_feature must be a whole number from 1 to 100000, not "0"/,
    ],
    ['learner.learner_model_param.num_target', '4', /base_score must be one number, or 4, not 3/],
    [
      'learner.learner_model_param.base_score',
      'low',
      /base_score must be a number of float32, not "?(NaN|low|null)/,
    ],
    ['learner.objective.name', 'multi:softmax', /objective.name must be one of reg:squarederror.*softmax/],
    ['learner.objective.quantile_loss_param', null, /quantile_loss_param must be an object, not null/],
    ['learner.objective.quantile_loss_param.quantile_alpha', '[1,2,3]', /3 numbers between 0 and 1/],
    ['learner.gradient_booster.name', 'dart', /must be gbtree, not "dart"/],
    [`${room}.trees`, {}, /trees must be a list, not {}/],
    [`${room}.tree_info`, [0], /tree_info must have 12 entries/],
    [`${room}.tree_info.1`, 3, /tree_info\[1] must be a whole number from 0 to 2, not 3/],
    [`${room}.trees.2.left_children`, [], /trees\[2].left_children must have \d+ entries, not 0/],
    [`${room}.trees.2.left_children.0`, 0, /trees\[2].left_children\[0] must be a whole number from 1/],
    [`${room}.trees.2.left_children.0`, '0', /trees\[2].left_children\[0] must be a whole number from 1/],
    [`${room}.trees.2.left_children.0`, 2, /trees\[2] must be a tree: node 2 is reached twice/],
    [`${room}.trees.2.split_indices.0`, 4, /trees\[2].split_indices\[0] must be .* to 3, not 4/],
    [`${room}.trees.2.split_conditions.0`, 1e39, /split_conditions\[0] must be a number of float32/],
    [`${room}.trees.2.default_left.0`, 2, /default_left\[0] must be 0 or 1, not 2/],
    [`${room}.trees.2.split_type.0`, 1, /categories are not read/],
    [`${room}.trees.2.tree_param.size_leaf_vector`, '3', /several outputs are not read/],
    [`${room}.trees.2.tree_param.num_nodes`, '1e9', /num_nodes must be a whole number/],
    ['learner.feature_names', ['a', 1], /feature_names\[1] must be a text, not 1/],
  ];
  for (const [path, value, said] of faults)
    test(`${path} as ${JSON.stringify(value)} is refused by name`, () =>
      assert.throws(
        () => readXgboost(changed(known.made[1]!.file, path, value)),
        (error: unknown) => error instanceof Rejected && said.test(error.message),
      ));

  test('whatever stands in a file, it is read or refused', () => {
    const { model } = fitTrees(
      [Float64Array.of(1, 2, 3, NaN)],
      Float64Array.of(1, 2, 3, 4),
      { kind: 'squared' },
      {
        ...options,
        trees: 2,
        minLeafRows: 1,
      },
      run,
    );
    const text = xgboostJson([model], null);
    const values = fc.constantFrom(
      '-1',
      '0',
      '1',
      '2',
      '[]',
      '{}',
      'null',
      '"1"',
      '1e999',
      '[1,[2]]',
      'true',
    );
    fc.assert(
      fc.property(fc.nat(), values, (at, value) => {
        const members = [...text.matchAll(/(?<=[:[,])(-?\d[^,\]}]*|"[^"]*"(?!:)|\[\])/g)];
        const member = members[at % members.length]!;
        const other = text.slice(0, member.index) + value + text.slice(member.index + member[0].length);
        try {
          for (const read of readXgboost(JSON.parse(other)).models)
            predictTrees(
              read,
              Array.from({ length: read.features }, () => Float64Array.of(NaN, 2)),
            );
        } catch (error) {
          assert.instance(error, Rejected);
        }
      }),
      { numRuns: 500 },
    );
  });
});
