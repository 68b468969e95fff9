import { forecastNotFound } from '../../domain/forecasts/decider.js';
import { Rejected } from '../../domain/rejected.js';
import type { GoalMetric } from '../../domain/goals/settings.js';
import type { ForecastDoc } from '../../projections/forecasts/documents.js';
import type { IssuedWithin } from '../../projections/forecasts/queries.js';
import { asOfHeaders, asOfIn, asOfView } from '../edge/as-of.js';
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
      const asOf = asOfIn(query.as_of, deps.clock());
      const { settings } = await goalIn(deps, workspace, goalId, asOf);
      const paging = { limit: query.per_page, offset: (query.page - 1) * query.per_page };
      const { items, total } = await deps.queries.forecasts(workspace, goalId, until(span, asOf), paging);
      const forecasts = await withActuals(deps, workspace, goalId, items, settings.metric, asOf);
      const then = asOf === null ? {} : { as_of: asOfView(asOf) };
      return { body: { data: { ...then, forecasts, ...perPage(query, total) } }, headers: asOfHeaders(asOf) };
    },
  }),
  row({
    ...reads,
    path: `${forecastsPath}/latest`,
    operation: 'getLatestGoalForecast',
    summary: 'The newest forecast of a goal',
    params: schemas.goalParams,
    versioned: 'by_content',
    query: schemas.asOfQuery,
    answers: { 200: { description: 'The forecast', schema: schemas.oneAnswer } },
    async run({ workspace, params: { goal_id: goalId }, query }) {
      const asOf = asOfIn(query.as_of, deps.clock());
      const { settings } = await goalIn(deps, workspace, goalId, asOf);
      const doc = await latestOf(deps, workspace, goalId, asOf);
      return shownThen(await withActuals(deps, workspace, goalId, [doc], settings.metric, asOf), asOf);
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
      const a = await forecastOf(deps, workspace, goalId, query.a);
      const b = await forecastOf(deps, workspace, goalId, query.b);
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
    versioned: 'by_content',
    query: schemas.asOfQuery,
    answers: { 200: { description: 'The forecast', schema: schemas.oneAnswer } },
    async run({ workspace, params: { goal_id: goalId, forecast_id: forecastId }, query }) {
      const asOf = asOfIn(query.as_of, deps.clock());
      const { settings } = await goalIn(deps, workspace, goalId, asOf);
      const doc = await forecastOf(deps, workspace, goalId, forecastId);
      if (asOf !== null && doc.issued_at > asOf) throw forecastNotFound(forecastId);
      return shownThen(await withActuals(deps, workspace, goalId, [doc], settings.metric, asOf), asOf);
    },
  }),
];

/** What of a span was issued until a moment. */
const until = ({ from, to }: IssuedWithin, asOf: number | null): IssuedWithin => ({
  from,
  to: asOf === null ? to : Math.min(to ?? asOf, asOf),
});

/** A forecast as an answer; of a past moment `as_of` is that moment. */
const shownThen = ([data]: readonly ReturnType<typeof forecastView>[], asOf: number | null) => ({
  body: { data: { ...data!, ...(asOf !== null && { as_of: asOfView(asOf)! }) } },
  headers: asOfHeaders(asOf),
});

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

/**
 * Of two that were issued in the same millisecond the one that came last.
 * @throws Rejected 404 where there is none yet
 */
export async function latestOf(
  { queries }: Pick<ForecastDeps, 'queries'>,
  workspace: string,
  goalId: string,
  asOf: number | null = null,
): Promise<ForecastDoc> {
  const doc =
    asOf === null
      ? (await queries.newestOf(workspace, [goalId])).get(goalId)
      : (await queries.forecasts(workspace, goalId, { from: null, to: asOf }, FIRST)).items[0];
  if (doc) return doc;
  throw new Rejected('missing', 'not_found', 'The goal has no forecast yet', { goal_id: goalId });
}
const FIRST = { limit: 1, offset: 0 };

/** Forecasts as they are shown, with what came of each; or had come until a moment, epoch ms. */
export async function withActuals(
  { queries, then }: Pick<ForecastDeps, 'queries' | 'then'>,
  workspace: string,
  goalId: string,
  docs: readonly ForecastDoc[],
  metric: GoalMetric,
  asOf: number | null = null,
) {
  if (docs.length === 0) return [];
  const from = Math.min(...docs.map(({ first }) => first));
  const to = Math.max(...docs.map(({ until }) => until));
  const days = await (asOf === null
    ? queries.actuals(workspace, goalId, from, to)
    : then.actuals(workspace, goalId, from, to, asOf));
  const came = actualsIn(days);
  return docs.map(doc => forecastView(doc, came, metric));
}
