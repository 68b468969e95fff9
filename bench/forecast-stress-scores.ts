import {
  coverage,
  mase,
  relativeTo,
  scaledWql,
  seasonalScale,
} from '../domain/maths/forecasting/metrics/index.js';
import { LEVELS, medians, type QuantileForecast } from '../domain/maths/forecasting/quantiles.js';
import type { Method } from './forecast-methods.js';
import type { Case } from './forecast-stress-series.js';
import { meanOf } from './forecast-tasks-sets.js';

// How good the forecasts of bench/forecast-stress.ts were.

/** A case with what a network and seasonal naive say of it. */
export type Tried = Case & { readonly forecast: QuantileForecast; readonly naive: QuantileForecast };

export type Judged = {
  readonly mase: number;
  readonly wql: number;
  readonly covers: number;
  readonly above: number;
};

/** A forecast; an error that names the series where there is none, or none that is finite. */
export async function forecastOf(
  method: Method,
  { name, period, horizon, context }: Pick<Case, 'name' | 'period' | 'horizon' | 'context'>,
): Promise<QuantileForecast> {
  const { quantiles } = await method.forecast({ context, period, horizon });
  if (quantiles.length !== horizon * LEVELS.length || !quantiles.every(Number.isFinite))
    throw new Error(`${method.name}, ${name}: no finite quantiles`);
  return { horizon, levels: LEVELS, values: quantiles };
}

/** The quantile at one of the nine levels, for each step. */
export const quantileAt = ({ horizon, levels, values }: QuantileForecast, level: number): Float64Array => {
  const column = levels.indexOf(level);
  return Float64Array.from({ length: horizon }, (_, step) => values[step * levels.length + column]!);
};

/** A forecast's scores; the share of actuals above the median, those equal to it counting half. */
export function judged(
  { context, period, actual }: Pick<Case, 'context' | 'period' | 'actual'>,
  forecast: QuantileForecast,
): Judged {
  const scale = seasonalScale(context, period);
  const points = medians(forecast);
  return {
    mase: mase(actual, points, scale),
    wql: scaledWql(actual, forecast, scale),
    covers: coverage(actual, forecast),
    above: meanOf(Array.from(actual, (y, step) => (Math.sign(y - points[step]!) + 1) / 2)),
  };
}

/** In scaled errors: where seasonal naive is all but right, a ratio to its error says nothing. */
const LEAST_ERROR = 0.01;

/**
 * `mase` and `wql` relative to seasonal naive; without a `mase` are the series that seasonal naive forecasts
 * with all but no error, and `scored` counts the others.
 */
export function summaryOf(tried: readonly Tried[]): Judged & { readonly scored: number } {
  const both = tried.map(each => ({ own: judged(each, each.forecast), naive: judged(each, each.naive) }));
  const kept = both.filter(({ naive }) => naive.mase >= LEAST_ERROR);
  const relative = (metric: 'mase' | 'wql', pairs: typeof both): number =>
    relativeTo(
      pairs.map(({ naive }) => naive[metric]),
      pairs.map(({ own }) => own[metric]),
    );
  return {
    scored: kept.length,
    mase: relative('mase', kept),
    wql: relative('wql', both),
    covers: meanOf(both.map(({ own }) => own.covers)),
    above: meanOf(both.map(({ own }) => own.above)),
  };
}

/** The same of the steps from one, counted from 0, to another. */
export function stretch(each: Tried, from: number, to: number): Tried {
  const part = (forecast: QuantileForecast): QuantileForecast => ({
    ...forecast,
    horizon: to - from,
    values: forecast.values.subarray(from * LEVELS.length, to * LEVELS.length),
  });
  return {
    ...each,
    horizon: to - from,
    actual: each.actual.subarray(from, to),
    forecast: part(each.forecast),
    naive: part(each.naive),
  };
}
