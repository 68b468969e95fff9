import { creditsNumber } from '../../domain/billing/amounts.js';
import type { Columns, Extrapolation, ScenarioResult } from '../../domain/scenarios/facts.js';
import { progressOf } from '../../domain/scenarios/state.js';
import { iso } from '../../domain/time.js';
import type { ScenarioDoc } from '../../projections/scenarios/documents.js';
import { assumptionView } from './assumptions.js';

const quantilesAt = (levels: readonly number[], { quantiles }: Columns, step: number) =>
  Object.fromEntries(levels.map((level, k) => [String(level), quantiles[k]![step]!]));

const pointsOf = ({ times, levels }: ScenarioResult, columns: Columns) =>
  times.map((time, h) => ({
    ts: iso(time),
    mean: columns.mean[h]!,
    quantiles: quantilesAt(levels, columns, h),
  }));

const extrapolationView = ({ index, key, field, value, low, high }: Extrapolation) => ({
  ...{ index, key, field, value, min: low, max: high },
  message: `${field} ${value} of ${key} lies outside of what was seen: ${low} to ${high}`,
});

export function scenarioView({ scenario_id, goal_id, state }: ScenarioDoc) {
  const { created, run, result, status, finishedAt } = state;
  const { name, description, base, assumptions, owner } = created;
  return {
    ...{ scenario_id, goal_id, name, description: description === '' ? null : description, status },
    progress: progressOf(state),
    base: base === 'latest' ? base : base.forecastId,
    ...{ base_forecast_id: run.baseForecastId, as_of: iso(run.asOf), horizon: run.horizon },
    assumptions: assumptions.map(assumptionView),
    points: result ? pointsOf(result, result.points) : [],
    delta: result ? pointsOf(result, result.delta) : [],
    total_delta: result?.totalDelta ?? null,
    by_assumption: (result?.contributions ?? []).map((contribution, index) => ({
      ...{ index, kind: assumptions[index]!.kind, contribution },
    })),
    extrapolation_warnings: (result?.extrapolations ?? []).map(extrapolationView),
    warnings: result?.warnings ?? [],
    edges: result?.edgeIds ?? [],
    error: state.error,
    ...{ run: run.run, created_by: owner, created_at: iso(state.createdAt) },
    requested_at: iso(state.requestedAt),
    finished_at: finishedAt === null ? null : iso(finishedAt),
    usage: { credits: status === 'failed' ? 0 : creditsNumber(run.price.amount) },
  };
}

/** Scenarios that are completed, at the steps that all have. */
export function comparedView(docs: readonly ScenarioDoc[]) {
  const each = docs.map(({ scenario_id, state: { result, created, run } }) => ({
    ...{ scenario_id, result: result!, name: created.name, base_forecast_id: run.baseForecastId },
  }));
  const [first, ...others] = each;
  const common = first!.result.times.filter(time =>
    others.every(({ result }) => result.times.includes(time)),
  );
  return {
    scenarios: each.map(({ result, ...one }) => ({ ...one, total_delta: result.totalDelta })),
    points: common.map(time => ({
      ts: iso(time),
      scenarios: each.map(({ scenario_id, result }) => {
        const h = result.times.indexOf(time);
        const [mean, delta] = [result.points.mean[h]!, result.delta.mean[h]!];
        const quantiles = quantilesAt(result.levels, result.points, h);
        return { scenario_id, base: mean - delta, mean, delta, quantiles };
      }),
    })),
  };
}
