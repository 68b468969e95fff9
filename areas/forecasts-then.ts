import type { Beside, ForecastRecord } from '../api/goals/deps.js';
import { factsThen } from '../commands/engine/then.js';
import { readInTurns } from '../commands/engine/turns.js';
import { journalOf } from '../domain/decider.js';
import { actualsJournalId, goalActuals } from '../domain/forecasts/actuals-decider.js';
import type { GoalActualsCame } from '../domain/forecasts/facts.js';
import type { Fact } from '../domain/fact.js';
import { accuracyOf, MONTH_DAYS } from '../domain/forecasts/accuracy.js';
import { DAY } from '../domain/time.js';
import { dayOf, type ActualsDoc } from '../projections/forecasts/documents.js';
import { forecastsProjection } from '../projections/forecasts/projection.js';
import { forecastQueries } from '../projections/forecasts/queries.js';
import type { Kernel } from './kernel.js';

type Steps = ActualsDoc['steps'];

/** The record of a month ends at the newest step that was graded, which may be older than the moment. */
const LOOKED_BACK = 62 * DAY;

/** Forecasts, and what had come of them, as they stood at a moment, epoch ms. */
export function forecastsThen({ read, stores }: Pick<Kernel, 'read' | 'stores'>) {
  const queries = forecastQueries(read(forecastsProjection));
  const facts = factsThen(stores.events);
  const ofDay = async (workspace: string, goalId: string, doc: ActualsDoc, asOf: number) => {
    const then = await facts(journalOf(goalActuals, actualsJournalId(workspace, goalId, doc.day)), asOf);
    const steps = new Map<number, Steps[number]>();
    for (const { data } of then as readonly Fact<GoalActualsCame>[])
      for (const step of data.steps) steps.set(step.time, step);
    return { ...doc, steps: [...steps.values()] };
  };
  const actualsThen = async (workspace: string, goalId: string, from: number, to: number, asOf: number) => {
    const now = await queries.actuals(workspace, goalId, from, to);
    const then = await readInTurns(workspace, now, doc => ofDay(workspace, goalId, doc, asOf));
    return then.filter(({ steps }) => steps.length > 0);
  };
  /** The newest month of what had come: days are read from the newest on, until they lie behind it. */
  const monthThen = async (workspace: string, goalId: string, asOf: number): Promise<Steps> => {
    const last = await queries.lastActuals(workspace, goalId);
    if (!last) return [];
    const end = Math.min(asOf, ...last.steps.map(({ time }) => time));
    const now = await queries.actuals(workspace, goalId, end - LOOKED_BACK, asOf);
    const days: Steps[] = [];
    let newest = -Infinity;
    for (const doc of now.toReversed()) {
      if (doc.day < dayOf(Math.max(0, newest - MONTH_DAYS * DAY))) break;
      const [day] = await readInTurns(workspace, [doc], one => ofDay(workspace, goalId, one, asOf));
      const { steps } = day!;
      days.unshift(steps);
      newest = steps.reduce((latest, { time }) => Math.max(latest, time), newest);
    }
    return days.flat();
  };
  const latestThen = async (workspace: string, goalId: string, asOf: number) => {
    const until = { from: null, to: asOf };
    const { items } = await queries.forecasts(workspace, goalId, until, { limit: 1, offset: 0 });
    return items[0] ?? null;
  };
  /** In the metric that each had then, and in units of the forecast that was its newest. */
  const ofGoals: Beside['then']['forecasts'] = async (workspace, goals, asOf) => {
    const told = new Map<string, ForecastRecord>();
    const ids = goals.map(({ goal_id: goalId }) => goalId);
    const records = await queries.records(workspace, ids);
    for (const { goal_id: goalId, state } of goals) {
      if (!records.has(goalId)) continue;
      const newest = await latestThen(workspace, goalId, asOf);
      const steps = await monthThen(workspace, goalId, asOf);
      const scale = newest?.issued.scales.seasonal ?? null;
      const { week, month } = accuracyOf(steps, state.settings.metric, scale);
      const points = newest?.issued.points;
      told.set(goalId, {
        accuracy: {
          ...{ value_7d: week.value, value_30d: month.value },
          ...{ skill_vs_naive: month.skill, coverage_80_30d: month.coverage },
          graded_steps: month.n,
        },
        latest: newest && {
          ...{ forecastId: newest.forecast_id, issuedAt: newest.issued_at },
          ...{ nextValue: points!.mean[0]!, nextAt: points!.times[0]! },
        },
      });
    }
    return told;
  };
  return { actualsThen, latestThen, ofGoals };
}
