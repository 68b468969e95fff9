import { forecastNotFound } from '../../domain/forecasts/decider.js';
import { Rejected } from '../../domain/rejected.js';
import type { GoalMetric } from '../../domain/goals/settings.js';
import type { ForecastDoc } from '../../projections/forecasts/documents.js';
import { notValid } from '../edge/errors.js';
import { perPage } from '../edge/paging.js';
import { row, type Row } from '../edge/row.js';
import { spanIn } from '../edge/times.js';
import { forecastsPath, goalIn, readAccess, tag, type ForecastDeps } from './deps.js';
import * as schemas from './schemas.js';
import { actualsIn, comparedView, forecastView } from './views.js';

const errors = { 404: ['not_found'] } as const;
const reads = { method: 'get', tag, access: readAccess, errors } as const;

/** Forecasts that were given out. */
export const issuedRows = (deps: ForecastDeps): Row[] => [
  row({
    ...reads,
    path: forecastsPath,
    operation: 'listGoalForecasts',
    summary: 'Forecasts of a goal',
    description: 'Newest first, each as it was given out, with the actuals that came since.',
    params: schemas.goalParams,
    query: schemas.listQuery,
    answers: { 200: { description: 'A page of them', schema: schemas.listAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      const span = spanIn(query);
      const { settings } = await goalIn(deps, workspace, goalId);
      const paging = { limit: query.per_page, offset: (query.page - 1) * query.per_page };
      const { items, total } = await deps.queries.forecasts(workspace, goalId, span, paging);
      const forecasts = await withActuals(deps, workspace, goalId, items, settings.metric);
      return { body: { data: { forecasts, ...perPage(query, total) } } };
    },
  }),
  row({
    ...reads,
    path: `${forecastsPath}/latest`,
    operation: 'getLatestGoalForecast',
    summary: 'The newest forecast of a goal',
    params: schemas.goalParams,
    answers: { 200: { description: 'The forecast', schema: schemas.oneAnswer } },
    async run({ workspace, params: { goal_id: goalId } }) {
      const { settings } = await goalIn(deps, workspace, goalId);
      const doc = await latestOf(deps, workspace, goalId);
      const [data] = await withActuals(deps, workspace, goalId, [doc], settings.metric);
      return { body: { data: data! } };
    },
  }),
  row({
    ...reads,
    path: `${forecastsPath}/compare`,
    operation: 'compareGoalForecasts',
    summary: 'Two forecasts of a goal beside each other',
    description: 'At the steps that both have.',
    params: schemas.goalParams,
    query: schemas.compareQuery,
    answers: { 200: { description: 'Both, and how far they are apart', schema: schemas.compareAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      await goalIn(deps, workspace, goalId);
      const a = await forecastOf(deps, workspace, goalId, given('a', query.a));
      const b = await forecastOf(deps, workspace, goalId, given('b', query.b));
      return { body: { data: comparedView(a, b) } };
    },
  }),
  row({
    ...reads,
    path: `${forecastsPath}/{forecast_id}`,
    operation: 'getGoalForecast',
    summary: 'A forecast of a goal',
    description: 'It never changes; only `actuals` and `grade` grow.',
    params: schemas.forecastParams,
    answers: { 200: { description: 'The forecast', schema: schemas.oneAnswer } },
    async run({ workspace, params: { goal_id: goalId, forecast_id: forecastId } }) {
      const { settings } = await goalIn(deps, workspace, goalId);
      const doc = await forecastOf(deps, workspace, goalId, forecastId);
      const [data] = await withActuals(deps, workspace, goalId, [doc], settings.metric);
      return { body: { data: data! } };
    },
  }),
];

/** @throws Rejected 422: a goal that is not there is said first */
function given(name: 'a' | 'b', id: string | undefined): string {
  if (id !== undefined) return id;
  throw notValid([{ loc: ['query', name], msg: 'is required', type: 'missing' }]);
}

/** @throws Rejected 404 */
export async function forecastOf(
  { queries }: Pick<ForecastDeps, 'queries'>,
  workspace: string,
  goalId: string,
  forecastId: string,
): Promise<ForecastDoc> {
  const doc = await queries.forecast(workspace, forecastId);
  if (doc?.issued.goalId !== goalId) throw forecastNotFound(forecastId);
  return doc;
}

/** @throws Rejected 404 where there is none yet */
export async function latestOf(
  { queries }: Pick<ForecastDeps, 'queries'>,
  workspace: string,
  goalId: string,
): Promise<ForecastDoc> {
  const whenever = { from: null, to: null };
  const { items } = await queries.forecasts(workspace, goalId, whenever, { limit: 1, offset: 0 });
  const [doc] = items;
  if (doc) return doc;
  throw new Rejected('missing', 'not_found', 'The goal has no forecast yet', { goal_id: goalId });
}

/** Forecasts as they are shown, with what came of each. */
export async function withActuals(
  { queries }: Pick<ForecastDeps, 'queries'>,
  workspace: string,
  goalId: string,
  docs: readonly ForecastDoc[],
  metric: GoalMetric,
) {
  if (docs.length === 0) return [];
  const from = Math.min(...docs.map(({ first }) => first));
  const to = Math.max(...docs.map(({ until }) => until));
  const came = actualsIn(await queries.actuals(workspace, goalId, from, to));
  return docs.map(doc => forecastView(doc, came, metric));
}
