import { causality, correlation, relevance } from './analysis.js';
import type { TaskTable } from './compute.js';
import { discover } from './effects/discover.js';
import { localForecasts } from './forecasting/baselines/methods.js';
import { reconcile } from './reconciliation/reconcile.js';
import { shrunkWeights } from './reconciliation/weights.js';

/** What the compute pool can do: each a pure function of one input. Add one line for each heavy function. */
export const tasks = {
  causality,
  correlation,
  discover,
  localForecasts,
  reconcile,
  relevance,
  shrunkWeights,
} as const satisfies TaskTable;

export type Tasks = typeof tasks;
