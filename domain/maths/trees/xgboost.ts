import { END, type Tree, type TreesModel } from './model.js';
import { featuresOf } from './onnx.js';

/**
 * The models as a file that XGBoost 2 and 3 load (`Booster.load_model` of a .json) and that predicts as they
 * do, one column for each model. `levels` are those of quantiles, or null where one model was fitted with
 * squared errors. XGBoost reads values as float32 and asks whether they are below the condition, as these
 * trees do, so that each row takes the same way; it sums in float32. It does not order crossing quantiles. A
 * model's base is a tree of one end, which both versions read alike.
 * `notes`: its attributes.
 * @throws RangeError where the models do not take the same columns, or are not as many as the levels
 */
export function xgboostJson(
  models: readonly TreesModel[],
  levels: readonly number[] | null,
  notes: Readonly<Record<string, string>> = {},
): string {
  const features = featuresOf(models);
  if (models.length !== (levels?.length ?? 1))
    throw new RangeError(`${models.length} models are not one for each of ${levels?.length ?? 1} levels`);
  const { trees, targets, rounds } = inRounds(models);
  const file = JSON.stringify({
    learner: {
      attributes: notes,
      feature_names: [],
      feature_types: [],
      gradient_booster: {
        model: {
          gbtree_model_param: { num_parallel_tree: '1', num_trees: String(trees.length) },
          iteration_indptr: rounds,
          tree_info: targets,
          trees: [],
        },
        name: 'gbtree',
      },
      learner_model_param: {
        base_score: '0E0',
        boost_from_average: '0',
        num_class: '0',
        num_feature: String(features),
        num_target: String(models.length),
      },
      objective: levels
        ? { name: 'reg:quantileerror', quantile_loss_param: { quantile_alpha: `[${levels.join(',')}]` } }
        : { name: 'reg:squarederror', reg_loss_param: { scale_pos_weight: '1' } },
    },
    version: [2, 1, 0],
  });
  const texts = trees.map((tree, id) => written(tree, id, features));
  return file.replace('"trees":[]', () => `"trees":[${texts.join(',')}]`);
}

/** The first trees of all models, then the second ones: which target each is for, and where rounds begin. */
function inRounds(models: readonly TreesModel[]): { trees: Tree[]; targets: number[]; rounds: number[] } {
  const all = models.map(({ base, trees }) => [constant(base), ...trees]);
  const trees: Tree[] = [];
  const targets: number[] = [];
  const rounds = [0];
  for (let round = 0; all.some(({ length }) => length > round); round++) {
    for (const [target, own] of all.entries()) {
      trees.push(own[round] ?? constant(0));
      targets.push(target);
    }
    rounds.push(trees.length);
  }
  return { trees, targets, rounds };
}

const constant = (value: number): Tree => ({
  left: [END],
  right: [END],
  feature: [0],
  threshold: [0],
  missingLeft: [0],
  value: [value],
  gain: [0],
  rows: [0],
});

/** What XGBoost has for the parent of a root. */
const NO_PARENT = 2_147_483_647;

/** XGBoost takes numbers for whole ones unless they have an exponent. */
const reals = (values: readonly number[]): string =>
  `[${values.map(value => value.toExponential()).join(',')}]`;

/** One tree, as JSON. */
function written(tree: Tree, id: number, features: number): string {
  const { left, right, feature, threshold, missingLeft, value, gain, rows } = tree;
  const parents = left.map(() => NO_PARENT);
  left.forEach((child, node) => {
    if (child !== END) for (const each of [child, right[node]!]) parents[each] = node;
  });
  const wholes = {
    categories: [],
    categories_nodes: [],
    categories_segments: [],
    categories_sizes: [],
    default_left: missingLeft,
    id,
    left_children: left,
    parents,
    right_children: right,
    split_indices: feature,
    split_type: left.map(() => 0),
    tree_param: {
      num_deleted: '0',
      num_feature: String(features),
      num_nodes: String(left.length),
      size_leaf_vector: '1',
    },
  };
  const conditions = left.map((child, node) => (child === END ? value[node]! : threshold[node]!));
  const others = { base_weights: value, loss_changes: gain, split_conditions: conditions, sum_hessian: rows };
  const texts = Object.entries(others).map(([name, values]) => `"${name}":${reals(values)}`);
  return `${JSON.stringify(wholes).slice(0, -1)},${texts.join(',')}}`;
}
