import { actualsOf, spanOf } from '../../domain/inference/arrived.js';
import type { HistoryRead } from '../../domain/inference/facts.js';
import type { KeptForecast, KeptForecasts } from '../../domain/inference/kept-forecast.js';
import { unkept, type RecordedInference } from '../../domain/inference/state.js';
import type { SignalAt, SignalReads } from './histories.js';

/** What came where one series was forecast: for each step its actual, null where none came. */
export type SeriesActuals = { readonly series: number; readonly values: readonly (number | null)[] };

/** Where the signal of a series lies. */
export const placeOf = (workspace: string, { of, key }: HistoryRead) => of ?? { workspace, key };

/**
 * The actual of each step of a forecast, NaN where none came; all are where the signal is another workspace's
 * that this one subscribes to no more: what comes since is not for it.
 */
export async function arrived(
  reads: Pick<SignalReads, 'find' | 'between'>,
  workspace: string,
  read: HistoryRead,
  forecast: KeptForecast,
): Promise<Float64Array> {
  const place = placeOf(workspace, read);
  const { from, to } = spanOf(forecast);
  const maySee = read.of === null || isSame(await reads.find(workspace, read.key), place);
  return actualsOf(forecast, maySee ? await reads.between(place, from, to) : { times: [], values: [] });
}

const isSame = (signal: SignalAt | null, place: SignalAt['place']): boolean =>
  signal?.place.workspace === place.workspace && signal.place.key === place.key;

/**
 * What has come of a forecast of signals so far, of all its series, as it was graded or else as it stands;
 * none where nothing came yet.
 */
export async function actualsSoFar(
  reads: Pick<SignalReads, 'find' | 'between'>,
  workspace: string,
  { completed, parts, grades }: RecordedInference,
): Promise<readonly SeriesActuals[]> {
  if (completed?.task !== 'forecast' || completed.awaits === null) return [];
  const { forecasts } = unkept(completed.answer, parts.answer) as KeptForecasts;
  const known = new Map(grades.map(({ series, actuals }) => [series, actuals]));
  const all: SeriesActuals[] = [];
  for (const [series, read] of completed.read.entries()) {
    const values = known.get(series) ?? plain(await arrived(reads, workspace, read, forecasts[series]!));
    all.push({ series, values });
  }
  return all.some(({ values }) => values.some(value => value !== null)) ? all : [];
}

export const plain = (actuals: Float64Array): (number | null)[] =>
  Array.from(actuals, actual => (Number.isNaN(actual) ? null : actual));
