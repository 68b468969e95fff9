import type { Source } from '../../domain/analyst/fact.js';
import type { Situation } from '../../domain/analyst/situation.js';
import { accuracyOf, MONTH_DAYS } from '../../domain/forecasts/accuracy.js';
import { stepsIn } from '../../domain/forecasts/steps.js';
import { ACTING } from '../../domain/goals/ports.js';
import { goalNotFound } from '../../domain/goals/refusals.js';
import type { LiveGoal } from '../../domain/goals/state.js';
import { DAY } from '../../domain/time.js';
import type { KnownEdge } from '../../domain/edges/state.js';
import type { GoalDoc } from '../../projections/goals/documents.js';
import { wholeView } from '../discovery/views.js';
import { goalView, type Known } from '../goals/views.js';
import { forecastView } from '../forecasts/views.js';
import { tournamentView } from '../tournaments/views.js';
import type { AnalystDeps } from './deps.js';
import { edgeShown } from './edge-shown.js';

const source = (kind: Source['kind'], id: string, shown: unknown): Source => ({ kind, id, shown });
const NEWEST_TOURNAMENTS = 10;
const NEWEST_DISCOVERIES = 5;

/**
 * What is stored of a goal, as the API shows it; `asOf` (epoch ms): by what was known then, null: now. Of a
 * time before now there are the goal, its forecasts, their accuracy by steps that had begun and ended, and
 * edges; what a signal was then is not told. `withTests`: also what discoveries found of sources.
 * @throws Rejected 404 where the goal is not there, or was not then
 */
export async function situationOf(
  deps: AnalystDeps,
  workspace: string,
  goalId: string,
  asOf: number | null,
  withTests = false,
): Promise<Situation> {
  const doc = await deps.goal(workspace, goalId);
  const state = doc && (asOf === null ? doc.state : await deps.goalThen(workspace, goalId, asOf));
  if (!doc || !state) throw goalNotFound();
  const until = asOf ?? deps.clock();
  const { items } = await deps.forecasts.forecasts(
    workspace,
    goalId,
    { from: null, to: asOf },
    { limit: 2, offset: 0 },
  );
  const [latest, previous] = items.map(item =>
    source('forecast', item.forecast_id, forecastView(item, new Map(), state.settings.metric)),
  );
  const known = asOf === null ? await besideNow(deps, doc) : await besideThen(deps, doc, state, asOf);
  const { view } = goalView({ ...doc, state, status: state.status }, known);
  const edges = await deps.edgesThen(workspace, goalId, until);
  const acting = edges
    .filter(({ status }) => ACTING.includes(status))
    .sort((a, b) => (b.measured?.lift ?? 0) - (a.measured?.lift ?? 0) || (a.edgeId < b.edgeId ? -1 : 1));
  const signal = asOf === null ? await deps.signal(workspace, state.settings.target) : null;
  return {
    goal: source('goal', goalId, view),
    latest: latest ?? null,
    previous: previous ?? null,
    edges: acting.map(edge => source('edge', edge.edgeId, edgeShown(edge))),
    idle: edges
      .filter(edge => !acting.includes(edge))
      .map(edge => source('edge', edge.edgeId, edgeShown(edge))),
    tests: withTests ? await testsOf(deps, doc, edges, until) : [],
    target: signal && source('signal', state.settings.target, signal),
    tournament: await tournamentOf(deps, workspace, goalId, until),
  };
}

async function besideNow({ beside }: AnalystDeps, { workspace, goal_id: id }: GoalDoc): Promise<Known> {
  const [edges, forecasts, shocks] = await Promise.all([
    beside.edges(workspace, [id]),
    beside.forecasts(workspace, [id]),
    beside.shocks(workspace, [id]),
  ]);
  return { edges: edges.get(id), forecasts: forecasts.get(id), shock: shocks.get(id) };
}

/** Of forecasts what was graded of steps that were over by then. */
async function besideThen(
  { forecasts }: AnalystDeps,
  { workspace, goal_id: id }: GoalDoc,
  { settings }: LiveGoal,
  asOf: number,
): Promise<Known> {
  const docs = await forecasts.actuals(workspace, id, asOf - MONTH_DAYS * DAY, asOf);
  const { next } = stepsIn(settings);
  const steps = docs.flatMap(doc => doc.steps).filter(({ time }) => next(time) <= asOf);
  const scale = (await forecasts.record(workspace, id))?.scale ?? null;
  const { week, month } = accuracyOf(steps, settings.metric, scale);
  const accuracy = {
    ...{ value_7d: week.value, value_30d: month.value, skill_vs_naive: month.skill },
    ...{ coverage_80_30d: month.coverage, graded_steps: month.n },
  };
  return { forecasts: { accuracy, latest: null } };
}

/** Discoveries that were over by then, with what they found of each source. */
async function testsOf(
  { discoveries }: AnalystDeps,
  { workspace, goal_id: goalId }: GoalDoc,
  edges: readonly KnownEdge[],
  until: number,
): Promise<Source[]> {
  const paging = { offset: 0, limit: NEWEST_DISCOVERIES };
  const { items } = await discoveries.page(workspace, goalId, 'completed', paging);
  const statuses = new Map(edges.map(({ edgeId, status }) => [edgeId, status]));
  const over = items.filter(({ state }) => (state.finishedAt ?? Infinity) <= until);
  return Promise.all(
    over.map(async doc =>
      source('discovery', doc.discovery_id, wholeView(doc, await discoveries.results(doc), statuses)),
    ),
  );
}

async function tournamentOf(
  { tournaments }: AnalystDeps,
  workspace: string,
  goalId: string,
  until: number,
): Promise<Source | null> {
  const paging = { offset: 0, limit: NEWEST_TOURNAMENTS };
  const { items } = await tournaments.page(workspace, goalId, 'completed', paging);
  const over = items.find(({ state }) => (state.finishedAt ?? Infinity) <= until);
  return over ? source('tournament', over.tournament_id, tournamentView(over)) : null;
}
