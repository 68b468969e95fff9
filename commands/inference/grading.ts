import { keptGrade } from '../../domain/inference/arrived.js';
import type { ForecastGraded } from '../../domain/inference/facts.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import { unkept, type RecordedInference } from '../../domain/inference/state.js';
import { arrived, placeOf, plain } from './actuals.js';
import type { SignalReads } from './histories.js';

/**
 * The grades of an inference's forecasts that can be given now and were not: of the series of one key (as it
 * is called where it lies), or of all (null). A forecast is graded when all its steps have an actual, and
 * when it is over, with what has come; when it is given up, those of the other keys are, too.
 */
export async function* graded(
  reads: Pick<SignalReads, 'find' | 'between'>,
  workspace: string,
  inferenceId: string,
  { completed, parts, grades }: RecordedInference,
  key: string | null,
  { isOver, isGivenUp }: { readonly isOver: boolean; readonly isGivenUp: boolean },
): AsyncGenerator<ForecastGraded['data']> {
  if (completed?.awaits === undefined || completed.awaits === null) return;
  const done = new Set(grades.map(({ series }) => series));
  const { levels, forecasts } = unkept(completed.answer, parts.answer) as KeptForecasts;
  for (const [series, read] of completed.read.entries()) {
    const place = placeOf(workspace, read);
    if (done.has(series) || (key !== null && !isGivenUp && place.key !== key)) continue;
    const forecast = forecasts[series]!;
    const actuals = await arrived(reads, workspace, read, forecast);
    if (!isOver && actuals.some(Number.isNaN)) continue;
    yield { inferenceId, series, actuals: plain(actuals), grade: keptGrade(forecast, levels, actuals) };
  }
}
