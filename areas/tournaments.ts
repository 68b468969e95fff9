import { tournamentRows } from '../api/tournaments/rows.js';
import { enthroningOf, judgingOf, mindingCrowns } from '../commands/tournaments/enthroning.js';
import { tournamentCommands } from '../commands/tournaments/records.js';
import { startingOf } from '../commands/tournaments/starting.js';
import { availableIn } from '../domain/billing/account.js';
import { tournamentFrames } from '../domain/tournaments/frames.js';
import { tournamentsProjection } from '../projections/tournaments/projection.js';
import { tournamentQueries } from '../projections/tournaments/queries.js';
import { crowning } from '../workers/crowning.js';
import { tournamentWork } from '../workers/tournaments.js';
import { area } from './area.js';
import type { BillingArea } from './billing.js';
import type { DeploymentsArea } from './deployments.js';
import type { ForecastsArea } from './forecasts.js';
import type { GoalsArea } from './goals.js';
import type { Kernel } from './kernel.js';
import type { TrainingsArea } from './trainings.js';

type On = {
  readonly billing: BillingArea;
  readonly goals: GoalsArea;
  readonly forecasts: ForecastsArea;
  readonly deployments: DeploymentsArea;
  readonly trainings: TrainingsArea;
};

/** Models compete for goals on the same past moments; the champion changes only on evidence. */
export const tournamentsArea = (kernel: Kernel, on: On) => {
  const { handle, load, read, clock, newId, log, visibleIn } = kernel;
  const { billing, goals, forecasts, deployments, trainings } = on;
  const { credits } = billing;
  const queries = tournamentQueries(read(tournamentsProjection));
  const commands = tournamentCommands({ handle, load, credits });
  const visible = visibleIn(tournamentsProjection);
  const goal = goals.commands.state;
  const crowns = { commands, goals: goals.commands };
  const enthrone = enthroningOf(crowns);
  const start = startingOf({
    ...{ commands, goal, queries, credits },
    ...{ standing: forecasts.standing, replaced: forecasts.replaced },
    available: async workspace => availableIn(await billing.accountOf(workspace)),
  });
  return area({
    name: 'tournaments',
    queries,
    commands: { ...commands, start, judged: judgingOf(crowns) },
    frames: { of: tournamentFrames(queries.after), shown: visible },
    reactors: [crowning(enthrone)],
    schedulers: {
      tournaments: () =>
        tournamentWork({
          ...{ commands, queries, goal, clock, newId, visible, log },
          ...{ targetOf: forecasts.targetOf, forecastBy: forecasts.forecastBy },
          async seenUntil(workspace, promotionId) {
            const deployment = await deployments.queries.deployment(workspace, promotionId);
            const trainingId = deployment?.training_id ?? null;
            if (trainingId === null) return null;
            return (await trainings.queries.byId(trainingId))?.data_cutoff ?? null;
          },
        }),
    },
    rows: tournamentRows({
      ...{ commands, queries, start, enthrone, mindCrown: mindingCrowns(crowns), clock, visible },
      goalsVisible: goals.visible,
      hasGoal: async (workspace, goalId) => (await goals.queries.goal(workspace, goalId)) !== null,
    }),
  });
};
export type TournamentsArea = ReturnType<typeof tournamentsArea>;
