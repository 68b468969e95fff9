import { periodOf } from '../maths/forecasting/period.js';
import type { ForecastMany } from '../maths/forecasting/forecaster.js';
import { forecastSeries } from './forecast-series.js';
import type { ForecastWanted, InferenceSeries, SeriesForecasted } from './forecasting.js';
import { averageGrade, gradeOf, scalesOf, type Grade } from './grade.js';
import { insufficient, LEAST_KNOWN } from './history.js';
import { timeOfStep } from './steps.js';

/** Every number of a grade can be recomputed from these. */
export const BACKTEST_LEVELS: readonly number[] = [0.025, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.975];

export type BacktestWanted = Pick<ForecastWanted, 'horizon' | 'fill' | 'lookback' | 'maxHorizon'> & {
  readonly windows: number;
  /** Steps from one window to the next. */
  readonly step: number;
};

export type BacktestWindow = {
  /** The time of the last step that the forecast knew, epoch ms. */
  readonly cutoff: number;
  readonly forecast: SeriesForecasted;
  /** NaN where it is not known. */
  readonly actual: Float64Array;
  readonly grade: Grade;
};
export type Backtest = {
  readonly id: string;
  /** In steps, of the scale of MASE: found in what the oldest window knew. */
  readonly period: number;
  /** Oldest first; the last one ends with the series. */
  readonly windows: readonly BacktestWindow[];
  readonly grade: Grade;
};

/**
 * Forecasts as they would have been made at past moments (rolling origins, Tashman 2000), each from the
 * values up to then alone, and how good they were.
 * @throws Rejected 422 insufficient_history where a series is too short for so many windows; what
 *   `forecastSeries` throws
 */
export async function backtest(
  series: readonly InferenceSeries[],
  { windows, step, ...wantedOf }: BacktestWanted,
  forecast: ForecastMany,
): Promise<Backtest[]> {
  const { horizon, lookback } = wantedOf;
  const places = Array.from({ length: windows }, (_, w) => horizon + (windows - 1 - w) * step);
  const needed = places[0]! + LEAST_KNOWN;
  for (const { id, values } of series)
    if (values.length < needed) throw insufficient(id, values.length, needed);
  const known = series.flatMap(one =>
    places.map(place => ({ ...one, values: one.values.subarray(0, one.values.length - place) })),
  );
  const wanted = { ...wantedOf, levels: BACKTEST_LEVELS, explain: false };
  const made = await forecastSeries(known, wanted, forecast);
  return series.map((one, i) => {
    const oldest = one.values.subarray(0, one.values.length - places[0]!).subarray(-lookback);
    const period = one.period ?? periodOf(oldest, one.step);
    const judged = places.map((place, w) => windowOf(one, place, made[i * windows + w]!, period));
    return { id: one.id, period, windows: judged, grade: averageGrade(judged.map(({ grade }) => grade)) };
  });
}

function windowOf(
  series: InferenceSeries,
  place: number,
  forecast: SeriesForecasted,
  period: number,
): BacktestWindow {
  const origin = series.values.length - place;
  const actual = series.values.slice(origin, origin + forecast.mean.length);
  const history = series.values.subarray(0, origin);
  return {
    cutoff: timeOfStep(series, origin - 1),
    forecast,
    actual,
    grade: gradeOf(forecast, actual, scalesOf(history, period)),
  };
}
