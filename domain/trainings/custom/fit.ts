import type { AlgorithmName } from '../../models/algorithms.js';
import type { Recipe } from '../../models/facts.js';
import type { Fit } from './fitted.js';
import { fitBoosting } from './boosting.js';
import { localModelOf, withChoice } from './local.js';
import { fitWindowNetwork } from './network.js';
import { fitRidge } from './ridge.js';

const locally: Fit = (table, asked) => ({
  model: withChoice(localModelOf(asked), table, asked.period),
  graph: null,
  download: null,
  importance: [],
});

/** Models that learn from all series of a table; the others are fitted to each series that they forecast. */
const learning: Readonly<Partial<Record<AlgorithmName, Fit>>> = {
  ridge: fitRidge,
  gradient_boosting: fitBoosting,
  network: fitWindowNetwork,
};

export const learnsFromTable = ({ algorithm }: Recipe): boolean => algorithm in learning;

/** Fits a recipe to a table, all of which it may see. The same arguments give the same bits. */
export const fit: Fit = (table, asked, told) =>
  (learning[asked.recipe.algorithm] ?? locally)(table, asked, told);
