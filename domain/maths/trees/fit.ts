import { drawn } from '../seeded.js';
import { binned, type Binned } from './bins.js';
import { Grower, type Grown } from './grow.js';
import type { Nodes } from './leaves.js';
import { lossMaths, type LossMaths } from './loss.js';
import type { Columns, QuantileTrees, Tree } from './model.js';
import { keepMonotone } from './monotone.js';
import {
  checkOptions,
  checkTable,
  type TreesFit,
  type TreesLoss,
  type TreesOptions,
  type TreesProgress,
  type TreesRun,
} from './options.js';
import { addTree } from './predict.js';

/** Gains below this share of the squared gradients at the start are rounding. */
const LEAST_GAIN = 1e-12;

/**
 * Gradient boosting of regression trees (Friedman 2001) over histograms of binned values, grown leaf by leaf
 * (Ke et al. 2017, LightGBM). A missing value (NaN) takes the side that each split learnt for it. With the
 * loss of a quantile, ends are renewed as that quantile of the residuals in them, as LightGBM does. Values of
 * the table, thresholds and what ends add are float32, so that XGBoost and ONNX, which know no other, take
 * each row the same way. The same arguments and draws give the same bits. Time: rows x features x about twice
 * the logarithm of `leaves` for each tree; memory: 1 byte for each value, and 4 kB for each feature and leaf.
 * @throws RangeError that names the option, or the column and the row
 */
export function fitTrees(
  columns: Columns,
  target: Float64Array,
  loss: TreesLoss,
  options: TreesOptions,
  run: TreesRun,
): TreesFit {
  return boosted(prepared(columns, target, options, run), target, loss, options, run);
}

/** One model for each level (ascending, between 0 and 1) on one binned table; see `predictQuantiles`. */
export function fitQuantileTrees(
  columns: Columns,
  target: Float64Array,
  levels: readonly number[],
  options: TreesOptions,
  run: TreesRun,
): QuantileTrees & { readonly fits: readonly TreesFit[] } {
  const table = prepared(columns, target, options, run);
  const fits = levels.map(level => boosted(table, target, { kind: 'quantile', level }, options, run));
  return { levels, models: fits.map(({ model }) => model), fits };
}

function prepared(columns: Columns, target: Float64Array, options: TreesOptions, run: TreesRun): Binned {
  checkOptions(options, columns.length);
  checkTable(columns, target);
  if (run.validation) checkTable(run.validation.columns, run.validation.target);
  if (run.validation && run.validation.columns.length !== columns.length)
    throw new RangeError(
      `the validation has ${run.validation.columns.length} columns, not ${columns.length}`,
    );
  return binned(columns, options.bins);
}

function boosted(
  table: Binned,
  target: Float64Array,
  loss: TreesLoss,
  options: TreesOptions,
  { random, validation, onTree }: TreesRun,
): TreesFit {
  const maths = lossMaths(loss);
  const base = Math.fround(maths.base(target));
  const { l2, minLeafRows } = options;
  const minGain = LEAST_GAIN * maths.scale(target, base);
  const grower = new Grower(table, options, { ...maths, l2, minLeafRows, minGain });
  const scores = new Float64Array(table.rows).fill(base);
  const validated = new Float64Array(validation?.target.length ?? 0).fill(base);
  const pulls = new Float64Array(table.rows);
  const trees: Tree[] = [];
  const progress: TreesProgress[] = [];
  const samples = options.rowShare < 1 || options.featureShare < 1;
  let best = { trees: 0, loss: validation ? maths.mean(validation.target, validated) : Infinity };
  for (let round = 0; round < options.trees; round++) {
    maths.pulls(target, scores, pulls);
    const rows = drawn(shareOf(options.rowShare, table.rows), table.rows, random);
    const features = drawn(shareOf(options.featureShare, table.columns.length), table.columns.length, random);
    const grown = grower.grow(rows, pulls, features);
    if (grown.ends.length === 1 && samples) continue;
    if (grown.ends.length === 1) break;
    const tree = finished(grown, rows, maths, target, scores, options);
    trees.push(tree);
    if (rows.length < table.rows) addTree(tree, table.columns, 0, table.rows, scores);
    else addEnds(tree, grown, rows, scores);
    if (validation) addTree(tree, validation.columns, 0, validated.length, validated);
    const now: TreesProgress = {
      trees: trees.length,
      loss: maths.mean(target, scores),
      validationLoss: validation ? maths.mean(validation.target, validated) : null,
    };
    progress.push(now);
    if (now.validationLoss !== null && now.validationLoss < best.loss)
      best = { trees: trees.length, loss: now.validationLoss };
    if (onTree?.(now) === false) break;
    if (validation && options.patience > 0 && trees.length - best.trees >= options.patience) break;
  }
  const kept = validation ? trees.slice(0, best.trees) : trees;
  return { model: { features: table.columns.length, base, trees: kept }, progress };
}

const shareOf = (share: number, all: number): number => Math.max(1, Math.round(share * all));

/** The tree with the values of its ends renewed, shortened by the learning rate and rounded to float32. */
function finished(
  { nodes, ends }: Grown,
  rows: Int32Array,
  { renewed }: LossMaths,
  target: Float64Array,
  scores: Float64Array,
  { monotone, learningRate }: TreesOptions,
): Nodes {
  if (renewed)
    for (const { node, from, to } of ends) {
      const residuals = new Float64Array(to - from);
      for (let i = from; i < to; i++) residuals[i - from] = target[rows[i]!]! - scores[rows[i]!]!;
      nodes.value[node] = renewed(residuals);
    }
  if (renewed && monotone.some(sign => sign !== 0)) keepMonotone(nodes, monotone);
  nodes.value = nodes.value.map(value => Math.fround(learningRate * value));
  return nodes;
}

/** Adds what a tree says of the rows that it was grown on, which are known to be at its ends. */
function addEnds({ value }: Tree, { ends }: Grown, rows: Int32Array, scores: Float64Array): void {
  for (const { node, from, to } of ends) for (let i = from; i < to; i++) scores[rows[i]!]! += value[node]!;
}
