import { chooses, chosenBy } from '../../maths/forecasting/baselines/chosen.js';
import { LEVELS } from '../../maths/forecasting/quantiles.js';
import type { AlgorithmName } from '../../models/algorithms.js';
import type { Recipe } from '../../models/facts.js';
import type { TrainedModel } from '../../models/trained.js';
import type { TrainingTable } from '../ports.js';
import type { FitAsked } from './fitted.js';

/**
 * How methods that are fitted anew to each series are bounded: the newest values that are read unless asked
 * for otherwise, and how many fits judge them, so that a training takes minutes.
 */
const bounds: Readonly<Partial<Record<AlgorithmName, { lookback: number; fits: number }>>> = {
  ets: { lookback: 2_048, fits: 1_000 },
  mstl_ets: { lookback: 2_048, fits: 2_000 },
  arima: { lookback: 1_024, fits: 200 },
};
const OTHERS = { lookback: 4_096, fits: 20_000 };
/** A season needs some of its periods. */
const PERIODS = 3;

const boundsOf = (algorithm: AlgorithmName) => bounds[algorithm] ?? OTHERS;

/** A method that needs nothing but its hyperparameters: it is fitted to the series it is asked for. */
export function localModelOf({
  recipe: { algorithm, hyperparameters },
  horizon,
  lookback,
}: Pick<FitAsked, 'recipe' | 'horizon' | 'lookback'>): TrainedModel {
  const { period } = hyperparameters;
  const least = typeof period === 'number' ? PERIODS * period : 0;
  return {
    schema: 1,
    algorithm,
    lookback: lookback ?? Math.max(boundsOf(algorithm).lookback, least),
    horizon,
    levels: LEVELS,
    ...{ readsTimes: false, covariates: [], hasGraph: false },
    plan: hyperparameters,
  };
}

/** What a method of many forms takes is chosen on so many series, evenly chosen themselves. */
const MOST_CHOOSING = 20;

/** The model with the forms that it tries on each series: those that most series of the table take. */
export function withChoice(model: TrainedModel, { series }: TrainingTable, period: number): TrainedModel {
  const { algorithm, lookback, plan } = model;
  if (!chooses(algorithm)) return model;
  const targets = evenly(series, MOST_CHOOSING).map(({ columns }) => columns[0]!.subarray(-lookback));
  return { ...model, plan: { ...(plan as object), ...chosenBy(algorithm, targets, period) } };
}

const evenly = <T>(all: readonly T[], most: number): readonly T[] =>
  all.length <= most
    ? all
    : Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!);

/**
 * The series that a method is judged on: all, or where these would take too many fits, evenly chosen ones,
 * which the warning `some_series_judged` says.
 */
export function mostJudged(
  { algorithm }: Recipe,
  table: TrainingTable,
): { readonly judged: TrainingTable; readonly warnings: readonly string[] } {
  const { series, folds } = table;
  const most = Math.max(1, Math.floor(boundsOf(algorithm).fits / folds.length));
  if (series.length <= most) return { judged: table, warnings: [] };
  return { judged: { ...table, series: evenly(series, most) }, warnings: ['some_series_judged'] };
}
