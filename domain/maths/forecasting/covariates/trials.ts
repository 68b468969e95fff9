import { knownBefore, type ForecastSeries } from '../forecaster.js';
import type { QuantileForecast } from '../quantiles.js';

/**
 * `covariates`: columns that are known ahead (holidays, prices, the weather forecast), each with a finite
 * value for every value of the series and for the `horizon` steps after it.
 */
export type CovariateInput = {
  readonly series: ForecastSeries;
  readonly covariates: readonly Float64Array[];
  readonly horizon: number;
};

/** Least context of an origin; of origins, fewest and most; rows that are enough. */
const LEAST_CONTEXT = 32;
const FEWEST_ORIGINS = 8;
const MOST_ORIGINS = 64;
const ENOUGH_ROWS = 512;

/** From old to new, the last one `horizon` before the end. */
export function originsOf({ series: { values, period }, horizon }: CovariateInput): number[] {
  const least = Math.max(LEAST_CONTEXT, Math.min(2 * period, values.length >> 1));
  const most = Math.max(FEWEST_ORIGINS, Math.min(MOST_ORIGINS, Math.ceil(ENOUGH_ROWS / horizon)));
  const origins: number[] = [];
  for (let origin = values.length - horizon; origin >= least && origins.length < most; origin -= horizon)
    if (knownBefore(values, origin)) origins.unshift(origin);
  return origins.length < FEWEST_ORIGINS ? [] : origins;
}

/** A forecast from an origin that lies in the past, what came, and the covariates of each step. */
export type Trial = {
  readonly forecast: QuantileForecast;
  readonly actual: Float64Array;
  readonly features: readonly Float64Array[];
};

export const trialOf = (input: CovariateInput, origin: number, forecast: QuantileForecast): Trial => ({
  forecast,
  actual: input.series.values.subarray(origin, origin + input.horizon),
  features: featuresOf(input, origin),
});

/** A row for each step: of each covariate its value there, and how far that is from the origin's. */
export const featuresOf = ({ covariates, horizon }: CovariateInput, origin: number): Float64Array[] =>
  Array.from({ length: horizon }, (_, h) =>
    Float64Array.from(
      covariates.flatMap(column => [column[origin + h]!, column[origin + h]! - column[origin - 1]!]),
    ),
  );
