import { seeded } from '../../maths/seeded.js';
import {
  DEFAULT_TREES,
  fitQuantileTrees,
  fitTrees,
  importanceOf,
  treesOnnx,
  xgboostJson,
  type Columns,
  type TreesOptions,
} from '../../maths/trees/index.js';
import { examplesOf, heldOut, partOf, type Examples } from '../../models/windowed/examples.js';
import type { Feature } from '../../models/windowed/features.js';
import { Rejected } from '../../rejected.js';
import type { Fit } from './fitted.js';
import { tooShort } from './too-short.js';
import { graphModelOf, importanceFrom, learntFrom, notesOf, windowPlanOf } from './windows.js';

/** What people may set, by the names that they know from LightGBM and XGBoost. */
type Given = {
  readonly trees: number;
  readonly learning_rate: number;
  readonly leaves: number;
  readonly min_leaf_rows: number;
  readonly l2: number;
  readonly row_share: number;
  readonly feature_share: number;
  readonly monotone: Readonly<Record<string, -1 | 0 | 1>>;
};

/** Each level is a model of its own: those between are on the lines between these, at half the time. */
const LEVELS = [0.1, 0.3, 0.5, 0.7, 0.9];
/** From so many rows all levels are learnt in some seconds. */
const BUDGET = { origins: 4_000, rows: 12_000 };
/** With fewer rows held out or learnt from their loss says little. */
const LEAST_HELD = 40;
/** Of so few rows a bin would be few, too. */
const BINS = 63;
/** Where nothing can be held out. */
const FEW_TREES = 30;

/**
 * Boosted trees for each level over the rows of all steps. How many trees there are is found by the newest
 * fifth of the origins, at the median; then all rows are learnt from.
 */
export const fitBoosting: Fit = (table, asked, told) => {
  const { recipe, horizon, gap, seed } = asked;
  const window = windowPlanOf(table, asked, { forTrees: true });
  const examples = examplesOf(window, learntFrom(table, window), horizon + gap, BUDGET, seeded(seed));
  if (examples.rows.length === 0) throw tooShort();
  const options = optionsOf(recipe.hyperparameters as Given, examples.features);
  const trees = treesNeeded(examples, options, seed);
  told(0.2);
  const fitted = fitQuantileTrees(
    columnsOf(examples),
    examples.targets,
    LEVELS,
    { ...options, trees },
    { random: seeded(seed) },
  );
  const gains = fitted.models.map(importanceOf);
  const model = graphModelOf(window, { recipe, horizon }, LEVELS);
  const notes = notesOf(model, examples);
  const text = xgboostJson(fitted.models, LEVELS, notes);
  return {
    model,
    graph: treesOnnx(fitted.models, notes),
    download: { format: 'xgboost_json', bytes: new TextEncoder().encode(text) },
    importance: importanceFrom(
      examples,
      examples.features.map((_, j) => gains.reduce((sum, gain) => sum + gain[j]!, 0)),
    ),
  };
};

function treesNeeded(examples: Examples, options: TreesOptions, seed: number): number {
  const split = heldOut(examples, LEAST_HELD);
  if (!split) return Math.min(FEW_TREES, options.trees);
  const [learnt, held] = [partOf(examples, split.learnt), partOf(examples, split.held)];
  const validation = { columns: columnsOf(held), target: held.targets };
  const median = { kind: 'quantile', level: 0.5 } as const;
  const run = { random: seeded(seed), validation };
  return Math.max(1, fitTrees(columnsOf(learnt), learnt.targets, median, options, run).model.trees.length);
}

const columnsOf = ({ features, rows }: Examples): Columns =>
  features.map((_, j) => Float64Array.from(rows, row => row[j]!));

function optionsOf(given: Given, features: readonly Feature[]): TreesOptions {
  const names = features.map(({ name }) => name);
  const unknown = Object.keys(given.monotone).find(name => !names.includes(name));
  if (unknown !== undefined)
    throw new Rejected(
      'unprocessable',
      'unknown_feature',
      `hyperparameters.monotone names ${unknown}, which is none of the features: ${names.join(', ')}`,
      { feature: unknown, features: names },
    );
  return {
    ...DEFAULT_TREES,
    trees: given.trees,
    learningRate: given.learning_rate,
    leaves: given.leaves,
    minLeafRows: given.min_leaf_rows,
    l2: given.l2,
    rowShare: given.row_share,
    featureShare: given.feature_share,
    bins: BINS,
    monotone: names.map(name => given.monotone[name] ?? 0),
  };
}
