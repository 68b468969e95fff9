import { END, type Columns, type QuantileTrees, type Tree, type TreesModel } from './model.js';

/** So many rows are taken through all trees before the next: their values and sums stay near. */
const BLOCK = 1_024;

/**
 * What the model predicts for the rows `from` to `to` - 1 of a table (all of them where not given). The same
 * row gives the same bits, whichever rows are asked for with it. RangeError where the table has another
 * number of columns than the model was fitted on.
 */
export function predictTrees(
  model: TreesModel,
  columns: Columns,
  from = 0,
  to = columns[0]?.length ?? 0,
): Float64Array {
  if (columns.length !== model.features)
    throw new RangeError(`the model takes ${model.features} columns, not ${columns.length}`);
  const sums = new Float64Array(to - from).fill(model.base);
  for (let start = from; start < to; start += BLOCK)
    for (const tree of model.trees) addTree(tree, columns, start, Math.min(to, start + BLOCK), sums, from);
  return sums;
}

/**
 * The quantiles of each row, `values[row * levels.length + k]`, ascending: where the models cross, their
 * predictions are put in order (Chernozhukov, Fernandez-Val and Galichon 2010), which never makes them worse.
 */
export function predictQuantiles(
  { models }: QuantileTrees,
  columns: Columns,
  from = 0,
  to = columns[0]?.length ?? 0,
): Float64Array {
  const values = new Float64Array((to - from) * models.length);
  models.forEach((model, k) =>
    predictTrees(model, columns, from, to).forEach((value, row) => {
      values[row * models.length + k] = value;
    }),
  );
  for (let row = 0; row < values.length; row += models.length)
    values.subarray(row, row + models.length).sort();
  return values;
}

/** Adds what a tree says of the rows `from` to `to` - 1; the sum of row r stands at r - `first`. */
export function addTree(
  tree: Tree,
  columns: Columns,
  from: number,
  to: number,
  sums: Float64Array,
  first = 0,
): void {
  for (let row = from; row < to; row++) sums[row - first]! += tree.value[endOf(tree, columns, row)]!;
}

function endOf(
  { left, right, feature, threshold, missingLeft }: Tree,
  columns: Columns,
  row: number,
): number {
  let node = 0;
  for (let next = left[node]!; next !== END; next = left[node]!) {
    const value = Math.fround(columns[feature[node]!]![row]!);
    // What is missing is below nothing
    const goesLeft = value < threshold[node]! || (missingLeft[node] === 1 && Number.isNaN(value));
    node = goesLeft ? next : right[node]!;
  }
  return node;
}
