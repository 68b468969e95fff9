import { onnxBytes, type Attribute, type OnnxNode } from '../onnx/graph.js';
import { END, type TreesModel } from './model.js';

/**
 * An .onnx file that predicts as the models do: an input `x` [rows, features] of float32, NaN where a value
 * is missing, and an output `y` [rows, models], the predictions of each row ascending. Sums are float32, so
 * the answers are those of `predictTrees` (of `predictQuantiles`) to about 1e-6 of the largest number summed.
 * `notes`: what the file says of itself beside, by name.
 * @throws RangeError where the models do not take the same columns
 */
export function treesOnnx(
  models: readonly TreesModel[],
  notes: Readonly<Record<string, string>> = {},
): Uint8Array {
  const features = featuresOf(models);
  const isOne = models.length === 1;
  const sorting: OnnxNode = {
    operator: 'TopK',
    inputs: ['crossing', 'count'],
    outputs: ['y', 'order'],
    attributes: { axis: { integer: 1 }, largest: { integer: 0 }, sorted: { integer: 1 } },
  };
  return onnxBytes({
    nodes: [ensemble(models, isOne ? 'y' : 'crossing'), ...(isOne ? [] : [sorting])],
    constants: isOne ? [] : [{ name: 'count', dims: [1], values: { integers: [models.length] } }],
    inputs: [{ name: 'x', dims: ['rows', features] }],
    outputs: [{ name: 'y', dims: ['rows', models.length] }],
    notes,
  });
}

/**
 * The same for models of which each predicts one step: `input` [batch, features] and `output` [batch,
 * models], the predictions in the order of the models.
 * @throws RangeError where the models do not take the same columns
 */
export function stepsOnnx(models: readonly TreesModel[], input: string, output: string): Uint8Array {
  const features = featuresOf(models);
  return onnxBytes({
    nodes: [{ ...ensemble(models, output), inputs: [input] }],
    constants: [],
    inputs: [{ name: input, dims: ['batch', features] }],
    outputs: [{ name: output, dims: ['batch', models.length] }],
  });
}

/** How many columns they take. */
export function featuresOf(models: readonly TreesModel[]): number {
  const features = models[0]?.features ?? 0;
  if (features === 0 || models.some(model => model.features !== features))
    throw new RangeError('the models must be one or more that take the same columns');
  return features;
}

function ensemble(models: readonly TreesModel[], output: string): OnnxNode {
  const nodes = { tree: [], node: [], feature: [], value: [], yes: [], no: [], missing: [] } as Record<
    'tree' | 'node' | 'feature' | 'value' | 'yes' | 'no' | 'missing',
    number[]
  >;
  const modes: string[] = [];
  const ends = { tree: [], node: [], target: [], weight: [] } as Record<
    'tree' | 'node' | 'target' | 'weight',
    number[]
  >;
  let number = 0;
  for (const [target, { trees }] of models.entries())
    for (const tree of [...trees, ...(trees.length ? [] : [NOTHING])]) {
      for (const [node, left] of tree.left.entries()) {
        const isEnd = left === END;
        nodes.tree.push(number);
        nodes.node.push(node);
        nodes.feature.push(tree.feature[node]!);
        nodes.value.push(tree.threshold[node]!);
        nodes.yes.push(isEnd ? 0 : left);
        nodes.no.push(isEnd ? 0 : tree.right[node]!);
        nodes.missing.push(tree.missingLeft[node]!);
        modes.push(isEnd ? 'LEAF' : 'BRANCH_LT');
        if (!isEnd) continue;
        ends.tree.push(number);
        ends.node.push(node);
        ends.target.push(target);
        ends.weight.push(tree.value[node]!);
      }
      number++;
    }
  const attributes: Readonly<Record<string, Attribute>> = {
    n_targets: { integer: models.length },
    base_values: { floats: models.map(({ base }) => base) },
    aggregate_function: { text: 'SUM' },
    post_transform: { text: 'NONE' },
    nodes_treeids: { integers: nodes.tree },
    nodes_nodeids: { integers: nodes.node },
    nodes_featureids: { integers: nodes.feature },
    nodes_values: { floats: nodes.value },
    nodes_modes: { texts: modes },
    nodes_truenodeids: { integers: nodes.yes },
    nodes_falsenodeids: { integers: nodes.no },
    nodes_missing_value_tracks_true: { integers: nodes.missing },
    target_treeids: { integers: ends.tree },
    target_nodeids: { integers: ends.node },
    target_ids: { integers: ends.target },
    target_weights: { floats: ends.weight },
  };
  return { operator: 'TreeEnsembleRegressor', learning: true, inputs: ['x'], outputs: [output], attributes };
}

/** Stands for a model without trees, which the operator does not know. */
const NOTHING = {
  left: [END],
  right: [END],
  feature: [0],
  threshold: [0],
  missingLeft: [0],
  value: [0],
} as const;
