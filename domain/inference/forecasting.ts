import type { ForecastMany } from '../maths/forecasting/forecaster.js';
import type { Step } from '../maths/series/grid.js';

/**
 * How missing values are made up before the model sees them; `none`: the model is told that they are
 * missing.
 */
export type Fill = 'none' | 'linear' | 'ffill' | 'seasonal';

/** A series on even steps, ready to be forecast. */
export type InferenceSeries = {
  readonly id: string;
  /** Time of the first value, epoch ms. */
  readonly start: number;
  readonly step: Step;
  /** Steps are called by their beginnings, and yet a point belongs to the nearest: points come early, too. */
  readonly nearest?: true;
  /** Newest last, NaN where missing. */
  readonly values: Float64Array;
  /** Steps of the main season, as the caller names it; null: it is looked for. */
  readonly period: number | null;
  /**
   * By name: what is known of every step, and of those ahead: as long as `values` and the horizon together.
   */
  readonly covariates: Readonly<Record<string, Float64Array>>;
};

export type ForecastWanted = {
  readonly horizon: number;
  /** Levels of the quantiles, ascending, each between 0 and 1. */
  readonly levels: readonly number[];
  readonly fill: Fill;
  readonly explain: boolean;
  /** The newest values that are read of a series, at most. */
  readonly lookback: number;
  /** Bands stay as the model gives them: they are not set right by the series' past. */
  readonly bands?: 'model';
  /** The model's most steps ahead, where forecasts of the past would go further. */
  readonly maxHorizon?: number;
  /** Covariates that the model itself reads; others move its forecast by what they are seen to do. */
  readonly reads?: readonly string[];
};

/** How the bands were set right by the series' own past; `model`: it is too short, they are the model's. */
export type Calibration = {
  readonly method: 'conformal' | 'model';
  /** The level of the band that is judged, .8. */
  readonly level: number;
  /** The share of past actuals inside the band as it is now; null: too little past. */
  readonly coverageRecent: number | null;
  /** Past forecasts (steps) that were looked at. */
  readonly n: number;
  /** By which factor the bands became wider; 1: not at all. */
  readonly widenedBy: number;
};

export type Component = {
  readonly name: 'level' | 'trend' | 'seasonality' | 'covariate' | 'events' | 'shock';
  /** One for each step ahead; all components add up to the mean. */
  readonly points: Float64Array;
};
/** What a covariate adds to the mean, on average over the steps ahead, beyond what it usually does. */
export type Driver = {
  readonly key: string;
  readonly contribution: number;
  readonly direction: 'up' | 'down';
};
export type Explanation = {
  readonly components: readonly Component[];
  readonly drivers: readonly Driver[];
};

/** What a user should know of a forecast that was made all the same. */
export type Warning = { readonly code: string; readonly message: string };

export type SeriesForecasted = {
  readonly id: string;
  /** Beginnings of the steps ahead, epoch ms. */
  readonly times: Float64Array;
  /** The median, until a model gives a mean of its own. */
  readonly mean: Float64Array;
  /** For each level one value for each step. */
  readonly quantiles: readonly { readonly level: number; readonly values: Float64Array }[];
  readonly period: number;
  readonly lookbackUsed: number;
  readonly filledPoints: number;
  readonly calibration: Calibration;
  readonly explanation: Explanation | null;
  readonly warnings: readonly Warning[];
};

/** Forecasts prepared series by a model; equal input gives equal bits, whatever else is asked beside it. */
export type ForecastSeriesOf = (
  series: readonly InferenceSeries[],
  wanted: ForecastWanted,
  forecast: ForecastMany,
) => Promise<readonly SeriesForecasted[]>;
