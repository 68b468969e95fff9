import type { InferenceTask } from '../../domain/inference/facts.js';
import type { RecordedInference } from '../../domain/inference/state.js';
import type { KeptForecasts } from '../../domain/inference/kept-forecast.js';
import { pointsIn, type KeptBacktest, type KeptPoints } from '../../domain/inference/kept-points.js';
import type { ImputedPoint, JudgedPoint } from '../../domain/inference/judged.js';
import { iso } from '../../domain/time.js';
import { aroundView, asOfOf, forecastView, provenanceView, warningsOf } from './forecast-view.js';
import { gradeView } from './grade-view.js';

type OfSeries<P extends object> = { readonly id: string; readonly points: KeptPoints<P> };

const judged = ({ time, ...rest }: JudgedPoint) => ({ ts: iso(time), ...rest });
const imputed = ({ time, ...rest }: ImputedPoint) => ({ ts: iso(time), ...rest });

const backtested = ({ id, period, grade, windows }: KeptBacktest) => ({
  ...{ id, period },
  metrics: gradeView(grade),
  windows: windows.map(window => ({
    cutoff: iso(window.cutoff),
    points: window.times.map((time, h) => ({
      ts: iso(time),
      actual: window.actual[h]!,
      mean: window.mean[h]!,
      quantiles: Object.fromEntries(window.levels.map((level, k) => [level, window.quantiles[k]![h]!])),
    })),
    metrics: gradeView(window.grade),
  })),
});

/** What a task says of its series; forecasts have a view of their own. */
const own: Readonly<Record<Exclude<InferenceTask, 'forecast'>, (answer: never) => object>> = {
  anomaly: ({ anomalies }: { anomalies: OfSeries<JudgedPoint>[] }) => ({
    anomalies: anomalies.map(({ id, points }) => ({ id, points: pointsIn(points).map(judged) })),
  }),
  backtest: ({ backtests }: { backtests: KeptBacktest[] }) => ({ backtests: backtests.map(backtested) }),
  impute: ({ imputations }: { imputations: OfSeries<ImputedPoint>[] }) => ({
    imputations: imputations.map(({ id, points }) => ({ id, points: pointsIn(points).map(imputed) })),
  }),
  embed: (answer: object) => answer,
  classify: (answer: object) => answer,
};

/** The answer of an inference, the same at once and when it is read again. */
export function answerView(inferenceId: string, record: RecordedInference, answer: unknown): object {
  const completed = record.completed!;
  const around = aroundView(inferenceId, completed, record.requested.credits);
  if (completed.task === 'forecast') return forecastView(around, completed, answer as KeptForecasts);
  return {
    ...around,
    ...(completed.horizon !== null && { horizon: completed.horizon }),
    ...own[completed.task](answer as never),
    metadata: {
      as_of: asOfOf(completed),
      served_by: completed.goal?.servedBy ?? null,
      data_cutoff: iso(completed.cutoff),
      provenance: provenanceView(completed),
    },
    warnings: warningsOf(completed),
  };
}
