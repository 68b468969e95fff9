import { healthOf } from '../../domain/goals/health.js';
import type { Champion } from '../../domain/goals/model.js';
import { championsOf } from '../../domain/goals/state.js';
import { iso } from '../../domain/time.js';
import type { GoalDoc, HappeningDoc } from '../../projections/goals/documents.js';
import { versionedTag } from '../edge/versions.js';
import type { EdgeCounts, ForecastRecord, InShock } from './deps.js';
import { givenOf } from './settings.js';

const championView = ({ model, name, score, since, tournamentId }: Champion) => ({
  promotion_id: model.kind === 'served' ? model.promotionId : null,
  ...{ model: modelView(model), name, score, since: iso(since), tournament_id: tournamentId },
});

function modelView(model: Champion['model']): Record<string, unknown> {
  if (model.kind === 'local') return { kind: model.kind, method: model.method };
  if (model.kind === 'ensemble')
    return {
      kind: model.kind,
      members: model.members.map(each => ({ model: modelView(each.model), weight: each.weight })),
    };
  const { family, slug, version } = model.model;
  return { kind: model.kind, promotion_id: model.promotionId, family, slug, version };
}

const NOTHING: ForecastRecord['accuracy'] = {
  ...{ value_7d: null, value_30d: null, skill_vs_naive: null, coverage_80_30d: null },
  graded_steps: 0,
};

/** What is shown with a goal; of a new one there is nothing yet. */
export type Known = {
  readonly edges?: EdgeCounts | undefined;
  readonly forecasts?: ForecastRecord | undefined;
  readonly shock?: InShock | undefined;
  /** Epoch ms. */
  readonly nextContest?: number | null;
};

/** A goal, and what others know of it. */
export function goalView(doc: GoalDoc, { edges = {}, forecasts, shock, nextContest = null }: Known) {
  const { state } = doc;
  const { settings, reasons, activatedAt } = state;
  const { champion, runnerUp } = championsOf(state);
  const given = givenOf(settings);
  const { value = null, direction = null } = settings.objectiveParams;
  const { by } = settings.objectiveParams;
  const latest = forecasts?.latest;
  const view = {
    goal_id: doc.goal_id,
    ...given,
    step_months: settings.stepMonths ?? null,
    description: settings.description === '' ? null : settings.description,
    objective_params: { value, direction, by: by === undefined ? null : iso(by) },
    status: state.status,
    shock_state: shock?.state ?? 'normal',
    shock: shock?.shown ?? null,
    champion: champion && championView(champion),
    runner_up: runnerUp && championView(runnerUp),
    next_tournament_at: nextContest === null ? null : iso(nextContest),
    edges: {
      // A pinned one counts as validated everywhere
      validated: (edges.validated ?? 0) + (edges.pinned ?? 0),
      ...{ weakening: edges.weakening ?? 0, candidate: edges.candidate ?? 0 },
    },
    accuracy: { metric: settings.metric, ...(forecasts?.accuracy ?? NOTHING) },
    latest_forecast: latest
      ? {
          ...{ forecast_id: latest.forecastId, issued_at: iso(latest.issuedAt) },
          ...{ next_value: latest.nextValue, next_ts: iso(latest.nextAt) },
        }
      : null,
    ...{ health: healthOf(reasons), health_reasons: reasons },
    ...{ fleet_id: doc.fleet_id, owner: state.owner, version: state.version },
    ...{ created_at: iso(doc.created_at), updated_at: iso(doc.updated_at) },
    activated_at: activatedAt === null ? null : iso(activatedAt),
  };
  return { view, etag: versionedTag(state.version, view) };
}

export const happeningView = ({ kind, at, actor, data }: HappeningDoc) => ({
  ...{ kind, at: iso(at), actor, data },
});
