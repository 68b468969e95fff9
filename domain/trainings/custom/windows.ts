import type { Examples, Learnt } from '../../models/windowed/examples.js';
import type { WindowedPlan } from '../../models/forecast-trained.js';
import type { TrainedModel } from '../../models/trained.js';
import type { Input, WindowPlan } from '../../models/windowed/plan.js';
import type { TrainingTable } from '../ports.js';
import type { Report } from '../report.js';
import type { FitAsked } from './fitted.js';

/** A window has so many seasons, within these numbers of values. */
const SEASONS = 4;
const LOOKBACK = { least: 64, most: 4_096 };

/** What a model of windows reads, as its hyperparameters and the table say. */
export function windowPlanOf(
  table: TrainingTable,
  { recipe, period, lookback }: Pick<FitAsked, 'recipe' | 'period' | 'lookback'>,
  { forTrees }: { readonly forTrees: boolean },
): WindowPlan {
  const { lags, calendar, inputs } = recipe.hyperparameters as {
    readonly lags: number;
    readonly calendar: boolean;
    readonly inputs: boolean;
  };
  const usual = Math.min(LOOKBACK.most, Math.max(LOOKBACK.least, SEASONS * period, lags));
  const { step, timezone } = table;
  return {
    ...{ period, lags, tellsStep: forTrees },
    lookback: lookback ?? usual,
    calendar: calendar ? { kind: forTrees ? 'numbers' : 'waves', step, timezone } : null,
    inputs: inputs ? inputsOf(table, forTrees) : [],
  };
}

function inputsOf({ columns, series }: TrainingTable, mayMiss: boolean): Input[] {
  return columns.flatMap(({ name, role }, i): Input[] => {
    if (role !== 'past' && role !== 'known_future' && role !== 'static') return [];
    const known = series.flatMap(each => [...each.columns[i]!.filter(Number.isFinite)]);
    const mean = known.reduce((sum, x) => sum + x, 0) / Math.max(1, known.length);
    return [{ name, known: role === 'past' ? 'past' : 'ahead', missing: mayMiss ? null : mean }];
  });
}

export const learntFrom = ({ columns, series }: TrainingTable, { inputs }: WindowPlan): Learnt[] =>
  series.map(each => ({
    times: each.times,
    target: each.columns[0]!,
    inputs: Object.fromEntries(
      inputs.map(({ name }) => [name, each.columns[columns.findIndex(column => column.name === name)]!]),
    ),
  }));

/** A model of windows that asks a graph. */
export const graphModelOf = (
  window: WindowPlan,
  { recipe, horizon }: Pick<FitAsked, 'recipe' | 'horizon'>,
  levels: readonly number[],
): TrainedModel => ({
  ...{ schema: 1, algorithm: recipe.algorithm, lookback: window.lookback, horizon, levels },
  readsTimes: window.calendar !== null,
  covariates: window.inputs.map(({ name }) => name),
  hasGraph: true,
  plan: { window } satisfies WindowedPlan,
});

/** What a file says of itself: what its columns are, and what is done before and after it. */
export const notesOf = (model: TrainedModel, { features }: Pick<Examples, 'features'>) => ({
  features: features.map(({ name }) => name).join(','),
  model: JSON.stringify(model),
});

/** Shares of the whole, the greatest first. */
export function importanceFrom(
  { features }: Pick<Examples, 'features'>,
  weights: readonly number[],
): Report['importance'] {
  const all = weights.reduce((sum, x) => sum + x, 0);
  return features
    .map(({ name, kind }, i) => ({ feature: name, importance: all > 0 ? weights[i]! / all : 0, kind }))
    .sort((a, b) => b.importance - a.importance);
}
