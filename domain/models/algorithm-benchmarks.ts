import type { AlgorithmName } from './algorithms.js';

/** How good an algorithm was found to be by `bench/blueprints.ts`. */
export const benchmarksOf = (name: AlgorithmName): Readonly<Record<string, unknown>> => ({
  all: { ...measured[name], forecasts: FORECASTS },
  relative_to: 'seasonal_naive',
  sets: SETS,
});

const FORECASTS = 80;
const SETS = 'M1, M3, Tourism, and series that were kept for development';

/** Geometric means of the ratios to the seasonal naive forecast, each model trained on one series alone. */
const measured: Readonly<Record<AlgorithmName, { readonly mase: number; readonly wql: number }>> = {
  naive: { mase: 0.977, wql: 1.037 },
  drift: { mase: 0.845, wql: 0.926 },
  seasonal_naive: { mase: 1, wql: 1 },
  theta: { mase: 0.772, wql: 0.796 },
  ets: { mase: 0.712, wql: 0.743 },
  arima: { mase: 0.735, wql: 0.771 },
  mstl_ets: { mase: 0.737, wql: 0.759 },
  ridge: { mase: 0.898, wql: 0.965 },
  gradient_boosting: { mase: 0.836, wql: 0.878 },
  network: { mase: 0.788, wql: 0.802 },
};
