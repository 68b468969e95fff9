import { actualsOf, keptGrade, spanOf } from '../../domain/inference/arrived.js';
import type { ForecastGraded } from '../../domain/inference/facts.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import { unkept, type RecordedInference } from '../../domain/inference/state.js';
import { placeOf, plain } from './actuals.js';
import type { SignalReads } from './histories.js';

/**
 * The grades of an inference's forecasts that can be given now and were not: of the series of one key (as it
 * is called where it lies), or of all (null). A forecast is graded when all its steps have an actual, or when
 * its signal has gone on for as long again: what is missing then is not waited for.
 */
export async function* graded(
  reads: Pick<SignalReads, 'between' | 'lastAt'>,
  workspace: string,
  inferenceId: string,
  { completed, parts, grades }: RecordedInference,
  key: string | null,
): AsyncGenerator<ForecastGraded['data']> {
  if (completed?.awaits === undefined || completed.awaits === null) return;
  const done = new Set(grades.map(({ series }) => series));
  const { levels, forecasts } = unkept(completed.answer, parts.answer) as KeptForecasts;
  for (const [series, read] of completed.read.entries()) {
    const place = placeOf(workspace, read);
    if (done.has(series) || (key !== null && place.key !== key)) continue;
    const forecast = forecasts[series]!;
    const { from, to } = spanOf(forecast);
    const last = await reads.lastAt(place);
    if (last === null || last < from) continue;
    const actuals = actualsOf(forecast, await reads.between(place, from, to));
    const isWhole = !actuals.some(Number.isNaN);
    const isOver = last >= to + (to - from);
    if (!isWhole && !(isOver && !actuals.every(Number.isNaN))) continue;
    yield { inferenceId, series, actuals: plain(actuals), grade: keptGrade(forecast, levels, actuals) };
  }
}
