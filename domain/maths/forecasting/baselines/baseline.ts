import type { QuantileForecast } from '../quantiles.js';

/**
 * A forecaster that is fitted anew to each series. `series` are values on a grid, oldest first, NaN where
 * missing, at least one of them a number; `period` is the number of steps in a season (1 for none, see
 * `periodOf`); `horizon` the number of steps to forecast, at least 1. The forecast is for the steps right
 * after the last entry, missing or not, and its medians are the point forecast. RangeError where the
 * arguments are not so. The same arguments give the same bits.
 */
export type Baseline = (series: Float64Array, period: number, horizon: number) => QuantileForecast;
