import { openFamily } from '../../adapters/forecaster/family.js';
import { forecastSeries } from '../../domain/inference/forecast-series.js';
import type { InferenceSeries, SeriesForecasted } from '../../domain/inference/forecasting.js';
import { evenly, gridded } from '../../domain/inference/gridded.js';
import { LEAST_KNOWN } from '../../domain/inference/history.js';
import { forecastManyOf } from '../../domain/maths/forecasting/forecaster.js';
import { periodOf } from '../../domain/maths/forecasting/period.js';
import type { TableSeries } from '../../domain/tables/series.js';
import { codes, Failure } from '../exit.js';

export type Wanted = {
  readonly model: string;
  /** Steps ahead; null: whole periods, at least `USUAL` steps. */
  readonly horizon: number | null;
  /** Steps of the main season; null: it is looked for. */
  readonly period: number | null;
  readonly levels: readonly number[];
  /** Whether the series have times, or only an order. */
  readonly timed: boolean;
};

/** A series on even steps, and what is ahead of it. */
export type Forecasted = { readonly series: InferenceSeries; readonly forecast: SeriesForecasted };
export type Forecasts = {
  readonly model: string;
  readonly version: string;
  readonly all: readonly Forecasted[];
  /** Series with too few values. */
  readonly short: readonly string[];
};

const USUAL = 12;
/** Of a series, the rest of the values are not looked at. */
const THREADS = 2;

/** Forecasts the series of a table with a model of the first-party family, in this process. */
export async function forecastAll(found: readonly TableSeries[], wanted: Wanted): Promise<Forecasts> {
  const family = openFamily({ threads: THREADS });
  try {
    const forecaster = family.forecasters.get(wanted.model);
    if (!forecaster) throw new Failure(`there is no model '${wanted.model}' in models/presage`, codes.fault);
    const { caps, version } = forecaster;
    const long = found.filter(({ columns }) => columns.times.length >= LEAST_KNOWN);
    const short = found.filter(one => !long.includes(one)).map(({ id }) => id);
    if (long.length === 0)
      throw new Failure(`at least ${LEAST_KNOWN} values are needed to forecast from`, codes.usage);
    const series = long.map(one => onSteps(one, caps.context, wanted));
    const horizon = wanted.horizon ?? Math.min(caps.horizon, usualHorizon(series));
    if (horizon < 1 || horizon > caps.horizon)
      throw new Failure(`the horizon must be from 1 to ${caps.horizon} steps`, codes.usage);
    const forecasts = await forecastSeries(
      series,
      { horizon, levels: wanted.levels, fill: 'linear', explain: false, lookback: caps.context },
      forecastManyOf(forecaster, new AbortController().signal),
    );
    const all = series.map((one, i) => ({ series: one, forecast: forecasts[i]! }));
    return { model: wanted.model, version, all, short };
  } finally {
    await family.close();
  }
}

/** Rows without times count as steps from 1 on. */
function onSteps({ id, columns }: TableSeries, most: number, { period, timed }: Wanted): InferenceSeries {
  if (timed) return { ...gridded(id, columns, { most }), period };
  const { times } = columns;
  const values = new Array<number | null>(times.at(-1)! - times[0]! + 1).fill(null);
  for (const [i, row] of times.entries()) values[row - times[0]!] = columns.values[i]!;
  return { ...evenly(id, { start: times[0]!, stepMs: 1, values }), period };
}

/** Whole periods of the series with the longest one. */
function usualHorizon(series: readonly InferenceSeries[]): number {
  const longest = series.reduce(
    (most, { values, step, period }) => Math.max(most, period ?? periodOf(values, step)),
    1,
  );
  return longest * Math.ceil(USUAL / longest);
}
