import type { ForecastSeries } from '../maths/forecasting/forecaster.js';
import type { QuantileForecast } from '../maths/forecasting/quantiles.js';

/**
 * What serves a trained model: plain data, kept as JSON, and the file of its graph where it has one. What a
 * series becomes before the graph, and its answer after it, is in `plan`, which belongs to the algorithm.
 */
export type TrainedModel = {
  readonly schema: 1;
  readonly algorithm: string;
  readonly lookback: number;
  readonly horizon: number;
  /** Ascending, between 0 and 1, with .5. */
  readonly levels: readonly number[];
  /** Whether it must be told when its values were (calendars). */
  readonly readsTimes: boolean;
  /** Names of the columns that it reads beside the target: a forecast must be given them. */
  readonly covariates: readonly string[];
  /** Whether it runs a graph, a file of its own. */
  readonly hasGraph: boolean;
  /** As its algorithm wrote it: also the time zone of its calendar. */
  readonly plan: unknown;
};

/** Runs the graph of a model: one input of [rows, width], one output, row by row. */
export type RunGraph = (input: Float64Array, width: number) => Promise<Float64Array>;

/** The next steps of a series by a trained model; `run` is null where it has no graph. */
export type ForecastTrained = (
  model: TrainedModel,
  series: ForecastSeries,
  horizon: number,
  run: RunGraph | null,
) => Promise<QuantileForecast>;
