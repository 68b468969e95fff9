import type { Tree, TreesModel } from './model.js';
import { listAt, numbersAt, objectAt, wholeAt, words, wrong, type Members } from './xgboost-members.js';
import { readTree } from './xgboost-tree.js';

/** What a file may hold. */
const MOST_FEATURES = 100_000;
const MOST_TARGETS = 1_000;
const MOST_TREES = 100_000;
const MOST_NODES = 2_000_000;

/** Objectives whose predictions are the sums of the trees as they are. */
const PLAIN = [
  'reg:squarederror',
  'reg:linear',
  'reg:absoluteerror',
  'reg:pseudohubererror',
  'reg:quantileerror',
];

/** A model for each target, and the levels that the file names for quantiles (null where it names none). */
export type ReadXgboost = {
  readonly models: readonly TreesModel[];
  readonly levels: readonly number[] | null;
  /** As the file names its columns; empty where it does not. */
  readonly names: readonly string[];
};

/**
 * The models of a parsed file of XGBoost 1.6 to 3 (`Booster.save_model` as .json). It reads regressions by
 * trees (`gbtree`) whose answer is the sum of them; members that it does not know do not matter. Predictions
 * are XGBoost's but for the float32 of its sums; where missing values and values equal to a condition go is
 * the same.
 * @throws Rejected unprocessable `invalid_xgboost` that names the member and what is wrong with it
 */
export function readXgboost(file: unknown): ReadXgboost {
  const learner = objectAt(objectAt(file, 'the file')['learner'], 'learner');
  const at = 'learner.learner_model_param';
  const parameters = objectAt(learner['learner_model_param'], at);
  const features = wholeAt(parameters['num_feature'], `${at}.num_feature`, 1, MOST_FEATURES);
  const targets = wholeAt(parameters['num_target'] ?? 1, `${at}.num_target`, 1, MOST_TARGETS);
  const objective = objectAt(learner['objective'], 'learner.objective');
  if (!PLAIN.includes(String(objective['name'])))
    throw wrong(
      'learner.objective.name',
      `must be one of ${PLAIN.join(', ')}, not ${words(objective['name'])}`,
    );
  const booster = objectAt(learner['gradient_booster'], 'learner.gradient_booster');
  if (booster['name'] !== 'gbtree')
    throw wrong('learner.gradient_booster.name', `must be gbtree, not ${words(booster['name'])}`);
  const bases = numbersAt(parameters['base_score'], `${at}.base_score`);
  if (bases.length !== 1 && bases.length !== targets)
    throw wrong(`${at}.base_score`, `must be one number, or ${targets}, not ${bases.length}`);
  const trees = treesOf(objectAt(booster['model'], ROOM), features, targets);
  return {
    models: trees.map((own, target) => ({ features, base: bases[target] ?? bases[0]!, trees: own })),
    levels: levelsOf(objective, targets),
    names: namesOf(learner['feature_names'], features),
  };
}

const ROOM = 'learner.gradient_booster.model';

function treesOf(model: Members, features: number, targets: number): Tree[][] {
  const trees = listAt(model['trees'], `${ROOM}.trees`, MOST_TREES);
  const info = listAt(model['tree_info'], `${ROOM}.tree_info`, MOST_TREES);
  if (info.length !== trees.length) throw wrong(`${ROOM}.tree_info`, `must have ${trees.length} entries`);
  const byTarget: Tree[][] = Array.from({ length: targets }, () => []);
  let nodes = 0;
  trees.forEach((tree, i) => {
    const target = wholeAt(info[i], `${ROOM}.tree_info[${i}]`, 0, targets - 1);
    const read = readTree(tree, `${ROOM}.trees[${i}]`, features);
    nodes += read.left.length;
    if (nodes > MOST_NODES) throw wrong(`${ROOM}.trees`, `must have at most ${MOST_NODES} nodes`);
    byTarget[target]!.push(read);
  });
  return byTarget;
}

function levelsOf(objective: Members, targets: number): number[] | null {
  if (objective['name'] !== 'reg:quantileerror') return null;
  const at = 'learner.objective.quantile_loss_param';
  const levels = numbersAt(
    objectAt(objective['quantile_loss_param'], at)['quantile_alpha'],
    `${at}.quantile_alpha`,
  );
  const rounded = levels.map(level => Number(level.toPrecision(6)));
  if (rounded.length !== targets || !rounded.every(level => level > 0 && level < 1))
    throw wrong(`${at}.quantile_alpha`, `must be ${targets} numbers between 0 and 1`);
  return rounded;
}

function namesOf(value: unknown, features: number): string[] {
  const names = listAt(value ?? [], 'learner.feature_names', features);
  return names.map((name, i) => {
    if (typeof name !== 'string')
      throw wrong(`learner.feature_names[${i}]`, `must be a text, not ${words(name)}`);
    return name;
  });
}
