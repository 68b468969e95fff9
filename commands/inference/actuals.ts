import { actualsOf, spanOf } from '../../domain/inference/arrived.js';
import type { HistoryRead } from '../../domain/inference/facts.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import { unkept, type RecordedInference } from '../../domain/inference/state.js';
import type { SignalReads } from './histories.js';

/** What came where one series was forecast: for each step its actual, null where none came. */
export type SeriesActuals = { readonly series: number; readonly values: readonly (number | null)[] };

/** Where the signal of a series lies. */
export const placeOf = (workspace: string, { of, key }: HistoryRead) => of ?? { workspace, key };

/**
 * What has come of a forecast of signals so far, of all its series, as it was graded or else as it stands;
 * none where nothing came yet.
 */
export async function actualsSoFar(
  reads: Pick<SignalReads, 'between'>,
  workspace: string,
  { completed, parts, grades }: RecordedInference,
): Promise<readonly SeriesActuals[]> {
  if (completed?.task !== 'forecast' || completed.awaits === null) return [];
  const { forecasts } = unkept(completed.answer, parts.answer) as KeptForecasts;
  const known = new Map(grades.map(({ series, actuals }) => [series, actuals]));
  const all: SeriesActuals[] = [];
  for (const [series, read] of completed.read.entries()) {
    const forecast = forecasts[series]!;
    const { from, to } = spanOf(forecast);
    const values =
      known.get(series)
      ?? plain(actualsOf(forecast, await reads.between(placeOf(workspace, read), from, to)));
    all.push({ series, values });
  }
  return all.some(({ values }) => values.some(value => value !== null)) ? all : [];
}

export const plain = (actuals: Float64Array): (number | null)[] =>
  Array.from(actuals, actual => (Number.isNaN(actual) ? null : actual));
