import { goalNotFound } from '../../domain/goals/refusals.js';
import type { GoalMetric } from '../../domain/goals/settings.js';
import type { TargetHistory, TargetOf } from '../../domain/goals/ports.js';
import { timeOfStep } from '../../domain/inference/steps.js';
import { Rejected } from '../../domain/rejected.js';
import { iso } from '../../domain/time.js';
import type { EdgeDoc } from '../../projections/edges/documents.js';
import type { ActualsDoc, ForecastDoc } from '../../projections/forecasts/documents.js';
import { edgeView } from '../discovery/views.js';
import { asOfHeaders, asOfIn } from '../edge/as-of.js';
import { row, type Row } from '../edge/row.js';
import { actualsIn, forecastView } from '../forecasts/views.js';
import type { Beside, GoalThen } from '../goals/deps.js';
import { shownOf } from '../goals/found.js';
import * as schemas from './schemas.js';

export type KnownDeps = {
  readonly goalThen: GoalThen;
  readonly beside: Beside;
  readonly targetOf: TargetOf;
  /** As they stood at a moment, epoch ms. */
  readonly latestThen: (workspace: string, goalId: string, asOf: number) => Promise<ForecastDoc | null>;
  readonly actualsThen: (
    workspace: string,
    goalId: string,
    from: number,
    to: number,
    asOf: number,
  ) => Promise<readonly ActualsDoc[]>;
  readonly edgesThen: (workspace: string, goalId: string, asOf: number) => Promise<readonly EdgeDoc[]>;
  readonly clock: () => number;
};

/** So many of the newest steps are shown. */
const NEWEST = 10;

/** What was known, served and believed of a goal at a past moment: open-parts 29.1. */
export const knownRows = (deps: KnownDeps): Row[] => [
  row({
    method: 'get',
    path: '/v1/goals/{goal_id}/known-at',
    operation: 'getGoalKnownAt',
    summary: 'What was known, served and believed of a goal at a past moment',
    description: 'By what was recorded until then, however much was corrected since.',
    tag: 'Goals',
    access: { kind: 'workspace', scope: 'goals.read' },
    params: schemas.goalParams,
    query: schemas.knownQuery,
    errors: { 404: ['not_found'] },
    answers: { 200: { description: 'The moment, on one page', schema: schemas.knownAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      const at = asOfIn(query.at, deps.clock(), ['query', 'at'])!;
      const doc = await deps.goalThen(workspace, goalId, at);
      if (!doc) throw goalNotFound();
      const { settings } = doc.state;
      const [[goal], history, forecast, edges] = await Promise.all([
        shownOf(deps, workspace, [doc], at),
        historyThen(deps, workspace, settings, at),
        forecastThen(deps, workspace, goalId, settings.metric, at),
        deps.edgesThen(workspace, goalId, at),
      ]);
      const { view } = goal!;
      const data = {
        ...{ goal_id: goalId, at: iso(at), as_of: iso(at) },
        ...{ name: view.name, status: view.status, version: view.version },
        known: { target: settings.target, ...knownView(history) },
        served: {
          ...{ champion: view.champion, runner_up: view.runner_up, forecast },
          ...{ shock_state: view.shock_state, shock: view.shock },
        },
        believed: {
          edges: edges.map(edge => edgeView(edge, null)),
          bands: forecast && { calibration: forecast.metadata.calibration, next: forecast.points[0] ?? null },
          ...{ health: view.health, health_reasons: view.health_reasons, accuracy: view.accuracy },
        },
      };
      return { body: { data }, headers: asOfHeaders(at) };
    },
  }),
];

/** Null where nothing was known yet, or the signal is gone. */
async function historyThen(
  { targetOf }: KnownDeps,
  workspace: string,
  settings: Parameters<TargetOf>[1],
  asOf: number,
): Promise<TargetHistory | null> {
  try {
    return await targetOf(workspace, settings, { asOf, most: NEWEST });
  } catch (error) {
    if (error instanceof Rejected) return null;
    throw error;
  }
}

function knownView(history: TargetHistory | null) {
  if (!history) return { data_cutoff: null, newest: [] };
  const { series } = history;
  const newest = Array.from(series.values, (value, i) => ({
    ts: iso(timeOfStep(series, i)),
    value: Number.isNaN(value) ? null : value,
  }));
  return { data_cutoff: iso(history.cutoff), newest };
}

/** The forecast in force, with what had come of it; null: there was none yet. */
async function forecastThen(
  { latestThen, actualsThen }: KnownDeps,
  workspace: string,
  goalId: string,
  metric: GoalMetric,
  asOf: number,
) {
  const doc = await latestThen(workspace, goalId, asOf);
  if (!doc) return null;
  const days = await actualsThen(workspace, goalId, doc.first, doc.until, asOf);
  return forecastView(doc, actualsIn(days), metric);
}
