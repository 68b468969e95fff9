import { LEVELS } from '../../maths/forecasting/quantiles.js';
import { seeded } from '../../maths/seeded.js';
import type { WindowedPlan } from '../../models/forecast-trained.js';
import { examplesOf } from '../../models/windowed/examples.js';
import { fitLinearSteps, importanceOfLinear } from '../../models/windowed/ridge.js';
import type { TrainingTable } from '../ports.js';
import type { FitAsked, Fitted } from './fitted.js';
import { tooShort } from './too-short.js';
import { importanceFrom, learntFrom, windowPlanOf } from './windows.js';

/** Rows of a step are at most so many: a fit of each takes some 10 ms. */
const BUDGET = { origins: 1_500, rows: Infinity };

export function fitRidge(table: TrainingTable, asked: FitAsked): Fitted {
  const { recipe, horizon, gap, seed } = asked;
  const window = windowPlanOf(table, asked, { forTrees: false });
  const steps = horizon + gap;
  const examples = examplesOf(window, learntFrom(table, window), steps, BUDGET, seeded(seed));
  if (examples.rows.length === 0) throw tooShort();
  const linear = fitLinearSteps(examples, steps);
  return {
    model: {
      ...{ schema: 1, algorithm: recipe.algorithm, lookback: window.lookback, horizon, levels: LEVELS },
      readsTimes: window.calendar !== null,
      covariates: window.inputs.map(({ name }) => name),
      hasGraph: false,
      plan: { window, linear } satisfies WindowedPlan,
    },
    graph: null,
    download: null,
    importance: importanceFrom(examples, importanceOfLinear(linear, examples)),
  };
}
