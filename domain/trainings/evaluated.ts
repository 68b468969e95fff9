import type { FoldForecast, TrainingMetric, TrainingTable } from './ports.js';
import type { Report } from './report.js';

/** All that a report is computed from. */
export type Evaluated = {
  readonly table: TrainingTable;
  readonly metric: TrainingMetric;
  /** Steps ahead that the model is asked for. */
  readonly horizon: number;
  /** In steps, of the scale of MASE. */
  readonly period: number;
  readonly made: readonly FoldForecast[];
  /** The seasonal naive forecasts of the same folds. */
  readonly naive: readonly FoldForecast[];
  readonly importance: Report['importance'];
  /** What is known beside what the numbers say (`table_cut`). */
  readonly warnings: readonly string[];
};
