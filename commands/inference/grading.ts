import { keptGrade } from '../../domain/inference/arrived.js';
import type { ForecastGraded } from '../../domain/inference/facts.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import type { RecordedInference } from '../../domain/inference/state.js';
import { arrived, placeOf, plain } from './actuals.js';
import type { SignalReads } from './histories.js';

/** An inference that was answered, and its answer. */
type Gradable = { readonly record: RecordedInference; readonly kept: KeptForecasts };

/**
 * The grades of an inference's forecasts that can be given now and were not: of the series of one key (as it
 * is called where it lies), or of all (null). A forecast is graded when all its steps have an actual, and
 * when it is over, with what has come; when it is given up, those of the other keys are, too.
 */
export async function* graded(
  reads: Pick<SignalReads, 'find' | 'between'>,
  workspace: string,
  inferenceId: string,
  { record, kept: { levels, forecasts } }: Gradable,
  key: string | null,
  { isOver, isGivenUp }: { readonly isOver: boolean; readonly isGivenUp: boolean },
): AsyncGenerator<ForecastGraded['data']> {
  const { completed, grades } = record;
  if (completed?.awaits === undefined || completed.awaits === null) return;
  const done = new Set(grades.map(({ series }) => series));
  for (const [series, read] of completed.read.entries()) {
    const place = placeOf(workspace, read);
    if (done.has(series) || (key !== null && !isGivenUp && place.key !== key)) continue;
    const forecast = forecasts[series]!;
    const actuals = await arrived(reads, workspace, read, forecast);
    if (!isOver && actuals.some(Number.isNaN)) continue;
    yield { inferenceId, series, actuals: plain(actuals), grade: keptGrade(forecast, levels, actuals) };
  }
}
