import type { ForecastRecord, OfGoalsThen } from '../api/goals/deps.js';
import { factsThen } from '../commands/engine/then.js';
import { journalOf } from '../domain/decider.js';
import { actualsJournalId, goalActuals } from '../domain/forecasts/actuals-decider.js';
import type { GoalActualsCame } from '../domain/forecasts/facts.js';
import type { Fact } from '../domain/fact.js';
import { DAY } from '../domain/time.js';
import { recordOf } from '../projections/forecasts/accuracy.js';
import type { ActualsDoc } from '../projections/forecasts/documents.js';
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
    const then = await Promise.all(now.map(doc => ofDay(workspace, goalId, doc, asOf)));
    return then.filter(({ steps }) => steps.length > 0);
  };
  const latestThen = async (workspace: string, goalId: string, asOf: number) => {
    const until = { from: null, to: asOf };
    const { items } = await queries.forecasts(workspace, goalId, until, { limit: 1, offset: 0 });
    return items[0] ?? null;
  };
  const ofGoals: OfGoalsThen<ForecastRecord> = async (workspace, goalIds, asOf) => {
    const now = await queries.records(workspace, goalIds);
    const told = await Promise.all(
      [...now.values()].map(async ({ goal_id: goalId, settings }) => {
        const last = await queries.lastActuals(workspace, goalId);
        const end = Math.min(asOf, ...(last?.steps ?? []).map(({ time }) => time));
        const days = last ? await actualsThen(workspace, goalId, end - LOOKED_BACK, asOf, asOf) : [];
        const { week, month } = await recordOf(
          {
            record: queries.record,
            lastActuals: async () => days.at(-1) ?? null,
            actuals: async (...[, , from, to]) =>
              days.filter(({ steps }) => steps.some(({ time }) => time >= from && time <= to)),
          },
          workspace,
          goalId,
          settings.metric,
        );
        const newest = await latestThen(workspace, goalId, asOf);
        const accuracy = {
          ...{ value_7d: week.value, value_30d: month.value },
          ...{ skill_vs_naive: month.skill, coverage_80_30d: month.coverage },
        };
        const points = newest?.issued.points;
        const latest = newest && {
          ...{ forecastId: newest.forecast_id, issuedAt: newest.issued_at },
          ...{ nextValue: points!.mean[0]!, nextAt: points!.times[0]! },
        };
        return [goalId, { accuracy, latest }] as const;
      }),
    );
    return new Map(told);
  };
  return { actualsThen, latestThen, ofGoals };
}
