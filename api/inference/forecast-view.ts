import { MADE } from '../../domain/models/made.js';
import { creditsNumber } from '../../domain/billing/amounts.js';
import type { InferenceCompleted } from '../../domain/inference/facts.js';
import type { Calibration } from '../../domain/inference/forecasting.js';
import {
  meanOf,
  timeIn,
  type KeptForecast,
  type KeptForecasts,
} from '../../domain/inference/kept-forecast.js';
import { iso } from '../../domain/time.js';
import type { Moves } from '../../domain/inference/moves.js';
import type { Step } from '../../domain/maths/series/grid.js';
import { appliedView, calibrationView, recordView, shockView } from './moved-views.js';

type Completed = InferenceCompleted['data'] & { readonly at: number };

/** What stands around the answers of all tasks: the same at once and when it is read again. */
export const aroundView = (inferenceId: string, completed: Completed, credits = 0) => ({
  inference_id: inferenceId,
  status: 'completed',
  promotion_id: completed.promotionId,
  goal_id: completed.goal?.goalId ?? null,
  model: completed.model,
  issued_at: iso(completed.at),
  usage: {
    series: completed.series,
    input_points: completed.inputPoints,
    output_points: completed.outputPoints,
    credits: creditsNumber(credits),
    latency_ms: completed.tookMs,
    cached: completed.cached,
  },
});

/** The past moment that was asked for; null: now. */
export const asOfOf = ({ read: [first] }: Completed): string | null =>
  first === undefined || first.asOf === null ? null : iso(first.asOf);

export const provenanceView = ({ model, madeBy, upTo, codeVersion, seed, inputsHash }: Completed) => ({
  training_id: madeBy?.trainingId ?? (model.family === MADE.training ? model.slug : null),
  segment_version: madeBy?.segmentVersion ?? null,
  table_hash: madeBy?.tableHash ?? null,
  event_log_position: upTo,
  scorer_version: null,
  code_version: codeVersion,
  seed,
  inputs_hash: inputsHash,
});

/** The answer of a forecast. */
export function forecastView(
  around: ReturnType<typeof aroundView>,
  completed: Completed,
  { levels, forecasts, moves }: KeptForecasts,
) {
  const names = levels.map(String);
  const steps = new Set(forecasts.map(({ step }) => secondsOf(step)));
  return {
    ...around,
    horizon: completed.horizon,
    step_s: steps.size === 1 ? [...steps][0] : null,
    forecasts: forecasts.map(each => oneView(each, levels, names)),
    metadata: {
      as_of: asOfOf(completed),
      data_cutoff: iso(forecasts.reduce((newest, { cutoff }) => Math.max(newest, cutoff), -Infinity)),
      lookback_used: forecasts.reduce((most, { lookbackUsed }) => Math.max(most, lookbackUsed), 0),
      filled_points: forecasts.reduce((sum, { filledPoints }) => sum + filledPoints, 0),
      calibration: calibrationOf(forecasts, moves),
      series: forecasts.map(standsOnView),
      served_by: completed.goal?.servedBy ?? null,
      applied_events: (moves?.appliedEvents ?? []).map(appliedView),
      skipped_events: moves?.skippedEvents ?? 0,
      carried_events: moves?.carriedEvents ?? 0,
      shock: moves?.shock ? shockView(moves.shock) : null,
      provenance: { ...provenanceView(completed), scorer_version: moves?.scorerVersion ?? null },
    },
    warnings: [
      ...warningsOf(completed),
      ...forecasts.flatMap(({ id, warnings }) =>
        warnings.map(warning => (forecasts.length > 1 ? { id, ...warning } : warning)),
      ),
    ],
  };
}

function oneView(forecast: KeptForecast, levels: readonly number[], names: readonly string[]) {
  const mean = meanOf(forecast, levels);
  const columns = forecast.quantiles;
  return {
    id: forecast.id,
    step_s: secondsOf(forecast.step),
    points: mean.map((value, h) => {
      const quantiles: Record<string, number> = {};
      for (let k = 0; k < names.length; k++) quantiles[names[k]!] = columns[k]![h]!;
      return { ts: iso(timeIn(forecast, h)), mean: value, quantiles };
    }),
    ...(forecast.explanation && { explanation: forecast.explanation }),
  };
}

const standsOnView = (forecast: KeptForecast) => ({
  id: forecast.id,
  period: forecast.period,
  lookback_used: forecast.lookbackUsed,
  filled_points: forecast.filledPoints,
  data_cutoff: iso(forecast.cutoff),
  calibration: calibrationView(forecast.calibration),
});

/** Why something else answers than what serves the goal first. */
export const warningsOf = ({ goal }: Completed) => goal?.warnings ?? [];

function calibrationOf(forecasts: readonly KeptForecast[], moves: Moves | undefined) {
  const own = ofAll(forecasts.map(({ calibration }) => calibration));
  return moves ? recordView(own, moves) : calibrationView(own);
}

/** The one of one series; of several, means by how many steps each was judged on. */
function ofAll(all: readonly Calibration[]): Calibration {
  const judged = all.filter(({ n }) => n > 0);
  if (all.length === 1 || judged.length === 0) return all[0]!;
  const n = judged.reduce((sum, each) => sum + each.n, 0);
  const mean = (of: (each: Calibration) => number) =>
    judged.reduce((sum, each) => sum + of(each) * each.n, 0) / n;
  return {
    ...judged[0]!,
    n,
    coverageRecent: mean(({ coverageRecent }) => coverageRecent ?? 0),
    widenedBy: mean(({ widenedBy }) => widenedBy),
  };
}

export const secondsOf = ({ ms }: Step): number => Math.round(ms / 1_000);
