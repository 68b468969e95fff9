import { creditsNumber } from '../../domain/billing/amounts.js';
import type { GoalForecastIssued } from '../../domain/forecasts/facts.js';
import { gradeOfIssued } from '../../domain/forecasts/grading.js';
import type { GoalModel, SingleModel } from '../../domain/goals/model.js';
import type { GoalMetric } from '../../domain/goals/settings.js';
import { MADE } from '../../domain/models/made.js';
import { iso } from '../../domain/time.js';
import type { ActualsDoc, ForecastDoc } from '../../projections/forecasts/documents.js';
import { appliedView, recordView, shockView } from '../inference/moved-views.js';

type Issued = GoalForecastIssued['data'];

const singleView = (model: SingleModel) =>
  model.kind === 'served'
    ? {
        ...{ kind: model.kind, promotion_id: model.promotionId, method: null },
        ...{ family: model.model.family, slug: model.model.slug, version: model.model.version },
      }
    : {
        ...{ kind: model.kind, promotion_id: null, family: null, slug: null },
        version: null,
        method: model.method,
      };

export const modelView = (name: string, model: GoalModel) =>
  model.kind === 'ensemble'
    ? {
        ...{ name, kind: model.kind, promotion_id: null, family: null, slug: null, version: null },
        method: null,
        members: model.members.map(({ model: member, weight }) => ({ ...singleView(member), weight })),
      }
    : { name, ...singleView(model), members: [] };

const trainingIn = ({ model }: Issued): string | null =>
  model.kind === 'served' && model.model.family === MADE.training ? model.model.slug : null;

/** Of the levels that the goal asked for. */
export function quantilesAt({ points, asked }: Issued, step: number): Record<string, number> {
  const quantiles: Record<string, number> = {};
  points.levels.forEach((level, k) => {
    if (asked.includes(level)) quantiles[String(level)] = points.quantiles[k]![step]!;
  });
  return quantiles;
}

const metadataView = (issued: Issued) => ({
  data_cutoff: iso(issued.dataCutoff),
  lookback_used: issued.lookbackUsed,
  filled_points: issued.filledPoints,
  period: issued.period,
  served_by: issued.servedBy,
  calibration: recordView(issued.calibration, issued),
  applied_events: issued.appliedEvents.map(appliedView),
  skipped_events: issued.skippedEvents,
  carried_events: issued.carriedEvents ?? 0,
  shock: issued.shock && shockView(issued.shock),
  provenance: {
    ...{ training_id: trainingIn(issued), segment_version: null, table_hash: null },
    ...{
      event_log_position: issued.upTo,
      scorer_version: issued.scorerVersion ?? null,
      code_version: issued.codeVersion,
    },
    ...{ seed: issued.seed, inputs_hash: issued.inputsHash },
  },
});

/** What came, by the beginnings of steps. */
export const actualsIn = (docs: readonly ActualsDoc[]): ReadonlyMap<number, number> =>
  new Map(docs.flatMap(({ steps }) => steps.map(({ time, actual }) => [time, actual] as const)));

/** A forecast as it was given out, with what came of it since. */
export function forecastView(
  { issued, issued_at: at }: Pick<ForecastDoc, 'issued' | 'issued_at'>,
  came: ReadonlyMap<number, number>,
  metric: GoalMetric,
) {
  const { times, mean } = issued.points;
  const actuals = times.map(time => came.get(time) ?? null);
  return {
    forecast_id: issued.forecastId,
    goal_id: issued.goalId,
    issued_at: iso(at),
    as_of: iso(issued.asOf),
    made_as_of: iso(issued.asOf),
    trigger: issued.trigger,
    due_at: issued.dueAt === null ? null : iso(issued.dueAt),
    horizon: issued.horizon,
    ...{ step_s: issued.stepS, step_months: issued.stepMonths ?? null },
    points: times.map((time, h) => ({ ts: iso(time), mean: mean[h]!, quantiles: quantilesAt(issued, h) })),
    metadata: metadataView(issued),
    served_by: issued.servedBy,
    model: modelView(issued.name, issued.model),
    warnings: issued.warnings,
    shock_state: issued.shock?.state ?? 'normal',
    supersedes: issued.supersedes,
    actuals: times.flatMap((time, h) => (actuals[h] === null ? [] : [{ ts: iso(time), value: actuals[h]! }])),
    grade: gradeOfIssued(issued, actuals, metric),
    usage: { credits: creditsNumber(issued.credits) },
  };
}

const briefView = ({ issued, issued_at: at }: ForecastDoc) => ({
  ...{ forecast_id: issued.forecastId, issued_at: iso(at), served_by: issued.servedBy },
  model: modelView(issued.name, issued.model),
  shock_state: issued.shock?.state ?? 'normal',
});

/** Two forecasts at the steps that both have. */
export function comparedView(a: ForecastDoc, b: ForecastDoc) {
  const points = a.issued.points.times.flatMap((time, i) => {
    const j = b.issued.points.times.indexOf(time);
    if (j < 0) return [];
    const [own, other] = [a.issued.points.mean[i]!, b.issued.points.mean[j]!];
    return [
      {
        ts: iso(time),
        a: { mean: own, quantiles: quantilesAt(a.issued, i) },
        b: { mean: other, quantiles: quantilesAt(b.issued, j) },
        delta: other - own,
      },
    ];
  });
  const total_delta = points.reduce((sum, { delta }) => sum + delta, 0);
  return { a: briefView(a), b: briefView(b), points, total_delta };
}
