import type { QuantileForecast } from '../quantiles.js';
import { arima } from './arima/index.js';
import type { Baseline } from './baseline.js';
import { ets } from './ets/index.js';
import { mstl } from './mstl/index.js';
import { drift, naive, seasonalNaive } from './naive.js';
import { theta } from './theta.js';

/** Local methods: fitted anew to each series that they are asked for. */
export const localMethods: Readonly<Record<string, Baseline>> = {
  ...{ naive, drift, theta, ets, arima },
  seasonal_naive: seasonalNaive,
  mstl_ets: mstl,
};

export type LocalForecasts = {
  readonly method: string;
  readonly series: readonly { readonly values: Float64Array; readonly period: number }[];
  readonly horizon: number;
};

/** Forecasts of several series by one method, in their order. */
export function localForecasts({ method, series, horizon }: LocalForecasts): QuantileForecast[] {
  const forecast = localMethods[method];
  if (!forecast) throw new RangeError(`there is no method ${method}`);
  return series.map(({ values, period }) => forecast(values, period, horizon));
}
