import type { ForecastSeries } from '../../domain/maths/forecasting/forecaster.js';
import type { Outputs } from './session.js';

/**
 * What a worker gets at a time: a few series of one call, each with no more values than the model reads.
 * `stopped` is shared memory: once its number is not 0 nobody waits for the call any more, and what has not
 * begun is left.
 */
export type Portion = {
  /** The model, and that it is the one the call was made for. */
  readonly slug: string;
  readonly sha256: string;
  /** Whose it is: who are more take turns. */
  readonly lane: string;
  readonly series: readonly ForecastSeries[];
  readonly horizon: number;
  readonly stopped: Int32Array;
};

/** The outputs in the order of the series; fewer when the call was stopped. */
export type PortionDone = readonly Outputs[];
