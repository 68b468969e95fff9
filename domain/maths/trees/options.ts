import type { Columns, TreesModel } from './model.js';
import type { Uniform } from '../seeded.js';

/** Squared error, or the pinball loss of a quantile at a level between 0 and 1. */
export type TreesLoss = { readonly kind: 'squared' } | { readonly kind: 'quantile'; readonly level: number };

/** What a model may be told about how it is fitted; the names in brackets are LightGBM's. */
export type TreesOptions = {
  /** Trees at most (num_iterations). */
  readonly trees: number;
  /** What is taken of each tree, above 0 and at most 1 (learning_rate). */
  readonly learningRate: number;
  /** Ends of a tree at most, 2 to 1,024 (num_leaves). */
  readonly leaves: number;
  /** Splits between the root and an end at most (max_depth). */
  readonly maxDepth: number;
  /** Rows of an end at least (min_data_in_leaf). */
  readonly minLeafRows: number;
  /** Draws what an end adds to 0; 0 or more (lambda_l2). For a quantile it weighs in the splits alone. */
  readonly l2: number;
  /** The share of rows, and of features, that each tree sees (bagging_fraction, feature_fraction). */
  readonly rowShare: number;
  readonly featureShare: number;
  /** Bins of a feature at most, 2 to 255 (max_bin); missing values have one more. */
  readonly bins: number;
  /** For each feature 1 where the prediction must not fall with it, -1 where it must not rise, else 0. */
  readonly monotone: readonly (-1 | 0 | 1)[];
  /** After so many trees without a better validation loss it ends (early_stopping_round); 0 for never. */
  readonly patience: number;
};

export const DEFAULT_TREES: TreesOptions = {
  trees: 200,
  learningRate: 0.05,
  leaves: 31,
  maxDepth: 64,
  minLeafRows: 20,
  l2: 0,
  rowShare: 1,
  featureShare: 1,
  bins: 255,
  monotone: [],
  patience: 20,
};

/** What is known after each tree: the mean loss of the rows in training, and of the validation rows. */
export type TreesProgress = {
  readonly trees: number;
  readonly loss: number;
  readonly validationLoss: number | null;
};

/** What comes from outside. */
export type TreesRun = {
  /** Draws rows and features, where not all are taken. */
  readonly random: Uniform;
  /** Rows that no tree sees: the model is cut after the tree with which their loss is least. */
  readonly validation?: { readonly columns: Columns; readonly target: Float64Array };
  /** Called after each tree; `false` ends the training with what there is. */
  readonly onTree?: (progress: TreesProgress) => boolean;
};

/** A model, and the mean losses of what it was fitted on and validated with. */
export type TreesFit = { readonly model: TreesModel; readonly progress: readonly TreesProgress[] };

const isBetween = (x: number, low: number, high: number): boolean =>
  Number.isInteger(x) && x >= low && x <= high;

/** @throws RangeError that names the option */
export function checkOptions(options: TreesOptions, features: number): void {
  const wrong = (name: keyof TreesOptions, must: string): RangeError =>
    new RangeError(`${name} must be ${must}, not ${String(options[name])}`);
  const whole = { trees: [1, 100_000], leaves: [2, 1_024], maxDepth: [1, 1_024], bins: [2, 255] } as const;
  for (const [name, [low, high]] of Object.entries(whole) as [
    keyof typeof whole,
    readonly [number, number],
  ][])
    if (!isBetween(options[name], low, high)) throw wrong(name, `a whole number from ${low} to ${high}`);
  if (!isBetween(options.minLeafRows, 1, 2 ** 31)) throw wrong('minLeafRows', 'a whole number from 1 on');
  if (!isBetween(options.patience, 0, 2 ** 31)) throw wrong('patience', 'a whole number from 0 on');
  if (!(options.l2 >= 0 && options.l2 < Infinity)) throw wrong('l2', 'a number from 0 on');
  for (const name of ['learningRate', 'rowShare', 'featureShare'] as const)
    if (!(options[name] > 0 && options[name] <= 1)) throw wrong(name, 'above 0 and at most 1');
  const isSign = (sign: number): boolean => sign === 0 || sign === 1 || sign === -1;
  if (!options.monotone.every(isSign) || options.monotone.length > features)
    throw wrong('monotone', `at most one of -1, 0 and 1 for each of ${features} features`);
}

/** @throws RangeError that names the column and the row */
export function checkTable(columns: Columns, target: Float64Array): void {
  if (!columns.length) throw new RangeError('a table needs a column');
  if (!target.length) throw new RangeError('a table needs a row');
  const row = target.findIndex(y => !isFloat32(y));
  if (row >= 0) throw new RangeError(`the target must be a finite number, not ${target[row]} in row ${row}`);
  columns.forEach((column, j) => {
    if (column.length !== target.length)
      throw new RangeError(`column ${j} has ${column.length} rows and the target ${target.length}`);
    const at = column.findIndex(x => !isFloat32(x) && !Number.isNaN(x));
    if (at >= 0)
      throw new RangeError(`column ${j} must be a finite number or NaN, not ${column[at]} in row ${at}`);
  });
}

const isFloat32 = (x: number): boolean => Math.abs(Math.fround(x)) < Infinity;
