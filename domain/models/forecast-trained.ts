import { methodWith, type Chosen } from '../maths/forecasting/baselines/chosen.js';
import { localMethods } from '../maths/forecasting/baselines/methods.js';
import type { ForecastTrained, TrainedModel } from './trained.js';
import { forecastWindowed } from './windowed/forecast.js';
import type { WindowPlan } from './windowed/plan.js';
import { quantilesAt, type LinearSteps } from './windowed/ridge.js';

/** A season that the hyperparameters of a local method name; null: that of the series. */
const periodIn = ({ plan }: TrainedModel): number | null =>
  (plan as { readonly period?: number | null }).period ?? null;

/** What its training chose is not chosen anew; of trainings that kept no choice it is. */
const locally: ForecastTrained = async (model, { values, period }, horizon) => {
  const method = methodWith(model.algorithm, model.plan as Chosen);
  return method(values.subarray(-model.lookback), periodIn(model) ?? period, horizon);
};

/** What is kept of a model of windows. `linear`: of one that needs no graph. */
export type WindowedPlan = { readonly window: WindowPlan; readonly linear?: LinearSteps };

const windowed: ForecastTrained = ({ plan, levels }, series, horizon, run) => {
  const { window, linear } = plan as WindowedPlan;
  return forecastWindowed(window, levels, series, horizon, async rows => {
    if (linear) return Float64Array.from(rows.flatMap((row, h) => quantilesAt(linear, h + 1, row)));
    const width = rows[0]!.length;
    const input = new Float64Array(rows.length * width);
    rows.forEach((row, h) => input.set(row, h * width));
    return run!(input, width);
  });
};

const methods: Readonly<Record<string, ForecastTrained>> = {
  ...Object.fromEntries(Object.keys(localMethods).map(name => [name, locally])),
  ridge: windowed,
  gradient_boosting: windowed,
  network: windowed,
};

export const forecastTrained: ForecastTrained = async (model, series, horizon, run) => {
  const method = methods[model.algorithm];
  if (!method) throw new Error(`no trained model is asked by the algorithm '${model.algorithm}'`);
  return method(model, series, horizon, run);
};
