/**
 * A regression tree as arrays with one entry for each node, the root first. At a node with a `left` of -1 the
 * row has arrived and `value` counts; at any other it goes left where its value of the `feature`, rounded to
 * float32, is below the `threshold`, and where it is missing (NaN) and `missingLeft` is 1.
 */
export type Tree = {
  readonly left: readonly number[];
  readonly right: readonly number[];
  readonly feature: readonly number[];
  readonly threshold: readonly number[];
  readonly missingLeft: readonly (0 | 1)[];
  /** What an end adds to the prediction; 0 at other nodes. */
  readonly value: readonly number[];
  /** By how much a split lowered the squared gradients that are left, 0 at ends. */
  readonly gain: readonly number[];
  /** Rows that reached the node in training. */
  readonly rows: readonly number[];
};

/** The prediction for a row is `base` and what each tree adds. Plain data, all numbers finite. */
export type TreesModel = {
  /** How many columns a table for it has. */
  readonly features: number;
  readonly base: number;
  readonly trees: readonly Tree[];
};

/** One model for each level, ascending. */
export type QuantileTrees = { readonly levels: readonly number[]; readonly models: readonly TreesModel[] };

/** A table by columns, of equal length; NaN where a value is missing. */
export type Columns = readonly Float64Array[];

export const END = -1;

/** The gain of each feature over all trees, which says how much predictions owe to it. */
export function importanceOf({ features, trees }: TreesModel): Float64Array {
  const gains = new Float64Array(features);
  for (const { left, feature, gain } of trees)
    for (const [node, child] of left.entries()) if (child !== END) gains[feature[node]!]! += gain[node]!;
  return gains;
}
