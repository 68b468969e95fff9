import { causality, correlation, relevance } from './analysis.js';
import type { TaskTable } from './compute.js';
import { discover } from './effects/discover.js';
import { localForecasts } from './forecasting/baselines/methods.js';

/** What the compute pool can do: each a pure function of one input. Add one line for each heavy function. */
export const tasks = {
  causality,
  correlation,
  discover,
  localForecasts,
  relevance,
} as const satisfies TaskTable;

export type Tasks = typeof tasks;
