import { BACKTEST_LEVELS } from '../inference/backtest.js';
import { LEAST_KNOWN } from '../inference/history.js';
import type { ForecastMany, ForecastSeries } from '../maths/forecasting/forecaster.js';
import { medians } from '../maths/forecasting/quantiles.js';
import { atLevels } from '../maths/forecasting/tails.js';
import type { Fold } from '../segments/splits.js';
import type { FoldForecast, TrainingSeries, TrainingTable } from './ports.js';

/** A series as it was known when a fold's training ended, and what came in its test. */
export type Cut = {
  readonly entity: string | null;
  readonly series: ForecastSeries;
  /** Steps of the fold's gap: forecast like the others, and not judged. */
  readonly gap: number;
  /** Beginnings of the steps that are judged, epoch ms. */
  readonly times: Float64Array;
  readonly actual: Float64Array;
  /** The whole target before. */
  readonly history: Float64Array;
};

/** What a fold's forecaster may be fitted to, and from what it forecasts. */
export type CutWanted = {
  /** Steps that are judged, at most; a fold's test may be shorter. */
  readonly horizon: number;
  /** The newest values that are forecast from, at most. */
  readonly lookback: number;
  readonly period: number;
};

/** Makes what forecasts a fold, fitted to nothing that came after `fold.train`. */
export type ForecasterOf = (fold: Fold, index: number) => Promise<ForecastMany>;

/** The number of values before a time; times ascend. */
export function countBefore(times: Float64Array, time: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle]! < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** A series without what came from a time on: what may be trained on. */
export function seriesBefore(series: TrainingSeries, time: number): TrainingSeries {
  const count = countBefore(series.times, time);
  return {
    ...series,
    times: series.times.subarray(0, count),
    columns: series.columns.map(column => column.subarray(0, count)),
  };
}

/** All series as they were before a time. */
export const tableBefore = (table: TrainingTable, time: number): TrainingTable => ({
  ...table,
  series: table.series.map(series => seriesBefore(series, time)),
});

/** Steps between the end of what a fold may see and its test. */
export function gapOf({ series, folds }: TrainingTable): number {
  const gaps = folds.flatMap(({ train, test }) =>
    series.map(({ times }) => countBefore(times, test.from) - countBefore(times, train.to)),
  );
  return gaps.reduce((most, gap) => Math.max(most, gap), 0);
}

/** What is known of these in the steps ahead. */
const KNOWN_AHEAD = ['known_future', 'static'];

/** The series of a table at a fold; those without two known values before it are left out. */
export function cutsOf(table: TrainingTable, fold: Fold, wanted: CutWanted): Cut[] {
  return table.series.flatMap(series => cutOf(table, series, fold, wanted) ?? []);
}

function cutOf(
  { columns, step }: TrainingTable,
  series: TrainingSeries,
  { train, test }: Fold,
  { horizon, lookback, period }: CutWanted,
): Cut | null {
  const known = countBefore(series.times, train.to);
  const from = countBefore(series.times, test.from);
  const to = Math.min(countBefore(series.times, test.to), from + horizon);
  const target = series.columns[0]!;
  const history = target.subarray(0, known);
  if (history.filter(value => !Number.isNaN(value)).length < LEAST_KNOWN || from === to) return null;
  const first = Math.max(0, known - lookback);
  const ahead = (column: Float64Array, isKnown: boolean): Float64Array => {
    const part = column.slice(first, to);
    return isKnown ? part : part.fill(NaN, known - first);
  };
  const covariates = columns
    .map(({ name, role }, i) => [name, role, series.columns[i]!] as const)
    .slice(1)
    .map(([name, role, column]) => [name, ahead(column, KNOWN_AHEAD.includes(role))] as const);
  return {
    entity: series.entity,
    series: {
      values: target.subarray(first, known),
      period,
      times: { start: series.times[first]!, step },
      ...(covariates.length > 0 && { covariates: Object.fromEntries(covariates) }),
    },
    gap: from - known,
    times: series.times.subarray(from, to),
    actual: target.subarray(from, to),
    history,
  };
}

/**
 * Forecasts every fold by what is made for it, as it would have been forecast then: from the values up to the
 * end of its training alone, over its gap.
 */
export async function foldForecasts(
  table: TrainingTable,
  wanted: CutWanted,
  forecasterOf: ForecasterOf,
): Promise<FoldForecast[]> {
  const made: FoldForecast[] = [];
  for (const [index, fold] of table.folds.entries()) {
    const cuts = cutsOf(table, fold, wanted);
    if (cuts.length === 0) continue;
    const forecast = await forecasterOf(fold, index);
    const steps = Math.max(...cuts.map(({ gap, times }) => gap + times.length));
    const answers = await forecast(
      cuts.map(({ series }) => series),
      steps,
    );
    cuts.forEach((cut, i) => made.push(foldForecast(index, cut, answers[i]!)));
  }
  return made;
}

function foldForecast(
  fold: number,
  { entity, times, actual, history, gap }: Cut,
  answer: Awaited<ReturnType<ForecastMany>>[number],
): FoldForecast {
  const count = BACKTEST_LEVELS.length;
  const { values } = atLevels(answer, BACKTEST_LEVELS);
  const quantiles = BACKTEST_LEVELS.map((level, k) => ({
    level,
    values: times.map((_, h) => values[(gap + h) * count + k]!),
  }));
  const mean = medians(answer).slice(gap, gap + times.length);
  return { fold, entity, forecast: { times, mean, quantiles }, actual, history };
}
