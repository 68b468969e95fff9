import type { QuantileForecast } from '../quantiles.js';

/**
 * A forecaster that is fitted anew to each series. `series` are values on a grid, oldest first, NaN where
 * missing, at least one of them a number; `period` is the number of steps in a season (1 for none, see
 * `periodOf`); `horizon` the number of steps to forecast, at least 1. The forecast is for the steps right
 * after the last entry, missing or not, and its medians are the point forecast. RangeError where the
 * arguments are not so. The same arguments give the same bits.
 */
export type Baseline = (series: Float64Array, period: number, horizon: number) => QuantileForecast;

/**
 * A method as it was fitted to a series without gaps: parameters, figures of the season and the first state
 * stay, while other values take the place of its own.
 */
export type Frozen = {
  /** The medians that it gives for a series of the same length. */
  readonly medians: (values: Float64Array) => Float64Array;
  /**
   * Null: each median is a sum of the values by weights and a constant. Else a season multiplies, and this is
   * what runs through the values.
   */
  readonly smoothing: Smoothing | null;
};

/**
 * Exponential smoothing with a season that multiplies: of each value's error, divided by the figure of its
 * phase, the level takes `alpha` and the slope `beta`; of the error divided by level and slope the figure
 * takes `gamma`; `phi` of a slope is left at each step.
 */
export type Smoothing = {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
  readonly phi: number;
  /** The state after the first `count` of its own values; `season` begins with the phase of the next. */
  readonly after: (count: number) => {
    readonly level: number;
    readonly slope: number;
    readonly season: Float64Array;
  };
};

export type Freeze = (series: Float64Array, period: number, horizon: number) => Frozen;

/** Of a method whose medians are sums of the values. */
export const summed = (medians: Frozen['medians']): Frozen => ({ medians, smoothing: null });
