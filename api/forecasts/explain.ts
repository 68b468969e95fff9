import { explained } from '../../domain/inference/explanation.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { stepKept } from '../../domain/goals/steps.js';
import { iso } from '../../domain/time.js';
import { filled } from '../../domain/inference/fill.js';
import type { ForecastDoc } from '../../projections/forecasts/documents.js';
import { row, type Row } from '../edge/row.js';
import { forecastsPath, goalIn, ofGoal, readAccess, tag, type ForecastDeps } from './deps.js';
import { forecastOf, latestOf } from './issued.js';
import * as schemas from './schemas.js';
import { appliedView } from '../inference/moved-views.js';
import { modelView } from './views.js';

const common = {
  method: 'get',
  tag,
  access: readAccess,
  errors: { 404: ['not_found'], 422: ['insufficient_history'] },
  description: 'Its mean in parts that add up to it, of the history that it was made from.',
  answers: { 200: { description: 'The parts', schema: schemas.explainAnswer } },
} as const;

/** Why forecasts are what they are. */
export const explainRows = (deps: ForecastDeps): Row[] => [
  row({
    ...common,
    path: `${ofGoal}/explain`,
    operation: 'explainGoal',
    summary: "Why a goal's newest forecast is what it is",
    params: schemas.goalParams,
    async run({ workspace, params: { goal_id: goalId } }) {
      const goal = await goalIn(deps, workspace, goalId);
      return explanationOf(deps, workspace, goal, await latestOf(deps, workspace, goalId));
    },
  }),
  row({
    ...common,
    path: `${forecastsPath}/{forecast_id}/explain`,
    operation: 'explainGoalForecast',
    summary: 'Why a forecast is what it is',
    params: schemas.forecastParams,
    async run({ workspace, params: { goal_id: goalId, forecast_id: forecastId } }) {
      const goal = await goalIn(deps, workspace, goalId);
      return explanationOf(deps, workspace, goal, await forecastOf(deps, workspace, goalId, forecastId));
    },
  }),
];

async function explanationOf(
  { targetOf }: ForecastDeps,
  workspace: string,
  { settings }: LiveGoal,
  { issued, issued_at: at }: ForecastDoc,
) {
  const { asOf, read, period, points, plain, lookbackUsed, shock } = issued;
  const of = { target: read.key, ...stepKept(issued), timezone: settings.timezone };
  const { series } = await targetOf(workspace, of, { asOf, most: lookbackUsed });
  const { components, drivers } = explained({
    values: filled(series.values, 'linear', period).values,
    period,
    mean: Float64Array.from(points.mean),
    plain: Float64Array.from(plain ?? points.mean),
    effects: new Map(),
  });
  // All that moved it are events, and in a shock what follows from one
  const moved = shock ? 'shock' : 'events';
  return {
    body: {
      data: {
        ...{ goal_id: issued.goalId, forecast_id: issued.forecastId, issued_at: iso(at) },
        ...{ served_by: issued.servedBy, model: modelView(issued.name, issued.model) },
        components: components.map(({ name, points: column }) => ({
          name: name === 'covariate' ? moved : name,
          points: [...column],
        })),
        drivers: drivers.map(driver => ({ ...driver })),
        applied_events: issued.appliedEvents.map(appliedView),
        warnings: issued.warnings,
      },
    },
  };
}
