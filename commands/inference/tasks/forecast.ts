import { awaitedTimes } from '../../../domain/inference/arrived.js';
import { mindFuture, withCovariates, withCovariatesRead } from '../../../domain/inference/covariates.js';
import { faulty } from '../../../domain/inference/faults.js';
import { forecastSeries } from '../../../domain/inference/forecast-series.js';
import type { ForecastWanted, InferenceSeries } from '../../../domain/inference/forecasting.js';
import { historyOf } from '../../../domain/inference/history.js';
import { keptForecast, type KeptForecasts } from '../../../domain/inference/kept-forecast.js';
import { levelsOf, type InferenceRequest } from '../../../domain/inference/request.js';
import type { Answering } from '../goals.js';
import type { Task } from '../work.js';

/** Forecasts of the past go at most so far. */
const PAST_STEPS = 48;

/** Said of models that do not go as far, so that what others answer hangs on nothing new. */
export const mostOf = ({ maxHorizon }: Pick<Answering, 'maxHorizon'>): Pick<ForecastWanted, 'maxHorizon'> =>
  maxHorizon < PAST_STEPS ? { maxHorizon } : {};

/** Steps ahead of each series, at the levels that are wanted. */
export const forecastTask: Task<ForecastWanted> = {
  task: 'forecast',
  settings: ({ horizon, quantiles, fill, explain }, deployment) => ({
    horizon: horizon ?? deployment.horizon,
    levels: levelsOf(quantiles),
    fill: fill ?? 'linear',
    explain: explain ?? false,
    lookback: deployment.lookback,
    ...mostOf(deployment),
    ...(deployment.reads.length > 0 && { reads: deployment.reads }),
    ...(deployment.bands && { bands: deployment.bands }),
  }),
  mindIncoming: ({ future = {} }, { reads = [], horizon }) => mindFuture(future, reads, horizon),
  horizon: ({ horizon }) => horizon,
  outputs: ({ series, settings }) => series.length * settings.horizon,
  hashed: ({ explain: _, ...wanted }) => wanted,
  series(all, request, wanted) {
    const covered = withCovariatesOf(all, request, wanted);
    // What is too short is refused before anything is asked of the model; the period is looked for once
    return {
      ...covered,
      series: covered.series.map(one => ({ ...one, period: historyOf(one, wanted).period })),
    };
  },
  async make({ series, settings, given, warnings }, { many }) {
    const made = await forecastSeries(series, settings, many);
    const forecasts = made.map((one, i) =>
      keptForecast(series[i]!, { ...one, warnings: [...one.warnings, ...warnings] }, given[i]!.cutoff),
    );
    const outputPoints = series.length * settings.horizon;
    return {
      answer: { levels: settings.levels, forecasts } satisfies KeptForecasts,
      // Components of an explanation are columns, too
      numbers: outputPoints * (settings.levels.length + (settings.explain ? 7 : 1)),
      outputPoints,
      awaits: awaitedTimes(forecasts),
    };
  },
};

/**
 * The one series with the covariates of a request. Where its history is read of a signal, `past` may be
 * longer, and its newest numbers count.
 */
function withCovariatesOf(
  all: readonly InferenceSeries[],
  { past = {}, future = {}, key }: InferenceRequest,
  { horizon, reads = [] }: ForecastWanted,
): ReturnType<NonNullable<Task['series']>> {
  const given = Object.keys(past).length + Object.keys(future).length;
  if (given + reads.length === 0) return { series: all, warnings: [] };
  const [one] = all;
  if (all.length !== 1 || !one) throw faulty(['future'], 'series', 'goes with one series only');
  const steps = one.values.length;
  const newest = (column: readonly number[]) => (key === undefined ? column : column.slice(-steps));
  const read = Object.fromEntries(Object.entries(past).map(([name, column]) => [name, newest(column)]));
  const { series, warnings } =
    reads.length > 0
      ? withCovariatesRead(one, { past: read, future }, { reads, horizon })
      : withCovariates(one, { past: read, future }, horizon);
  return { series: [series], warnings };
}
