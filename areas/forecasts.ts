import { forecastRows } from '../api/forecasts/rows.js';
import { forecastBy } from '../commands/forecasts/forecast-by.js';
import { issuing } from '../commands/forecasts/issuing.js';
import { forecastRecords } from '../commands/forecasts/records.js';
import { replayForecast } from '../commands/forecasts/replaying.js';
import type { Adjustment } from '../domain/forecasts/composing.js';
import { forecastFrames } from '../domain/forecasts/frames.js';
import { forecastsProjection } from '../projections/forecasts/projection.js';
import { recordOf } from '../projections/forecasts/accuracy.js';
import { forecastQueries } from '../projections/forecasts/queries.js';
import { goalsProjection } from '../projections/goals/projection.js';
import { signalsProjection } from '../projections/signals/projection.js';
import { firstForecasts } from '../workers/first-forecasts.js';
import { goalForecastScheduler } from '../workers/goal-forecasts.js';
import { goalGrading } from '../workers/goal-grading.js';
import type { Became } from '../workers/settling.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { DeploymentsArea } from './deployments.js';
import { forecastingOf } from './forecasting.js';
import { forecastsThen } from './forecasts-then.js';
import type { GoalsArea } from './goals.js';
import type { IdentityArea } from './identity.js';
import type { Histories } from './histories.js';
import type { Kernel } from './kernel.js';

type On = {
  readonly identity: IdentityArea;
  readonly billing: BillingArea;
  readonly deployments: DeploymentsArea;
  readonly histories: Histories;
  readonly goals: GoalsArea;
  /** Whether models are served here at all. */
  readonly isServing: boolean;
  /** What moves forecasts between model and calibration, in this order. */
  readonly adjustments: readonly Adjustment[];
};

/** Grading waits so long for the read models before it fails and begins again. */
const GRADING_WAITS_MS = 5_000;

/** Forecasts of goals: at each beat of their cadence, kept for ever, and graded as actuals come. */
export const forecastsArea = (kernel: Kernel, on: On) => {
  const { clock, compute, handle, load, log, newId, read, stores, visibleIn } = kernel;
  const { identity, billing, histories, goals, adjustments } = on;
  const forecasting = forecastingOf(kernel, on);
  const queries = forecastQueries(read(forecastsProjection));
  const records = forecastRecords({ handle, load });
  const visible = visibleIn(forecastsProjection, goalsProjection);
  const making = issuing({
    ...forecasting,
    ...{ records, adjustments, log, goals: goals.commands, credits: billing.credits },
    async before(workspace, goalIds) {
      const docs = await queries.records(workspace, goalIds);
      return new Map(
        [...docs].map(([goalId, { latest, tracker, month, spent }]) => [
          goalId,
          { latest: latest?.forecast_id ?? null, tracker, month, spent },
        ]),
      );
    },
  });
  const { inAnyState: served, zeroShot } = on.deployments;
  const replaying = {
    ...{ records, adjustments, store: stores.events, goalThen: goals.goalThen },
    forecastBy: forecastBy({ served, zeroShot, compute, remembered: (_, forecast) => forecast }),
  };
  const isArchived = async (workspace: string): Promise<boolean> =>
    (await identity.directory.workspace(workspace))?.archivedAt !== null;
  const caughtUp = async (position: number): Promise<boolean> =>
    (await kernel.caughtUp(signalsProjection, position, GRADING_WAITS_MS))
    && kernel.caughtUp(forecastsProjection, position, GRADING_WAITS_MS);
  return area({
    name: 'forecasts',
    ...forecasting,
    ...{ queries, issuing: making },
    /** By deployments in whatever state, also retired ones: asks the model of a forecast once more. */
    forecastAgain: forecastBy({ served, zeroShot, compute, remembered: histories.remembered }),
    frames: { of: forecastFrames, shown: visible },
    reactors: [
      firstForecasts({ issuing: making, isArchived }),
      goalGrading({ queries, records, reads: histories.reads, caughtUp, alone: !stores.shared }),
    ],
    schedulers: {
      'goal-forecasts': () =>
        goalForecastScheduler({
          ...{ queries, records, issuing: making, goals: goals.commands, isArchived },
          ...{ clock, newId, visible, log },
        }),
    },
    rows: forecastRows({
      ...{ queries, goals: goals.commands, issuing: making, targetOf: forecasting.targetOf },
      replay: (...asked) => replayForecast(replaying, ...asked),
      then: { goal: goals.goalThen, actuals: forecastsThen(kernel).actualsThen },
      ...{ clock, visible },
    }),
  });
};
export type ForecastsArea = ReturnType<typeof forecastsArea>;

/** What is asked of forecasts by what they are built on. */
export const forecastsOf = (kernel: Kernel) => {
  const queries = forecastQueries(kernel.read(forecastsProjection));
  const records = forecastRecords(kernel);
  return {
    /** What became of a forecast that credits are held for. */
    async became(workspace: string, forecastId: string): Promise<Became> {
      const { status } = await records.state(workspace, forecastId);
      return status === 'issued' ? 'completed' : 'unknown';
    },
    /** What goals' forecasts were worth, and the newest of each; of whom there is nothing is absent. */
    async ofGoals(workspace: string, goalIds: readonly string[]) {
      const docs = await queries.records(workspace, goalIds);
      const told = await Promise.all(
        [...docs.values()].map(async ({ goal_id: goalId, latest, settings }) => {
          const { week, month } = await recordOf(queries, workspace, goalId, settings.metric);
          const accuracy = {
            ...{ value_7d: week.value, value_30d: month.value },
            ...{ skill_vs_naive: month.skill, coverage_80_30d: month.coverage },
            graded_steps: month.n,
          };
          const newest = latest && {
            ...{ forecastId: latest.forecast_id, issuedAt: latest.issued_at },
            ...{ nextValue: latest.next_value, nextAt: latest.next_ts },
          };
          return [goalId, { accuracy, latest: newest }] as const;
        }),
      );
      return new Map(told);
    },
  };
};
